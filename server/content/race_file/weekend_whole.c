/// A race file's weekend as a whole: what contradicts itself, and what its track cannot give.
#include "content/race_file/weekend_whole.h"

#include "content/document/nodes.h"
#include "content/document/problem.h"

static bool refuse(content_reader *reader, const char *path, const char *reason) {
    return content_fail(reader, content_locate(reader, path), APEX_ERR_RANGE, "%s: %s", path,
                        reason);
}

// More reversed than the race has room for, of a feed without an end.
static bool check_feeds(content_reader *reader, const apex_race_file *file) {
    const apex_weekend_def *weekend = &file->race.weekend;
    bool good = true;
    for (uint32_t i = 0; i < weekend->session_count; i++) {
        const apex_session_def *session = &weekend->sessions[i];
        for (uint32_t k = 0; k < session->feed_count; k++) {
            uint32_t reversed = session->feeds[k].reversed;
            if (reversed != APEX_REVERSE_ALL && reversed > file->race.player_capacity) {
                char path[64];
                snprintf(path, sizeof path, "sessions[%u].grid[%u].reverse", i, k);
                good = refuse(reader, path, "more than player_capacity has room for");
            }
        }
    }
    return good;
}

bool content_check_weekend(content_reader *reader, const apex_race_file *file) {
    apex_weekend_problem problem;
    if (!apex_weekend_check(&file->race.weekend, file->car_count, &problem)) {
        return refuse(reader, problem.path, problem.reason);
    }
    return check_feeds(reader, file);
}

// The problem begins with the key, by which apex_content_check finds its line.
static bool fit_laps(apex_race_file *file, const apex_track_def *track,
                     apex_content_problem *problem) {
    bool has_lap = track->point_count > 0;
    if (!file->laps_given && !has_lap) {
        file->race.laps = 0;
    }
    if (has_lap == (file->race.laps > 0)) {
        return true;
    }
    if (has_lap) {
        content_explain(problem, "laps: 0 is for a track without a lap; %s has one", track->name);
    } else {
        content_explain(problem,
                        "laps: %s is a terrain without a course, so there is no lap to race; "
                        "leave laps out for an open session, or give the track points",
                        track->name);
    }
    return false;
}

static bool fit_session(const apex_session_def *session, uint32_t index,
                        const apex_track_def *track, apex_content_problem *problem) {
    bool has_lap = track->point_count > 0;
    if (!has_lap && (session->laps > 0 || session->extra_lap)) {
        content_explain(problem,
                        "sessions[%u].%s: %s is a terrain without a course, so there is "
                        "no lap to race; give minutes",
                        index, session->laps > 0 ? "laps" : "extra_lap", track->name);
        return false;
    }
    if (!has_lap && session->kind == APEX_SESSION_RACE && session->start == APEX_START_ROLLING) {
        content_explain(problem,
                        "sessions[%u].start: %s is a terrain without a course, so there "
                        "is no line to roll to",
                        index, track->name);
        return false;
    }
    if (session->stops_min > 0 && !track->pit_lane.given) {
        content_explain(problem, "sessions[%u].stops: %s has no pit lane", index, track->name);
        return false;
    }
    return true;
}

apex_err apex_race_file_fit(apex_race_file *file, const apex_track_def *track,
                            apex_content_problem *problem) {
    if (!fit_laps(file, track, problem)) {
        return APEX_ERR_RANGE;
    }
    const apex_weekend_def *weekend = &file->race.weekend;
    for (uint32_t i = 0; i < weekend->session_count; i++) {
        if (!fit_session(&weekend->sessions[i], i, track, problem)) {
            return APEX_ERR_RANGE;
        }
    }
    return APEX_OK;
}
