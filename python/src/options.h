// Options of the library by their names in Python, and descriptions of them.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <utility>
#include <vector>

#include "millrace/catalogue/option.h"
#include "millrace/run/named_paths.h"
#include "millrace/run/session.h"
#include "millrace/run/store_options.h"

namespace millrace::python {

// Names as Python writes them, and values as texts; a list has its name several times.
using Given = std::vector<std::pair<std::string, std::string>>;

// Sets those of the options that are given. Throws UsageError for others, and for required ones that are not given;
// `whose` begins that message.
void assign_all(const std::vector<Option>& options, const Given& given, const std::string& whose);

// The files, stores and folders that they name, for demand_apart: all that is written is kept apart from what is read.
std::vector<NamedPath> paths_given(const std::vector<Option>& options, const Given& given);

// How a store is written, but for its path and the threads.
std::vector<Option> layout_of_store(StoreOptions& store);

// How and where to compute; threads are apart (run_job).
std::vector<Option> setting_options(RunSettings& settings);

// {"name": ..., "type": ..., "help": ..., "default": ..., ...} of each.
nanobind::list describe_options(const std::vector<Option>& options);

// Adds functions that describe every algorithm, and the options of runs and imports.
void bind_catalogue(nanobind::module_& module);

}  // namespace millrace::python
