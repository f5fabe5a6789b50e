// Stations: the curve sampled every metre of lap, with what places on it need.
#include "track/lap/stations.h"

#include <math.h>
#include <stdlib.h>

#include "base/assert.h"
#include "base/trig.h"
#include "track/definition/lap_check.h"
#include "track/definition/refuse.h"
#include "track/lap/curve.h"

#define STATION_M     1.0
#define LENGTH_M_MIN  20.0
#define INTERVAL_M    2.0 // of the length table; five Gauss points in each
#define SLOPE_SIN_MAX 0.7 // 45 degrees and a little less

// A road may turn as tightly as its inner edge has radius. A little more is let pass: surveyed
// hairpins come with the inner edge as a point, and the nearest cross-section then lays the ground.
#define EDGE_SHARE_MAX 1.25

#define ALONE_SHARE   0.9
#define ALONE_SLACK_M 5.0

typedef struct interval {
    uint32_t piece;
    double from_u, to_u;
    double from_m, to_m; // length along the curve
} interval;

typedef struct interval_table {
    uint32_t count;
    interval *intervals;
} interval_table;

static uint32_t intervals_of(const track_curve *curve, uint32_t piece) {
    double h = curve->knots[piece + 1].u - curve->knots[piece].u;
    return (uint32_t)track_floor(h / INTERVAL_M) + 1;
}

static apex_err measure(const track_curve *curve, interval_table *table) {
    table->count = 0;
    for (uint32_t piece = 0; piece < curve->piece_count; piece++) {
        table->count += intervals_of(curve, piece);
    }
    APEX_ASSERT(table->count > 0);
    table->intervals = calloc(table->count, sizeof *table->intervals);
    if (table->intervals == NULL) {
        return APEX_ERR_NO_MEMORY;
    }
    double length_m = 0;
    interval *next = table->intervals;
    for (uint32_t piece = 0; piece < curve->piece_count; piece++) {
        uint32_t parts = intervals_of(curve, piece);
        double first_u = curve->knots[piece].u;
        double last_u = curve->knots[piece + 1].u;
        for (uint32_t k = 0; k < parts; k++, next++) {
            next->piece = piece;
            next->from_u = track_lerp(first_u, last_u, (double)k / parts);
            next->to_u = k + 1 < parts ? track_lerp(first_u, last_u, (k + 1.0) / parts) : last_u;
            next->from_m = length_m;
            length_m += track_curve_length_m(curve, piece, next->from_u, next->to_u);
            next->to_m = length_m;
        }
    }
    return APEX_OK;
}

static const interval *interval_at(const interval_table *table, double along_m) {
    uint32_t low = 0;
    uint32_t high = table->count - 1;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (table->intervals[middle].to_m < along_m) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return &table->intervals[low];
}

// Newton on the length; a fixed number of rounds, since the bits must not hang on a tolerance.
static double parameter_at(const track_curve *curve, const interval *within, double along_m) {
    double wanted_m = along_m - within->from_m;
    double share = wanted_m / (within->to_m - within->from_m);
    double u = track_lerp(within->from_u, within->to_u, track_clamp(share, 0, 1));
    for (int round = 0; round < 4; round++) {
        double length_m = track_curve_length_m(curve, within->piece, within->from_u, u);
        track_curve_sample here = track_curve_at(curve, within->piece, u);
        double speed = sqrt(here.first[0] * here.first[0] + here.first[1] * here.first[1] +
                            here.first[2] * here.first[2]);
        if (speed < 1e-3) {
            break; // a cusp, which the curvature's check refuses
        }
        u = track_clamp(u - (length_m - wanted_m) / speed, within->from_u, within->to_u);
    }
    return u;
}

static apex_err check_station(const track_station *station, apex_def_problem *problem) {
    if (station->slope_sin > SLOPE_SIN_MAX || station->slope_sin < -SLOPE_SIN_MAX) {
        return track_refuse(problem, "points[%u].z_m: the road climbs %.0f %%, at most 98 %%",
                            station->point,
                            100 * fabs(station->slope_sin) / track_max(station->slope_cos, 1e-3));
    }
    bool left = station->curvature_per_m > 0;
    double width_m = left ? station->left_m : station->right_m;
    if (fabs(station->curvature_per_m) * width_m > EDGE_SHARE_MAX) {
        return track_refuse(problem,
                            "points[%u]: the road turns tighter than its own width (radius %.1f m, "
                            "%s width %.1f m)",
                            station->point, 1 / fabs(station->curvature_per_m),
                            left ? "left" : "right", width_m);
    }
    return APEX_OK;
}

static track_station sample_station(const track_curve *curve, const interval_table *table,
                                    double along_m) {
    const interval *within = interval_at(table, along_m);
    double u = parameter_at(curve, within, along_m);
    track_curve_sample sample = track_curve_at(curve, within->piece, u);
    double across[3];
    track_curve_across(curve, within->piece, u, across);
    double plan = sqrt(sample.first[0] * sample.first[0] + sample.first[1] * sample.first[1]);
    double speed = sqrt(plan * plan + sample.first[2] * sample.first[2]);
    plan = track_max(plan, 1e-6);
    speed = track_max(speed, 1e-6);
    track_station station = {
        .x_m = sample.at[0],
        .y_m = sample.at[1],
        .z_m = sample.at[2],
        .along_x = sample.first[0] / plan,
        .along_y = sample.first[1] / plan,
        .heading_rad = apex_atan2(sample.first[1], sample.first[0]),
        .slope_cos = plan / speed,
        .slope_sin = sample.first[2] / speed,
        .banking_rad = across[2],
        .cross_slope = apex_tan(across[2]),
        .left_m = across[0],
        .right_m = across[1],
        .point = within->piece,
    };
    // kappa = (x' y'' - y' x'') / |r'|^3, the plan curve's.
    station.curvature_per_m =
        (sample.first[0] * sample.second[1] - sample.first[1] * sample.second[0]) /
        (plan * plan * plan);
    return station;
}

static apex_err fill_stations(const apex_track_def *def, const track_curve *curve,
                              const interval_table *table, apex_track *track,
                              apex_def_problem *problem) {
    for (uint32_t i = 0; i < track->station_count; i++) {
        double along_m = i * track->spacing_m;
        if (track->closed) {
            along_m += def->start_m;
            along_m -= along_m >= track->curve_m ? track->curve_m : 0;
        }
        track_station *station = &track->stations[i];
        *station = sample_station(curve, table, along_m);
        apex_err err = check_station(station, problem);
        if (err != APEX_OK) {
            return err;
        }
        double half_width_m = track_max(station->left_m, station->right_m);
        track->half_width_m_max = track_max(track->half_width_m_max, half_width_m);
    }
    return APEX_OK;
}

// The largest ball that touches the road at a station, on either side, and holds no other station
// of the neighbourhood: a point on the way to its centre has this station as its nearest. With d
// the way to another station and h its part across the road, that one's ball has radius d^2 / 2h.
static void find_alone(apex_track *track, uint32_t index) {
    track_station *here = &track->stations[index];
    double left_m = 1000;
    double right_m = 1000;
    int64_t reach = track_floor((TRACK_WINDOW_M + ALONE_SLACK_M) / track->spacing_m);
    int64_t count = track->station_count;
    for (int64_t k = -reach; k <= reach; k++) {
        int64_t other = index + k;
        if (!track->closed && (other < 0 || other >= count)) {
            continue;
        }
        const track_station *there = &track->stations[(other % count + count) % count];
        double dx_m = there->x_m - here->x_m;
        double dy_m = there->y_m - here->y_m;
        double across_m = dy_m * here->along_x - dx_m * here->along_y;
        double square = dx_m * dx_m + dy_m * dy_m;
        if (across_m > 1e-9) {
            left_m = track_min(left_m, square / (2 * across_m));
        } else if (across_m < -1e-9) {
            right_m = track_min(right_m, square / (-2 * across_m));
        }
    }
    // Between two stations a little of it is lost.
    here->alone_left_m = (float)(ALONE_SHARE * left_m);
    here->alone_right_m = (float)(ALONE_SHARE * right_m);
}

static void set_lines(const apex_track_def *def, apex_track *track) {
    track->length_m = track->curve_m;
    if (!def->closed) {
        track->length_m = track_min(def->finish_m, track->curve_m) - def->start_m;
        track->first_s_m = -def->start_m;
    }
    for (uint32_t i = 0; i < def->sector_count; i++) {
        track->sector_end_m[i] = def->sector_m[i];
    }
    track->sector_end_m[def->sector_count] = track->length_m;
    track->sector_count = def->sector_count + 1;
    track->grid = def->grid;
}

static apex_err lay_along(const apex_track_def *def, const track_curve *curve,
                          const interval_table *table, apex_track *track,
                          apex_def_problem *problem) {
    track->curve_m = table->intervals[table->count - 1].to_m;
    if (!(track->curve_m >= LENGTH_M_MIN && track->curve_m <= APEX_TRACK_LENGTH_M_MAX)) {
        return track_refuse(problem, "points: the curve through them is %.1f m long, not %g..%d m",
                            track->curve_m, LENGTH_M_MIN, APEX_TRACK_LENGTH_M_MAX);
    }
    apex_err err = track_check_distances(def, track->curve_m, problem);
    if (err != APEX_OK) {
        return err;
    }
    set_lines(def, track);
    track->segment_count = (uint32_t)track_floor(track->curve_m / STATION_M) + 1;
    track->station_count = track->segment_count + (def->closed ? 0 : 1);
    track->spacing_m = track->curve_m / track->segment_count;
    track->stations = calloc(track->station_count, sizeof *track->stations);
    if (track->stations == NULL) {
        return APEX_ERR_NO_MEMORY;
    }
    err = fill_stations(def, curve, table, track, problem);
    for (uint32_t i = 0; err == APEX_OK && i < track->station_count; i++) {
        find_alone(track, i);
    }
    return err;
}

apex_err track_lay_stations(const apex_track_def *def, apex_track *track,
                            apex_def_problem *problem) {
    APEX_ASSERT(track->stations == NULL && def->point_count > 0);
    track->closed = def->closed;
    track_curve curve = {0};
    apex_err err = track_curve_create(def, &curve, problem);
    if (err != APEX_OK) {
        return err;
    }
    interval_table table = {0};
    err = measure(&curve, &table);
    if (err == APEX_OK) {
        err = lay_along(def, &curve, &table, track, problem);
    }
    free(table.intervals);
    track_curve_destroy(&curve);
    return err;
}
