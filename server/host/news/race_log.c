// What the log says of a race: what happened, who won, whom a lobby waits for.

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/time_text.h"
#include "host/figures/figures.h"
#include "host/host_private.h"

// The seed has a line of its own: who waits for a phase reads its line to the end.
static void log_phase(const apex_server *server, const apex_race_event *event) {
    apex_log(APEX_LOG_INFO, "race", "race %u: %s", event->race_number,
             apex_race_phase_name((apex_race_phase)event->value));
    if (event->value == APEX_PHASE_RACE) {
        uint64_t seed = apex_race_seed_of(server->file.race.world.seed, event->race_number);
        apex_log(APEX_LOG_INFO, "race", "race %u: seed %llu", event->race_number,
                 (unsigned long long)seed);
    }
}

static void log_event(const apex_server *server, const apex_race_event *event, const char *name) {
    char time[APEX_TIME_TEXT_BYTES];
    apex_time_text(event->time_us, time);
    switch (event->kind) {
    case APEX_EVENT_PHASE:
        log_phase(server, event);
        break;
    case APEX_EVENT_LAP:
        apex_log(APEX_LOG_INFO, "race", "%s: lap %lld in %s", name, (long long)event->value, time);
        break;
    case APEX_EVENT_FINISHED:
        apex_log(APEX_LOG_INFO, "race", "%s finished as number %lld in %s", name,
                 (long long)event->value, time);
        break;
    case APEX_EVENT_DNF:
    case APEX_EVENT_RESET:
    case APEX_EVENT_ENGINE_BLEW:
        apex_log(APEX_LOG_INFO, "race", "%s: %s", name, apex_race_event_name(event->kind));
        break;
    default:
        apex_log(APEX_LOG_DEBUG, "race", "%s: %s %lld", name, apex_race_event_name(event->kind),
                 (long long)event->value);
        break;
    }
}

static void log_lines(char *text) {
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        apex_log(APEX_LOG_INFO, "race", "%s", line);
    }
}

static void log_results(const apex_server *server) {
    apex_race_result result = host_result_of(server);
    char *table = apex_results_table(&result);
    if (table != NULL) {
        log_lines(table);
        free(table);
    }
}

void host_log_events(const apex_server *server) {
    for (size_t i = 0; i < server->frame.event_count; i++) {
        const apex_race_event *event = &server->frame.events[i];
        log_event(server, event, apex_race_player_name(server->race, event->player));
        if (event->kind == APEX_EVENT_PHASE && event->value == APEX_PHASE_RESULTS) {
            log_results(server);
        }
    }
}

// Looked at once a second: in a crowd somebody comes in each tick.
void host_log_lobby(apex_server *server) {
    if (server->rounds % apex_race_tick_hz(server->race) != 0 || server->idle.on) {
        return;
    }
    apex_race_status status = host_race_status(server);
    char waiting[HOST_WAITING_BYTES];
    bool waits = host_waiting(&status, waiting)[0] != '\0';
    if (waits && server->lobby_logged != 1 + status.players) {
        apex_log(APEX_LOG_INFO, "race", "race %u: %s", status.race_number, waiting);
    }
    server->lobby_logged = waits ? 1 + status.players : 0;
}
