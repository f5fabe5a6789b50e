// Events of a recording become marks if they are worth one; where there are too many, some give
// way.

#include <stdlib.h>

#include "playback/marks.h"
#include "replicate/replicate.h"

// A car of a ton that loses 3 m/s at once; less is a light contact.
static const int64_t CONTACT_NS_MIN = 3000;
static const double SAME_CONTACT_S = 1.0;

static const uint32_t room[PLAYBACK_MARK_GROUPS] = {
    [PLAYBACK_MARKS_PHASES] = 48,
    [PLAYBACK_MARKS_BEST_LAPS] = 32,
    [PLAYBACK_MARKS_HOME] = 48,
    [PLAYBACK_MARKS_OUT] = 32,
    [PLAYBACK_MARKS_CONTACTS] = PLAYBACK_MARKS_A_GROUP_MAX,
};
_Static_assert(48 + 32 + 48 + 32 + PLAYBACK_MARKS_A_GROUP_MAX == APEX_PLAYBACK_MARKS_MAX,
               "all groups together fill a message");

static bool group_of(const apex_race_event *event, playback_mark_group *group) {
    switch (event->kind) {
    case APEX_EVENT_LIGHTS:
        *group = PLAYBACK_MARKS_PHASES;
        return event->value == 0; // go
    case APEX_EVENT_PHASE:
        *group = PLAYBACK_MARKS_PHASES;
        return event->value == APEX_PHASE_RESULTS;
    case APEX_EVENT_SESSION:
    case APEX_EVENT_CHEQUERED:
    case APEX_EVENT_CONTROL:
        *group = PLAYBACK_MARKS_PHASES;
        return true;
    case APEX_EVENT_BEST_LAP:
        *group = PLAYBACK_MARKS_BEST_LAPS;
        return true;
    case APEX_EVENT_FINISHED:
        *group = PLAYBACK_MARKS_HOME;
        return true;
    case APEX_EVENT_DNF:
    case APEX_EVENT_ENGINE_BLEW:
    case APEX_EVENT_PENALTY:
        *group = PLAYBACK_MARKS_OUT;
        return true;
    case APEX_EVENT_CONTACT:
        *group = PLAYBACK_MARKS_CONTACTS;
        return event->value >= CONTACT_NS_MIN;
    default:
        return false;
    }
}

static playback_mark *lightest(playback_marks *marks, playback_mark_group group) {
    playback_mark *least = &marks->groups[group][0];
    for (uint32_t i = 1; i < marks->counts[group]; i++) {
        playback_mark *mark = &marks->groups[group][i];
        least = mark->weight < least->weight ? mark : least;
    }
    return least;
}

// A pile-up is one mark, its heaviest blow.
static playback_mark *same_contact(playback_marks *marks, const playback_mark *contact,
                                   uint32_t tick_hz) {
    uint32_t near_ticks = (uint32_t)(SAME_CONTACT_S * tick_hz);
    for (uint32_t i = 0; i < marks->counts[PLAYBACK_MARKS_CONTACTS]; i++) {
        playback_mark *mark = &marks->groups[PLAYBACK_MARKS_CONTACTS][i];
        if (contact->mark.tick - mark->mark.tick <= near_ticks) {
            return mark;
        }
    }
    return NULL;
}

static void note_contact(playback_marks *marks, const playback_mark *contact, uint32_t tick_hz) {
    playback_mark *place = same_contact(marks, contact, tick_hz);
    uint32_t *count = &marks->counts[PLAYBACK_MARKS_CONTACTS];
    if (place == NULL && *count < room[PLAYBACK_MARKS_CONTACTS]) {
        marks->groups[PLAYBACK_MARKS_CONTACTS][(*count)++] = *contact;
        return;
    }
    place = place != NULL ? place : lightest(marks, PLAYBACK_MARKS_CONTACTS);
    if (contact->weight > place->weight) {
        *place = *contact;
    }
}

void playback_marks_note(playback_marks *marks, const apex_race_event *event, uint32_t tick_hz) {
    playback_mark_group group;
    if (!group_of(event, &group)) {
        return;
    }
    playback_mark mark = {.mark = {.tick = (uint32_t)event->tick,
                                   .kind = (uint32_t)event->kind,
                                   .player = apex_player_wire_id(event->player)},
                          .weight = event->value};
    if (group == PLAYBACK_MARKS_CONTACTS) {
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

uint32_t playback_marks_list(const playback_marks *marks,
                             apex_playback_mark out[APEX_PLAYBACK_MARKS_MAX]) {
    uint32_t count = 0;
    for (uint32_t group = 0; group < PLAYBACK_MARK_GROUPS; group++) {
        for (uint32_t i = 0; i < marks->counts[group]; i++) {
            out[count++] = marks->groups[group][i].mark;
        }
    }
    qsort(out, count, sizeof out[0], by_tick);
    return count;
}
