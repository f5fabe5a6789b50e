#include "track/ribbon_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Beyond the road's edge its banking eases to level over this distance, so that a steep oval does
// not raise a verge as high as a house.
#define EASE_M 4.0
// Kerbs rise and end over this distance along the lap.
#define TAPER_M 2.0
// A bank has a grade of 1 in 2 as long as that takes no more room than this.
#define BANK_RUN   2.0
#define BANK_M_MAX 16.0

static double along_u(const track_ribbon *ribbon, uint32_t segment, double t) {
    double u_m = ribbon->first_u_m + (segment + t) * ribbon->track->spacing_m;
    if (ribbon->track->closed && u_m >= ribbon->track->curve_m) {
        u_m -= ribbon->track->curve_m;
    }
    return u_m;
}

static bool covers(const apex_track_strip *strip, double u_m) {
    if (strip->from_m <= strip->to_m) {
        return u_m >= strip->from_m && u_m <= strip->to_m;
    }
    return u_m >= strip->from_m || u_m <= strip->to_m;
}

// 0 at the strip's ends, 1 once it has risen.
static double taper(const track_ribbon *ribbon, const track_ribbon_strip *strip, double u_m) {
    if (strip->whole_lap) {
        return 1;
    }
    double lap_m = ribbon->track->curve_m;
    double since_m = u_m - strip->def->from_m;
    double left_m = strip->def->to_m - u_m;
    since_m += since_m < 0 ? lap_m : 0;
    left_m += left_m < 0 ? lap_m : 0;
    return track_clamp(track_min(since_m, left_m) / TAPER_M, 0, 1);
}

// Where in a strip's width a point lies, 0 at the inner edge, 1 at the outer; negative if it is
// not.
static double across(const track_ribbon *ribbon, const apex_track_strip *strip,
                     const track_section *at) {
    const track_station *from = &ribbon->track->stations[at->segment];
    const track_station *to =
        &ribbon->track->stations[track_next_station(ribbon->track, at->segment)];
    double width_m = strip->outer_m - strip->inner_m;
    if (!strip->from_edge) {
        double share = (at->offset_m - strip->inner_m) / width_m;
        return share <= 1 ? share : -1;
    }
    double left_m = at->offset_m - track_lerp(from->left_m, to->left_m, at->t) - strip->inner_m;
    double right_m = -at->offset_m - track_lerp(from->right_m, to->right_m, at->t) - strip->inner_m;
    if (strip->side != APEX_SIDE_RIGHT && left_m >= 0 && left_m <= width_m) {
        return left_m / width_m;
    }
    if (strip->side != APEX_SIDE_LEFT && right_m >= 0 && right_m <= width_m) {
        return right_m / width_m;
    }
    return -1;
}

// --- Building ---------------------------------------------------------------------------------

static apex_err find_surface(const apex_track *track, const char *name, uint8_t *out) {
    int index = track_find_surface(track, name);
    if (index < 0) {
        return APEX_ERR_INVALID;
    }
    *out = (uint8_t)index;
    return APEX_OK;
}

static apex_err resolve(const apex_track_def *def, track_ribbon *ribbon,
                        apex_def_problem *problem) {
    const struct {
        const char *field, *name;
        uint8_t *out;
    } grounds[] = {
        {"road_surface", def->road_surface, &ribbon->road_surface},
        {"verge_surface", def->verge_surface, &ribbon->verge_surface},
        {"outside_surface", def->outside_surface, &ribbon->outside_surface},
    };
    for (size_t i = 0; i < sizeof grounds / sizeof grounds[0]; i++) {
        if (find_surface(ribbon->track, grounds[i].name, grounds[i].out) != APEX_OK) {
            return track_refuse(problem, "%s: no surface is called '%s'", grounds[i].field,
                                grounds[i].name);
        }
    }
    ribbon->strip_count = def->strip_count;
    for (uint32_t i = 0; i < def->strip_count; i++) {
        track_ribbon_strip *strip = &ribbon->strips[i];
        strip->def = &def->strips[i];
        strip->whole_lap = strip->def->from_m <= 0 && strip->def->to_m <= 0;
        if (find_surface(ribbon->track, strip->def->surface, &strip->surface) != APEX_OK) {
            return track_refuse(problem, "strips[%u].surface: no surface is called '%s'", i,
                                strip->def->surface);
        }
    }
    return APEX_OK;
}

static void mark_active(track_ribbon *ribbon, uint32_t segment) {
    double from_m = along_u(ribbon, segment, 0);
    double to_m = along_u(ribbon, segment, 1);
    for (uint32_t i = 0; i < ribbon->strip_count; i++) {
        const apex_track_strip *strip = ribbon->strips[i].def;
        bool begins = from_m <= to_m ? strip->from_m >= from_m && strip->from_m <= to_m
                                     : strip->from_m >= from_m || strip->from_m <= to_m;
        if (ribbon->strips[i].whole_lap || begins || covers(strip, from_m) || covers(strip, to_m)) {
            ribbon->active[segment][i / 64] |= UINT64_C(1) << (i % 64);
        }
    }
}

// How far a strip reaches beyond the edge of a side (0 left, 1 right).
static double strip_reach_m(const apex_track_strip *strip, const track_station *station, int side) {
    if (!strip->from_edge) {
        return side == 0 ? strip->outer_m - station->left_m : -strip->inner_m - station->right_m;
    }
    apex_track_side other = side == 0 ? APEX_SIDE_RIGHT : APEX_SIDE_LEFT;
    return strip->side == other ? 0 : strip->outer_m;
}

static void widen_for_strips(track_ribbon *ribbon, uint32_t segment) {
    uint32_t ends[2] = {segment, track_next_station(ribbon->track, segment)};
    for (uint32_t i = 0; i < ribbon->strip_count; i++) {
        if (!(ribbon->active[segment][i / 64] >> (i % 64) & 1)) {
            continue;
        }
        for (int k = 0; k < 4; k++) {
            const track_station *station = &ribbon->track->stations[ends[k / 2]];
            double *wide_m = &ribbon->shoulders[ends[k / 2] * 2 + (uint32_t)k % 2].wide_m;
            *wide_m = track_max(*wide_m, strip_reach_m(ribbon->strips[i].def, station, k % 2));
        }
    }
}

// A wide gravel trap that begins at once would begin with a cliff where the ground is not level:
// the ribbon widens towards it at 45 degrees. Twice round, so that a lap's seam is no exception.
static void smooth_widths(track_ribbon *ribbon) {
    const apex_track *track = ribbon->track;
    uint32_t count = track->station_count;
    for (uint32_t i = 1; i < count * 2; i++) {
        uint32_t here = i % count;
        uint32_t before = (i - 1) % count;
        if (!track->closed && here == 0) {
            return;
        }
        for (uint32_t side = 0; side < 2; side++) {
            double *wide_m = &ribbon->shoulders[here * 2 + side].wide_m;
            double least_m = ribbon->shoulders[before * 2 + side].wide_m - track->spacing_m;
            *wide_m = track_max(*wide_m, least_m);
        }
    }
}

static void smooth_widths_backwards(track_ribbon *ribbon) {
    const apex_track *track = ribbon->track;
    uint32_t count = track->station_count;
    for (uint32_t i = count * 2 - 1; i > 0; i--) {
        uint32_t here = (i - 1) % count;
        uint32_t after = i % count;
        if (!track->closed && after == 0) {
            continue;
        }
        for (uint32_t side = 0; side < 2; side++) {
            double *wide_m = &ribbon->shoulders[here * 2 + side].wide_m;
            double least_m = ribbon->shoulders[after * 2 + side].wide_m - track->spacing_m;
            *wide_m = track_max(*wide_m, least_m);
        }
    }
}

static double eased_m(double beyond_m) {
    return beyond_m < EASE_M ? beyond_m - beyond_m * beyond_m / (2 * EASE_M) : EASE_M / 2;
}

static void add_banks(track_ribbon *ribbon) {
    const apex_track *track = ribbon->track;
    for (uint32_t i = 0; i < track->station_count; i++) {
        const track_station *station = &track->stations[i];
        for (uint32_t side = 0; side < 2; side++) {
            track_shoulder *shoulder = &ribbon->shoulders[i * 2 + side];
            double run_m =
                (side == 0 ? station->left_m : station->right_m) + eased_m(shoulder->wide_m);
            double height_m = station->z_m + (side == 0 ? run_m : -run_m) * station->cross_slope;
            double drop_m = fabs(height_m - ribbon->outside_m);
            shoulder->bank_m = track_min(BANK_RUN * drop_m, BANK_M_MAX);
        }
    }
}

apex_err track_ribbon_create(const apex_track_def *def, const apex_track *track,
                             track_ribbon *ribbon, apex_def_problem *problem) {
    ribbon->track = track;
    apex_err err = resolve(def, ribbon, problem);
    if (err != APEX_OK) {
        return err;
    }
    ribbon->shoulders = calloc((size_t)track->station_count * 2, sizeof *ribbon->shoulders);
    ribbon->active = calloc(track->segment_count, sizeof *ribbon->active);
    if (!ribbon->shoulders || !ribbon->active) {
        track_ribbon_destroy(ribbon);
        return APEX_ERR_NO_MEMORY;
    }
    ribbon->first_u_m = track->closed ? def->start_m : 0;
    ribbon->verge_m = def->verge_m;
    ribbon->roughness_seed = def->roughness_seed;
    ribbon->outside_m = track->stations[0].z_m;
    for (uint32_t i = 0; i < track->station_count; i++) {
        ribbon->shoulders[i * 2].wide_m = def->verge_m;
        ribbon->shoulders[i * 2 + 1].wide_m = def->verge_m;
        ribbon->outside_m = track_min(ribbon->outside_m, track->stations[i].z_m);
    }
    for (uint32_t i = 0; i < track->segment_count; i++) {
        mark_active(ribbon, i);
        widen_for_strips(ribbon, i);
    }
    smooth_widths(ribbon);
    smooth_widths_backwards(ribbon);
    add_banks(ribbon);
    return APEX_OK;
}

void track_ribbon_destroy(track_ribbon *ribbon) {
    free(ribbon->shoulders);
    free(ribbon->active);
    ribbon->shoulders = NULL;
    ribbon->active = NULL;
}

// --- Reading ----------------------------------------------------------------------------------

track_section track_ribbon_section(const track_ribbon *ribbon, uint32_t segment, double t,
                                   double offset_m) {
    uint32_t next = track_next_station(ribbon->track, segment);
    const track_station *from = &ribbon->track->stations[segment];
    const track_station *to = &ribbon->track->stations[next];
    double left_m = offset_m - track_lerp(from->left_m, to->left_m, t);
    double right_m = -offset_m - track_lerp(from->right_m, to->right_m, t);
    uint32_t side = left_m > right_m ? 0 : 1;
    const track_shoulder *from_shoulder = &ribbon->shoulders[segment * 2 + side];
    const track_shoulder *to_shoulder = &ribbon->shoulders[next * 2 + side];
    return (track_section){
        .segment = segment,
        .t = t,
        .offset_m = offset_m,
        .beside_m = side == 0 ? left_m : right_m,
        .beyond_m = side == 0 ? left_m : right_m,
        .wide_m = track_lerp(from_shoulder->wide_m, to_shoulder->wide_m, t),
        .bank_m = track_lerp(from_shoulder->bank_m, to_shoulder->bank_m, t),
    };
}

// The topmost strip with a height of its own decides: paint on a kerb does not flatten it.
static double strips_height_m(const track_ribbon *ribbon, const track_section *at) {
    double height_m = 0;
    for (uint32_t word = 0; word < TRACK_STRIP_WORDS; word++) {
        uint64_t bits = ribbon->active[at->segment][word];
        for (uint32_t i = word * 64; bits != 0; bits >>= 1, i++) {
            const track_ribbon_strip *strip = &ribbon->strips[i];
            if (!(bits & 1) || fabs(strip->def->height_m) <= 0) {
                continue;
            }
            double u_m = along_u(ribbon, at->segment, at->t);
            double share = across(ribbon, strip->def, at);
            if (share >= 0 && (strip->whole_lap || covers(strip->def, u_m))) {
                height_m = share * strip->def->height_m * taper(ribbon, strip, u_m);
            }
        }
    }
    return height_m;
}

double track_ribbon_height_m(const track_ribbon *ribbon, const track_section *at, bool banked) {
    const track_station *from = &ribbon->track->stations[at->segment];
    const track_station *to =
        &ribbon->track->stations[track_next_station(ribbon->track, at->segment)];
    double cross_slope = track_lerp(from->cross_slope, to->cross_slope, at->t);
    double run_m = at->offset_m;
    if (at->beside_m > 0) {
        double eased = eased_m(track_min(at->beside_m, at->wide_m)) - at->beside_m;
        run_m += at->offset_m > 0 ? eased : -eased;
    }
    double height_m = track_lerp(from->z_m, to->z_m, at->t) + run_m * cross_slope;
    if (at->beyond_m <= at->wide_m) {
        return height_m + strips_height_m(ribbon, at);
    }
    if (!banked) {
        return height_m;
    }
    if (!(at->beyond_m - at->wide_m < at->bank_m)) {
        return ribbon->outside_m;
    }
    double t = (at->beyond_m - at->wide_m) / at->bank_m;
    return track_lerp(height_m, ribbon->outside_m, t * t * (3 - 2 * t));
}

uint8_t track_ribbon_surface(const track_ribbon *ribbon, const track_section *at) {
    uint8_t surface = at->beyond_m <= 0                 ? ribbon->road_surface
                      : at->beyond_m <= ribbon->verge_m ? ribbon->verge_surface
                                                        : ribbon->outside_surface;
    for (uint32_t word = 0; word < TRACK_STRIP_WORDS; word++) {
        uint64_t bits = ribbon->active[at->segment][word];
        for (uint32_t i = word * 64; bits != 0; bits >>= 1, i++) {
            const track_ribbon_strip *strip = &ribbon->strips[i];
            if (!(bits & 1) || across(ribbon, strip->def, at) < 0) {
                continue;
            }
            if (strip->whole_lap || covers(strip->def, along_u(ribbon, at->segment, at->t))) {
                surface = strip->surface;
            }
        }
    }
    return surface;
}
