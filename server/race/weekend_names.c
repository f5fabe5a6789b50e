// Names of a weekend's numbers: as race files have them, and as the server writes them.
#include "race/race.h"

static const char *const SESSIONS[] = {"practice", "qualifying", "warm-up", "race"};
static const char *const ORDERS[] = {"result", "best-lap", "points", "entry", "lot", "arrival"};
static const char *const PRESETS[] = {"free", "club", "league"};
static const char *const PIT_PHASES[] = {"road", "lane", "stopped", "leaving"};
static const char *const FLAGS[] = {"green", "full-course", "ending", "red"};

static const char *const OFFENCES[] = {
    [APEX_OFFENCE_TRACK_LIMITS] = "track-limits",
    [APEX_OFFENCE_JUMP_START] = "jump-start",
    [APEX_OFFENCE_PIT_SPEED] = "pit-speed",
    [APEX_OFFENCE_UNSAFE_RELEASE] = "unsafe-release",
    [APEX_OFFENCE_PIT_EXIT_LINE] = "pit-exit-line",
    [APEX_OFFENCE_PIT_REVERSE] = "pit-reverse",
    [APEX_OFFENCE_WRONG_WAY] = "wrong-way",
    [APEX_OFFENCE_BLOCKING] = "blocking",
    [APEX_OFFENCE_BLUE_FLAG] = "blue-flag",
    [APEX_OFFENCE_YELLOW_PASS] = "yellow-pass",
    [APEX_OFFENCE_FULL_COURSE_SPEED] = "full-course-speed",
    [APEX_OFFENCE_FULL_COURSE_PASS] = "full-course-pass",
    [APEX_OFFENCE_RED_FLAG] = "red-flag",
    [APEX_OFFENCE_FORMATION] = "formation",
    [APEX_OFFENCE_CONTACT] = "contact",
    [APEX_OFFENCE_INCIDENTS] = "incidents",
    [APEX_OFFENCE_IDLE] = "idle",
    [APEX_OFFENCE_LINK] = "link",
    [APEX_OFFENCE_NOT_SERVED] = "not-served",
    [APEX_OFFENCE_STOPS_MISSING] = "stops-missing",
    [APEX_OFFENCE_STEWARDS] = "stewards",
};

static const char *const PENALTIES[] = {
    [APEX_PENALTY_WARNING] = "warning",
    [APEX_PENALTY_TIME] = "time",
    [APEX_PENALTY_DRIVE_THROUGH] = "drive-through",
    [APEX_PENALTY_STOP_AND_HOLD] = "stop-and-hold",
    [APEX_PENALTY_GRID_DROP] = "grid-drop",
    [APEX_PENALTY_LAP_DELETED] = "lap-deleted",
    [APEX_PENALTY_DISQUALIFIED] = "disqualified",
};

static const char *const PENALTY_STATES[] = {"open", "served", "converted", "cancelled"};
static const char *const RESULTS[] = {"classified", "not-classified", "not-started",
                                      "disqualified"};

#define COUNT_OF(names) (sizeof(names) / sizeof(names)[0])

_Static_assert(COUNT_OF(SESSIONS) == APEX_SESSION_KINDS, "a name for each kind of session");
_Static_assert(COUNT_OF(ORDERS) == APEX_ORDERS_BY, "a name for each order");
_Static_assert(COUNT_OF(PRESETS) == APEX_RULES_PRESETS, "a name for each preset");
_Static_assert(COUNT_OF(PIT_PHASES) == APEX_PIT_PHASES, "a name for each phase");
_Static_assert(COUNT_OF(FLAGS) == APEX_RACE_FLAGS, "a name for each flag");
_Static_assert(COUNT_OF(OFFENCES) == APEX_OFFENCES, "a name for each offence");
_Static_assert(COUNT_OF(PENALTIES) == APEX_PENALTY_KINDS, "a name for each kind of penalty");
_Static_assert(COUNT_OF(PENALTY_STATES) == APEX_PENALTY_STATES, "a name for each state");
_Static_assert(COUNT_OF(RESULTS) == APEX_RESULT_STATUSES, "a name for each status");

#define NAME_OF(names, number) name_of(names, COUNT_OF(names), (uint32_t)(number))

static const char *name_of(const char *const names[], size_t count, uint32_t number) {
    return number < count ? names[number] : "unknown";
}

const char *apex_session_kind_name(apex_session_kind kind) {
    return NAME_OF(SESSIONS, kind);
}

const char *apex_order_by_name(apex_order_by by) {
    return NAME_OF(ORDERS, by);
}

const char *apex_rules_preset_name(apex_rules_preset preset) {
    return NAME_OF(PRESETS, preset);
}

const char *apex_pit_phase_name(apex_pit_phase phase) {
    return NAME_OF(PIT_PHASES, phase);
}

const char *apex_race_flag_name(apex_race_flag flag) {
    return NAME_OF(FLAGS, flag);
}

const char *apex_offence_name(apex_offence offence) {
    return NAME_OF(OFFENCES, offence);
}

const char *apex_penalty_kind_name(apex_penalty_kind kind) {
    return NAME_OF(PENALTIES, kind);
}

const char *apex_penalty_state_name(apex_penalty_state state) {
    return NAME_OF(PENALTY_STATES, state);
}

const char *apex_result_status_name(apex_result_status status) {
    return NAME_OF(RESULTS, status);
}
