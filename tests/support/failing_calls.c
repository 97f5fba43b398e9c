// A library for LD_PRELOAD in which one call of a kind fails. FAIL_KIND is what: "memory" (allocations of 4 KiB and
// more), "files" (calls that open, write, sync, rename, remove or lock files fail with EIO) or "threads" (from that one
// on, none can be started). FAIL_AT is the number of the call, from 1 on. How many there were is written to the file
// FAIL_COUNT at the end.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);

enum Kind { nothing, memory, files, threads };
static enum Kind kind;
static long fail_at;
static atomic_long calls;

__attribute__((constructor)) static void read_settings(void) {
  const char* const name = getenv("FAIL_KIND");
  const char* const at = getenv("FAIL_AT");
  fail_at = at ? strtol(at, NULL, 10) : 0;
  if (name) kind = !strcmp(name, "memory") ? memory : !strcmp(name, "files") ? files : threads;
}

__attribute__((destructor)) static void write_count(void) {
  kind = nothing;
  const char* const path = getenv("FAIL_COUNT");
  FILE* const file = path ? fopen(path, "w") : NULL;
  if (!file) return;
  fprintf(file, "%ld\n", atomic_load(&calls));
  fclose(file);
}

static int fails(enum Kind of) {
  if (kind != of) return 0;
  const long now = atomic_fetch_add(&calls, 1) + 1;
  return of == threads ? fail_at > 0 && now >= fail_at : now == fail_at;
}

static int no_memory(size_t bytes) {
  if (bytes < 4096 || !fails(memory)) return 0;
  errno = ENOMEM;
  return 1;
}

void* malloc(size_t bytes) { return no_memory(bytes) ? NULL : __libc_malloc(bytes); }
void* calloc(size_t count, size_t bytes) { return no_memory(count * bytes) ? NULL : __libc_calloc(count, bytes); }
void* realloc(void* old, size_t bytes) { return no_memory(bytes) ? NULL : __libc_realloc(old, bytes); }
void* aligned_alloc(size_t alignment, size_t bytes) {
  return no_memory(bytes) ? NULL : __libc_memalign(alignment, bytes);
}
int posix_memalign(void** to, size_t alignment, size_t bytes) {
  if (no_memory(bytes)) return ENOMEM;
  *to = __libc_memalign(alignment, bytes);
  return *to ? 0 : ENOMEM;
}

// The next definition of a function, in the C library.
#define REAL(name)                   \
  static __typeof__(&name) real = 0; \
  if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

void* mmap(void* at, size_t bytes, int protection, int flags, int file, off_t offset) {
  REAL(mmap);
  return no_memory(bytes) ? MAP_FAILED : real(at, bytes, protection, flags, file, offset);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*), void* argument) {
  REAL(pthread_create);
  return fails(threads) ? EAGAIN : real(thread, attributes, start, argument);
}

static int io_error(void) {
  if (!fails(files)) return 0;
  errno = EIO;
  return 1;
}

#define FILE_CALL(result, failed, name, parameters, arguments) \
  result name parameters {                                     \
    REAL(name);                                                \
    return io_error() ? failed : real arguments;               \
  }
FILE_CALL(int, -1, fsync, (int file), (file))
FILE_CALL(int, -1, fdatasync, (int file), (file))
FILE_CALL(int, -1, flock, (int file, int how), (file, how))
FILE_CALL(int, -1, unlink, (const char* path), (path))
FILE_CALL(int, -1, unlinkat, (int folder, const char* path, int flags), (folder, path, flags))
FILE_CALL(int, -1, mkdir, (const char* path, mode_t mode), (path, mode))
FILE_CALL(int, -1, rmdir, (const char* path), (path))
FILE_CALL(int, -1, rename, (const char* from, const char* to), (from, to))
FILE_CALL(int, -1, renameat2, (int f, const char* from, int t, const char* to, unsigned how), (f, from, t, to, how))
FILE_CALL(int, -1, ftruncate, (int file, off_t bytes), (file, bytes))
FILE_CALL(int, -1, ftruncate64, (int file, off64_t bytes), (file, bytes))
FILE_CALL(ssize_t, -1, write, (int file, const void* bytes, size_t count), (file, bytes, count))
FILE_CALL(ssize_t, -1, pwrite, (int file, const void* bytes, size_t count, off_t at), (file, bytes, count, at))
FILE_CALL(ssize_t, -1, pwrite64, (int file, const void* bytes, size_t count, off64_t at), (file, bytes, count, at))
FILE_CALL(ssize_t, -1, pread, (int file, void* bytes, size_t count, off_t at), (file, bytes, count, at))
FILE_CALL(ssize_t, -1, pread64, (int file, void* bytes, size_t count, off64_t at), (file, bytes, count, at))

// Messages are not to fail: the test looks for them. Nor is stdout, which is nothing that may be left.
size_t fwrite(const void* bytes, size_t size, size_t count, FILE* file) {
  REAL(fwrite);
  return file != stderr && file != stdout && io_error() ? 0 : real(bytes, size, count, file);
}
int fflush(FILE* file) {
  REAL(fflush);
  return file && file != stderr && file != stdout && io_error() ? EOF : real(file);
}
int fclose(FILE* file) {
  REAL(fclose);
  const int failed = io_error();
  const int closed = real(file);
  if (failed) errno = EIO;
  return failed ? EOF : closed;
}

#define OPEN_CALL(name, parameters, arguments)            \
  int name parameters {                                   \
    REAL(name);                                           \
    mode_t mode = 0;                                      \
    if (flags & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY))) { \
      va_list more;                                       \
      va_start(more, flags);                              \
      mode = va_arg(more, mode_t);                        \
      va_end(more);                                       \
    }                                                     \
    return io_error() ? -1 : real arguments;              \
  }
OPEN_CALL(open, (const char* path, int flags, ...), (path, flags, mode))
OPEN_CALL(open64, (const char* path, int flags, ...), (path, flags, mode))
OPEN_CALL(openat, (int folder, const char* path, int flags, ...), (folder, path, flags, mode))
OPEN_CALL(openat64, (int folder, const char* path, int flags, ...), (folder, path, flags, mode))
