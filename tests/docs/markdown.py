"""What the tests of documents need of Markdown: fenced blocks, links, headings, and where GitHub puts anchors."""

import dataclasses
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
MARK = re.compile(r"^<!-- *not run\b:?(.*?)-->$")


@dataclasses.dataclass
class Block:
    """A fenced block: where it begins, the word after the fence, its lines, and the reason why it is not run."""

    line: int  # of the opening fence, from 1
    language: str
    lines: list
    reason: str | None  # None: not marked; "": marked without a reason


def documents():
    """Every Markdown file of the project, as a path relative to its root."""
    found = (path.relative_to(ROOT) for path in ROOT.rglob("*.md"))
    return sorted(path for path in found if not path.parts[0].startswith(("build", ".")))


def fences(text):
    """(number, line, part) for each line of a text; part is "open", "in" or "close" in a block, "" outside."""
    fence = None
    for number, line in enumerate(text.splitlines(), 1):
        mark = re.match(r" {0,3}(```+|~~~+)", line)
        if fence is None and mark:
            fence = mark[1]
            yield number, line, "open"
        elif fence is None:
            yield number, line, ""
        elif mark and mark[1].startswith(fence) and line.strip() == mark[1]:
            fence = None
            yield number, line, "close"
        else:
            yield number, line, "in"


def blocks(text):
    """The fenced blocks of a text."""
    found = []
    before = ""  # the last line with text before the block
    for number, line, part in fences(text):
        if part == "open":
            mark = MARK.match(before.strip())
            found.append(Block(number, line.strip().strip("`~"), [], mark[1].strip() if mark else None))
            before = ""
        elif part == "in":
            found[-1].lines.append(line)
        elif not part and line.strip():
            before = line
    return found


def prose(text):
    """The lines outside of blocks, as (number, line)."""
    return [(number, line) for number, line, part in fences(text) if not part]


def without_code(line):
    return re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", " ", line)


def links(text):
    """(number, target) of every link and image outside of code."""
    for number, line in prose(text):
        line = without_code(line)
        for target in re.findall(r"\]\(\s*<?([^)>\s]*)>?(?:\s+\"[^\"]*\")?\s*\)", line):
            yield number, target
        for target in re.findall(r"<(?:img|source|a)\b[^>]*?\b(?:src|srcset|href)=\"([^\"]*)\"", line):
            yield number, target
        definition = re.match(r" {0,3}\[[^\]^]+\]:\s*<?(\S+?)>?(?:\s+\".*\")?\s*$", line)
        if definition:
            yield number, definition[1]


def slug(heading):
    """The anchor of a heading, by the rules of GitHub."""
    heading = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    heading = re.sub(r"[`*]|\\(?=[^\w\s])", "", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")


def anchors(text):
    """Every anchor of a text: those of its headings, numbered where they are equal, and explicit ones."""
    found = set()
    count = {}
    for _, line in prose(text):
        found.update(re.findall(r"<a\b[^>]*?\b(?:id|name)=\"([^\"]*)\"", line))
        heading = re.match(r" {0,3}#{1,6}\s+(.*?)\s*#*\s*$", line)
        if heading:
            name = slug(heading[1])
            seen = count.get(name, 0)
            count[name] = seen + 1
            found.add(f"{name}-{seen}" if seen else name)
    return found
