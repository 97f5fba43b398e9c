"""Commands in documents, and whether what they print is what is shown.

A line that begins with `$ ` is a command, the lines after it are what it prints. `...` alone on a line stands for any
lines. Figures that depend on the machine are compared by shape; counts, ids, results and planned sizes are compared
exactly, real numbers within rounding."""

import dataclasses
import math
import re

# A block without `$` is one of commands if a line begins with one of these.
COMMAND_WORDS = ("millrace", "make", "cmake", "ctest", "sudo", "apt", "tar", "compute-sanitizer", "scripts/", "bench/")
NUMBER = r"\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?"
SHAPES = [
    (rf"{NUMBER} ?(?:[GM]B/s|[GM]/s|GTEPS|G edges/s)(?![\w/])", "<rate>"),
    (rf"{NUMBER} ?(?:[KMGT]i?B|B)(?!\w)", "<size>"),
    (rf"{NUMBER} ?(?:ns|us|µs|ms|s|min)(?!\w)", "<time>"),
    (r"\d+(?:\.\d+)? x(?!\w)", "<ratio>"),
    (r"bound by +[a-z]+", "bound by <resource>"),
    (r"\d+ threads?\b", "<threads>"),
    (r"\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?", "<date>"),
    (r"-[0-9a-f]{16}\.store", "-<hash>.store"),
    (r"decoder:? \w+", "<decoder>"),
]
# Lines of a summary whose values depend on the machine in other ways: only their names are compared.
BY_NAME = (
    "change|disk|page buffer|page cache|phases|predicted|cores|reads|random reads|memory|host reads|cpu: .*"
    "|cpu chunked|cuda chunked|cpu|cuda"
)


@dataclasses.dataclass
class Command:
    line: int  # of the document
    text: str
    shown: list | None  # None: nothing is said about what it prints
    lines: int = 1  # of the document, without what is shown


def commands(block):
    """The commands of a block, in order; none if it is something else."""
    if any(line.startswith("$ ") for line in block.lines):
        return shown_commands(block)
    found = []
    for number, line in enumerate(block.lines, block.line + 1):
        if line.startswith("millrace ") or re.match(r"[^#]*\| millrace ", line):
            found.append(Command(number, line, None))
    return found


def shown_commands(block):
    found = []
    continued = False
    for number, line in enumerate(block.lines, block.line + 1):
        if continued:
            found[-1].text += "\n" + line
            found[-1].lines += 1
        elif line.startswith("$ "):
            found.append(Command(number, line[2:], []))
        elif found:
            found[-1].shown.append(line)
        else:
            raise ValueError(f"line {number}: output before the first command")
        continued = found[-1].text.endswith("\\") and (continued or line.startswith("$ "))
    return found


def looks_like_commands(block):
    """Whether a block has commands of any kind; those that are not run have to be marked."""
    if block.language not in ("", "sh", "bash", "console", "shell"):
        return False
    return any(line.startswith(("$ ", *(f"{word}" if word.endswith("/") else f"{word} " for word in COMMAND_WORDS)))
               for line in block.lines)  # fmt: skip


def normalised(line):
    """A line with figures of the machine replaced, and blanks within it joined."""
    line = line.rstrip()
    indent = re.match(r" *", line)[0]
    by_name = re.fullmatch(rf"  ({BY_NAME})  +\S.*", line)
    if by_name:
        return f"  {by_name[1]} <value>"
    for pattern, shape in SHAPES:
        if shape == "<size>" and line.startswith("  beside pages "):  # what is planned is the same everywhere
            pattern += "(?= taken)"
        line = re.sub(rf"(?<![\w.]){pattern}" if pattern.startswith(r"\d") else pattern, shape, line)
    return indent + re.sub(r" +", " ", line[len(indent) :])


def as_real(word):
    word = word.strip("(),;%")
    return float(word) if re.fullmatch(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?", word) and re.search(r"[.e]", word) else None


def same_line(shown, printed):
    shown, printed = normalised(shown), normalised(printed)
    if shown == printed:
        return True
    ours, theirs = shown.split(" "), printed.split(" ")
    if len(ours) != len(theirs):
        return False
    for a, b in zip(ours, theirs):
        x, y = as_real(a), as_real(b)
        if a != b and (x is None or y is None or not math.isclose(x, y, rel_tol=1e-4)):
            return False
    return True


def same(shown, printed):
    """Whether lines that are shown stand for those that were printed."""
    place = next((place for place, line in enumerate(shown) if line.strip() == "..."), None)
    if place is None:
        return len(shown) == len(printed) and all(map(same_line, shown, printed))
    before, after = shown[:place], shown[place + 1 :]
    if len(before) > len(printed) or not all(map(same_line, before, printed)):
        return False
    return any(same(after, printed[skipped:]) for skipped in range(len(before), len(printed) + 1))
