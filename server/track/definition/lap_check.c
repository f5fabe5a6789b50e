// The check of what lies along the lap: strips, walls, lines and sectors.
#include "track/definition/lap_check.h"

#include "track/definition/range_checks.h"
#include "track/numbers.h"

typedef struct stretch {
    const char *list; // "strips" or "walls"
    uint32_t index;
    double from_m, to_m;
    double lap_m; // what the distances must lie on
    bool closed;
} stretch;

// A file states distances to a decimal or two, and a spline's length is not known better.
#define STRETCH_SLACK_M 1.0

static apex_err check_stretch(const stretch *part, apex_def_problem *problem) {
    double end_m = part->lap_m + STRETCH_SLACK_M;
    if (!apex_is_within(part->from_m, 0, end_m)) {
        return track_refuse(problem, "%s[%u].from_m: %g is not on the lap of 0..%.1f m", part->list,
                            part->index, part->from_m, part->lap_m);
    }
    if (!apex_is_within(part->to_m, 0, end_m)) {
        return track_refuse(problem, "%s[%u].to_m: %g is not on the lap of 0..%.1f m", part->list,
                            part->index, part->to_m, part->lap_m);
    }
    bool whole = part->from_m <= 0 && part->to_m <= 0;
    if (!whole && !(part->to_m < part->from_m) && !(part->to_m > part->from_m)) {
        return track_refuse(problem, "%s[%u].to_m: the stretch has no length", part->list,
                            part->index);
    }
    if (!part->closed && part->from_m > part->to_m) {
        return track_refuse(problem, "%s[%u].to_m: %g lies before from_m %g", part->list,
                            part->index, part->to_m, part->from_m);
    }
    return APEX_OK;
}

static apex_err check_lines(const apex_track_def *def, double curve_m, apex_def_problem *problem) {
    if (!apex_is_within(def->start_m, 0, curve_m)) {
        return track_refuse(problem, "start_m: %g is not on the lap of 0..%.1f m", def->start_m,
                            curve_m);
    }
    double length_m = curve_m;
    if (!def->closed) {
        if (!apex_is_within(def->finish_m, def->start_m + 10, curve_m + STRETCH_SLACK_M)) {
            return track_refuse(problem,
                                "finish_m: %g is not at least 10 m behind the start at %g, on a "
                                "stretch of %.1f m",
                                def->finish_m, def->start_m, curve_m);
        }
        length_m = track_min(def->finish_m, curve_m) - def->start_m;
    }
    double before_m = 0;
    for (uint32_t i = 0; i < def->sector_count; i++) {
        if (!(def->sector_m[i] >= before_m + 1 && def->sector_m[i] <= length_m - 1)) {
            return track_refuse(problem, "sector_m[%u]: %g is not between %g and %.1f m", i,
                                def->sector_m[i], before_m, length_m);
        }
        before_m = def->sector_m[i];
    }
    return APEX_OK;
}

apex_err track_check_distances(const apex_track_def *def, double curve_m,
                               apex_def_problem *problem) {
    apex_err err = check_lines(def, curve_m, problem);
    for (uint32_t i = 0; err == APEX_OK && i < def->strip_count; i++) {
        const apex_track_strip *strip = &def->strips[i];
        stretch part = {"strips", i, strip->from_m, strip->to_m, curve_m, def->closed};
        err = check_stretch(&part, problem);
    }
    for (uint32_t i = 0; err == APEX_OK && i < def->wall_count; i++) {
        const apex_track_wall *wall = &def->walls[i];
        stretch part = {"walls", i, wall->from_m, wall->to_m, curve_m, def->closed};
        err = check_stretch(&part, problem);
    }
    return err;
}
