// The soft limit is raised to the hard one, which only the system's owner can raise.
#include "client-lite/cli/open_files.h"

#include <sys/resource.h>

uint64_t cli_raise_open_files(void) {
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0) {
        return UINT64_MAX;
    }
    struct rlimit most = {.rlim_cur = files.rlim_max, .rlim_max = files.rlim_max};
    if (setrlimit(RLIMIT_NOFILE, &most) == 0) {
        files = most;
    }
    return files.rlim_cur == RLIM_INFINITY ? UINT64_MAX : (uint64_t)files.rlim_cur;
}
