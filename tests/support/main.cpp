// Runs the tests. They share a process and print little if they pass: a test that ends the process, or does not end, is
// named all the same, and the number of threads is reset after each. Their cache is a folder of their own.
#include <gtest/gtest.h>
#include <omp.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

#include "support/own_cache.h"

namespace {

constexpr unsigned longest_seconds = 900;
char running[512];

// Writes the name of the running test, then handles the signal as usual.
void name_the_test(int signal) {
  [[maybe_unused]] const auto written = write(STDERR_FILENO, running, std::strlen(running));
  raise(signal);
}

class Names : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo& test) override {
    const std::string text = std::string("\nended by a signal in ") + test.test_suite_name() + "." + test.name() + "\n";
    std::strncpy(running, text.c_str(), sizeof(running) - 1);
    alarm(longest_seconds);
  }
  void OnTestEnd(const testing::TestInfo&) override {
    alarm(0);
    running[0] = 0;
    omp_set_num_threads(threads_);
  }
  void OnTestProgramEnd(const testing::UnitTest& all) override {
    if (all.skipped_test_count() > 0) std::printf("%d tests were skipped\n", all.skipped_test_count());
  }
  const int threads_ = omp_get_max_threads();
};

}  // namespace

int main(int argc, char** argv) try {
  testing::InitGoogleTest(&argc, argv);
  const millrace::test::OwnCache cache(std::getenv("MILLRACE_TEST_CACHE"));
  testing::UnitTest::GetInstance()->listeners().Append(new Names);
  for (const int signal : {SIGABRT, SIGALRM, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTERM}) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_DFL) continue;  // sanitizers have their own handlers
    struct sigaction action {};
    action.sa_handler = name_the_test;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigaction(signal, &action, nullptr);
  }
  return RUN_ALL_TESTS();
} catch (const std::filesystem::filesystem_error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
