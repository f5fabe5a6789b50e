/// What HTTP answers, apart from the page: races, status and orders as JSON below /api/, figures at
/// /metrics, and whether all is well at /healthz and /readyz. The gateway takes requests and sends
/// answers; nothing here knows a socket. Between ticks, on the thread that makes them.
#pragma once

#include "base/arena.h"
#include "host/host.h"
#include "web/web.h"

/// Room for an answer about as many cars as a race may have.
enum { HOST_API_ARENA_BYTES = 16 * 1024 * 1024 };

/// What is kept from one request to the next: who tried wrong tokens, headers of recordings.
typedef struct host_api_memory host_api_memory;

host_api_memory *host_api_memory_create(void); ///< NULL: no memory
void host_api_memory_destroy(host_api_memory *memory);

/// Of recordings that browsers watch.
typedef struct host_playback_figures {
    uint64_t watched, waiting; ///< now; waiting: to be opened
    uint64_t opened, failed;   ///< so far
    uint64_t ticks;            ///< of recorded races, made again
    uint64_t work_us;          ///< on a thread of their own
} host_playback_figures;

typedef struct host_api {
    apex_server *const *servers; ///< race 1 is the first
    uint32_t server_count;
    const uint64_t *web_counters; ///< by apex_web_counter; NULL: no figures of the gateway
    uint32_t web_connections;     ///< open now
    const char *token;            ///< "": nobody operates over the web
    const char *replays_dir;      ///< "": no recordings are shown
    const host_playback_figures *playbacks; ///< NULL: none are shown
    apex_process_look_fn *look;             ///< NULL: no figures of the process
    host_api_memory *memory;
    uint64_t now_us;
} host_api;

/// Answers a request. What it answers lives on `arena`, which should have HOST_API_ARENA_BYTES to
/// give, or is constant.
void host_api_answer(const host_api *api, const apex_web_request *request, apex_arena *arena,
                     apex_web_answer *answer);
