// Places where the rules set a car down while others race: in the pits, or on the side of the road
// that the fast line leaves free (DECISIONS 40).
//
// On the road that is the edge further from the fast line, where the line keeps a car's width and a
// metre away for the 6 m behind and the 12 m ahead; else up to 100 m further back. The plan of each
// kind of car in the race knows its line. The edge is none of what a verge may be (gravel, steep or
// walled), as track files with anything on the road are refused. A guest comes from a pit box where
// there is one.
#include "race/field/berth.h"

#include "race/field/along.h"

#include <math.h>

static const double EDGE_M = 0.3;        // from the hull to the road's edge
static const double LINE_SPARE_M = 1.0;  // from the hull to that of a car on the line
static const double LINE_BEHIND_M = 6.0; // along the road, where the line must be away
static const double LINE_AHEAD_M = 12.0; // nobody crosses over right ahead of it either
static const double STEP_M = 4.0;        // from one place that is tried to the next, backwards

enum { TRIES = 25, LINE_LOOKS = 7 };

typedef struct side_place {
    race_berth berth;
    double spare_m; // from the fast line to the hull, beyond what is needed; negative: too near
} side_place;

static double widest_m(const race_field *field) {
    double widest = 0.0;
    for (uint32_t i = 0; i < field->car_count; i++) {
        widest = fmax(widest, field->cars[i].hull.width_m);
    }
    return widest;
}

// Between which offsets the fast lines of all cars run near a place.
static void read_lines(const race_field *field, double s_m, double *low_m, double *high_m) {
    *low_m = (double)INFINITY;
    *high_m = -(double)INFINITY;
    for (int i = 0; i < LINE_LOOKS; i++) {
        double share = (double)i / (LINE_LOOKS - 1);
        double at_m = s_m - LINE_BEHIND_M + share * (LINE_BEHIND_M + LINE_AHEAD_M);
        for (uint32_t car = 0; car < field->car_count; car++) {
            double offset_m = apex_driver_plan_offset_m(field->plans[car], at_m);
            *low_m = fmin(*low_m, offset_m);
            *high_m = fmax(*high_m, offset_m);
        }
    }
}

// Wholly on the road, at the edge that is further from the line.
static side_place place_beside(const race_field *field, uint32_t slot, double s_m) {
    apex_track_frame frame = apex_track_frame_at(field->track, s_m);
    double half_m = 0.5 * field->cars[field->players[slot].car].hull.width_m;
    double left_m = frame.left_m - half_m - EDGE_M;
    double right_m = -frame.right_m + half_m + EDGE_M;
    if (left_m < right_m) { // a road hardly wider than the car
        left_m = right_m = 0.5 * (frame.left_m - frame.right_m);
    }
    double low_m, high_m;
    read_lines(field, s_m, &low_m, &high_m);
    double left_free_m = left_m - high_m;
    double right_free_m = low_m - right_m;
    bool is_left = left_free_m > right_free_m;
    double needed_m = half_m + 0.5 * widest_m(field) + LINE_SPARE_M;
    apex_placement at = apex_track_placement(field->track, s_m, is_left ? left_m : right_m);
    return (side_place){
        .berth = {at, apex_track_project(field->track, at.x_m, at.y_m, s_m).s_m},
        .spare_m = (is_left ? left_free_m : right_free_m) - needed_m,
    };
}

// The first free place at a lap distance or behind it that is out of the way; else the free one
// that is least in it.
race_berth race_berth_beside(const race_field *field, uint32_t slot, double s_m) {
    side_place best = place_beside(field, slot, s_m);
    bool has_free = false;
    for (uint32_t i = 0; i < TRIES; i++) {
        side_place here = place_beside(field, slot, s_m - STEP_M * i);
        const double at_m[2] = {here.berth.at.x_m, here.berth.at.y_m};
        if (!race_along_is_place_free(field, slot, here.berth.s_m, at_m)) {
            continue;
        }
        if (here.spare_m >= 0.0) {
            return here.berth;
        }
        if (!has_free || here.spare_m > best.spare_m) {
            best = here;
            has_free = true;
        }
    }
    return best.berth;
}

void race_berth_find_pits(race_field *field) {
    apex_track_pits pits = apex_track_pits_of(field->track);
    for (uint32_t i = 0; pits.exists && i < pits.box_count; i++) {
        apex_placement at = apex_track_pit_box_placement(field->track, i);
        double s_m = apex_track_find(field->track, at.x_m, at.y_m, at.z_m).s_m;
        // Nobody can come back to the start of an open track.
        if (apex_track_closed(field->track) || s_m < 0.0) {
            field->pit_boxes[field->pit_box_count++] = (race_berth){at, s_m};
        }
    }
}

race_berth race_berth_late(const race_field *field, uint32_t slot) {
    for (uint32_t i = 0; i < field->pit_box_count; i++) {
        const race_berth *box = &field->pit_boxes[i];
        const double at_m[2] = {box->at.x_m, box->at.y_m};
        if (race_along_is_place_free(field, slot, box->s_m, at_m)) {
            return *box;
        }
    }
    return race_berth_beside(field, slot, field->players[slot].s_m);
}
