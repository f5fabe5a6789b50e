/// The answers over HTTP, apart from the page: races, status and orders as JSON below /api/,
/// figures at /metrics, and whether all is well at /healthz and /readyz. The gateway takes requests
/// and sends answers; nothing here knows a socket. Between ticks, on the thread that makes them.
#pragma once

#include "base/arena.h"
#include "host/host.h"
#include "web/web.h"

/// Races of a process, at most.
enum { APEX_SITE_RACES_MAX = 16 };

/// The process's use of the machine; 0 for figures that the system does not tell.
typedef struct apex_process_figures {
    uint64_t started_unix_us;
    apex_process_times times;
    uint64_t resident_bytes, virtual_bytes;
    uint64_t open_files, files_max, threads;
} apex_process_figures;

/// @return false if there are none.
typedef bool apex_process_look_fn(const void *data, apex_process_figures *out);

/// Room for an answer about as many cars as a race may have.
enum { APEX_API_ARENA_BYTES = 16 * 1024 * 1024 };

/// The memory from one request to the next: addresses that tried wrong tokens, headers of
/// recordings.
typedef struct apex_api_memory apex_api_memory;

apex_api_memory *apex_api_memory_create(void); ///< NULL: no memory
void apex_api_memory_destroy(apex_api_memory *memory);

/// Of recordings that browsers watch.
typedef struct apex_playback_figures {
    uint64_t watched, waiting; ///< now; waiting: to be opened
    uint64_t opened, failed;   ///< so far
    uint64_t ticks;            ///< of recorded races, made again
    uint64_t work_us;          ///< on a thread of their own
} apex_playback_figures;

/// Reads files anew, all or none. @param[out] said a sentence: what was read, or why none was.
/// @return whether they were.
typedef bool apex_reload_fn(void *context, char said[APEX_WEB_WHY_BYTES]);

typedef struct apex_api {
    apex_server *const *servers; ///< race 1 is the first
    uint32_t server_count;
    const uint64_t *web_counters; ///< by apex_web_counter; NULL: no figures of the gateway
    uint32_t web_connections;     ///< open now
    const apex_web_certificate_figures *certificate; ///< NULL: no TLS
    apex_reload_fn *reload;                          ///< NULL: there is nothing to be read
    void *reload_context;                            ///< that it is given
    const char *token;                               ///< "": nobody operates over the web
    const char *replays_dir;                         ///< "": no recordings are shown
    const apex_playback_figures *playbacks;          ///< NULL: none are shown
    apex_process_look_fn *look;                      ///< NULL: no figures of the process
    const void *look_data;                           ///< that it is given
    apex_api_memory *memory;
    uint64_t now_us;
} apex_api;

/// Answers a request. The answer lives on `arena`, which should have APEX_API_ARENA_BYTES to give,
/// or is constant.
void apex_api_answer(const apex_api *api, const apex_web_request *request, apex_arena *arena,
                     apex_web_answer *answer);

/// One line of an operator: status, say TEXT, kick NAME, start, restart, quit, help. Answers on
/// `out`.
void apex_server_console(apex_server *server, const char *line, FILE *out);
