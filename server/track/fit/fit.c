// A laid track is tried for cars: what a definition's single numbers cannot tell, asked of the
// track once it is laid (DECISIONS 22).
#include "track/fit/fit.h"

#include <math.h>

#include "base/assert.h"
#include "base/trig.h"
#include "track/definition/refuse.h"
#include "track/fit/facing.h"
#include "track/lap/clearance.h"

// A car 2.5 m between its axles and 0.1 m off the ground just clears a crest of 8 m radius.
#define CREST_M_MIN    8.0
#define EDGE_SLOPE_MAX 1.0
#define GRID_BOXES     24u
// Steeper than this share of what tyres hold, a parked car creeps before the lights go out.
#define HOLD_SHARE 0.9
// A post may touch the edge line.
#define POST_EDGE_M 0.05
#define CAR_M       1.5 // as high as a car: what hangs above that is no obstacle

static const apex_surface_def *surface_at(const apex_track *track, double x_m, double y_m,
                                          double z_m) {
    return &track->surfaces[apex_ground_at(&track->ground, x_m, y_m, z_m).surface];
}

typedef enum fit_line { FIT_CENTRE, FIT_LEFT, FIT_RIGHT, FIT_LINES } fit_line;

static double height_m(const track_station *at, fit_line line) {
    double offset_m = line == FIT_LEFT ? at->left_m : line == FIT_RIGHT ? -at->right_m : 0;
    return at->z_m + offset_m * at->cross_slope;
}

static apex_err check_profile(const apex_track *track, uint32_t index, fit_line line,
                              apex_def_problem *problem) {
    static const char *const what[] = {"the road", "the road's left edge", "the road's right edge"};
    static const char *const keys[] = {"z_m", "banking_rad", "banking_rad"};
    uint32_t next = track_next_station(track, index);
    uint32_t last = track_next_station(track, next);
    double low_m = height_m(&track->stations[index], line);
    double middle_m = height_m(&track->stations[next], line);
    double high_m = height_m(&track->stations[last], line);
    double slope = (high_m - low_m) / (2 * track->spacing_m);
    uint32_t point = track->stations[next].point;
    if (line != FIT_CENTRE && fabs(slope) > EDGE_SLOPE_MAX) {
        return track_refuse(problem,
                            "points[%u].%s: %s climbs %.0f %% as the banking changes, at most "
                            "%.0f %%; change it over a longer way",
                            point, keys[line], what[line], 100 * fabs(slope), 100 * EDGE_SLOPE_MAX);
    }
    // The centre line is parted by its length, so that its slope is a sine there.
    double run = line == FIT_CENTRE ? sqrt(track_max(1 - slope * slope, 0.01))
                                    : sqrt(1 + slope * slope) * (1 + slope * slope);
    double bend_per_m =
        fabs(low_m + high_m - 2 * middle_m) / (track->spacing_m * track->spacing_m * run);
    if (bend_per_m * CREST_M_MIN > 1) {
        return track_refuse(problem,
                            "points[%u].%s: %s has a %s of %.1f m radius, where a car needs %g m; "
                            "spread the height over a longer way",
                            point, keys[line], what[line],
                            low_m + high_m < 2 * middle_m ? "crest" : "dip", 1 / bend_per_m,
                            CREST_M_MIN);
    }
    return APEX_OK;
}

static apex_err check_climb(const apex_track *track, const track_station *at,
                            apex_def_problem *problem) {
    const apex_surface_def *surface = surface_at(track, at->x_m, at->y_m, at->z_m);
    double climb = at->slope_sin / track_max(at->slope_cos, 1e-3);
    if (climb > surface->friction) {
        return track_refuse(problem,
                            "points[%u].z_m: the road climbs %.1f %% on %s, which tyres can do up "
                            "to %.1f %%; make it less steep, or choose another surface",
                            at->point, 100 * climb, surface->name, 100 * surface->friction);
    }
    return APEX_OK;
}

static apex_err check_heights(const apex_track *track, apex_def_problem *problem) {
    apex_err err = APEX_OK;
    for (uint32_t i = 0; err == APEX_OK && i < track->station_count; i++) {
        bool inside = track->closed || i + 2 < track->station_count;
        for (int line = FIT_CENTRE; inside && err == APEX_OK && line < FIT_LINES; line++) {
            err = check_profile(track, i, (fit_line)line, problem);
        }
    }
    for (uint32_t i = 0; err == APEX_OK && i < track->station_count; i++) {
        err = check_climb(track, &track->stations[i], problem);
    }
    return err;
}

static apex_err check_box(const apex_track *track, uint32_t box, apex_def_problem *problem) {
    apex_placement at = apex_track_grid_placement(track, box);
    double near_s_m = apex_track_find(track, at.x_m, at.y_m, at.z_m).s_m;
    apex_track_frame frame = apex_track_frame_at(track, near_s_m);
    const apex_surface_def *surface = surface_at(track, at.x_m, at.y_m, at.z_m);
    double along = apex_tan(frame.slope_rad);
    double across = apex_tan(frame.banking_rad);
    double slope = sqrt(along * along + across * across);
    if (slope > HOLD_SHARE * surface->friction) {
        return track_refuse(problem,
                            "start_m: box %u of the grid lies on a slope of %.0f %% on %s, where a "
                            "car slides before the start; start where it is more level",
                            box, 100 * slope, surface->name);
    }
    return APEX_OK;
}

static apex_err check_grid(const apex_track *track, apex_def_problem *problem) {
    const apex_track_grid *grid = &track->grid;
    for (uint32_t box = 0; box < GRID_BOXES; box += grid->columns) {
        apex_placement at = apex_track_grid_placement(track, box);
        apex_track_place place = apex_track_find(track, at.x_m, at.y_m, at.z_m);
        double road_m = place.left_m + place.right_m;
        double wide_m = (grid->columns - 1) * grid->column_gap_m;
        if (wide_m > road_m) {
            return track_refuse(problem,
                                "grid.column_gap_m: %u columns %g m apart reach over %.1f m, and "
                                "the road is %.1f m wide at box %u: fewer columns, or nearer",
                                grid->columns, grid->column_gap_m, wide_m, road_m, box);
        }
    }
    apex_err err = APEX_OK;
    for (uint32_t box = 0; err == APEX_OK && box < GRID_BOXES; box++) {
        err = check_box(track, box, problem);
    }
    return err;
}

static apex_err check_posts(const apex_track *track, apex_def_problem *problem) {
    for (uint32_t i = 0; i < track->walls.post_count; i++) {
        const apex_wall_post *post = &track->wall_posts[i];
        uint32_t point = 0;
        track_clearance_query query = {
            .x_m = post->x_m,
            .y_m = post->y_m,
            .z_m = (post->base_m + post->top_m - CAR_M) / 2,
            .reach_z_m = (post->top_m - post->base_m + CAR_M) / 2,
            .limit_m = post->radius_m,
        };
        double clear_m = track_clearance(track, &query, &point);
        if (clear_m < post->radius_m - POST_EDGE_M) {
            return track_refuse(problem,
                                "posts[%u].x_m: stands on the road at points[%u], %.1f m inside "
                                "its edge; move it off the road",
                                i, point, post->radius_m - clear_m);
        }
    }
    return APEX_OK;
}

apex_err track_check_fit(const apex_track_def *def, const apex_track *track,
                         apex_def_problem *problem) {
    APEX_ASSERT(track->walls.materials == track->materials); // walls are finished
    apex_err err = check_heights(track, problem);
    if (err == APEX_OK) {
        err = check_grid(track, problem);
    }
    if (err == APEX_OK) {
        err = check_posts(track, problem);
    }
    if (err == APEX_OK) {
        err = track_check_facing(def, track, problem);
    }
    return err;
}
