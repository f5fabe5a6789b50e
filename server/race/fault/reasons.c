// The table of reasons: what each weighs, and how it is said.
//
// A share is 50 and half of the difference of weights, so 100 is the whole of it, and 20 more or
// less is a racing incident. A reason that answers another (a brake test, a move across: the
// follower has run into the back all the same) weighs as much more as stewards let it prevail.
#include "race/fault/reasons.h"

#include "base/assert.h"

#include <stdio.h>

typedef struct reason_row {
    const char *name;
    int32_t weight;
    const char *sentence; // with a %, where the values go
    const char *units[2];
} reason_row;

static const reason_row ROWS[APEX_FAULT_REASON_KINDS] = {
    [APEX_FAULT_RAN_INTO_BACK] = {"ran-into-back", 100, "ran into the back, closing by %", {"m/s"}},
    [APEX_FAULT_BRAKE_TESTED] = {"brake-tested",
                                 180,
                                 "braked by % where the line allows %",
                                 {"m/s", "m/s"}},
    [APEX_FAULT_MOVED_ACROSS] = {"moved-across",
                                 160,
                                 "moved % across, only % ahead of a follower who could not stop",
                                 {"m", "m"}},
    [APEX_FAULT_MOVED_UNDER_BRAKING] = {"moved-under-braking",
                                        40,
                                        "changed his line by % under braking",
                                        {"m"}},
    [APEX_FAULT_SQUEEZED] = {"squeezed",
                             100,
                             "moved % over and left the other % to the edge",
                             {"m", "m"}},
    [APEX_FAULT_MOVED_OVER] = {"moved-over", 80, "moved % towards the car beside him", {"m"}},
    [APEX_FAULT_DIVED_IN] = {"dived-in",
                             100,
                             "dived in, beside the mirror only % before the apex",
                             {"s"}},
    [APEX_FAULT_NOT_FAR_ENOUGH] = {"not-far-enough",
                                   40,
                                   "inside, but % short of the mirror at the apex",
                                   {"m"}},
    [APEX_FAULT_BACKED_OUT] = {"backed-out",
                               80,
                               "gave the overlap up before the apex, % behind there",
                               {"m"}},
    [APEX_FAULT_TURNED_IN] = {"turned-in",
                              100,
                              "turned in on a car beside him and left it % to the edge",
                              {"m"}},
    [APEX_FAULT_OUTSIDE_NOT_AHEAD] = {"outside-not-ahead",
                                      80,
                                      "outside and not ahead at the apex, by %",
                                      {"m"}},
    [APEX_FAULT_RAN_WIDE] = {"ran-wide", 80, "ran wide into the other with % of room", {"m"}},
    [APEX_FAULT_NO_ROOM_OUTSIDE] = {"no-room-outside",
                                    100,
                                    "left % to the edge for a car outside that was ahead",
                                    {"m"}},
    [APEX_FAULT_BEYOND_TYRES] = {"beyond-tyres", 30, "wheels locked or sliding for %", {"s"}},
    [APEX_FAULT_TOO_FAST] = {"too-fast", 30, "came in at % where the line takes %", {"m/s", "m/s"}},
    [APEX_FAULT_LOST_CONTROL] = {"lost-control", 100, "lost control % before", {"s"}},
    [APEX_FAULT_REJOINED] = {"rejoined", 100, "came back onto the road % before", {"s"}},
    [APEX_FAULT_WRONG_WAY] = {"wrong-way", 100, "drove against the lap at %", {"m/s"}},
    [APEX_FAULT_COULD_AVOID] = {"could-avoid",
                                160,
                                "could have avoided it from % away, needing %",
                                {"m", "m"}},
    [APEX_FAULT_BLUE_IGNORED] = {"blue-ignored",
                                 60,
                                 "moved % towards the car that he is shown blue for",
                                 {"m"}},
    [APEX_FAULT_SIDE_BY_SIDE] = {"side-by-side", 0, "both held their lines, side by side", {NULL}},
    [APEX_FAULT_PUSHED] = {"pushed", -100, "was pushed by the contact % before", {"s"}},
};

static const reason_row *row_of(apex_fault_reason_kind kind) {
    APEX_ASSERT((uint32_t)kind < APEX_FAULT_REASON_KINDS);
    return &ROWS[kind];
}

const char *apex_fault_reason_name(apex_fault_reason_kind kind) {
    return (uint32_t)kind < APEX_FAULT_REASON_KINDS ? ROWS[kind].name : "unknown";
}

const char *apex_fault_reason_text(const apex_fault_reason *reason,
                                   char out[APEX_FAULT_REASON_BYTES]) {
    const reason_row *row = row_of(reason->kind);
    size_t length = 0;
    uint32_t value = 0;
    for (const char *from = row->sentence; *from != 0; from++) {
        if (*from != '%') {
            out[length++] = *from;
            APEX_ASSERT(length < APEX_FAULT_REASON_BYTES);
            continue;
        }
        APEX_ASSERT(value < 2 && row->units[value] != NULL);
        int written = snprintf(out + length, APEX_FAULT_REASON_BYTES - length, "%.1f %s",
                               reason->values[value], row->units[value]);
        APEX_ASSERT(written > 0 && length + (size_t)written < APEX_FAULT_REASON_BYTES);
        length += (size_t)written;
        value++;
    }
    out[length] = 0;
    return out;
}

int32_t race_reason_weight(apex_fault_reason_kind kind) {
    return row_of(kind)->weight;
}

void race_reason_add(apex_fault *fault, apex_fault_reason_kind kind, uint32_t whom,
                     const double values[2]) {
    APEX_ASSERT(whom < 2);
    if (fault->reason_count < APEX_FAULT_REASONS_MAX) {
        fault->reasons[fault->reason_count++] =
            (apex_fault_reason){kind, race_reason_weight(kind), whom, {values[0], values[1]}};
    }
}

static int32_t size_of(const apex_fault_reason *reason) {
    return reason->weight < 0 ? -reason->weight : reason->weight;
}

void race_reasons_sort(apex_fault *fault) {
    for (uint32_t i = 1; i < fault->reason_count; i++) {
        apex_fault_reason reason = fault->reasons[i];
        uint32_t at = i;
        for (; at > 0 && size_of(&fault->reasons[at - 1]) < size_of(&reason); at--) {
            fault->reasons[at] = fault->reasons[at - 1];
        }
        fault->reasons[at] = reason;
    }
}

void race_reasons_share(apex_fault *fault) {
    int32_t sums[2] = {0, 0};
    for (uint32_t i = 0; i < fault->reason_count; i++) {
        sums[fault->reasons[i].whom] += fault->reasons[i].weight;
    }
    int32_t difference = sums[0] - sums[1];
    int32_t more = difference < 0 ? -difference : difference;
    more = more > 100 ? 100 : more;
    // In tens, halves rounded towards an even share; the sign last, so that it is the same for
    // both.
    int32_t tens = (more / 2 + 4) / 10;
    int32_t share = 50 + (difference < 0 ? -10 : 10) * tens;
    fault->shares[0] = (uint32_t)share;
    fault->shares[1] = (uint32_t)(100 - share);
}
