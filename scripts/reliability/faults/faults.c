// Stands between a program and the C library (LD_PRELOAD) and lets file operations fail, one after the other: the n-th open, read, write,
// flush, rename or link of a file below one folder. So it reaches what Node does and what DuckDB does alike.
//
//   FAULT_UNDER   the folder, as an absolute path; files elsewhere are left alone
//   FAULT_AT      which operation fails, counted from 1; 0: none
//   FAULT_KIND    EIO: that one fails; ENOSPC: that one and every later write fails; SHORT: that write takes half of what it was given
//   FAULT_COUNT   a file that is told each operation in a line, to count them

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define MOST_FILES 65536

enum kind { NONE, FAIL_ONCE, FULL, SHORT };

static atomic_int operations;
static atomic_char watched[MOST_FILES];
static char under[PATH_MAX];
static size_t under_length;
static int at;
static enum kind kind;
static int log_file = -1;

static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

__attribute__((constructor)) static void start(void) {
  const char *folder = getenv("FAULT_UNDER"), *place = getenv("FAULT_AT"), *what = getenv("FAULT_KIND"), *log = getenv("FAULT_COUNT");
  if (folder == NULL) return;
  snprintf(under, sizeof under, "%s/", folder);
  under_length = strlen(under);
  at = place == NULL ? 0 : atoi(place);
  kind = what == NULL ? NONE : !strcmp(what, "ENOSPC") ? FULL : !strcmp(what, "SHORT") ? SHORT : FAIL_ONCE;
  if (log != NULL) {
    int (*open_it)(const char *, int, ...) = real("open");
    log_file = open_it(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  }
}

static int is_under(const char *path) {
  if (under_length == 0 || path == NULL) return 0;
  if (path[0] == '/') return !strncmp(path, under, under_length);
  char full[PATH_MAX];
  if (getcwd(full, sizeof full) == NULL) return 0;
  size_t length = strlen(full);
  if (length + 2 > sizeof full) return 0;
  full[length] = '/', full[length + 1] = 0;
  return !strncmp(full, under, under_length);
}

// Counts an operation: 0 where it is to be done, 1 where it is to fail, 2 where it is to fall short.
static int strikes(const char *what, const char *path, int writes) {
  int count = atomic_fetch_add(&operations, 1) + 1;
  if (log_file >= 0) {
    ssize_t (*write_it)(int, const void *, size_t) = real("write");
    char line[PATH_MAX + 64];
    int length = snprintf(line, sizeof line, "%d %s %s\n", count, what, path == NULL ? "" : path);
    if (write_it(log_file, line, length) < 0) _exit(99);
  }
  if (at == 0 || kind == NONE) return 0;
  if (kind == FULL && writes && count >= at) return errno = ENOSPC, 1;
  if (count != at) return 0;
  if (kind == SHORT) return writes ? 2 : 0;
  if (kind == FULL) return 0;
  errno = EIO;
  return 1;
}

static int is_watched(int file) { return file >= 0 && file < MOST_FILES && atomic_load(&watched[file]); }

static int opened(int file, int yes) {
  if (file >= 0 && file < MOST_FILES) atomic_store(&watched[file], yes);
  return file;
}

#define MODE                                   \
  mode_t mode = 0;                             \
  if (flags & (O_CREAT | O_TMPFILE)) {         \
    va_list rest;                              \
    va_start(rest, flags);                     \
    mode = va_arg(rest, mode_t);               \
    va_end(rest);                              \
  }

#define OPEN(name)                                                                        \
  int name(const char *path, int flags, ...) {                                            \
    MODE;                                                                                 \
    int (*open_it)(const char *, int, ...) = real(#name);                                 \
    int ours = is_under(path);                                                            \
    if (ours && strikes("open", path, (flags & O_CREAT) != 0) == 1) return -1;            \
    return opened(open_it(path, flags, mode), ours);                                      \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                                      \
  int name(int folder, const char *path, int flags, ...) {                                \
    MODE;                                                                                 \
    int (*open_it)(int, const char *, int, ...) = real(#name);                            \
    int ours = is_under(path);                                                            \
    if (ours && strikes("open", path, (flags & O_CREAT) != 0) == 1) return -1;            \
    return opened(open_it(folder, path, flags, mode), ours);                              \
  }
OPENAT(openat)
OPENAT(openat64)

int close(int file) {
  int (*close_it)(int) = real("close");
  opened(file, 0);
  return close_it(file);
}

#define READ(name, parameters, arguments)                                                  \
  ssize_t name parameters {                                                                \
    ssize_t(*read_it) parameters = real(#name);                                            \
    if (is_watched(file) && strikes("read", NULL, 0) == 1) return -1;                      \
    return read_it arguments;                                                              \
  }
READ(read, (int file, void *into, size_t size), (file, into, size))
READ(pread, (int file, void *into, size_t size, off_t from), (file, into, size, from))
READ(pread64, (int file, void *into, size_t size, off64_t from), (file, into, size, from))
READ(readv, (int file, const struct iovec *parts, int count), (file, parts, count))
READ(preadv, (int file, const struct iovec *parts, int count, off_t from), (file, parts, count, from))
READ(preadv64, (int file, const struct iovec *parts, int count, off64_t from), (file, parts, count, from))

#define WRITE(name, parameters, arguments, fewer)                                          \
  ssize_t name parameters {                                                                \
    ssize_t(*write_it) parameters = real(#name);                                           \
    if (is_watched(file)) {                                                                \
      int strike = strikes("write", NULL, 1);                                              \
      if (strike == 1) return -1;                                                          \
      if (strike == 2) fewer;                                                              \
    }                                                                                      \
    return write_it arguments;                                                             \
  }
#define LESS (size = size > 1 ? size / 2 : size)
#define LESS_PARTS (count = count > 1 ? count - 1 : count)
WRITE(write, (int file, const void *from, size_t size), (file, from, size), LESS)
WRITE(pwrite, (int file, const void *from, size_t size, off_t place), (file, from, size, place), LESS)
WRITE(pwrite64, (int file, const void *from, size_t size, off64_t place), (file, from, size, place), LESS)
WRITE(writev, (int file, const struct iovec *parts, int count), (file, parts, count), LESS_PARTS)
WRITE(pwritev, (int file, const struct iovec *parts, int count, off_t place), (file, parts, count, place), LESS_PARTS)
WRITE(pwritev64, (int file, const struct iovec *parts, int count, off64_t place), (file, parts, count, place), LESS_PARTS)

#define FLUSH(name)                                                                        \
  int name(int file) {                                                                     \
    int (*flush_it)(int) = real(#name);                                                    \
    if (is_watched(file) && strikes("flush", NULL, 1) == 1) return -1;                     \
    return flush_it(file);                                                                 \
  }
FLUSH(fsync)
FLUSH(fdatasync)

#define TWO_PATHS(name, what)                                                              \
  int name(const char *from, const char *to) {                                             \
    int (*do_it)(const char *, const char *) = real(#name);                                \
    if ((is_under(from) || is_under(to)) && strikes(what, to, 1) == 1) return -1;          \
    return do_it(from, to);                                                                \
  }
TWO_PATHS(rename, "rename")
TWO_PATHS(link, "link")

int mkdir(const char *path, mode_t mode) {
  int (*make_it)(const char *, mode_t) = real("mkdir");
  if (is_under(path) && strikes("mkdir", path, 1) == 1) return -1;
  return make_it(path, mode);
}

char *mkdtemp(char *path) {
  char *(*make_it)(char *) = real("mkdtemp");
  if (is_under(path) && strikes("mkdir", path, 1) == 1) return NULL;
  return make_it(path);
}
