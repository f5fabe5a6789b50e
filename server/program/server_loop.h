/// Real time: the libuv loop on which the races of a process are run, their page is served, and
/// signals and the operator are heard.
#pragma once

#include "program/reload.h"
#include "site/site.h"

typedef struct server_loop server_loop;

/// Before there is a second thread that asks for the environment.
/// @return APEX_ERR_NO_MEMORY, APEX_ERR_FILES.
apex_err server_loop_create(server_loop **out);
void server_loop_destroy(server_loop *loop); ///< NULL is fine
/// The libuv loop, for listeners.
struct uv_loop_s *server_loop_uv(server_loop *loop);
/// The process's times as of the loop's last look, once a second. Lives as long as the loop.
const apex_process_times *server_loop_times(const server_loop *loop);

/// What SIGHUP and the operator's `reload` read anew. Borrowed; before it runs.
void server_loop_set_reload(server_loop *loop, server_reload *reload);
/// Before it runs: holds a folder of recordings to a size. @param path outlives the loop
void server_loop_limit_recordings(server_loop *loop, const char *path, uint64_t bytes_max);

/// Runs until all servers of the site are finished, and destroys the site.
/// @param speed times real time; 0 as fast as possible.
/// @return the exit code: 0, 130 when a second signal cut it short, or 1 when it could not begin,
/// or the disk has not taken all results.
int server_loop_run(server_loop *loop, apex_site *site, apex_server *const servers[],
                    uint32_t server_count, double speed);
