// Makes one file operation of a process fail. Loaded before the C library (LD_PRELOAD), so that the operations of
// Python, Arrow and Rust all pass through it.
//
//   fault_arm(folder, number, error)   the operation with this number, from 1, on anything below the folder fails
//   fault_happened()                   whether there were that many
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/uio.h>
#include <unistd.h>

enum { DESCRIPTORS = 4096 };
static char folder[4096];
static int error_number;
static long left = -1;  // operations until the one that fails; negative: none will
static int happened;
static char below[DESCRIPTORS];  // whether a descriptor is of a file below the folder

void fault_arm(const char *path, long number, int error) {
    strncpy(folder, path, sizeof folder - 1);
    error_number = error;
    left = number;
}

int fault_happened(void) { return happened; }

static int fails(int concerned) {
    if (!concerned || left <= 0 || --left > 0) return 0;
    happened = 1;
    errno = error_number;
    return 1;
}

static int is_below(int at, const char *path) {
    if (path[0] != '/' && at != AT_FDCWD) return at >= 0 && at < DESCRIPTORS && below[at];
    return folder[0] && strncmp(path, folder, strlen(folder)) == 0;
}

static int is_open_below(int descriptor) { return descriptor >= 0 && descriptor < DESCRIPTORS && below[descriptor]; }

static int opened(int descriptor, int concerned) {
    if (descriptor >= 0 && descriptor < DESCRIPTORS) below[descriptor] = (char)concerned;
    return descriptor;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define MODE(flags) \
    mode_t mode = 0; \
    if ((flags) & (O_CREAT | __O_TMPFILE)) { va_list rest; va_start(rest, flags); mode = va_arg(rest, mode_t); va_end(rest); }
#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        MODE(flags) \
        int concerned = is_below(AT_FDCWD, path); \
        return fails(concerned) ? -1 : opened(REAL(name)(path, flags, mode), concerned); \
    }
#define OPENAT(name) \
    int name(int at, const char *path, int flags, ...) { \
        MODE(flags) \
        int concerned = is_below(at, path); \
        return fails(concerned) ? -1 : opened(REAL(name)(at, path, flags, mode), concerned); \
    }
#define ON_PATH(name, parameters, arguments, at, path) \
    int name parameters { return fails(is_below(at, path)) ? -1 : REAL(name) arguments; }
#define ON_DESCRIPTOR(type, name, parameters, arguments) \
    type name parameters { return fails(is_open_below(descriptor)) ? -1 : REAL(name) arguments; }

OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)
ON_PATH(mkdir, (const char *path, mode_t mode), (path, mode), AT_FDCWD, path)
ON_PATH(rmdir, (const char *path), (path), AT_FDCWD, path)
ON_PATH(unlink, (const char *path), (path), AT_FDCWD, path)
ON_PATH(unlinkat, (int at, const char *path, int flags), (at, path, flags), at, path)
ON_PATH(rename, (const char *path, const char *target), (path, target), AT_FDCWD, path)
ON_DESCRIPTOR(ssize_t, read, (int descriptor, void *data, size_t size), (descriptor, data, size))
ON_DESCRIPTOR(ssize_t, write, (int descriptor, const void *data, size_t size), (descriptor, data, size))
ON_DESCRIPTOR(ssize_t, writev, (int descriptor, const struct iovec *parts, int count), (descriptor, parts, count))
ON_DESCRIPTOR(int, fsync, (int descriptor), (descriptor))
ON_DESCRIPTOR(int, ftruncate, (int descriptor, off_t size), (descriptor, size))
ON_DESCRIPTOR(int, ftruncate64, (int descriptor, off64_t size), (descriptor, size))
ON_DESCRIPTOR(int, flock, (int descriptor, int operation), (descriptor, operation))

DIR *opendir(const char *path) { return fails(is_below(AT_FDCWD, path)) ? NULL : REAL(opendir)(path); }

int close(int descriptor) {
    if (descriptor >= 0 && descriptor < DESCRIPTORS) below[descriptor] = 0;
    return REAL(close)(descriptor);
}
