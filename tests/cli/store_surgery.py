"""Stores that no command makes: a normal store, changed by the rules of docs/format.md."""

import json
import struct

import format_reader_test as reader


def change_manifest(store, change):
    path = store / "manifest.json"
    manifest = json.loads(path.read_text("utf-8"))
    del manifest["checksum"]
    change(manifest)
    text = json.dumps(manifest, separators=(",", ":"), ensure_ascii=False)
    manifest["checksum"] = reader.crc32c(text.encode())
    path.write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n", "utf-8")


def add_names(store, names):
    """Adds the string of each original id 0..n-1."""
    strings = [name.encode() for name in names]
    ends = [sum(map(len, strings[:i])) for i in range(len(strings) + 1)]
    data = struct.pack(f"<{len(ends) + 1}Q", len(strings), *ends) + b"".join(strings)
    (store / "names").write_bytes(data)
    column = {"file": "names", "crc32c": reader.crc32c(data)}
    change_manifest(store, lambda manifest: manifest.update(names=column))


def drop_orientation(store, orientation, degrees=False):
    """Removes the pages of an orientation and, on request, its degrees."""

    def change(manifest):
        pages = manifest["orientations"].pop(orientation)
        for name in (*pages["files"], pages["table"]):
            (store / name).unlink()
        if degrees:
            (store / manifest["degrees"].pop(orientation)["file"]).unlink()

    change_manifest(store, change)
