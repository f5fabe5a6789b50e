// Times, memory and files of this process, out of the kernel's tables.

#include "program/process.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "program/process_clock.h"

static bool read_text(const char *path, char *text, size_t bytes) {
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return false;
    }
    size_t length = fread(text, 1, bytes - 1, file);
    fclose(file);
    text[length] = '\0';
    return length > 0;
}

// The second number of a schedstat: ns that its thread was ready to run and did not.
static bool read_waited_us(const char *path, uint64_t *out) {
    char text[128];
    char *second = NULL;
    // A kernel that does not count says that the thread never ran.
    if (!read_text(path, text, sizeof text) || strtoull(text, &second, 10) == 0) {
        return false;
    }
    *out = strtoull(second, NULL, 10) / 1000u;
    return true;
}

static uint64_t all_waited_us(void) {
    uint64_t sum_us = 0;
    DIR *tasks = opendir("/proc/self/task");
    for (const struct dirent *task = NULL; tasks != NULL && (task = readdir(tasks)) != NULL;) {
        char path[sizeof "/proc/self/task//schedstat" + sizeof task->d_name];
        uint64_t waited_us = 0;
        snprintf(path, sizeof path, "/proc/self/task/%s/schedstat", task->d_name);
        sum_us += task->d_name[0] != '.' && read_waited_us(path, &waited_us) ? waited_us : 0;
    }
    if (tasks != NULL) {
        closedir(tasks);
    }
    return sum_us;
}

void server_process_times(apex_process_times *times) {
    uint64_t loop_us = 0;
    times->now_us = server_monotonic_us();
    times->ran_us = server_cpu_us();
    // What can't be read now, a file too many being open, stays.
    if (read_waited_us("/proc/thread-self/schedstat", &loop_us)) {
        times->tells_waits = true;
        times->loop_waited_us = loop_us;
        uint64_t all_us = all_waited_us();
        uint64_t others_us = all_us > loop_us ? all_us - loop_us : 0;
        // A thread that has ended takes its times with it.
        times->others_waited_us =
            others_us > times->others_waited_us ? others_us : times->others_waited_us;
    }
}

enum { STAT_THREADS = 20, STAT_STARTED = 22, STAT_VIRTUAL, STAT_RESIDENT, STAT_FIELDS };

// /proc/self/stat, of which the second field may hold blanks and brackets.
static bool read_stat(uint64_t fields[STAT_FIELDS]) {
    char text[1024];
    char *at = read_text("/proc/self/stat", text, sizeof text) ? strrchr(text, ')') : NULL;
    for (int field = 3; at != NULL && field < STAT_FIELDS; field++) {
        at = strchr(at + 1, ' ');
        fields[field] = at != NULL ? strtoull(at, NULL, 10) : 0;
    }
    return at != NULL;
}

// Counted from when the machine was started, sleep included.
static uint64_t started_unix_us(uint64_t started_ticks) {
    uint64_t up_us = server_boot_us();
    uint64_t started_us = started_ticks * 1000000u / (uint64_t)sysconf(_SC_CLK_TCK);
    return server_unix_us() - (up_us > started_us ? up_us - started_us : 0);
}

static uint64_t count_open_files(void) {
    DIR *files = opendir("/proc/self/fd");
    uint64_t count = 0;
    for (const struct dirent *file = NULL; files != NULL && (file = readdir(files)) != NULL;) {
        count += file->d_name[0] != '.';
    }
    if (files != NULL) {
        closedir(files);
        count--; // the folder's own
    }
    return count;
}

bool server_process_look(const void *times, apex_process_figures *out) {
    uint64_t stat[STAT_FIELDS] = {0};
    struct rlimit files;
    *out = (apex_process_figures){.times = *(const apex_process_times *)times,
                                  .open_files = count_open_files()};
    out->times.ran_us = server_cpu_us();
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur != RLIM_INFINITY) {
        out->files_max = files.rlim_cur;
    }
    if (read_stat(stat)) {
        out->threads = stat[STAT_THREADS];
        out->started_unix_us = started_unix_us(stat[STAT_STARTED]);
        out->virtual_bytes = stat[STAT_VIRTUAL];
        out->resident_bytes = stat[STAT_RESIDENT] * (uint64_t)sysconf(_SC_PAGESIZE);
    }
    return true;
}
