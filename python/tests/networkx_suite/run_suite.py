"""Runs NetworkX's own tests plain and through Millrace, compares the failures, and writes counts.md beside this file.

Usage: python run_suite.py [arguments of pytest, such as -k pagerank]   (with arguments, counts.md is left as it is)
The package has to be installed, or to be on PYTHONPATH. NetworkX does not ask `should_run` in these tests: every call
that can run does.
"""

import collections
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import nx_entry_points  # noqa: E402


def run(backend, folder, arguments):
    """The counts and outcomes of a run, and the seconds of pytest's last line."""
    paths = [str(HERE), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    if not nx_entry_points.installed():
        paths.insert(0, str(folder))
    counts = folder / f"{backend}.json"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths)), "MILLRACE_COUNTS": str(counts)}
    if backend == "millrace":
        environment |= {"NETWORKX_TEST_BACKEND": "millrace", "NETWORKX_FALLBACK_TO_NX": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "count_calls", "-p", "no:cacheprovider", "--tb=short"]
    command += ["--pyargs", "networkx", *arguments]
    with open(folder / f"{backend}.log", "w", encoding="utf-8") as log:
        subprocess.run(command, check=False, env=environment, stdout=log, stderr=subprocess.STDOUT, cwd=folder)
    print(backend, (folder / f"{backend}.log").read_text().splitlines()[-1])
    return json.loads(counts.read_text())


def failures(found):
    return {test for test, outcome in found["outcomes"].items() if outcome == "failed"}


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "| --- |" + " ---: |" * (len(header) - 1)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows])


def short(module):
    return module.removeprefix("networkx.").removeprefix("algorithms.")


def report(plain, through):
    """The page, from the two runs."""
    import networkx

    modules = sorted(through["calls"].items(), key=lambda item: -item[1].get("ran", 0))
    rows = [(f"`{short(name)}`", count.get("ran", 0), count.get("left", 0)) for name, count in modules]
    total = [sum(row[i] for row in rows) for i in (1, 2)]
    tests = sorted(through["tests"].items(), key=lambda item: -item[1])
    outcomes = {name: collections.Counter(found["outcomes"].values()) for name, found in
                (("plain NetworkX", plain), ("through Millrace", through))}  # fmt: skip
    kinds = ("passed", "failed", "skipped", "xfailed")
    new, old = sorted(failures(through) - failures(plain)), sorted(failures(plain))
    other = sorted(
        f"`{test}`: {plain['outcomes'].get(test)}, through Millrace {outcome}"
        for test, outcome in through["outcomes"].items()
        if outcome != plain["outcomes"].get(test) and outcome != "failed"
    )
    reasons = [
        (f"`{name}`", reason, count)
        for name, found in sorted(through["reasons"].items())
        for reason, count in sorted(found.items(), key=lambda item: -item[1])
    ]
    text = [
        "# NetworkX's own tests through Millrace",
        f"Made by `run_suite.py`, with NetworkX {networkx.__version__}: its tests with `NETWORKX_TEST_BACKEND=millrace "
        "NETWORKX_FALLBACK_TO_NX=1`, counted by the plugin `count_calls.py`. In these tests NetworkX does not ask "
        "`should_run`: every call that can run through the backend does.",
        table(("tests", *kinds), [(name, *(count[kind] for kind in kinds)) for name, count in outcomes.items()]),
        f"Failures that plain NetworkX does not have: {len(new)}." + "".join(f"\n- `{test}`" for test in new),
        f"Failures that plain NetworkX has: {len(old)}." + "".join(f"\n- `{test}`" for test in old),
        f"Other differences: {len(other)}." + "".join(f"\n- {line}" for line in other),
        "## Calls, by the module of the function",
        table(("module", "ran through Millrace", "left to NetworkX"), [*rows, ("**all**", *total)]),
        "## Tests with a call that ran through Millrace, by their module",
        table(
            ("tests in", "number"),
            [(f"`{short(name.split('networkx/')[-1])}`", count) for name, count in tests]
            + [("**all**", sum(through["tests"].values()))],
        ),
        "## Why calls were left to NetworkX",
        table(("function", "reason", "calls"), reasons).replace("| ---: | ---: |", "| --- | ---: |", 1),
    ]
    return "\n\n".join(text) + "\n"


def main(arguments):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if not nx_entry_points.installed():
            nx_entry_points.write(folder)
        with concurrent.futures.ThreadPoolExecutor(2) as both:
            plain, through = both.map(lambda name: run(name, folder, arguments), ("plain", "millrace"))
        new = sorted(failures(through) - failures(plain))
        for test in new:
            print("FAILS ONLY THROUGH MILLRACE:", test)
        if new:
            print((folder / "millrace.log").read_text()[-20000:])
        if not arguments:
            (HERE / "counts.md").write_text(report(plain, through), encoding="utf-8")
        return 1 if new else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
