// A folder of recordings is held to a size: the oldest go first. Nothing is touched that is no
// recording, nor one that is being written or watched: who does either holds a lock on it, in
// whatever process.
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/log.h"
#include "replay/replay_format.h"

enum { RECORDINGS_MAX = 65536, MIB = 1024 * 1024 };

typedef struct recording {
    char name[NAME_MAX + 1];
    struct timespec changed;
    uint64_t bytes;
} recording;

typedef struct recordings {
    recording *at;
    size_t count, capacity;
    uint64_t bytes;
} recordings;

static bool is_named_so(const char *name) {
    size_t length = strlen(name);
    return length > 6 && length <= NAME_MAX && strcmp(name + length - 6, ".apexr") == 0;
}

// @return its file, a recording by its first bytes; -1: it is none.
static int open_recording(int folder, const char *name, struct stat *info) {
    char magic[8];
    int file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    bool is_one = file >= 0 && fstat(file, info) == 0 && S_ISREG(info->st_mode) &&
                  pread(file, magic, sizeof magic, 0) == (ssize_t)sizeof magic &&
                  memcmp(magic, STORE_REPLAY_MAGIC, sizeof magic) == 0;
    if (file >= 0 && !is_one) {
        close(file);
    }
    return is_one ? file : -1;
}

static bool make_room(recordings *all) {
    if (all->count < all->capacity) {
        return true;
    }
    size_t capacity = all->capacity > 0 ? 2 * all->capacity : 64;
    recording *at = capacity <= RECORDINGS_MAX ? realloc(all->at, capacity * sizeof *at) : NULL;
    if (at == NULL) {
        return false;
    }
    all->at = at;
    all->capacity = capacity;
    return true;
}

static void list(DIR *folder, recordings *all) {
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        struct stat info;
        if (!is_named_so(entry->d_name)) {
            continue;
        }
        int file = open_recording(dirfd(folder), entry->d_name, &info);
        if (file < 0) {
            continue;
        }
        close(file);
        if (!make_room(all)) {
            return;
        }
        recording *next = &all->at[all->count++];
        memcpy(next->name, entry->d_name, strlen(entry->d_name) + 1);
        next->changed = info.st_mtim;
        next->bytes = (uint64_t)info.st_size;
        all->bytes += next->bytes;
    }
}

static int compare_age(const void *left, const void *right) {
    const recording *a = left, *b = right;
    if (a->changed.tv_sec != b->changed.tv_sec) {
        return a->changed.tv_sec < b->changed.tv_sec ? -1 : 1;
    }
    if (a->changed.tv_nsec != b->changed.tv_nsec) {
        return a->changed.tv_nsec < b->changed.tv_nsec ? -1 : 1;
    }
    return strcmp(a->name, b->name);
}

// Looked at once more, under the lock: it may be another file by now.
static bool remove_unused(int folder, const char *name) {
    struct stat info;
    int file = open_recording(folder, name, &info);
    if (file < 0) {
        return false;
    }
    bool is_gone = flock(file, LOCK_EX | LOCK_NB) == 0 && unlinkat(folder, name, 0) == 0;
    close(file);
    return is_gone;
}

uint32_t apex_replay_rotate(const char *path, uint64_t bytes_max) {
    APEX_ASSERT(path != NULL);
    DIR *folder = opendir(path);
    if (folder == NULL) {
        return 0;
    }
    recordings all = {0};
    uint32_t removed = 0;
    list(folder, &all);
    if (all.count > 1) {
        qsort(all.at, all.count, sizeof *all.at, compare_age);
    }
    for (size_t i = 0; i < all.count && all.bytes > bytes_max; i++) {
        if (remove_unused(dirfd(folder), all.at[i].name)) {
            all.bytes -= all.at[i].bytes;
            removed++;
            apex_log(APEX_LOG_INFO, "replay",
                     "removed the recording %s/%s: all together may have %llu MiB", path,
                     all.at[i].name, (unsigned long long)(bytes_max / MIB));
        }
    }
    free(all.at);
    closedir(folder);
    return removed;
}
