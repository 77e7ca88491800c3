/* Writes down, in order, all that a process does to the files of one folder: PLOTROOM_TRACED, into PLOTROOM_TRACE.
 *
 * A record: operation (1 byte), length of the file's name (2), offset (8), length of the data (4), name, data. The
 * operations: 'w' written at the offset, 't' cut to the offset, 's' synced, 'u' unlinked. Numbers are little-endian.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static pthread_mutex_t one_by_one = PTHREAD_MUTEX_INITIALIZER;
static int trace_fd = -1;

/* The name within the folder of an absolute path, or NULL. */
static const char *within(const char *path) {
    const char *folder = getenv("PLOTROOM_TRACED");
    size_t length = folder ? strlen(folder) : 0;
    if (!length || strncmp(path, folder, length) || path[length] != '/') return NULL;
    return path + length + 1;
}

static const char *name_of(int fd, char *buffer) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, buffer, PATH_MAX - 1);
    if (length <= 0) return NULL;
    buffer[length] = 0;
    return within(buffer);
}

static void put(const void *data, size_t length) {
    const char *at = data;
    while (length) {
        ssize_t done = syscall(SYS_write, trace_fd, at, length);
        if (done <= 0) abort();
        at += done;
        length -= (size_t)done;
    }
}

static void note(char what, const char *name, uint64_t offset, const void *data, uint32_t length) {
    uint16_t named = (uint16_t)strlen(name);
    if (trace_fd < 0) {
        const char *target = getenv("PLOTROOM_TRACE");
        trace_fd = (int)syscall(SYS_openat, AT_FDCWD, target, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        if (trace_fd < 0) abort();
    }
    put(&what, 1); put(&named, 2); put(&offset, 8); put(&length, 4); put(name, named); put(data, length);
}

#define REAL(name) static __typeof__(&name) real; if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)
#define TRACED(fd) char path[PATH_MAX]; const char *name = name_of(fd, path); \
    if (name) pthread_mutex_lock(&one_by_one)
#define DONE if (name) pthread_mutex_unlock(&one_by_one)

ssize_t write(int fd, const void *data, size_t length) {
    REAL(write);
    TRACED(fd);
    off_t at = name ? (fcntl(fd, F_GETFL) & O_APPEND ? lseek(fd, 0, SEEK_END) : lseek(fd, 0, SEEK_CUR)) : 0;
    ssize_t done = real(fd, data, length);
    if (name && done > 0) note('w', name, (uint64_t)at, data, (uint32_t)done);
    DONE;
    return done;
}

ssize_t pwrite(int fd, const void *data, size_t length, off_t at) {
    REAL(pwrite);
    TRACED(fd);
    ssize_t done = real(fd, data, length, at);
    if (name && done > 0) note('w', name, (uint64_t)at, data, (uint32_t)done);
    DONE;
    return done;
}

ssize_t pwrite64(int fd, const void *data, size_t length, off64_t at) {
    REAL(pwrite64);
    TRACED(fd);
    ssize_t done = real(fd, data, length, at);
    if (name && done > 0) note('w', name, (uint64_t)at, data, (uint32_t)done);
    DONE;
    return done;
}

int ftruncate(int fd, off_t size) {
    REAL(ftruncate);
    TRACED(fd);
    int failed = real(fd, size);
    if (name && !failed) note('t', name, (uint64_t)size, "", 0);
    DONE;
    return failed;
}

int ftruncate64(int fd, off64_t size) {
    REAL(ftruncate64);
    TRACED(fd);
    int failed = real(fd, size);
    if (name && !failed) note('t', name, (uint64_t)size, "", 0);
    DONE;
    return failed;
}

int fsync(int fd) {
    REAL(fsync);
    TRACED(fd);
    int failed = real(fd);
    if (name && !failed) note('s', name, 0, "", 0);
    DONE;
    return failed;
}

int fdatasync(int fd) {
    REAL(fdatasync);
    TRACED(fd);
    int failed = real(fd);
    if (name && !failed) note('s', name, 0, "", 0);
    DONE;
    return failed;
}

int unlink(const char *path) {
    REAL(unlink);
    const char *name = within(path);
    if (name) pthread_mutex_lock(&one_by_one);
    int failed = real(path);
    if (name && !failed) note('u', name, 0, "", 0);
    DONE;
    return failed;
}
