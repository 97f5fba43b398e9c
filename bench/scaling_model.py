#!/usr/bin/env python3
"""A model of the speed of several GPUs: the tables of docs/scaling.md from measured figures.

  bench/scaling_model.py --page-bytes 2.3e9 [--edge-ms 7.2] [--vertex-ms 0.45] ...

The time of a superstep on N devices, each with all attributes and a share of the pages:

  edges / N   +   vertices   +   exchange   +   meetings

Edges: the larger of computing along them and, where pages are streamed, the link of each GPU to the host. Vertices: the
work that every device does for all vertices. Exchange: every device combines the messages of n / N vertices: it reads
those of the N - 1 others and writes the result to them: 2 (N - 1) / N of the messages go into each device, and as many
out of it.

With attributes in host memory (scalability, chunked) every device copies over its own link all pages and the
source attributes, once for each of its chunks, and the attributes of its own vertices:

  chunks * (pages + sources)   +   vertices / N

The memory for messages decides the number of chunks: N devices have N times as much.
"""

import argparse

LINKS = {"NVLink 4": 450e9, "PCIe 5 x16": 55e9}  # bytes a second, each way


def superstep(devices, link, options, streamed):
    edges = options.edge_ms
    if streamed:
        edges = max(edges, options.page_bytes / options.host_link * 1e3)
    exchange = 2 * (devices - 1) / devices * options.vertices * options.message_bytes / link * 1e3
    meetings = options.meeting_us / 1e3 if devices > 1 else 0
    return edges / devices + options.vertex_ms + exchange + meetings, exchange


def far(devices, options):
    chunks = max(1, -(-options.far_chunks // devices))
    sources = options.vertices * options.far_source_bytes
    own = options.vertices * options.far_vertex_bytes / devices
    return (chunks * (options.page_bytes + sources) + own) / options.host_link / options.far_share * 1e3


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vertices", type=float, default=2**26)
    parser.add_argument("--message-bytes", type=float, default=4, help="of a combined message")
    parser.add_argument("--edge-ms", type=float, default=7.2, help="along all edges, on one device")
    parser.add_argument("--vertex-ms", type=float, default=0.45, help="what vertices do by themselves, absorbing included")
    parser.add_argument("--meeting-us", type=float, default=50, help="launches and meetings of a superstep of several")
    parser.add_argument("--page-bytes", type=float, required=True, help="of all pages")
    parser.add_argument("--host-link", type=float, default=55.3e9, help="from host memory to each GPU")
    parser.add_argument("--far-chunks", type=int, help="with attributes in host memory: chunks of one device")
    parser.add_argument("--far-source-bytes", type=float, default=8, help="of what a source says")
    parser.add_argument("--far-vertex-bytes", type=float, default=28, help="of attributes that a vertex reads and writes")
    parser.add_argument("--far-share", type=float, default=1, help="of the link's bandwidth that was seen")
    options = parser.parse_args()
    if options.far_chunks:
        print("| " + " | ".join(f"{n} GPUs" for n in (1, 2, 4, 8)) + " |")
        print("| --- " * 4 + "|")
        print("| " + " | ".join(f"{far(n, options):.0f} ms" for n in (1, 2, 4, 8)) + " |")
        return
    print("| pages | between GPUs | " + " | ".join(f"{n} GPUs" for n in (1, 2, 4, 8)) + " | exchange, 8 GPUs |")
    print("| --- " * 7 + "|")
    for streamed in (False, True):
        for name, link in LINKS.items():
            alone, _ = superstep(1, link, options, streamed)
            cells = []
            for n in (1, 2, 4, 8):
                time, exchange = superstep(n, link, options, streamed)
                cells.append(f"{time:.1f} ms" + (f", {alone / time:.1f} ×" if n > 1 else ""))
            print(f"| {'streamed' if streamed else 'resident'} | {name} | " + " | ".join(cells) + f" | {exchange:.1f} ms |")


if __name__ == "__main__":
    main()
