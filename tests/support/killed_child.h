// A child process that is killed after its n-th system call: with every n, a test sees everything that a kill can
// leave.
#pragma once

#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>

namespace millrace::test {

enum class Child { killed, ended, cannot_be_traced };

// Runs `body` in a child process, and kills it after its n-th system call. The body must not start threads.
inline Child run_until_call(int n, const std::function<void()>& body) {
  const pid_t child = fork();
  if (child == 0) {
    if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(77);
    raise(SIGSTOP);
    body();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFSTOPPED(status)) return Child::cannot_be_traced;
  // Each system call stops the child twice, before and after it.
  for (int stops = 0; stops < 2 * n; ++stops) {
    ptrace(PTRACE_SYSCALL, child, nullptr, nullptr);
    waitpid(child, &status, 0);
    if (WIFEXITED(status)) return Child::ended;
  }
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  return Child::killed;
}

}  // namespace millrace::test
