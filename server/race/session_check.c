// The check of sessions: each ends, asks of a race only what a race has, and takes drivers only
// from sessions before it.
#include "race/session_check.h"
#include "race/weekend_numbers.h"

#include "race/weekend_def_ranges.h"

#include <stdio.h>
#include <string.h>

#define SESSION(member, counted, word) \
    WEEKEND_NUMBER(apex_session_def, member, counted, word, APEX_RANGE(apex_session_def, member))

static const weekend_number NUMBERS[] = {
    SESSION(laps, true, "laps"),
    SESSION(duration_s, false, "seconds"),
    SESSION(overtime_s, false, "overtime_s"),
    SESSION(finish_wait_s, false, "finish_wait_s"),
    SESSION(results_s, false, "results_s"),
    SESSION(rolling_mps, false, "rolling_kmph"),
    SESSION(stops_min, true, "stops"),
    SESSION(window_from_s, false, "window_min"),
    SESSION(window_to_s, false, "window_min"),
    WEEKEND_NUMBER(apex_session_def, best_lap_points, true, "best_lap_points",
                   APEX_RANGE(apex_session_def, points)),
};

typedef struct session_rule {
    bool is_broken;
    const char *member, *reason;
} session_rule;

#define FIRST_BROKEN(rules) first_broken(rules, sizeof(rules) / sizeof(rules)[0])

static const session_rule *first_broken(const session_rule rules[], size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (rules[i].is_broken) {
            return &rules[i];
        }
    }
    return NULL;
}

static bool told(const session_rule *broken, const char *path, apex_weekend_problem *problem) {
    return broken == NULL || weekend_refuse(problem, broken->reason, "%s.%s", path, broken->member);
}

static bool race_ok(const apex_session_def *session, const char *path,
                    apex_weekend_problem *problem) {
    bool has_window = session->window_from_s > 0.0 || session->window_to_s > 0.0;
    bool has_time = session->duration_s > 0.0;
    const session_rule rules[] = {
        {session->laps == 0 && !has_time, "laps", "it never ends: give laps, minutes or both"},
        {session->extra_lap && !has_time, "extra_lap", "only of a race with minutes"},
        {session->overtime_s > 0.0, "overtime_s", "a race has none: its last lap is always driven"},
        {has_window && session->stops_min == 0, "window_min",
         "there are no stops to be made in it"},
        {has_window && session->window_to_s <= session->window_from_s, "window_min",
         "it ends before it begins"},
        {has_window && has_time && session->window_to_s > session->duration_s, "window_min",
         "it lies outside the race, which ends before it does"},
    };
    return told(FIRST_BROKEN(rules), path, problem);
}

// Of practice, qualifying and warm-up.
static bool timed_ok(const apex_session_def *session, const char *path,
                     apex_weekend_problem *problem) {
    const session_rule rules[] = {
        {session->laps > 0, "laps", "only a race ends by laps; give minutes"},
        {!(session->duration_s > 0.0), "minutes", "it never ends: give minutes above 0"},
        {session->extra_lap, "extra_lap", "only of a race"},
        {session->start != APEX_START_STANDING, "start", "only a race has one"},
        {session->stops_min > 0, "stops", "only of a race"},
        {session->window_from_s > 0.0 || session->window_to_s > 0.0, "window_min",
         "only of a race"},
        {session->points_count > 0, "points", "only of a race"},
        {session->best_lap_points > 0, "best_lap_points", "only of a race"},
    };
    return told(FIRST_BROKEN(rules), path, problem);
}

static bool takes_session(apex_order_by by) {
    return by == APEX_BY_RESULT || by == APEX_BY_BEST_LAP;
}

static bool feed_ok(const apex_weekend_def *def, uint32_t index, uint32_t at,
                    apex_weekend_problem *problem) {
    const apex_session_feed *feed = &def->sessions[index].feeds[at];
    bool has_session = feed->session != APEX_SESSION_NONE;
    bool is_bounded = feed->to > 0;
    uint32_t most = is_bounded ? feed->to - feed->from + 1 : APEX_CARS_MAX;
    bool has_places = apex_is_within(feed->from, APEX_RANGE(apex_session_feed, from)) &&
                      apex_is_within(feed->to, APEX_RANGE(apex_session_feed, to)) &&
                      (!is_bounded || feed->from <= feed->to);
    const session_rule rules[] = {
        {(uint32_t)feed->by >= APEX_ORDERS_BY, "by", "no such order"},
        {has_session && feed->session >= def->session_count, "from", "there is no such session"},
        {has_session && feed->session == index, "from", "it cannot take from itself"},
        {has_session && feed->session > index, "from", "that session comes later"},
        {takes_session(feed->by) && !has_session, "from", "it needs an earlier session"},
        {!takes_session(feed->by) && has_session, "from", "this order is not of a session"},
        {!has_places, "places", "places rise from 1"},
        {feed->reversed != APEX_REVERSE_ALL && feed->reversed > most, "reverse",
         "more are reversed than there are places"},
        {feed->class1 > def->entries.class_count, "class", "no such class"},
    };
    char path[sizeof problem->path];
    snprintf(path, sizeof path, "sessions[%u].grid[%u]", index, at);
    return told(FIRST_BROKEN(rules), path, problem);
}

static bool lists_ok(const apex_weekend_def *def, uint32_t index, const char *path,
                     apex_weekend_problem *problem) {
    const apex_session_def *session = &def->sessions[index];
    const session_rule rules[] = {
        {(uint32_t)session->start > APEX_START_ROLLING, "start", "no such start"},
        {session->feed_count > APEX_SESSION_FEEDS_MAX, "grid", "more than there is room for"},
        {session->points_count > APEX_POINTS_PLACES_MAX, "points", "more than there is room for"},
        {session->compounds >> def->pits.compound_count != 0, "tyres", "no such compound"},
        {session->name[0] == '\0', "name", "a session has a name"},
    };
    const session_rule *broken = FIRST_BROKEN(rules);
    if (broken != NULL) {
        return told(broken, path, problem);
    }
    for (uint32_t i = 0; i < session->points_count; i++) {
        if (!apex_is_within(session->points[i], APEX_RANGE(apex_session_def, points))) {
            return weekend_refuse(problem, "outside 0..1000", "%s.points[%u]", path, i);
        }
    }
    for (uint32_t i = 0; i < index; i++) {
        if (strcmp(def->sessions[i].name, session->name) == 0) {
            return weekend_refuse(problem, "another session has this name", "%s.name", path);
        }
    }
    return true;
}

static bool session_ok(const apex_weekend_def *def, uint32_t index, apex_weekend_problem *problem) {
    const apex_session_def *session = &def->sessions[index];
    char path[sizeof problem->path];
    snprintf(path, sizeof path, "sessions[%u]", index);
    if ((uint32_t)session->kind >= APEX_SESSION_KINDS) {
        return weekend_refuse(problem, "no such kind of session", "%s.type", path);
    }
    bool is_race = session->kind == APEX_SESSION_RACE;
    if (!WEEKEND_NUMBERS_OK(NUMBERS, session, path, problem) ||
        !lists_ok(def, index, path, problem) ||
        !(is_race ? race_ok(session, path, problem) : timed_ok(session, path, problem))) {
        return false;
    }
    for (uint32_t i = 0; i < session->feed_count; i++) {
        if (!feed_ok(def, index, i, problem)) {
            return false;
        }
    }
    return true;
}

bool weekend_sessions_ok(const apex_weekend_def *def, apex_weekend_problem *problem) {
    if (def->session_count > APEX_SESSIONS_MAX) {
        return weekend_refuse(problem, "more than there is room for", "sessions");
    }
    for (uint32_t i = 0; i < def->session_count; i++) {
        if (!session_ok(def, i, problem)) {
            return false;
        }
    }
    return true;
}
