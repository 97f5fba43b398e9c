#!/usr/bin/env python3
"""Messages across the border of CPU and GPU: TOTEM's Figure 4, and what Millrace exchanges instead. Needs numpy.

  bench/boundary.py [--scale 20] [--graphs rmat,uniform] [--shares 20,40,50,60,80] [--gpus 1] [--undirected]

Makes RMAT and uniform graphs without parallel edges and self loops, directed as in the paper, and counts. Three tables,
all in percent of the edges, except the last one, which is in percent of the vertices:

  TOTEM     vertices in order of out-degree (HIGH: the CPU has the highest ones, LOW, RAND). The CPU gets one after the
            other until it has its share of the edges; GPUs divide the rest. Without aggregation every edge with ends in
            two parts is a message; with it, every pair of a part and a vertex elsewhere to which its edges lead.
  Millrace  rows of targets, in the order of a store: by in-degree plus out-degree. The CPU gathers for rows with its
            share of the in-edges, the GPU owns all vertices. To the CPU go values of sources, back comes one value for
            each row that has edges. Needed: values of the sources of these rows. Built: values of all vertices up to
            the last one in the order of the store that is a source.
  vertices  those in TOTEM's part of the CPU.

The lines "expected" are computed, not counted: RAND on the paper's graphs, parallel edges included. The in-degree of a
vertex is taken as a Poisson number; its mean follows from the zeros in the binary digits of the vertex.
"""

import argparse
import math

import numpy as np

EDGE_FACTOR = 16
ORDERS = ("HIGH", "LOW", "RAND")
RIGHT = 0.19 + 0.05  # RMAT: how probable a 1 is as a digit of a target
QUADRANTS = [round(p * 65536) for p in (0.57, 0.76, 0.95)]  # a, a + b, a + b + c


def edges_at_random(kind, scale, count, random):
    """`count` edges, each as a number: the source in the high digits, the target in the low ones."""
    if kind == "uniform":
        return random.integers(0, 1 << (2 * scale), count, dtype=np.uint64)
    source, target = np.zeros(count, np.uint32), np.zeros(count, np.uint32)
    a, ab, abc = QUADRANTS
    for _ in range(scale):
        draw = random.integers(0, 65536, count, dtype=np.uint16)
        down = draw >= ab
        right = (draw >= a) ^ down ^ (draw >= abc)
        source = source << 1 | down
        target = target << 1 | right
    return source.astype(np.uint64) << np.uint64(scale) | target


def make_graph(kind, scale, undirected, random):
    """Sources and targets, without parallel edges and self loops; undirected: every edge in both directions."""
    low, digits = np.uint64((1 << scale) - 1), np.uint64(scale)
    total = EDGE_FACTOR << scale
    key = np.empty(2 * total if undirected else total, np.uint64)
    for first in range(0, total, 1 << 22):
        last = min(total, first + (1 << 22))
        key[first:last] = edges_at_random(kind, scale, last - first, random)
        if undirected:
            key[total + first:total + last] = (key[first:last] & low) << digits | key[first:last] >> digits
    key.sort()
    keep = np.ones(key.size, bool)
    np.not_equal(key[1:], key[:-1], out=keep[1:])
    key = key[keep]
    source, target = (key >> digits).astype(np.uint32), (key & low).astype(np.uint32)
    del key
    keep = source != target
    return source[keep], target[keep]


def in_order(order, degree, random):
    """Vertices in the order in which the CPU takes them."""
    if order == "RAND":
        return random.permutation(degree.size)
    if order == "LOW":
        return np.argsort(degree, kind="stable")
    return np.argsort(degree.max() - degree, kind="stable")


def divide(vertices, degree, share, gpus):
    """The part of each vertex: 0 is the CPU's, which has this share of the edges; GPUs have as many edges each."""
    so_far = np.cumsum(degree[vertices])
    ends = [(share + (1 - share) * gpu / gpus) * so_far[-1] for gpu in range(gpus)]
    part = np.full(degree.size, gpus, np.uint8)
    for number in reversed(range(gpus)):
        part[vertices[:np.searchsorted(so_far, ends[number]) + 1]] = number
    return part


def totem(source, target, part, gpus):
    """Messages without and with aggregation at the source."""
    of_source, of_target = part[source], part[target]
    crossing = int(np.count_nonzero(of_source != of_target))
    combined = 0
    for number in range(gpus + 1):
        reached = np.zeros(part.size, bool)
        reached[target[of_source == number]] = True
        combined += int(np.count_nonzero(reached & (part != number)))
    return crossing, combined


def millrace(source, target, by_cpu, has_in, sent):
    """Values exchanged in a pull: those that are needed, and as built."""
    rows = int(np.count_nonzero(by_cpu & has_in))
    read = np.zeros(by_cpu.size, bool)
    read[source[by_cpu[target]]] = True
    return int(np.count_nonzero(read)) + rows, sent + rows


def expected(kind, scale, share, gpus):
    """Shares of messages without and with aggregation for RAND."""
    parts = [share] + [(1 - share) / gpus] * gpus
    crossing = 1 - sum(p * p for p in parts)
    edges = EDGE_FACTOR << scale
    combined = 0.0
    for ones in range(scale + 1) if kind == "rmat" else (0,):
        mean, count = EDGE_FACTOR, 1 << scale
        if kind == "rmat":
            mean = edges * RIGHT**ones * (1 - RIGHT) ** (scale - ones)
            count = math.comb(scale, ones)
        for here, own in enumerate(parts):
            combined += count * own * sum(-math.expm1(-mean * p) for other, p in enumerate(parts) if other != here)
    return crossing, combined / edges


def percent(share):
    return f"{100 * share:.1f}" if share >= 0.0995 else f"{100 * share:.2f}"


def measure(kind, args, random, tables):
    source, target = make_graph(kind, args.scale, args.undirected, random)
    n, edges = 1 << args.scale, source.size
    out_degree, in_degree = np.bincount(source, minlength=n), np.bincount(target, minlength=n)
    has_in = in_degree > 0
    degree = out_degree if args.undirected else out_degree + in_degree
    store_order = in_order("HIGH", degree, random)
    sent = int(np.flatnonzero(out_degree[store_order])[-1]) + 1
    print(f"{kind} {args.scale}: {edges / n:.2f} edges a vertex; of the vertices {percent(np.mean(out_degree > 0))}% "
          f"are sources, {percent(np.mean(has_in))}% targets, {percent(sent / n)}% up to the last source", flush=True)
    for order in ORDERS:
        vertices = in_order(order, out_degree, random)
        rows = in_order(order, degree, random)
        cells = ([], [], [])
        for share in args.shares:
            part = divide(vertices, out_degree, share, args.gpus)
            crossing, combined = totem(source, target, part, args.gpus)
            cells[0].append(f"{percent(crossing / edges)} → {percent(combined / edges)}")
            by_cpu = divide(rows, in_degree, share, 1) == 0
            needed, built = millrace(source, target, by_cpu, has_in, sent)
            cells[1].append(f"{percent(needed / edges)}, {percent(built / edges)}")
            cells[2].append(percent(np.mean(part == 0)))
        for table, line in zip(tables, cells):
            table.append((f"{kind} {args.scale}", order, line))
    if args.expected:
        line = [" → ".join(map(percent, expected(kind, args.expected, share, args.gpus))) for share in args.shares]
        tables[0].append((f"{kind} {args.expected}, expected", "RAND", line))


def shares_of(text):
    shares = [float(one) / 100 for one in text.split(",")]
    if not all(0 < share < 1 for share in shares):
        raise argparse.ArgumentTypeError("shares are above 0 and below 100")
    return shares


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", type=int, default=20, help="2^scale vertices (default 20)")
    parser.add_argument("--graphs", default="rmat,uniform")
    parser.add_argument("--shares", type=shares_of, default="20,40,50,60,80", help="of the CPU, in percent of edges")
    parser.add_argument("--gpus", type=int, default=1, help="TOTEM's parts beside that of the CPU (default 1)")
    parser.add_argument("--undirected", action="store_true", help="every edge in both directions")
    parser.add_argument("--expected", type=int, default=28, help="scale of the expected lines (default 28); 0: none")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if args.undirected:
        args.expected = 0  # computed for directed graphs
    random = np.random.default_rng(args.seed)
    tables = ([], [], [])
    for kind in args.graphs.split(","):
        if kind not in ("rmat", "uniform"):
            parser.error(f"graphs are rmat and uniform, not {kind}")
        measure(kind, args, random, tables)
    titles = ("TOTEM: messages, % of the edges, without → with aggregation",
              "Millrace: values, % of the edges, needed, built",
              "Vertices in TOTEM's part of the CPU, %")
    for title, table in zip(titles, tables):
        print(f"\n{title}:\n\n| graph | order | " + " | ".join(f"{100 * share:g}%" for share in args.shares) + " |")
        print("| --- " * (2 + len(args.shares)) + "|")
        for graph, order, line in table:
            print(f"| {graph} | {order} | " + " | ".join(line) + " |")


if __name__ == "__main__":
    main()
