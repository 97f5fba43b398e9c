#!/usr/bin/env python3
"""What several GPUs can bring, by arithmetic: the tables of docs/scaling.md from figures that were measured.

  bench/scaling_model.py [--edge-ms 7.54] [--vertex-ms 0.5] ...

The time of a superstep on N devices with all attributes each, and their share of the pages:

  edges / N   +   vertices   +   exchange   +   meetings

Edges: the larger of computing along them and, where pages are streamed, the link of each GPU to the host. Vertices: what all
devices do alike. Exchange: every device sees to a slice of n / N vertices, reads what the N - 1 others kept there and writes the
result to them: 2 (N - 1) / N of the messages go into each device, and as many out of it.
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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vertices", type=float, default=2**26)
    parser.add_argument("--message-bytes", type=float, default=4, help="of a combined message")
    parser.add_argument("--edge-ms", type=float, required=True, help="along all edges, on one device")
    parser.add_argument("--vertex-ms", type=float, required=True, help="what vertices do by themselves, absorbing included")
    parser.add_argument("--meeting-us", type=float, required=True, help="launches and meetings of a superstep of several")
    parser.add_argument("--page-bytes", type=float, required=True, help="of all pages")
    parser.add_argument("--host-link", type=float, default=55.3e9, help="from host memory to each GPU")
    options = parser.parse_args()
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
