"""Refusals for memory: their words in numbers, and whether they are true. The loop: run with very little memory, read
"allow at least X" or "is certain to fit with X", run with X as it was printed; that must succeed."""

import concurrent.futures
import re
import shutil
import subprocess

import harness

SIZE = r"([0-9.]+) (B|KiB|MiB|GiB|TiB)"
ADVICE = re.compile("(?:allow at least|certain to fit with) " + SIZE)
NEEDS = re.compile("needs? (?:about )?" + SIZE)
ALLOWED = re.compile("allows " + SIZE)
UNITS = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40}
DOES_NOT_FIT = 4


def in_bytes(match):
    return float(match[1]) * UNITS[match[2]]


def as_typed(match):
    """The size as a user would type it: 5.1 MiB as 5.1M."""
    return match[1] + {"B": ""}.get(match[2], match[2][0])


def call(command, where):
    return subprocess.run(
        [harness.MILLRACE, *map(str, command)], capture_output=True, text=True, env=harness.ENVIRONMENT, cwd=where
    )


def contradiction(message, given):
    """What is wrong with the numbers of a refusal, or nothing."""
    advice, needs, allowed = ADVICE.search(message), NEEDS.search(message), ALLOWED.search(message)
    if not advice:
        return "names no amount"
    if given and in_bytes(advice) <= given:
        return "asks for no more than it was given"
    if needs and in_bytes(needs) > in_bytes(advice):
        return "needs more than it asks for"
    if allowed and needs and in_bytes(needs) <= in_bytes(allowed):
        return "needs no more than it is allowed"
    if allowed and given and in_bytes(allowed) > given:
        return "is allowed more than it was given"
    return None


def ask(command, option, where, first="4K"):
    """One turn of the loop: None or what is wrong; and the amount that was asked for ("" if there was no refusal)."""
    small = call([*command, option, first], where)
    if small.returncode == 0:
        if command[0] in ("import", "generate", "partition"):
            shutil.rmtree(where / command[command.index("-o") + 1], ignore_errors=True)
        return None, ""
    if small.returncode != DOES_NOT_FIT:
        return f"exit code {small.returncode}: {small.stderr.strip()}", ""
    given = float(first[:-1]) * {"K": 1 << 10, "M": 1 << 20}[first[-1]]
    wrong = contradiction(small.stderr, given)
    if wrong:
        return f"{wrong}: {small.stderr.strip()}", ""
    typed = as_typed(ADVICE.search(small.stderr))
    again = call([*command, option, typed], where)
    if command[0] in ("import", "generate", "partition"):  # the disk need not hold all of them
        shutil.rmtree(where / command[command.index("-o") + 1], ignore_errors=True)
    if again.returncode in (2, 3):
        return f"exit code {again.returncode}: {again.stderr.strip()}", typed
    if again.returncode != 0:
        return f"refused with {typed}: {small.stderr.strip()} -- then: {again.stderr.strip()}", typed
    return None, typed


def check(commands, option, where, first="4K", jobs=2):
    """Runs all commands: how many ran, how many were refused first, and what was wrong."""
    asked, wrong, refused, skipped = 0, [], 0, 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        commands = list(commands)
        for command, (problem, typed) in zip(commands, pool.map(lambda c: ask(c, option, where, first), commands)):
            # Errors of usage and input have nothing to do with memory.
            if problem and re.match("exit code [23]:", problem):
                skipped += 1
                continue
            asked += 1
            refused += typed != ""
            if problem:
                wrong.append(f"{' '.join(map(str, command))} {option}: {problem}")
    return asked, refused, skipped, wrong
