/// Whose fault a contact is: a share for each of the two, and the reasons for it. Part of the
/// public face of race; include "race/race.h". It is the server's opinion, given to stewards with
/// what it rests on.
#pragma once

#include <stdint.h>

#include "race/player_id.h"

typedef enum apex_fault_reason_kind {
    APEX_FAULT_RAN_INTO_BACK,       ///< the follower; closing speed, m/s
    APEX_FAULT_BRAKE_TESTED,        ///< braked where nobody brakes; m/s lost, m/s of the plan there
    APEX_FAULT_MOVED_ACROSS,        ///< in front of a follower who could not stop; m moved, m ahead
    APEX_FAULT_MOVED_UNDER_BRAKING, ///< changed his line there; m moved
    APEX_FAULT_SQUEEZED,            ///< left no room beside him; m moved, m left to the edge
    APEX_FAULT_MOVED_OVER,          ///< towards the other, more than his line asks; m
    APEX_FAULT_DIVED_IN,            ///< beside too late; s before the apex, or 0 never
    APEX_FAULT_NOT_FAR_ENOUGH,      ///< inside, but not beside the mirror; m short of it
    APEX_FAULT_BACKED_OUT,          ///< gave the overlap up before the apex; m behind there
    APEX_FAULT_TURNED_IN,           ///< on who was entitled to room inside; m left to the edge
    APEX_FAULT_OUTSIDE_NOT_AHEAD,   ///< passed outside, not ahead at the apex; m behind
    APEX_FAULT_RAN_WIDE,            ///< into the other though he had room; m of it
    APEX_FAULT_NO_ROOM_OUTSIDE,     ///< for who was ahead there at the apex; m left to the edge
    APEX_FAULT_BEYOND_TYRES,        ///< wheels locked or slid; s of the last one
    APEX_FAULT_TOO_FAST,            ///< for the corner; m/s, m/s of the plan there
    APEX_FAULT_LOST_CONTROL,        ///< spun in front of the other; s before
    APEX_FAULT_REJOINED,            ///< off the road, or put back on it; s before
    APEX_FAULT_WRONG_WAY,           ///< drove against the lap; m/s
    APEX_FAULT_COULD_AVOID,         ///< saw it from far enough; m away, m to stop
    APEX_FAULT_BLUE_IGNORED,        ///< fought under blue; m moved towards the other
    APEX_FAULT_SIDE_BY_SIDE,        ///< nobody's reason: both held their lines
    APEX_FAULT_PUSHED,              ///< by an earlier contact; s before
} apex_fault_reason_kind;

enum {
    APEX_FAULT_REASON_KINDS = APEX_FAULT_PUSHED + 1,
    APEX_FAULT_REASONS_MAX = 8,
    APEX_FAULT_REASON_BYTES = 128,
};

const char *apex_fault_reason_name(apex_fault_reason_kind kind); ///< "unknown" for one that is none

typedef struct apex_fault_reason {
    apex_fault_reason_kind kind;
    int32_t weight;   ///< of fault; below 0 it excuses
    uint32_t whom;    ///< 0 or 1, of the two players
    double values[2]; ///< in the order of the kind's comment; 0 where it names none
} apex_fault_reason;

/// A sentence for people, without a name and a full stop: "ran into the back, closing by 9.3 m/s".
/// @return out
const char *apex_fault_reason_text(const apex_fault_reason *reason,
                                   char out[APEX_FAULT_REASON_BYTES]);

/// A contact between two cars that was judged. Shares are 0..100 in steps of 10, and all three
/// together 100; 40..60 is a racing incident.
typedef struct apex_fault {
    uint32_t number;      ///< of the contact, from 1 over the event; contacts that harmed nobody
                          ///< have theirs, too, and are not told
    uint32_t chain;       ///< number of the contact that it follows from; its own: of none
    uint64_t tick;        ///< of the world, at the contact
    uint32_t race_number; ///< from 1
    apex_player_id players[2];
    uint32_t shares[2];
    apex_player_id
        pusher; ///< who is to blame for the first contact of the chain; null: nobody else
    uint32_t pusher_share;
    double s_m;         ///< lap distance of the contact
    double closing_mps; ///< speed of approach
    uint32_t reason_count;
    apex_fault_reason reasons[APEX_FAULT_REASONS_MAX]; ///< the heaviest first
} apex_fault;
