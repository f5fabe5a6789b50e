// Knowledge is copied out of messages, whose memory goes with their packets.
#include "client-lite/session/state/knowledge.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "defs/defs.h"

void client_knowledge_free(client_knowledge *knowledge) {
    for (uint32_t i = 0; i < APEX_WIRE_DEFS_MAX; i++) {
        free(knowledge->defs[i].bytes);
    }
    free(knowledge->roster);
    free((void *)(uintptr_t)knowledge->standings.lines);
    free((void *)(uintptr_t)knowledge->results.lines);
    free((void *)(uintptr_t)knowledge->results.apart);
    free((void *)(uintptr_t)knowledge->stats.refused);
    free((void *)(uintptr_t)knowledge->playback.marks);
    free(knowledge->events);
    free(knowledge->past);
    free(knowledge->penalties);
    *knowledge = (client_knowledge){0};
}

static void forget_past(client_knowledge *knowledge) {
    free(knowledge->past); // it comes once; thousands of clients need not keep room for it
    knowledge->past = NULL;
    knowledge->past_count = 0;
}

void client_knowledge_begin_update(client_knowledge *knowledge) {
    forget_past(knowledge);
    knowledge->event_count = 0;
    knowledge->notice_count = 0;
}

// Room for one more of `bytes` each. @return false when out of memory or past `count_max`.
static bool grow(void **array, size_t *capacity, size_t bytes, size_t count_max) {
    if (*capacity >= count_max) {
        return false;
    }
    size_t wanted = *capacity == 0 ? 16 : 2 * *capacity;
    void *grown = realloc(*array, wanted * bytes);
    if (grown == NULL) {
        return false;
    }
    *array = grown;
    *capacity = wanted;
    return true;
}

void client_knowledge_event(client_knowledge *knowledge, const apex_race_event_message *event) {
    knowledge->heard_tick1 = (uint64_t)event->tick + 1;
    if (knowledge->event_count == knowledge->event_capacity) {
        void *events = knowledge->events;
        if (!grow(&events, &knowledge->event_capacity, sizeof *event, CLIENT_EVENTS_MAX)) {
            knowledge->dropped++;
            return;
        }
        knowledge->events = events;
    }
    knowledge->events[knowledge->event_count++] = *event;
}

void client_knowledge_notice(client_knowledge *knowledge, const char *text) {
    if (knowledge->notice_count == CLIENT_NOTICES_MAX) {
        knowledge->dropped++;
        return;
    }
    char *kept = knowledge->notice_texts[knowledge->notice_count];
    strncpy(kept, text, APEX_WIRE_TEXT_BYTES - 1);
    kept[APEX_WIRE_TEXT_BYTES - 1] = '\0';
    knowledge->notices[knowledge->notice_count++] = kept;
}

// A copy of `count` items that outlives the decoder's scratch; NULL for none or no memory.
static void *copy_of(const void *items, size_t count, size_t bytes) {
    if (count == 0) {
        return NULL;
    }
    void *copy = malloc(count * bytes);
    if (copy != NULL) {
        memcpy(copy, items, count * bytes);
    }
    return copy;
}

void client_knowledge_standings(client_knowledge *knowledge, const apex_standings *standings) {
    apex_wire_standing *lines =
        copy_of(standings->lines, standings->line_count, sizeof *standings->lines);
    if (standings->line_count > 0 && lines == NULL) {
        knowledge->dropped++;
        return;
    }
    free((void *)(uintptr_t)knowledge->standings.lines);
    knowledge->standings = *standings;
    knowledge->standings.lines = lines;
    knowledge->has_standings = true;
}

void client_knowledge_results(client_knowledge *knowledge, const apex_results *results) {
    apex_wire_standing *lines =
        copy_of(results->lines, results->line_count, sizeof *results->lines);
    apex_wire_standing *apart =
        copy_of(results->apart, results->apart_count, sizeof *results->apart);
    if ((results->line_count > 0 && lines == NULL) || (results->apart_count > 0 && apart == NULL)) {
        free(lines);
        free(apart);
        knowledge->dropped++;
        return;
    }
    free((void *)(uintptr_t)knowledge->results.lines);
    free((void *)(uintptr_t)knowledge->results.apart);
    knowledge->results = *results;
    knowledge->results.lines = lines;
    knowledge->results.apart = apart;
    knowledge->has_results = true;
}

// Events are told in the order of their ticks, so the newest that was heard tells which were.
void client_knowledge_past(client_knowledge *knowledge, const apex_past_events *past) {
    uint32_t first = 0;
    while (first < past->event_count && past->events[first].tick < knowledge->heard_tick1) {
        first++;
    }
    forget_past(knowledge);
    size_t count = past->event_count - first;
    knowledge->past = copy_of(past->events + first, count, sizeof *past->events);
    if (knowledge->past == NULL) {
        knowledge->dropped += count;
        return;
    }
    knowledge->past_count = count;
    knowledge->heard_tick1 = (uint64_t)past->events[past->event_count - 1].tick + 1;
}

void client_knowledge_playback(client_knowledge *knowledge, const apex_playback_state *state) {
    apex_playback_state kept = *state;
    apex_playback_mark *marks = copy_of(state->marks, state->mark_count, sizeof *state->marks);
    if (marks != NULL) {
        free((void *)(uintptr_t)knowledge->playback.marks);
        kept.marks = marks;
    } else { // the recording's position is known without them, too
        knowledge->dropped += state->mark_count > 0;
        kept.mark_count = knowledge->playback.mark_count;
        kept.marks = knowledge->playback.marks;
    }
    knowledge->playback = kept;
    knowledge->has_playback = true;
}

void client_knowledge_stats(client_knowledge *knowledge, const apex_server_stats *stats) {
    apex_count *refused = copy_of(stats->refused, stats->refused_count, sizeof *stats->refused);
    if (stats->refused_count > 0 && refused == NULL) {
        knowledge->dropped++;
        return;
    }
    free((void *)(uintptr_t)knowledge->stats.refused);
    knowledge->stats = *stats;
    knowledge->stats.refused = refused;
    knowledge->has_stats = true;
}

static size_t roster_lower_bound(const client_knowledge *knowledge, uint32_t player) {
    size_t begin = 0;
    size_t end = knowledge->roster_count;
    while (begin < end) {
        size_t middle = begin + (end - begin) / 2;
        if (knowledge->roster[middle].player < player) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    return begin;
}

void client_knowledge_roster_clear(client_knowledge *knowledge) {
    knowledge->roster_count = 0;
}

bool client_knowledge_roster_has_car(const client_knowledge *knowledge, uint32_t car) {
    for (size_t i = 0; i < knowledge->roster_count; i++) {
        if (knowledge->roster[i].car == car) {
            return true;
        }
    }
    return false;
}

static void roster_insert(client_knowledge *knowledge, size_t at, const apex_roster_entry *entry) {
    if (knowledge->roster_count == knowledge->roster_capacity) {
        void *roster = knowledge->roster;
        if (!grow(&roster, &knowledge->roster_capacity, sizeof *entry, APEX_ROSTER_ENTRIES_MAX)) {
            knowledge->dropped++;
            return;
        }
        knowledge->roster = roster;
    }
    apex_roster_entry *slot = knowledge->roster + at;
    memmove(slot + 1, slot, (knowledge->roster_count - at) * sizeof *slot);
    *slot = *entry;
    knowledge->roster_count++;
}

static void roster_erase(client_knowledge *knowledge, size_t at) {
    apex_roster_entry *slot = knowledge->roster + at;
    memmove(slot, slot + 1, (knowledge->roster_count - at - 1) * sizeof *slot);
    knowledge->roster_count--;
}

uint32_t client_knowledge_roster_change(client_knowledge *knowledge,
                                        const apex_roster_entry *entry) {
    size_t at = roster_lower_bound(knowledge, entry->player);
    bool found = at < knowledge->roster_count && knowledge->roster[at].player == entry->player;
    uint32_t before = found ? knowledge->roster[at].car : 0;
    if (entry->car == 0) {
        if (found) {
            roster_erase(knowledge, at);
        }
        return before;
    }
    if (found) {
        knowledge->roster[at] = *entry;
    } else {
        roster_insert(knowledge, at, entry);
    }
    return before == entry->car ? 0 : before;
}

client_def_verdict client_knowledge_def(client_knowledge *knowledge, const apex_def_content *def) {
    const apex_welcome *welcome = &knowledge->welcome;
    client_def_verdict verdict = CLIENT_DEF_UNASKED;
    // Two names may stand for the same bytes, so one answer can fill several slots.
    for (uint32_t i = 0; i < welcome->def_count; i++) {
        if (welcome->defs[i].hash != def->hash || knowledge->defs[i].bytes != NULL) {
            continue;
        }
        if (welcome->defs[i].kind != def->kind || welcome->defs[i].length != def->length ||
            apex_def_hash(def->bytes, def->length) != def->hash) {
            return CLIENT_DEF_WRONG;
        }
        knowledge->defs[i].bytes = malloc(def->length > 0 ? def->length : 1);
        if (knowledge->defs[i].bytes == NULL) {
            return CLIENT_DEF_NO_MEMORY;
        }
        if (def->length > 0) {
            memcpy(knowledge->defs[i].bytes, def->bytes, def->length);
        }
        verdict = CLIENT_DEF_TAKEN;
    }
    return verdict;
}

bool client_knowledge_defs_complete(const client_knowledge *knowledge) {
    for (uint32_t i = 0; i < knowledge->welcome.def_count; i++) {
        if (knowledge->defs[i].bytes == NULL) {
            return false;
        }
    }
    return true;
}

int client_knowledge_def_find(const client_knowledge *knowledge, apex_def_kind kind,
                              const char *name) {
    APEX_ASSERT(knowledge->welcome.def_count <= APEX_WIRE_DEFS_MAX);
    for (uint32_t i = 0; i < knowledge->welcome.def_count; i++) {
        const apex_def_name *def = &knowledge->welcome.defs[i];
        if (def->kind == kind && (name == NULL || strcmp(def->name, name) == 0)) {
            return (int)i;
        }
    }
    return -1;
}
