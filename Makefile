# Shortcuts over CMake's presets (CMakePresets.json) and scripts/. `make help` lists them.
PREFIX ?= /usr/local
# As the shell reads them: CMAKE_FLAGS='-DCMAKE_CXX_FLAGS="-g -O1"'
CMAKE_FLAGS ?=
export CMAKE_FLAGS
CLANG_FORMAT ?= clang-format-14
PRESET ?= release

# Prerequisites run in the order written; ninja does the parallel work.
.NOTPARALLEL:
.PHONY: build cpu help setup test demo install package wheel format check-format asan tsan fuzz clean

# $(call configure,preset,directory): once; afterwards ninja itself sees changes of the build files.
configure = @test -f $(2)/build.ninja -a -z "$$CMAKE_FLAGS" || cmake --preset $(1) $(CMAKE_FLAGS)

# The directory of the preset.
built = $(if $(filter release,$(PRESET)),build,build-$(PRESET))

build: ## build the command build/millrace (the default)
	@scripts/build.sh

cpu: ## build the command without CUDA, in build-cpu
	@scripts/build.sh --preset cpu

help: ## show this list
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1\t\2/p' Makefile | expand -t 24

setup: ## install the Debian packages that are missing
	@scripts/setup.sh

test: ## set up, build and run all tests
	@scripts/test.sh

demo: ## set up, build, generate a graph and run PageRank and BFS on it
	@scripts/demo.sh

install: build ## install to PREFIX (/usr/local), below DESTDIR if set
	@DESTDIR="$(DESTDIR)" cmake --install build --prefix "$(PREFIX)"

package: setup ## make a .deb and a .tar.zst of the command, in build/packages (PRESET=cpu: without CUDA, in build-cpu)
	@scripts/setup.sh package
	$(call configure,$(PRESET),$(built))
	@cmake --build --preset $(PRESET) --target millrace_cli millrace_portable
	@umask 022 && cpack --config $(built)/CPackConfig.cmake

wheel: setup ## build a wheel of the Python package, in build-wheel (PYTHON=... for another Python)
	@scripts/setup.sh python
	@scripts/python.sh wheel $(CMAKE_FLAGS)

sources = find src tests bench python -name '*.h' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh'

format: ## format all C++ and CUDA sources
	@scripts/setup.sh format
	@$(sources) | xargs -r $(CLANG_FORMAT) -i

check-format: ## fail if a source is not formatted
	@scripts/setup.sh format
	@$(sources) | xargs -r $(CLANG_FORMAT) --dry-run --Werror

asan: setup ## run all tests under the address and undefined behaviour sanitizers
	$(call configure,asan,build-asan)
	@cmake --build --preset asan
	@ctest --preset asan

tsan: ## run all tests under the thread sanitizer
	@scripts/setup.sh build clang
	$(call configure,tsan,build-tsan)
	@cmake --build --preset tsan
	@ctest --preset tsan

fuzz: ## run every fuzzer for a while
	@scripts/setup.sh build clang
	$(call configure,fuzz,build-fuzz)
	@cmake --build --preset fuzz
	@ctest --preset fuzz

clean: ## remove everything that was built
	@rm -rf build build-cpu build-debug build-asan build-tsan build-fuzz build-wheel build-python-*
