// A race in the log: its events, its winner, the drivers whom a lobby waits for.

#include "host/news/race_log.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/log.h"
#include "base/time_text.h"
#include "host/news/store_events.h"
#include "host/news/waiting.h"

// The seed has a line of its own: a program that waits for a phase reads its line to the end.
static void log_phase(const host_setup *setup, const apex_race_event *event) {
    apex_log(APEX_LOG_INFO, "race", "race %u: %s", event->race_number,
             apex_race_phase_name((apex_race_phase)event->value));
    if (event->value == APEX_PHASE_RACE) {
        uint64_t seed = apex_race_seed_of(setup->file.race.world.seed, event->race_number);
        apex_log(APEX_LOG_INFO, "race", "race %u: seed %llu", event->race_number,
                 (unsigned long long)seed);
    }
}

static void log_event(const host_setup *setup, const apex_race_event *event, const char *name) {
    char time[APEX_TIME_TEXT_BYTES];
    apex_time_text(event->time_us, time);
    switch (event->kind) {
    case APEX_EVENT_PHASE:
        log_phase(setup, event);
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
        apex_log_limited(APEX_LOG_INFO, "race", "%s: %s", name, apex_race_event_name(event->kind));
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

static void log_results(const apex_race_result *result) {
    char *table = apex_results_table(result);
    if (table != NULL) {
        log_lines(table);
        free(table);
    }
}

void host_log_events(const host_frame *frame, const host_news *news, const apex_race *race,
                     bool is_complete) {
    APEX_ASSERT(frame->event_count == 0 || frame->events != NULL);
    for (size_t i = 0; i < frame->event_count; i++) {
        const apex_race_event *event = &frame->events[i];
        log_event(frame->setup, event, apex_race_player_name(race, event->player));
        if (event->kind == APEX_EVENT_PHASE && event->value == APEX_PHASE_RESULTS) {
            apex_race_result result = host_result_of(frame, news, race, is_complete);
            log_results(&result);
        }
    }
}

// Looked at once a second: in a crowd somebody comes in each tick.
void host_log_lobby(const host_frame *frame, host_news *news) {
    if (frame->round % frame->tick_hz != 0) {
        return;
    }
    const apex_race_status *status = &frame->status;
    char waiting[HOST_WAITING_BYTES];
    bool waits = host_waiting(status, waiting)[0] != '\0';
    if (waits && news->lobby_logged != 1 + status->players) {
        apex_log_limited(APEX_LOG_INFO, "race", "race %u: %s", status->race_number, waiting);
    }
    news->lobby_logged = waits ? 1 + status->players : 0;
}
