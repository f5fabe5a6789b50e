// An event without end that nobody drives in or looks at makes no ticks: no bots race for nobody. A
// race under way is finished first; what has begun has an end, results and a recording. Ticks that
// are not made are simply not made, so nothing of this is to be seen in a recording.

#include "base/log.h"
#include "host/host_private.h"

enum {
    LOOK_US = 50000,    ///< between two looks for newcomers
    ALERT_US = 1000000, ///< after any sound; a newcomer's greeting goes to and fro a few times
};

// An open session without a hard end has nothing that could be waited for.
static bool never_ends(const apex_race_def *race) {
    return race->laps == 0 && race->race_s_max <= 0.0;
}

static bool may_rest(const apex_server *server) {
    return server->idles && server->file.race.races == 0 && !server->stopping &&
           (apex_race_phase_of(server->race) == APEX_PHASE_LOBBY || never_ends(&server->file.race));
}

static uint64_t sounds(const apex_server *server) {
    const uint64_t *transport = apex_server_transport_counters(server);
    return transport != NULL ? transport[APEX_TRANSPORT_BYTES_IN] : 0;
}

static void hear(apex_server *server) {
    host_idle *idle = &server->idle;
    uint64_t heard = sounds(server);
    if (server->frame.link_count > 0 || heard != idle->heard) {
        idle->heard = heard;
        idle->heard_us = server->now_us;
    }
}

static void tell(const apex_server *server, bool is_first) {
    if (server->stopping) {
        return;
    }
    if (!server->idle.on) {
        apex_log(APEX_LOG_INFO, "host", "somebody is here: the race goes on");
        return;
    }
    apex_log(APEX_LOG_INFO, "host",
             "nobody is here: waiting; the race goes on when somebody comes%s",
             is_first ? " (--races N runs N races without anybody)" : "");
}

void host_idle_note(apex_server *server) {
    host_idle *idle = &server->idle;
    bool is_alone = may_rest(server) && apex_sessions_welcomed(server->sessions) == 0;
    hear(server);
    if (is_alone != idle->on) {
        idle->on = is_alone;
        tell(server, !idle->was_told);
        idle->was_told = true;
    }
}

bool apex_server_is_idle(const apex_server *server) {
    return server->idle.on;
}

uint64_t apex_server_leisure_us(const apex_server *server) {
    const host_idle *idle = &server->idle;
    if (!idle->on) {
        return 0;
    }
    bool is_alert = idle->heard_us != 0 && server->now_us - idle->heard_us < ALERT_US;
    return is_alert ? 1000000u / apex_server_tick_hz(server) : LOOK_US;
}
