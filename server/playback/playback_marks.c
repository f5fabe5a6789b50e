// What happened when, for whoever looks at a whole recording. A recording holds commands and
// controls, so what came of them is known only by running it.

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "host/host_private.h"

// A car of a ton that loses 3 m/s at once; less is a rub.
static const int64_t CONTACT_NS_MIN = 3000;
static const double SAME_CONTACT_S = 1.0;
static const double BUDGET_US = 4000.0;
enum { LIST_AGAIN_TICKS = 600 };

static const uint32_t room[HOST_MARK_GROUPS] = {
    [HOST_MARKS_PHASES] = 48,
    [HOST_MARKS_BEST_LAPS] = 32,
    [HOST_MARKS_HOME] = 48,
    [HOST_MARKS_OUT] = 32,
    [HOST_MARKS_CONTACTS] = HOST_MARKS_A_GROUP_MAX,
};
_Static_assert(48 + 32 + 48 + 32 + HOST_MARKS_A_GROUP_MAX == APEX_PLAYBACK_MARKS_MAX,
               "all groups together fill a message");

// --- Which ---------------------------------------------------------------------------------------

static bool group_of(const apex_race_event *event, host_mark_group *group) {
    switch (event->kind) {
    case APEX_EVENT_LIGHTS:
        *group = HOST_MARKS_PHASES;
        return event->value == 0; // go
    case APEX_EVENT_PHASE:
        *group = HOST_MARKS_PHASES;
        return event->value == APEX_PHASE_RESULTS;
    case APEX_EVENT_BEST_LAP:
        *group = HOST_MARKS_BEST_LAPS;
        return true;
    case APEX_EVENT_FINISHED:
        *group = HOST_MARKS_HOME;
        return true;
    case APEX_EVENT_DNF:
    case APEX_EVENT_ENGINE_BLEW:
        *group = HOST_MARKS_OUT;
        return true;
    case APEX_EVENT_CONTACT:
        *group = HOST_MARKS_CONTACTS;
        return event->value >= CONTACT_NS_MIN;
    default:
        return false;
    }
}

static host_mark *lightest(host_marks *marks, host_mark_group group) {
    host_mark *least = &marks->groups[group][0];
    for (uint32_t i = 1; i < marks->counts[group]; i++) {
        host_mark *mark = &marks->groups[group][i];
        least = mark->weight < least->weight ? mark : least;
    }
    return least;
}

// A pile-up is one mark, its heaviest blow.
static host_mark *same_contact(host_marks *marks, const host_mark *contact, uint32_t tick_hz) {
    uint32_t near_ticks = (uint32_t)(SAME_CONTACT_S * tick_hz);
    for (uint32_t i = 0; i < marks->counts[HOST_MARKS_CONTACTS]; i++) {
        host_mark *mark = &marks->groups[HOST_MARKS_CONTACTS][i];
        if (contact->mark.tick - mark->mark.tick <= near_ticks) {
            return mark;
        }
    }
    return NULL;
}

static void note_contact(host_marks *marks, const host_mark *contact, uint32_t tick_hz) {
    host_mark *place = same_contact(marks, contact, tick_hz);
    uint32_t *count = &marks->counts[HOST_MARKS_CONTACTS];
    if (place == NULL && *count < room[HOST_MARKS_CONTACTS]) {
        marks->groups[HOST_MARKS_CONTACTS][(*count)++] = *contact;
        return;
    }
    place = place != NULL ? place : lightest(marks, HOST_MARKS_CONTACTS);
    if (contact->weight > place->weight) {
        *place = *contact;
    }
}

void host_marks_note(host_marks *marks, const apex_race_event *event, uint32_t tick_hz) {
    host_mark_group group;
    if (!group_of(event, &group)) {
        return;
    }
    host_mark mark = {.mark = {.tick = (uint32_t)event->tick,
                               .kind = (uint32_t)event->kind,
                               .player = apex_player_wire_id(event->player)},
                      .weight = event->value};
    if (group == HOST_MARKS_CONTACTS) {
        note_contact(marks, &mark, tick_hz);
    } else if (marks->counts[group] < room[group]) {
        marks->groups[group][marks->counts[group]++] = mark;
    }
}

static int compare(uint32_t a, uint32_t b) {
    return a < b ? -1 : a > b;
}

static int by_tick(const void *a, const void *b) {
    const apex_playback_mark *left = a, *right = b;
    int order = compare(left->tick, right->tick);
    order = order != 0 ? order : compare(left->kind, right->kind);
    return order != 0 ? order : compare(left->player, right->player);
}

uint32_t host_marks_list(const host_marks *marks, apex_playback_mark out[APEX_PLAYBACK_MARKS_MAX]) {
    uint32_t count = 0;
    for (uint32_t group = 0; group < HOST_MARK_GROUPS; group++) {
        for (uint32_t i = 0; i < marks->counts[group]; i++) {
            out[count++] = marks->groups[group][i].mark;
        }
    }
    qsort(out, count, sizeof out[0], by_tick);
    return count;
}

// --- Gathering -----------------------------------------------------------------------------------

static void publish(host_playback *playback) {
    host_scout *scout = &playback->scout;
    apex_playback_mark list[APEX_PLAYBACK_MARKS_MAX];
    uint32_t count = host_marks_list(&scout->marks, list);
    if (count == scout->list_count && memcmp(list, scout->list, count * sizeof list[0]) == 0) {
        return;
    }
    memcpy(scout->list, list, count * sizeof list[0]);
    scout->list_count = count;
    playback->has_marks_news = true;
}

void host_scout_end(host_scout *scout) {
    apex_replay_reader_close(scout->reader);
    apex_race_destroy(scout->race);
    scout->reader = NULL;
    scout->race = NULL;
}

// A file that was still growing when the scout came to its end has more by now.
static bool look_for_more(host_playback *playback) {
    host_scout *scout = &playback->scout;
    apex_replay_extent extent;
    apex_replay_blob keyframe;
    bool has_more = apex_replay_survey(scout->reader, &extent) == APEX_OK &&
                    extent.ticks > scout->tick &&
                    apex_replay_seek(scout->reader, scout->tick, &keyframe, NULL) == APEX_OK;
    scout->is_waiting = !has_more;
    return has_more;
}

static bool scout_tick(host_playback *playback, uint32_t tick_hz) {
    host_scout *scout = &playback->scout;
    apex_replay_step step;
    char why[HOST_RERUN_WHY_BYTES];
    apex_err err = apex_replay_next(scout->reader, &step, why);
    if (err == APEX_OK) {
        err = host_rerun_step(scout->race, &step, NULL, why);
    }
    if (err != APEX_OK) {
        return false; // who plays as far as this hears why
    }
    scout->tick++;
    size_t count = 0;
    const apex_race_event *events = apex_race_events(scout->race, &count);
    for (size_t i = 0; i < count; i++) {
        host_marks_note(&scout->marks, &events[i], tick_hz);
    }
    return true;
}

void host_scout_go_on(host_playback *playback, uint32_t tick_hz) {
    host_scout *scout = &playback->scout;
    if (scout->reader == NULL) {
        return;
    }
    uint32_t ticks = host_pace_room(&playback->pace, BUDGET_US);
    for (uint32_t i = 0; i < ticks && scout->tick < playback->extent.ticks; i++) {
        bool goes_on = !scout->is_waiting || look_for_more(playback);
        if (!goes_on || !scout_tick(playback, tick_hz)) {
            publish(playback);
            host_scout_end(scout);
            return;
        }
        playback->pace.made++;
        if (scout->tick % LIST_AGAIN_TICKS == 0) {
            publish(playback);
        }
    }
    if (scout->tick == playback->extent.ticks && !scout->is_waiting) {
        publish(playback);
        scout->is_waiting = true;
    }
    if (scout->is_waiting && playback->extent.is_closed) {
        host_scout_end(scout);
    }
}
