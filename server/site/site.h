/// The races of a process behind one door for browsers: the page, its WebSockets, recordings that
/// are watched, and what the API answers (DECISIONS 37).
///
/// On the thread of the loop that it is given.
#pragma once

#include "api/api.h"
#include "content/content.h"
#include "host/host.h"

struct uv_loop_s;

/// Some servers behind one door for browsers: race N of /api/races and /race/N, from 1, is
/// servers[N - 1].
typedef struct apex_site apex_site;

typedef struct apex_site_def {
    struct uv_loop_s *loop; ///< borrowed
    apex_listen listen;     ///< off: the servers are ticked, and that is all
    const char *origins, *hosts, *proxies, *token, *replays_dir; ///< as in apex_web_file; copied
    const char *certificate, *key;                               ///< likewise; NULL or "": HTTP
    uint64_t now_us;
    int64_t now_unix_s;         ///< that the certificate has to be good at
    uint64_t (*clock_us)(void); ///< as in apex_playback_def
    apex_process_look_fn *look; ///< at the process; NULL: its figures are left out
    const void *look_data;      ///< that it is given; as long as the site
    uint8_t token_key[16];      ///< secret; for those who watch recordings
    apex_reload_fn *reload;     ///< what operators may have read anew; NULL: the certificate alone
    void *reload_context;       ///< that it is given; as long as the site
} apex_site_def;

/// Servers stay the caller's, and must outlive the site. @return as apex_web_create.
apex_err apex_site_create(const apex_site_def *def, apex_server *const servers[],
                          uint32_t server_count, apex_site **out, char why[APEX_HOST_WHY_BYTES]);
/// The loop has to run once more before it is closed. NULL is fine.
void apex_site_destroy(apex_site *site);
uint16_t apex_site_port(const apex_site *site); ///< 0 where it is off
/// As apex_web_reload_certificate.
bool apex_site_reload_certificate(apex_site *site, char why[APEX_WEB_WHY_BYTES]);
/// As apex_web_watch_certificate.
void apex_site_watch_certificate(apex_site *site, int64_t now_unix_s);
bool apex_site_is_tls(const apex_site *site);
/// Links that each server must have room for (fed_links_max).
uint32_t apex_site_links_max(const apex_listen *listen, uint32_t clients_max);
/// apex_server_is_due of servers[race]; of one that is not, what has come over the web and else is
/// heard first.
bool apex_site_is_due(apex_site *site, uint32_t race, uint64_t now_us, uint64_t *due_us);
/// One tick of servers[race], with what came for it over the web. Of one that has finished its
/// recording is ended, and nothing is ticked any more.
void apex_site_tick(apex_site *site, uint32_t race, uint64_t now_us);
/// Answers requests that wait. After each turn of the loop.
void apex_site_serve(apex_site *site, uint64_t now_us);
