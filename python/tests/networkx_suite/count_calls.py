"""A plugin of pytest: counts which calls of NetworkX's own tests run through Millrace, and which are left to NetworkX.

MILLRACE_COUNTS names the file for the counts. Used by run_suite.py.
"""

import collections
import functools
import json
import os

COUNTS = collections.defaultdict(collections.Counter)  # by module of NetworkX's functions
TESTS = collections.defaultdict(set)  # tests with a call that ran, by their module
REASONS = collections.defaultdict(collections.Counter)  # why calls were left to NetworkX, by function
OUTCOMES = {}
_current = [""]


def _module_of(name):
    from networkx.utils.backends import _registered_algorithms

    return _registered_algorithms[name].__module__


def _counted(name, function):
    @functools.wraps(function)
    def call(*args, **kwargs):
        try:
            result = function(*args, **kwargs)
        except NotImplementedError as error:
            COUNTS[_module_of(name)]["left"] += 1
            REASONS[name][str(error)] += 1
            raise
        except BaseException:
            _ran(name)  # an error of NetworkX, which its tests expect
            raise
        _ran(name)
        return result

    return call


def _ran(name):
    COUNTS[_module_of(name)]["ran"] += 1
    TESTS[_current[0].split("::")[0]].add(_current[0])


def _hook(backend):
    for name, function in backend.FUNCTIONS.items():
        setattr(backend, name, _counted(name, function))
    ask = backend.can_run

    def can_run(name, args, kwargs):
        answer = ask(name, args, kwargs)
        if answer is not True and name in backend.FUNCTIONS:
            COUNTS[_module_of(name)]["left"] += 1
            REASONS[name][str(answer)] += 1
        return answer

    backend.can_run = can_run


def pytest_configure(config):
    if os.environ.get("NETWORKX_TEST_BACKEND") == "millrace":
        from millrace_networkx import backend, discovery

        discovery.few_edges = lambda graph: 0  # the graphs of tests are small: they take the way of large ones
        _hook(backend)


def pytest_runtest_setup(item):
    _current[0] = item.nodeid


def pytest_runtest_logreport(report):
    if report.when == "call" or report.outcome != "passed":
        OUTCOMES[report.nodeid] = "xfailed" if hasattr(report, "wasxfail") else report.outcome


def pytest_sessionfinish(session):
    found = {
        "outcomes": OUTCOMES,
        "calls": COUNTS,
        "tests": {module: len(tests) for module, tests in TESTS.items()},
        "reasons": REASONS,
    }
    with open(os.environ["MILLRACE_COUNTS"], "w", encoding="utf-8") as file:
        json.dump(found, file)
