"""Stores that no command makes: a normal store, changed by the rules of docs/format.md."""

import json
import struct

import format_page
import format_reader as reader

TABLE_HEADER = 16
ENTRY = struct.Struct("<Q11IHBBII")
HEADER = struct.Struct("<IHBB12IB7s")


def change_manifest(store, change):
    path = store / "manifest.json"
    manifest = json.loads(path.read_text("utf-8"))
    del manifest["checksum"]
    change(manifest)
    text = json.dumps(manifest, separators=(",", ":"), ensure_ascii=False)
    manifest["checksum"] = format_page.crc32c(text.encode())
    path.write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n", "utf-8")


def add_names(store, names):
    """Adds the string of each original id 0..n-1."""
    strings = [name.encode() for name in names]
    ends = [sum(map(len, strings[:i])) for i in range(len(strings) + 1)]
    data = struct.pack(f"<{len(ends) + 1}Q", len(strings), *ends) + b"".join(strings)
    (store / "names").write_bytes(data)
    column = {"file": "names", "crc32c": format_page.crc32c(data)}
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


class OrientationFiles:
    """The pages and the page table of one orientation, to be changed in memory; save() makes all checksums right."""

    def __init__(self, store, orientation):
        self.store, self.orientation = store, orientation
        self.pages = bytearray((store / f"{orientation}.pages").read_bytes())
        self.table = bytearray((store / f"{orientation}.table").read_bytes())
        self.count = (len(self.table) - TABLE_HEADER - 4) // ENTRY.size

    def entry(self, page):
        at = TABLE_HEADER + page * ENTRY.size
        return dict(zip(reader.ENTRY, ENTRY.unpack_from(self.table, at)))

    def set_entry(self, page, **members):
        entry = {**self.entry(page), **members}
        ENTRY.pack_into(self.table, TABLE_HEADER + page * ENTRY.size, *(entry[name] for name in reader.ENTRY))

    def header(self, page):
        offset = self.entry(page)["offset"]
        return dict(zip(format_page.HEADER, HEADER.unpack_from(self.pages, offset)))

    def repeat_header(self, page):
        """Makes the entry say what the header of its page says."""
        header = self.header(page)
        self.set_entry(page, **{name: header[name] for name in reader.REPEATED})

    def repeat_entry(self, page):
        """Makes the header of a page say what its entry says, if there is one where the entry says."""
        entry = self.entry(page)
        if entry["offset"] + HEADER.size > len(self.pages):
            return
        header = self.header(page)
        header.update({name: entry[name] for name in reader.REPEATED})
        HEADER.pack_into(self.pages, entry["offset"], *(header[name] for name in format_page.HEADER))

    def save(self):
        for page in range(self.count):
            entry = self.entry(page)
            first, middle, end = (entry["offset"] + n for n in (0, entry["topology_bytes"], entry["bytes"]))
            crcs = [format_page.crc32c(self.pages[slice(*part)]) for part in ((first, middle), (middle, end))]
            self.set_entry(page, topology_crc=crcs[0], weight_crc=crcs[1])
        self.table[-4:] = struct.pack("<I", format_page.crc32c(self.table[:-4]))
        (self.store / f"{self.orientation}.pages").write_bytes(self.pages)
        (self.store / f"{self.orientation}.table").write_bytes(self.table)


def change_column(store, name, change):
    """Changes the bytes of degrees ("out.degrees"), ids or names, and their checksum in the manifest."""
    data = bytearray((store / name).read_bytes())
    change(data)
    (store / name).write_bytes(data)

    def reseal(manifest):
        columns = [*manifest["degrees"].values(), manifest["ids"], manifest.get("names", {})]
        for column in columns:
            if column.get("file") == name:
                column["crc32c"] = format_page.crc32c(data)

    change_manifest(store, reseal)
