// What race control says is what a league reads aloud, so each sentence names who, what and why.
#include "client-lite/text/text_control.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/time_text.h"

static const char *const FLAGS_SHOWN[APEX_WIRE_FLAGS] = {
    [APEX_WIRE_FLAG_GREEN] = "green",
    [APEX_WIRE_FLAG_FULL_COURSE] = "full-course yellow",
    [APEX_WIRE_FLAG_ENDING] = "full-course yellow, ending",
    [APEX_WIRE_FLAG_RED] = "red flag",
};

typedef struct phrase {
    char *at;
    size_t size, length;
} phrase;

__attribute__((format(printf, 2, 3))) static void put(phrase *words, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    size_t room = words->size - words->length;
    int length = vsnprintf(words->at + words->length, room, format, arguments);
    va_end(arguments);
    size_t written = length > 0 ? (size_t)length : 0;
    words->length += written < room ? written : room - 1;
}

static phrase phrase_in(char *out, size_t size) {
    out[0] = '\0';
    return (phrase){out, size, 0};
}

static const char *between(const phrase *words) {
    return words->length > 0 ? ", " : "";
}

static void put_session_name(phrase *words, const apex_race_session *session) {
    const char *kind = apex_wire_session_name(session->kind);
    put(words, "session %" PRIu32 " of %" PRIu32 ": %s", session->index + 1, session->count, kind);
    if (session->name[0] != '\0' && strcmp(session->name, kind) != 0) {
        put(words, " %s", session->name);
    }
}

void client_text_session(const apex_race_session *session, char out[CLIENT_SESSION_BYTES]) {
    phrase words = phrase_in(out, CLIENT_SESSION_BYTES);
    if (session->count > 0) {
        put_session_name(&words, session);
    }
    if (session->duration_ms > 0) {
        char clock[APEX_TIME_TEXT_BYTES];
        bool is_over = session->left_us < 0;
        apex_clock_text(is_over ? -session->left_us : session->left_us, clock);
        put(&words, "%s%s %s", between(&words), clock, is_over ? "over" : "left");
    }
    if (session->chequered) {
        put(&words, "%schequered flag", between(&words));
    }
    if (session->flag != APEX_WIRE_FLAG_GREEN && session->flag < APEX_WIRE_FLAGS) {
        put(&words, "%s%s", between(&words), FLAGS_SHOWN[session->flag]);
    }
}

void client_text_length(const apex_race_session *session, uint32_t laps,
                        char out[CLIENT_LENGTH_BYTES]) {
    phrase words = phrase_in(out, CLIENT_LENGTH_BYTES);
    if (laps > 0) {
        put(&words, "%" PRIu32 " lap%s", laps, laps == 1 ? "" : "s");
    } else {
        put(&words, "%s", session != NULL && session->count > 0 ? "by time" : "open session");
    }
}

static void put_penalty(phrase *words, const apex_penalty_message *penalty) {
    put(words, "%s", apex_wire_penalty_name(penalty->kind));
    if (penalty->time_ms > 0) {
        put(words, " %g s", penalty->time_ms / 1000.0);
    }
    if (penalty->places > 0) {
        put(words, " %" PRIu32 " place%s", penalty->places, penalty->places == 1 ? "" : "s");
    }
}

void client_text_penalty(const apex_penalty_message *penalty, char out[CLIENT_PENALTY_BYTES]) {
    phrase words = phrase_in(out, CLIENT_PENALTY_BYTES);
    put_penalty(&words, penalty);
    put(&words, " for %s", apex_wire_offence_name(penalty->offence));
    if (penalty->state != APEX_WIRE_PENALTY_STATE_OPEN) {
        put(&words, ", %s", apex_wire_penalty_state_name(penalty->state));
    } else if (penalty->due_lap > 0) {
        put(&words, ", by lap %" PRIu32, penalty->due_lap);
    }
    if (penalty->added_us > 0) {
        put(&words, ", +%g s", (double)penalty->added_us / 1e6);
    }
}

void client_text_voids(uint32_t voids, char out[CLIENT_VOID_BYTES]) {
    static const char *const WHY[] = {"out-lap",  "in-lap",        "cut the track", "put back",
                                      "red flag", "double yellow", "server drove",  "contact",
                                      "too late", "deleted"};
    phrase words = phrase_in(out, CLIENT_VOID_BYTES);
    for (uint32_t bit = 0; bit < sizeof WHY / sizeof WHY[0]; bit++) {
        if ((voids >> bit & 1) != 0) {
            put(&words, "%s%s", between(&words), WHY[bit]);
        }
    }
}

static void put_open_penalties(phrase *words, const apex_client *client, uint32_t player) {
    size_t count;
    const apex_penalty_message *penalties = apex_client_penalties(client, &count);
    for (size_t i = 0; i < count; i++) {
        const apex_penalty_message *penalty = &penalties[i];
        if (penalty->player != player || penalty->state != APEX_WIRE_PENALTY_STATE_OPEN) {
            continue;
        }
        put(words, "%s", between(words));
        put_penalty(words, penalty);
        if (penalty->due_lap > 0) {
            put(words, " by lap %" PRIu32, penalty->due_lap);
        }
    }
}

void client_text_conduct(const apex_client *client, const apex_wire_standing *line,
                         char out[CLIENT_PENALTY_BYTES]) {
    phrase words = phrase_in(out, CLIENT_PENALTY_BYTES);
    if (line->pit != APEX_WIRE_PIT_ROAD) {
        put(&words, "pits: %s", apex_wire_pit_name(line->pit));
    }
    if (line->stops > 0) {
        put(&words, "%s%" PRIu32 " stop%s", between(&words), line->stops,
            line->stops == 1 ? "" : "s");
    }
    if (line->penalty_us > 0) {
        put(&words, "%s+%g s", between(&words), (double)line->penalty_us / 1e6);
    }
    if (client != NULL) {
        put_open_penalties(&words, client, line->player);
    }
    if (line->status == APEX_WIRE_RESULT_NOT_CLASSIFIED ||
        line->status == APEX_WIRE_RESULT_DISQUALIFIED) {
        put(&words, "%s%s", between(&words), apex_wire_result_name(line->status));
    }
}

static bool say_penalty(const apex_client *client, const apex_race_event_message *event,
                        const char *name, phrase *out) {
    size_t count;
    const apex_penalty_message *penalties = apex_client_penalties(client, &count);
    for (size_t i = 0; i < count; i++) {
        if (penalties[i].number == (uint64_t)event->value) {
            char text[CLIENT_PENALTY_BYTES];
            client_text_penalty(&penalties[i], text);
            put(out, "penalty %" PRId64 ", %s: %s", event->value, name, text);
            return true;
        }
    }
    put(out, "penalty %" PRId64 " of %s", event->value, name); // its session is over
    return true;
}

static bool say_session(const apex_client *client, const apex_race_event_message *event,
                        phrase *out) {
    const apex_race_session *session = apex_client_session(client);
    if (session == NULL || event->value < 0 || event->value >= session->session_count) {
        return false;
    }
    const apex_session_line *line = &session->sessions[event->value];
    put(out, "session %" PRId64 " begins: %s %s", event->value + 1,
        apex_wire_session_name(line->kind), line->name);
    return true;
}

static bool say_flag(const apex_race_event_message *event, phrase *out) {
    if (event->value < 0 || event->value >= APEX_WIRE_FLAGS) {
        return false;
    }
    put(out, "race control: %s", FLAGS_SHOWN[event->value]);
    return true;
}

static bool say_lap_void(const apex_race_event_message *event, const char *name, phrase *out) {
    char why[CLIENT_VOID_BYTES];
    client_text_voids((uint32_t)event->value, why);
    put(out, "the lap of %s does not count: %s", name, why);
    return why[0] != '\0';
}

// Blue flags, pit phases, incidents without points and stretches that are clear again come too
// often to be read.
bool client_text_control(const apex_client *client, const apex_race_event_message *event,
                         const char *name, const char *other, char out[CLIENT_CONTROL_BYTES]) {
    phrase words = phrase_in(out, CLIENT_CONTROL_BYTES);
    switch (event->kind) {
    case APEX_WIRE_EVENT_SESSION:
        return say_session(client, event, &words);
    case APEX_WIRE_EVENT_CHEQUERED:
        put(&words, "the chequered flag is out");
        return true;
    case APEX_WIRE_EVENT_LAP_VOID:
        return say_lap_void(event, name, &words);
    case APEX_WIRE_EVENT_OFFENCE:
        put(&words, "%s: %s", name, apex_wire_offence_name((uint32_t)event->value));
        return true;
    case APEX_WIRE_EVENT_PENALTY:
        return say_penalty(client, event, name, &words);
    case APEX_WIRE_EVENT_CONTROL:
        return say_flag(event, &words);
    case APEX_WIRE_EVENT_INCIDENT:
        put(&words, "incident of %s: %" PRId64 "x", name, event->value);
        return event->value > 0;
    case APEX_WIRE_EVENT_FAULT:
        put(&words, "%s has %" PRId64 " %% of the fault with %s", name, event->value, other);
        return true;
    default:
        return false;
    }
}
