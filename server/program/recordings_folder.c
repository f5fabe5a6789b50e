// The folder that a server records into, held to its size while the server runs. A folder may have
// thousands of recordings, and looking at each is nothing for the thread that ticks.
#include "program/recordings_folder.h"

#include "replay/replay.h"

enum { LOOKS = 60 }; ///< a minute: recordings grow by kilobytes a second

static void do_work(uv_work_t *work) {
    const recordings_folder *folder = work->data;
    (void)apex_replay_rotate(folder->path, folder->bytes_max);
}

static void work_done(uv_work_t *work, int status) {
    (void)status;
    recordings_folder *folder = work->data;
    folder->is_busy = false;
}

void recordings_folder_look(recordings_folder *folder, uv_loop_t *loop) {
    if (folder->path == NULL || folder->is_busy || ++folder->looks < LOOKS) {
        return;
    }
    folder->looks = 0;
    folder->work.data = folder;
    folder->is_busy = uv_queue_work(loop, &folder->work, do_work, work_done) == 0;
}
