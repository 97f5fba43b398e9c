// A child process that is killed after its n-th system call, or of which the n-th call that concerns files fails: with
// every n, a test sees everything that a kill or a failing disk can leave.
#pragma once

#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <functional>
#include <optional>
#include <set>

namespace millrace::test {

enum class Child { killed, ended, cannot_be_traced };

#ifdef __x86_64__
// Whether the call that a stopped child has ended may have changed files: others leave what was there before them.
inline bool changes_files(pid_t child) {
  static const std::set<unsigned long long> calls = {
      SYS_creat, SYS_mkdir,     SYS_mkdirat, SYS_rename, SYS_renameat, SYS_renameat2, SYS_unlink, SYS_unlinkat,
      SYS_rmdir, SYS_ftruncate, SYS_flock,   SYS_write,  SYS_pwrite64, SYS_fallocate, SYS_link,   SYS_symlink};
  user_regs_struct registers;
  ptrace(PTRACE_GETREGS, child, nullptr, &registers);
  if (registers.orig_rax == SYS_open) return (registers.rsi & O_CREAT) != 0;
  if (registers.orig_rax == SYS_openat) return (registers.rdx & O_CREAT) != 0;
  return calls.contains(registers.orig_rax);
}
#else
inline bool changes_files(pid_t) { return true; }
#endif

// Runs `body` in a child process, and kills it after its n-th system call that may change files. The body must not
// start threads.
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
  for (int stops = 0; n > 0; ++stops) {
    ptrace(PTRACE_SYSCALL, child, nullptr, nullptr);
    waitpid(child, &status, 0);
    if (WIFEXITED(status)) return Child::ended;
    n -= stops % 2 == 1 && changes_files(child);
  }
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  return Child::killed;
}

#ifdef __x86_64__
// How the child ended of which a call failed with EIO.
struct Failed {
  long call = -1;  // its number; -1: there were fewer than n calls
  int exit = -1;   // what body returned
};

// Runs `body` in a child process. Its n-th system call that opens, changes or removes a file or directory does nothing
// and fails with EIO. Empty if processes cannot be traced here. The body must not start threads.
inline std::optional<Failed> run_with_failing_call(int n, const std::function<int()>& body) {
  static const std::set<unsigned long long> calls = {
      SYS_open,      SYS_openat, SYS_mkdir,    SYS_mkdirat,  SYS_rename,    SYS_renameat,
      SYS_renameat2, SYS_unlink, SYS_unlinkat, SYS_rmdir,    SYS_fsync,     SYS_fdatasync,
      SYS_ftruncate, SYS_flock,  SYS_write,    SYS_pwrite64, SYS_getdents64};
  const pid_t child = fork();
  if (child == 0) {
    if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(77);
    raise(SIGSTOP);
    _exit(body());
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFSTOPPED(status)) return {};
  Failed failed;
  bool entering = true, failing = false;
  for (;; entering = !entering) {
    ptrace(PTRACE_SYSCALL, child, nullptr, nullptr);
    waitpid(child, &status, 0);
    if (WIFEXITED(status)) failed.exit = WEXITSTATUS(status);
    if (!WIFSTOPPED(status)) return failed;
    user_regs_struct registers;
    ptrace(PTRACE_GETREGS, child, nullptr, &registers);
    if (entering && calls.contains(registers.orig_rax) && --n == 0) {
      failed.call = static_cast<long>(registers.orig_rax);
      registers.orig_rax = ~0ull;  // no such call
      failing = true;
    } else if (failing) {
      registers.rax = static_cast<unsigned long long>(-EIO);
      failing = false;
    } else {
      continue;
    }
    ptrace(PTRACE_SETREGS, child, nullptr, &registers);
  }
}
#endif

}  // namespace millrace::test
