#include "millrace/core/child_process.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>

#include "millrace/core/error.h"
#include "millrace/core/progress.h"

namespace millrace {

SharedMemory::SharedMemory(std::uint64_t bytes)
    : bytes_(std::max<std::uint64_t>(bytes, 1)),
      data_(mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
  if (data_ == MAP_FAILED) throw_system_error("allocate", "memory to share with a child process");
}

SharedMemory::~SharedMemory() { munmap(data_, bytes_); }

int run_in_child(const std::function<int()>& body) {
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) throw_system_error("start", "a child process");
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(255);                                // the parent ended before prctl
    for (const int number : {SIGINT, SIGHUP}) signal(number, SIG_IGN);  // the parent gets them too, and kills us
    _exit(body());
  }
  int status = 0;
  for (pid_t done = 0; done != child;) {
    if (interrupted()) kill(child, SIGKILL);
    done = waitpid(child, &status, WNOHANG);
    if (done < 0 && errno != EINTR) throw_system_error("wait for", "a child process");
    if (done == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  throw_if_interrupted();
  if (WIFSIGNALED(status)) {
    const int number = WTERMSIG(status);
    throw IoError("a child process was ended by signal {} ({}){}", number, strsignal(number),
                  number == SIGKILL ? "; perhaps memory ran out" : "");
  }
  return WEXITSTATUS(status);
}

}  // namespace millrace
