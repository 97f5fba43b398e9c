// Runs the tests. Where they say little of those that pass, one that ends the process is named all the same.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstring>
#include <string>

namespace {

char running[512];

// Writes what it has and lets the signal take its course.
void name_the_test(int signal) {
  [[maybe_unused]] const auto written = write(STDERR_FILENO, running, std::strlen(running));
  raise(signal);
}

class Names : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo& test) override {
    const std::string text = std::string("\nended by a signal in ") + test.test_suite_name() + "." + test.name() + "\n";
    std::strncpy(running, text.c_str(), sizeof(running) - 1);
  }
  void OnTestEnd(const testing::TestInfo&) override { running[0] = 0; }
};

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  testing::UnitTest::GetInstance()->listeners().Append(new Names);
  for (const int signal : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTERM}) {
    struct sigaction action {};
    action.sa_handler = name_the_test;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler == SIG_DFL) sigaction(signal, &action, nullptr);  // sanitizers have their own
  }
  return RUN_ALL_TESTS();
}
