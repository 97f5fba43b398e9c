#!/usr/bin/env bash
# Compares two builds on one machine: they take turns, so that what else the machine does meets both alike, and the
# medians of all rounds are compared.
#
#   bench/compare.sh OLD NEW [options]        OLD, NEW: a millrace command, or the folder of a build
#   bench/compare.sh --help                   shows the options
exec python3 -B "$(dirname "$0")/compare.py" "$@"
