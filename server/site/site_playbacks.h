/// Recordings that browsers watch: a server of its own for each of them, opened and ticked on
/// libuv's threads, since laying a track or going to another moment takes longer than a race that
/// is being driven can wait.
#pragma once

#include "site/site.h"
#include "web/web.h"

typedef struct site_playbacks site_playbacks;

/// Opens the room "/replay/". @return as apex_web_open_room. All is borrowed but for the def.
apex_err site_playbacks_create(const apex_site_def *def, apex_web *web, site_playbacks **out);
/// Before the web is destroyed. The loop waits for recordings that are being opened. NULL is fine.
void site_playbacks_destroy(site_playbacks *playbacks);
apex_playback_figures site_playbacks_figures(const site_playbacks *playbacks);
/// Ticks those that are due. After each turn of the loop.
void site_playbacks_run(site_playbacks *playbacks, uint64_t now_us);
