/// The folder that a server records into, held to its size while the server runs.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

typedef struct recordings_folder {
    const char *path; ///< borrowed; NULL: none is held to anything
    uint64_t bytes_max;
    uv_work_t work;
    unsigned looks;
    bool is_busy;
} recordings_folder;

/// Once a second, on the loop's thread. The disk is asked on another one, once a minute.
void recordings_folder_look(recordings_folder *folder, uv_loop_t *loop);
