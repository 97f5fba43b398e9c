#include "millrace/core/foreign_format.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <system_error>

#include "millrace/core/text.h"

namespace millrace {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view blanks = " \t\r\n";

constexpr std::string_view as_csv =
    "convert it to CSV (with DuckDB: COPY 'edges.parquet' TO 'edges.csv'), or pass the table to millrace.from_edges in "
    "Python";
constexpr std::string_view as_edges =
    "convert it to a list of edges, as NetworkX does: networkx.write_edgelist(graph, \"edges.txt\", data=False)";
constexpr std::string_view from_objects =
    "write a line 'source,target' for each edge to a .csv file, or pass the edges to millrace.from_edges in Python";
constexpr std::string_view by_python = "load it in Python, and pass the edges to millrace.from_edges";
constexpr std::string_view unpack = "unpack it, and name the file in it that has the edges";
constexpr std::string_view as_utf8 = "save it as UTF-8: iconv -f UTF-16 -t UTF-8 FILE > edges.txt";
constexpr std::string_view decompress = "unpack it; of compressed files only gzip and zstd are read as they are";
constexpr std::string_view save_sheet = "save the sheet that has the edges as CSV";

constexpr ForeignFormat json{"JSON", from_objects, true}, graphml{"GraphML", as_edges, true},
    gexf{"GEXF", as_edges, true}, gml{"GML", as_edges, true}, dot{"DOT (Graphviz)", as_edges, true},
    pajek{"a Pajek network", as_edges, true}, html{"a web page", "the download has probably failed", true},
    xml{"XML", as_edges, true}, parquet{"a Parquet file", as_csv}, arrow{"an Arrow or Feather file", as_csv},
    orc{"an ORC file", as_csv}, sheet{"a spreadsheet", save_sheet}, zip{"a ZIP archive", unpack},
    archive{"an archive", unpack}, bzip2{"compressed by bzip2", decompress}, xz{"compressed by xz", decompress},
    lzma{"compressed by LZMA", decompress}, lz4{"compressed by LZ4", decompress}, utf16{"a text in UTF-16", as_utf8},
    numpy{"a NumPy file", by_python},
    npz{"a file of NumPy or SciPy", "load it in Python, and pass the matrix to millrace.from_scipy"},
    pickle{"a Python pickle", by_python}, hdf5{"an HDF5 file", by_python}, matlab{"a MATLAB file", by_python},
    sqlite{"an SQLite database", "export the table that has the edges: sqlite3 -csv FILE 'SELECT ...'"},
    pdf{"a PDF document", "find the graph that it describes as a text of edges"};

struct Beginning {
  std::string_view bytes;
  const ForeignFormat* format;
  bool letters = false;  // it might also be the first name in a list of edges
};
constexpr Beginning binary_beginnings[] = {
    {"PAR1"sv, &parquet, true},
    {"ARROW1"sv, &arrow, true},
    {"FEA1"sv, &arrow, true},
    {"ORC\x08"sv, &orc},
    {"ORC\x0a"sv, &orc},
    {"PK\x03\x04"sv, &zip},
    {"PK\x05\x06"sv, &zip},
    {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"sv, &sheet},
    {"7z\xbc\xaf\x27\x1c"sv, &archive},
    {"Rar!\x1a\x07"sv, &archive},
    {"BZh91AY&SY"sv, &bzip2},
    {"\xfd"
     "7zXZ\0"sv,
     &xz},
    {"\x5d\x00\x00"sv, &lzma, true},
    {"\x04\x22\x4d\x18"sv, &lz4},
    {"\xff\xff\xff\xff"sv, &arrow, true},  // a stream of record batches
    {"\xff\xfe"sv, &utf16},
    {"\xfe\xff"sv, &utf16},
    {"\x93NUMPY"sv, &numpy},
    {"\x89HDF\r\n\x1a\n"sv, &hdf5},
    {"MATLAB 5.0 MAT-file"sv, &matlab},
    {"SQLite format 3\0"sv, &sqlite},
    {"%PDF-"sv, &pdf, true},
};
constexpr Beginning word_beginnings[] = {
    {"<!doctype html", &html}, {"<html", &html},       {"<graphml", &graphml}, {"<gexf", &gexf},
    {"<?xml", &xml},           {"*vertices ", &pajek}, {"*network ", &pajek},
};

struct Ending {
  std::string_view ending;
  const ForeignFormat* format;
};
constexpr Ending endings[] = {
    {".json", &json},       {".jsonl", &json},  {".ndjson", &json},   {".geojson", &json},   {".graphml", &graphml},
    {".gexf", &gexf},       {".gml", &gml},     {".dot", &dot},       {".gv", &dot},         {".paj", &pajek},
    {".parquet", &parquet}, {".pq", &parquet},  {".arrow", &arrow},   {".feather", &arrow},  {".ipc", &arrow},
    {".arrows", &arrow},    {".lzma", &lzma},   {".orc", &orc},       {".xlsx", &sheet},     {".xls", &sheet},
    {".xlsm", &sheet},      {".ods", &sheet},   {".zip", &zip},       {".tar", &archive},    {".tgz", &archive},
    {".7z", &archive},      {".rar", &archive}, {".bz2", &bzip2},     {".xz", &xz},          {".lz4", &lz4},
    {".npy", &numpy},       {".npz", &npz},     {".pkl", &pickle},    {".pickle", &pickle},  {".h5", &hdf5},
    {".hdf5", &hdf5},       {".mat", &matlab},  {".sqlite", &sqlite}, {".sqlite3", &sqlite}, {".html", &html},
    {".xml", &xml},         {".pdf", &pdf},
};

// Text in UTF-16 without a byte order mark: of the first pairs of bytes one is NUL, always the same, and one is ASCII.
bool is_utf16(std::string_view head) {
  constexpr std::size_t looked_at = 32, least = 4;
  head = head.substr(0, std::min(looked_at, head.size() / 2 * 2));
  for (const std::size_t high : {1, 0}) {
    bool pairs = head.size() >= least;
    for (std::size_t i = 0; i < head.size() && pairs; i += 2) {
      const char c = head[i + 1 - high];
      pairs = head[i + high] == 0 && ((c >= ' ' && c <= '~') || (c >= '\t' && c <= '\r'));
    }
    if (pairs) return true;
  }
  return false;
}

// Control characters that no text has.
bool is_binary(std::string_view head) {
  return std::ranges::any_of(head, [](char c) { return c >= 0 && c < ' ' && (c < '\t' || c > '\r'); });
}
bool begins_with_letters(std::string_view text, std::string_view begin) {
  return equal_letters(text.substr(0, begin.size()), begin);
}
std::string_view after_blanks(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(blanks), text.size()));
}

// An object, or an array of objects, arrays, texts or several numbers: not a name such as {a} or [1].
bool is_json(std::string_view text) {
  const std::string_view inside = after_blanks(text.substr(std::min<std::size_t>(1, text.size())));
  if (text.starts_with('{')) return inside.starts_with('"') || inside.starts_with('}');
  if (!text.starts_with('[')) return false;
  if (inside.starts_with('{') || inside.starts_with('[') || inside.starts_with('"')) return true;
  return after_blanks(inside.substr(std::min(inside.find_first_not_of("+-.0123456789eE"), inside.size())))
      .starts_with(',');
}

// "digraph G {": a word, perhaps a name, and a brace.
bool opens_dot(std::string_view text, std::string_view word) {
  const std::size_t brace = text.find('{');
  if (!begins_with_letters(text, word) || brace == text.npos) return false;
  const std::string_view between = text.substr(word.size(), brace - word.size());
  const std::string_view name = after_blanks(between);
  const std::string_view rest = name.substr(std::min(name.find_first_of(blanks), name.size()));
  return (between.empty() || between.size() > name.size()) && after_blanks(rest).empty();
}

// "graph [" and a line or a blank.
bool opens_gml(std::string_view text) {
  constexpr std::string_view word = "graph";
  if (begins_with_letters(text, "creator \"")) return true;
  if (!begins_with_letters(text, word)) return false;
  const std::string_view inside = after_blanks(text.substr(word.size()));
  return inside.size() > 1 && inside[0] == '[' && blanks.find(inside[1]) != blanks.npos;
}

}  // namespace

const ForeignFormat* foreign_content(std::string_view head, const std::filesystem::path& file) {
  for (const auto& [bytes, format, letters] : binary_beginnings) {
    if (!head.starts_with(bytes) || (letters && !is_binary(head))) continue;
    const ForeignFormat* const named = format == &zip ? foreign_name(file) : nullptr;
    return named ? named : format;
  }
  if (head.size() > 262 && head.substr(257, 5) == "ustar") return &archive;
  if (is_utf16(head)) return &utf16;
  const std::string_view text = after_blanks(head);
  if (text.starts_with('<')) {  // the element that says what it is may come after a declaration and comments
    for (const auto& [element, format] : {std::pair("<graphml"sv, &graphml), {"<gexf"sv, &gexf}})
      if (text.find(element) != text.npos) return format;
  }
  for (const auto& [word, format, letters] : word_beginnings)
    if (begins_with_letters(text, word)) return format;
  if (is_json(text)) return &json;
  for (const char* const word : {"digraph", "graph", "strict digraph", "strict graph"})
    if (opens_dot(text, word)) return &dot;
  if (opens_gml(text)) return &gml;
  return nullptr;
}

const ForeignFormat* foreign_name(const std::filesystem::path& file) {
  const std::string extension = without_compression_suffix(file).extension().string();
  for (const auto& [ending, format] : endings)
    if (equal_letters(extension, ending)) return format;
  return nullptr;
}

const ForeignFormat* foreign_file(const std::filesystem::path& file) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(file, unknown)) return nullptr;
  std::string head(4096, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(in.gcount()));
  const ForeignFormat* const content = foreign_content(head, file);
  return content ? content : foreign_name(file);
}

std::filesystem::path without_compression_suffix(const std::filesystem::path& file) {
  const std::string extension = file.extension().string();
  if (extension != ".gz" && extension != ".zst" && extension != ".zstd") return file;
  return file.parent_path() / file.stem();
}

}  // namespace millrace
