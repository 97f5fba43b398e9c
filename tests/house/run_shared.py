#!/usr/bin/env python3
"""Runs the tests of a GoogleTest program in several processes, and prints one page about them.

The processes draw tests in small groups, those that took longest in the last run first, so all end at about the same
time. Each has its share of the cores: OMP_NUM_THREADS is set. What a process runs when it crashes or is cut off is
named, and the tests after it are run by another process. Exits with 1 if a test failed or was not run."""

import argparse
import collections
import contextlib
import dataclasses
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time

SLOWEST = 10


@dataclasses.dataclass
class Outcome:
    """How a test ended: ok, failed, skipped or cut off (by the time limit)."""

    name: str
    how: str
    seconds: float
    text: str = ""  # what it printed


def list_tests(command, pattern):
    """The full names of the tests, in the order of the program."""
    listing = subprocess.run([*command, "--gtest_list_tests", f"--gtest_filter={pattern}"], capture_output=True, text=True)
    if listing.returncode != 0:
        sys.exit(f"{command[0]} cannot list its tests:\n{listing.stdout}{listing.stderr}")
    suite, names = "", []
    for line in listing.stdout.splitlines():
        word = line.split("#")[0].rstrip()
        if word.startswith("  "):
            names.append(suite + word.strip())
        elif word.endswith("."):
            suite = word
    return [name for name in names if "DISABLED_" not in name]


class Pool:
    """The tests that nobody has drawn yet."""

    def __init__(self, names, seconds, processes):
        self.waiting = collections.deque(sorted(names, key=lambda name: -seconds.get(name, 0)))
        self.processes = processes
        self.lock = threading.Lock()

    def draw(self):
        with self.lock:
            count = min(64, max(1, len(self.waiting) // (4 * self.processes)))
            return [self.waiting.popleft() for _ in range(min(count, len(self.waiting)))]

    def give_back(self, names):
        with self.lock:
            self.waiting.extendleft(reversed(names))


class Process:
    """Runs groups of tests until none is left or the time is over."""

    END = re.compile(r"\[\s+(OK|FAILED|SKIPPED)\s+\] (\S+?),? .*\((\d+) ms\)")

    def __init__(self, number, command, environment, pool, deadline, outcomes):
        self.command, self.environment, self.pool = command, dict(environment), pool
        if cache := environment.get("MILLRACE_TEST_CACHE"):  # which a process empties
            self.environment["MILLRACE_TEST_CACHE"] = f"{cache}.{number}"
        self.deadline, self.outcomes = deadline, outcomes

    def work(self):
        while time.monotonic() < self.deadline:
            names = self.pool.draw()
            if not names:
                return
            try:
                left = self.run(names)
            except Exception as error:  # such as no memory for a process: these tests were not run
                self.outcomes.append(Outcome(f"{names[0]} and {len(names) - 1} more", "failed", 0, f"{error!r}\n"))
                return
            self.pool.give_back(left)

    alive = set()  # programs of all processes
    starting = threading.Lock()  # held while one is started, until it is in that set

    @classmethod
    def end_all(cls, number, _):
        """Handles a signal; no program is started afterwards."""
        cls.starting.acquire()
        for program in list(cls.alive):
            cls.kill(program)
        os._exit(128 + number)

    @staticmethod
    def kill(program):
        """Kills the program and what it started: a tool such as compute-sanitizer runs the tests as its child, which
        would hold the pipe open."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(program.pid, signal.SIGKILL)

    def run(self, names):
        """The tests of the group that were not begun."""
        with self.starting:
            program = subprocess.Popen(
                [*self.command, f"--gtest_filter={':'.join(names)}"],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", env=self.environment,
                process_group=0,
            )
            self.alive.add(program)
        timer = threading.Timer(max(0.0, self.deadline - time.monotonic()), self.kill, [program])
        timer.start()
        left, running, began, text = list(names), None, 0.0, []
        for line in program.stdout:
            name = line.split()[-1] if line.startswith("[ RUN      ]") else ""
            if name in left and not running:  # a test may print such lines too
                running, began, text = name, time.monotonic(), []
                continue
            end = self.END.match(line)
            if end and running == end[2]:
                how = {"OK": "ok", "FAILED": "failed", "SKIPPED": "skipped"}[end[1]]
                self.outcomes.append(Outcome(running, how, int(end[3]) / 1e3, "".join(text)))
                left.remove(running)
                running = None
            else:
                text.append(line)  # of the test, or after the last one of a tool such as compute-sanitizer
        program.wait()
        self.alive.discard(program)
        timer.cancel()
        if running:
            cut_off = time.monotonic() >= self.deadline
            text.append(f"the process ended with {program.returncode}\n")
            left.remove(running)
            self.outcomes.append(
                Outcome(running, "cut off" if cut_off else "failed", time.monotonic() - began, "".join(text))
            )
        elif time.monotonic() >= self.deadline:
            pass  # cut off between two tests
        elif left == names and program.returncode == 0:  # it would not run them the next time either
            self.outcomes.append(Outcome(f"{names[0]} and {len(names) - 1} more", "failed", 0, "the program ran none of them\n"))
            return []
        elif program.returncode != 0 and not any(one.how == "failed" and one.name in names for one in self.outcomes):
            # Every test says that it passed, the program not: a tool such as compute-sanitizer found something.
            self.outcomes.append(Outcome(f"{names[0]} and {len(names) - 1} more, together", "failed", 0, "".join(text)))
            return []
        return left


def page(title, outcomes, not_run, seconds, processes):
    """What happened, in one page of text."""
    count = collections.Counter(one.how for one in outcomes)
    lines = [
        f"{title}: {count['ok']} passed, {count['failed']} failed, {count['skipped']} skipped, {count['cut off']} cut "
        f"off, {len(not_run)} not run; {seconds:.0f} s in {processes} processes"
    ]
    for how in ("failed", "cut off"):
        for one in outcomes:
            if one.how == how:
                lines.append(f"  {how} after {one.seconds:.1f} s: {one.name}")
                lines += [f"      {line}" for line in one.text.splitlines()[-12:]] if how == "failed" else []
    reasons = collections.Counter(
        next((line for line in reversed(one.text.strip().splitlines()) if line.strip()), "no reason given")
        for one in outcomes if one.how == "skipped"
    )
    lines += [f"  skipped {times}: {reason}" for reason, times in reasons.most_common()]
    lines += [f"  not run: {', '.join(not_run[:8])}{' ...' if len(not_run) > 8 else ''}"] if not_run else []
    slowest = sorted(outcomes, key=lambda one: -one.seconds)[:SLOWEST]
    lines += ["  slowest:"] + [f"    {one.seconds:7.1f} s  {one.name}" for one in slowest]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--title", default="tests")
    parser.add_argument("--processes", type=int, default=0, help="0: one for each 2 cores, and at most 8")
    parser.add_argument("--limit", type=float, default=3600, help="seconds for all tests")
    parser.add_argument("--filter", default="*", help="as of --gtest_filter")
    parser.add_argument("--times", type=pathlib.Path, help="a file that keeps how long each test took, for the next run")
    parser.add_argument("command", nargs="+", help="the program, after tools that run it")
    options = parser.parse_args()

    cores = len(os.sched_getaffinity(0))
    processes = options.processes or max(1, min(8, cores // 2))
    environment = dict(os.environ)
    environment.setdefault("OMP_NUM_THREADS", str(max(2, cores // processes)))
    names = list_tests(options.command[-1:], options.filter)
    if not names:
        sys.exit(f"no test of {options.command[-1]} matches {options.filter}")
    times = json.loads(options.times.read_text()) if options.times and options.times.exists() else {}

    began = time.monotonic()
    pool, outcomes = Pool(names, times, processes), []
    workers = [
        threading.Thread(
            target=Process(number, options.command, environment, pool, began + options.limit, outcomes).work,
            daemon=True,
        )
        for number in range(processes)
    ]
    # The programs are in process groups of their own, so a signal for this one does not reach them.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, Process.end_all)
    for worker in workers:
        worker.start()
    # A signal that comes just before the main thread waits is handled after the wait: so no wait is long.
    for worker in workers:
        while worker.is_alive():
            worker.join(0.2)
    if options.times:
        times.update({one.name: one.seconds for one in outcomes if one.how == "ok"})
        options.times.parent.mkdir(parents=True, exist_ok=True)
        options.times.write_text(json.dumps(times))
    known = {one.name for one in outcomes}
    not_run = [name for name in names if name not in known]
    print(page(options.title, outcomes, not_run, time.monotonic() - began, processes), flush=True)
    bad = sum(one.how in ("failed", "cut off") for one in outcomes) + len(not_run)
    skipped = sum(one.how == "skipped" for one in outcomes)
    print(f"{sum(one.how == 'ok' for one in outcomes)} passed, {bad} failed, {skipped} skipped")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
