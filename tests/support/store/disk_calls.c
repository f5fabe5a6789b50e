// Calls to the disk, kept and failed in front of the C library, which they go round by syscall().
#define _GNU_SOURCE // realpath, renameat2
#include "support/store/disk_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { KEPT_BYTES = 16384 };

typedef struct fault {
    int error; ///< 0: none to come
    unsigned skip;
    size_t bytes_max; ///< 0: as many as are asked for
} fault;

static struct {
    char folder[PATH_MAX]; ///< "": none is watched
    char kept[KEPT_BYTES];
    size_t kept_bytes;
    unsigned counts[DISK_CALLS];
    fault faults[DISK_CALLS];
    void (*ask)(void);
} disk;

void disk_calls_watch(const char *folder) {
    memset(&disk, 0, sizeof disk);
    if (realpath(folder, disk.folder) == NULL) {
        perror(folder);
        abort();
    }
}

void disk_calls_forget(void) {
    disk.kept_bytes = 0;
    disk.kept[0] = '\0';
    memset(disk.counts, 0, sizeof disk.counts);
}

const char *disk_calls_kept(void) {
    return disk.kept;
}

unsigned disk_calls_count(disk_call call) {
    return disk.counts[call];
}

void disk_calls_fail(disk_call call, unsigned skip, int error) {
    disk.faults[call].error = error;
    disk.faults[call].skip = skip;
}

void disk_calls_shorten(disk_call call, size_t bytes) {
    disk.faults[call].bytes_max = bytes;
}

void disk_calls_at_sync(void (*ask)(void)) {
    disk.ask = ask;
}

// What does not fit is not kept, and a test that compares it says so.
__attribute__((format(printf, 1, 2))) static void keep(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    size_t room = sizeof disk.kept - disk.kept_bytes;
    int length = vsnprintf(disk.kept + disk.kept_bytes, room, format, arguments);
    va_end(arguments);
    if (length > 0) {
        disk.kept_bytes += (size_t)length < room ? (size_t)length : room - 1;
    }
}

// @return the name inside the folder, "." for itself; NULL: it lies elsewhere.
static const char *name_in_folder(const char *path) {
    size_t length = strlen(disk.folder);
    if (length == 0 || strncmp(path, disk.folder, length) != 0) {
        return NULL;
    }
    if (path[length] == '\0') {
        return ".";
    }
    return path[length] == '/' ? path + length + 1 : NULL;
}

static const char *name_of(int file, char path[PATH_MAX]) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    path[length > 0 ? length : 0] = '\0';
    return name_in_folder(path);
}

static int take_error(disk_call call) {
    fault *next = &disk.faults[call];
    disk.counts[call]++;
    if (next->error == 0 || next->skip-- > 0) {
        return 0;
    }
    int error = next->error;
    next->error = 0;
    return error;
}

static long end_line(long result, int error) {
    keep(result < 0 ? " fails\n" : "\n");
    errno = error;
    return result;
}

static ssize_t transfer(disk_call call, int file, void *bytes, size_t length, off_t at) {
    long number = call == DISK_READ ? SYS_pread64 : SYS_pwrite64;
    char path[PATH_MAX];
    const char *name = name_of(file, path);
    if (name == NULL) {
        return syscall(number, file, bytes, length, at);
    }
    keep("%s %s %zu at %lld", call == DISK_READ ? "pread" : "pwrite", name, length, (long long)at);
    int error = take_error(call);
    if (error != 0) {
        return end_line(-1, error);
    }
    size_t most = disk.faults[call].bytes_max;
    if (most > 0 && most < length) {
        disk.faults[call].bytes_max = 0;
        keep(" takes %zu", most);
        length = most;
    }
    long result = syscall(number, file, bytes, length, at);
    return end_line(result, errno);
}

static int sync_file(disk_call call, int file) {
    long number = call == DISK_SYNC ? SYS_fsync : SYS_fdatasync;
    char path[PATH_MAX];
    const char *name = name_of(file, path);
    if (name == NULL) {
        return (int)syscall(number, file);
    }
    if (disk.ask != NULL) {
        disk.ask();
    }
    keep("%s %s", call == DISK_SYNC ? "fsync" : "fdatasync", name);
    int error = take_error(call);
    // A test has no use for a disk that really turns: the kernel is told nothing.
    return (int)end_line(error != 0 ? -1 : 0, error);
}

static int cut(int file, off_t length) {
    char path[PATH_MAX];
    const char *name = name_of(file, path);
    if (name == NULL) {
        return (int)syscall(SYS_ftruncate, file, length);
    }
    keep("ftruncate %s to %lld", name, (long long)length);
    int error = take_error(DISK_CUT);
    long result = error != 0 ? -1 : syscall(SYS_ftruncate, file, length);
    return (int)end_line(result, error != 0 ? error : errno);
}

ssize_t pwrite(int file, const void *bytes, size_t length, off_t at) {
    return transfer(DISK_WRITE, file, (void *)(uintptr_t)bytes, length, at);
}

ssize_t pread(int file, void *bytes, size_t length, off_t at) {
    return transfer(DISK_READ, file, bytes, length, at);
}

// The name of pread where the compiler knows how much room there is.
ssize_t __pread_chk(int file, void *bytes, size_t length, off_t at, size_t room);
ssize_t __pread_chk(int file, void *bytes, size_t length, off_t at, size_t room) {
    if (length > room) {
        abort();
    }
    return transfer(DISK_READ, file, bytes, length, at);
}

int fdatasync(int file) {
    return sync_file(DISK_SYNC_DATA, file);
}

int fsync(int file) {
    return sync_file(DISK_SYNC, file);
}

int ftruncate(int file, off_t length) {
    return cut(file, length);
}

static int rename_file(const char *from, const char *to, unsigned flags) {
    const char *name = name_in_folder(from);
    const char *new_name = name_in_folder(to);
    if (name == NULL) {
        return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, flags);
    }
    keep("rename %s %s", name, new_name != NULL ? new_name : to);
    int error = take_error(DISK_RENAME);
    long result = error != 0 ? -1 : syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, flags);
    return (int)end_line(result, error != 0 ? error : errno);
}

int rename(const char *from, const char *to) {
    return rename_file(from, to, 0);
}

// The code under test names whole paths.
int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
    if (from_folder != AT_FDCWD || to_folder != AT_FDCWD) {
        abort();
    }
    return rename_file(from, to, flags);
}
