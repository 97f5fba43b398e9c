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

// The cache of this process, empty. The build has a folder for it (MILLRACE_TEST_CACHE), so that a process that crashes
// leaves nothing elsewhere; without one it is temporary.
class OwnCache {
 public:
  OwnCache() {
    const char* const given = std::getenv("MILLRACE_TEST_CACHE");
    folder_ = given ? given : (std::filesystem::temp_directory_path() / "millrace-XXXXXX").string();
    std::filesystem::remove_all(folder_, none_);
    if (given ? std::filesystem::create_directories(folder_, none_) : mkdtemp(folder_.data()) != nullptr)
      setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
  }
  ~OwnCache() { std::filesystem::remove_all(folder_, none_); }
  OwnCache(const OwnCache&) = delete;
  OwnCache& operator=(const OwnCache&) = delete;

 private:
  std::string folder_;
  std::error_code none_;
};

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const OwnCache cache;
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
}
