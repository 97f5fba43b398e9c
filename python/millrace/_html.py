"""Results and graphs in notebooks: small tables with bars, and a histogram. Texts have the colour of the notebook."""

import html
import math

import numpy as np

from ._table import missing_in
from .errors import counted

BAR = "#4a86c5"  # to be seen on white and on black
MOST_ROWS = 24
MOST_SAMPLES = 2**20  # values that a histogram looks at
MOST_DEGREES = 2**24  # vertices of a graph whose degrees are read to be shown
LEFT = "text-align:left"


def duration(seconds):
    """As people read it: 16.1 µs, 3.79 ms, 2.5 s."""
    for unit, name in ((1, "s"), (1e-3, "ms")):
        if seconds >= unit:
            return f"{seconds / unit:.3g} {name}" if seconds / unit < 1000 else f"{seconds / unit:,.0f} {name}"
    return f"{seconds / 1e-6:.3g} µs"


def size_of(count):
    """As people read it: 12.0 KiB, 3.4 MiB."""
    unit = next((power for power in (1, 2, 3) if count < 1024 ** (power + 1)), 4)
    return f"{count / 1024**unit:,.1f} {' KMGT'[unit]}iB"


def number(value):
    """A number of a report."""
    if isinstance(value, float):
        return f"{value:.6g}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def share_of(value, most, log):
    """The length of a bar, from 0 to 1."""
    if not (math.isfinite(value) and math.isfinite(most) and value > 0 and most > 0):
        return 0.0
    return min(math.log1p(value) / math.log1p(most) if log else value / most, 1.0)


def bar_table(title, rows, log=False):
    """A table of (name, text, value), with a bar for each value."""
    most = max((value for _, _, value in rows if math.isfinite(value)), default=0)
    note = " (bars on a logarithmic scale)" if log else ""
    lines = [f"<tr><th colspan=3 style='{LEFT}'>{html.escape(title + note)}</th></tr>"]
    for name, text, value in rows[:MOST_ROWS]:
        width = share_of(value, most, log) * 12
        bar = f"<div style='background:{BAR};height:.8em;width:{width:.2f}em'></div>"
        cells = f"<td style='{LEFT}'>{html.escape(name)}</td><td>{html.escape(text)}</td>"
        lines.append(f"<tr>{cells}<td style='{LEFT};min-width:12em'>{bar}</td></tr>")
    if len(rows) > MOST_ROWS:
        lines.append(f"<tr><td colspan=3 style='{LEFT}'>and {len(rows) - MOST_ROWS:,} more</td></tr>")
    return f"<table>{''.join(lines)}</table>"


def fact_table(facts):
    """A table of (name, value)."""
    rows = (
        f"<tr><td style='{LEFT}'>{html.escape(name)}</td><td>{html.escape(number(value))}</td></tr>"
        for name, value in facts
    )
    return f"<table>{''.join(rows)}</table>"


def histogram_svg(name, values):
    """How the numbers of a column are distributed, as a picture of columns; "" where there is nothing to see.

    Numbers above 0 that differ by more than a factor of 100 are shown on logarithmic scales.
    """
    step = -(-len(values) // MOST_SAMPLES) if len(values) else 1
    some = np.asarray(values[::step], np.float64)
    some = some[np.isfinite(some)]
    if len(some) < 2 or some.min() == some.max():
        return ""
    low, high = some.min(), some.max()
    log = low > 0 and high / low > 100
    edges = np.geomspace(low, high, 33) if log else np.linspace(low, high, 33)
    edges[0], edges[-1] = low, high
    counts = np.histogram(some, edges)[0]
    most = counts.max()
    bars = "".join(
        f"<rect x='{i * 8}' y='{80 - height:.1f}' width='7' height='{height:.1f}' fill='{BAR}'/>"
        for i, height in enumerate(80 * np.log1p(counts) / np.log1p(most))
        if height > 0
    )
    about = f"vertices by {name}" + (f", of every {step:,}th vertex" if step > 1 else "")
    scale = "both scales logarithmic" if log else "heights logarithmic"
    text = "fill='currentColor' font-size='11' font-family='sans-serif'"
    return (
        f"<svg width='256' height='120' viewBox='0 0 256 120' role='img'>"
        f"<text x='0' y='11' {text} font-weight='bold'>{html.escape(about)}</text>"
        f"<g transform='translate(0,18)'>{bars}</g>"
        f"<line x1='0' y1='98.5' x2='256' y2='98.5' stroke='currentColor'/>"
        f"<text x='0' y='113' {text}>{low:.3g}</text>"
        f"<text x='128' y='113' {text} text-anchor='middle'>{scale}</text>"
        f"<text x='256' y='113' {text} text-anchor='end'>{high:.3g}</text></svg>"
    )


def page_of(title, text, parts):
    """Parts beside each other, where there is room."""
    cells = "".join(f"<div>{part}</div>" for part in parts if part)
    shown = f"<div style='display:flex;flex-wrap:wrap;gap:0 2em;align-items:flex-start'>{cells}</div>" if cells else ""
    return f"<div><b>{html.escape(title)}</b><br>{html.escape(text)}{shown}</div>"


def size_text(graph):
    """How many vertices and edges a graph has."""
    return f"{counted(graph.num_vertices, 'vertex', 'vertices')}, {counted(graph._edges_once, 'edge')}"


def result_html(result):
    """The answer of a run, the figures that were found, and the distribution where the answer has only the highest."""
    graph = result.graph
    answer, missing = result._run.answer(10) if result.columns else ([], "")
    parts = [bar_table(title, rows, log) for title, rows, log in answer if rows]
    if parts and all(title.startswith("highest") for title, _, _ in answer):
        name = result.columns[0]
        absent = missing_in(result.kind(name), result[name])
        parts.append(histogram_svg(name, result[name] if absent is None else result[name][~absent]))
    elif result.algorithm == "degrees":
        parts += [degree_table(f"vertices by {side}-degree", one["counts"]) for side, one in result.results.items()]
    scalars = [(k, v) for k, v in result.results.items() if isinstance(v, (bool, int, float, str))]
    if scalars:
        parts.append(fact_table(scalars))
    text = f"{size_text(graph)}; {result.plan}; {duration(result.seconds)}"
    return page_of(f"{result.algorithm} on {graph.name}", f"{text}; {missing}" if missing else text, parts)


def degree_table(title, counts):
    """A table of [(degree, how many vertices)], by powers of two."""
    by_bits = {}
    for degree, count in counts:
        by_bits[int(degree).bit_length()] = by_bits.get(int(degree).bit_length(), 0) + int(count)
    rows = []
    for bits, count in sorted(by_bits.items()):
        first, last = 2**bits // 2, 2**bits - 1
        rows.append((f"{first:,}" if first >= last else f"{first:,} to {last:,}", f"{count:,}", count))
    counts = [row[2] for row in rows]
    return bar_table(title, rows, log=max(counts) > 20 * min(counts)) if rows else ""


def degrees_of(title, degrees):
    """The same for an array of degrees."""
    bits = np.frexp(degrees.astype(np.float64))[1]  # of 0: 0, of 1: 1, of 2 and 3: 2
    counts = np.bincount(bits)
    return degree_table(title, [(2**b // 2, counts[b]) for b in np.flatnonzero(counts).tolist()])


def graph_html(graph):
    """What a graph is, and how its degrees are distributed."""
    kind = ("directed" if graph.directed else "undirected") + (", weighted" if graph.weighted else "")
    size = size_of(graph._store.disk_bytes)
    text = f"{size_text(graph)}, {kind}; a store of {size}"
    parts = []
    if graph.num_vertices > MOST_DEGREES:
        text += "; g.degrees() has the distribution of degrees"
    elif not graph.directed:
        parts.append(degrees_of("vertices by degree", graph.out_degrees))
    else:
        parts.append(degrees_of("vertices by out-degree", graph.out_degrees))
        parts.append(degrees_of("vertices by in-degree", graph.in_degrees))
    return page_of(graph.name, text, parts)
