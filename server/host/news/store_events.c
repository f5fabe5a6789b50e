// The tick's events go to the store, and into the ring of what is to be told. Events that nobody
// would miss after a crash (lights, contacts, phases) are not stored; they wait only for those
// before them.

#include "host/news/store_events.h"

#include <string.h>

#include "base/assert.h"
#include "base/log.h"
#include "host/news/kept_results.h"

enum { LOG_AGAIN_US = 1000000 };

static bool must_survive(apex_race_event_kind kind) {
    switch (kind) {
    case APEX_EVENT_SECTOR:
    case APEX_EVENT_LAP:
    case APEX_EVENT_BEST_LAP:
    case APEX_EVENT_FINISHED:
    case APEX_EVENT_DNF:
    case APEX_EVENT_PENALTY:
        return true;
    default:
        return false;
    }
}

static void leave_untold(const host_frame *frame, host_news *news) {
    news->never_told++;
    bool is_first = news->never_told_logged_us == 0;
    if (is_first || frame->now_us - news->never_told_logged_us > LOG_AGAIN_US) {
        news->never_told_logged_us = frame->now_us;
        apex_log(APEX_LOG_ERROR, "host", "too many events wait; %llu were never told so far",
                 (unsigned long long)news->never_told);
    }
}

static bool has_room(const host_news *news, const host_untold *untold) {
    uint64_t waiting = news->untold_next - news->untold_first;
    bool is_idle_talk = !untold->is_results && (untold->event.kind == APEX_EVENT_CONTACT ||
                                                untold->event.kind == APEX_EVENT_OFF_TRACK);
    return waiting < news->untold_capacity / (is_idle_talk ? 2 : 1);
}

static void queue(const host_frame *frame, host_news *news, const host_untold *untold) {
    if (has_room(news, untold)) {
        news->untold[news->untold_next++ % news->untold_capacity] = *untold;
    } else {
        leave_untold(frame, news);
    }
}

apex_race_result host_result_of(const host_frame *frame, const host_news *news,
                                const apex_race *race, bool is_complete) {
    apex_race_status status = apex_race_status_of(race);
    apex_race_result result = {
        .race_number = status.race_number,
        .laps = status.laps,
        .complete = is_complete,
        .started_unix_us = news->race_began_unix_us,
        .ended_unix_us = frame->unix_us,
        .ticks = status.tick,
        .state_hash = news->results.state_hash,
        .event_seed = frame->setup->file.race.world.seed,
        .seed = news->results.seed,
        .line_count = news->results.line_count,
        .lines = news->results.lines,
        .apart_count = news->results.apart_count,
        .apart = news->results.lines + news->results.line_count,
        .who = news->results.who,
        .car_names = frame->setup->car_name_list,
    };
    memcpy(result.race, frame->setup->file.race.name, sizeof result.race);
    memcpy(result.track, frame->setup->track_name, sizeof result.track);
    return result;
}

static void store_result(const host_frame *frame, host_news *news, const apex_race *race,
                         bool is_complete) {
    host_keep_results(&news->results, race, frame->names);
    apex_race_result result = host_result_of(frame, news, race, is_complete);
    host_untold untold = {.record = apex_store_result(news->store, &result), .is_results = true};
    if (untold.record == 0) {
        apex_log(APEX_LOG_ERROR, "store", "no room for the results of race %u; they are lost",
                 result.race_number);
        leave_untold(frame, news);
        return;
    }
    news->results.record = untold.record;
    queue(frame, news, &untold);
}

// Stored, then told: what the store has no room for is not told either.
static void store_and_queue(const host_frame *frame, host_news *news, const apex_race *race,
                            const apex_race_event *event) {
    const char *name = apex_race_player_name(race, event->player);
    host_untold untold = {.event = *event};
    apex_wire_text(untold.name, sizeof untold.name, name);
    apex_wire_text(untold.other_name, sizeof untold.other_name,
                   apex_race_player_name(race, event->other));
    if (event->kind == APEX_EVENT_PENALTY) {
        (void)host_penalty_of(race, event->player, (uint32_t)event->value, &untold.penalty);
    }
    if (must_survive(event->kind)) {
        const apex_store_player player = {
            .name = name,
            .who = host_names_who(frame->names, event->player),
            .penalty = untold.penalty.number != 0 ? &untold.penalty : NULL,
        };
        untold.record = apex_store_event(news->store, event, &player, frame->unix_us);
        if (untold.record == 0) {
            leave_untold(frame, news);
            return;
        }
        news->newest_record = untold.record;
    }
    queue(frame, news, &untold);
}

static bool is_phase(const apex_race_event *event, apex_race_phase phase) {
    return event->kind == APEX_EVENT_PHASE && event->value == phase;
}

// A race that is ended on the way has results as well; one that never began has none.
void host_store_events(const host_frame *frame, host_news *news, const apex_race *race,
                       bool is_complete) {
    APEX_ASSERT(frame->event_count == 0 || frame->events != NULL);
    APEX_ASSERT(news->untold_next - news->untold_first <= news->untold_capacity);
    for (size_t i = 0; i < frame->event_count; i++) {
        const apex_race_event *event = &frame->events[i];
        store_and_queue(frame, news, race, event);
        if (is_phase(event, APEX_PHASE_RACE)) {
            news->race_began_unix_us = frame->unix_us;
        }
        if (is_phase(event, APEX_PHASE_RESULTS)) {
            store_result(frame, news, race, is_complete);
        }
    }
}
