// A wall along the road: sampled beside it, cut where it comes too near to any stretch of road,
// thinned out to what its shape needs, and linked into runs.
#include "track/walls/wall_line.h"

#include <math.h>
#include <stdlib.h>

#include "base/assert.h"
#include "track/lap/clearance.h"
#include "track/lap/pit_lane.h"

// Pieces are as long as the bend allows: 8 m, or what leaves the curve by 5 cm.
#define PIECE_M_MAX 8.0
#define BULGE_M_MAX 0.05
// The distance by which a wall may come nearer to a road than it was asked to: rounding and the
// width's change.
#define NEARER_M 0.05
// Ends of a wall that was cut where it met itself are joined across this much.
#define JOIN_M   4.0
#define ISLAND_M 2.0
// Stretches this much higher or lower are another storey.
#define STOREY_M    3.0
#define PIT_SPARE_M 0.1

static void set_stretch(track_wall_line *line) {
    const apex_track *track = line->track;
    double per_m = 1 / track->spacing_m;
    double from_m = track_min(line->wall->from_m, track->curve_m);
    double to_m = track_min(line->wall->to_m, track->curve_m);
    line->closed = false;
    if (line->wall->from_m <= 0 && line->wall->to_m <= 0) {
        line->closed = track->closed;
        line->first_station = 0;
        line->last_station = track->segment_count;
    } else {
        double length_m = to_m > from_m ? to_m - from_m : to_m - from_m + track->curve_m;
        double since_m = from_m - line->ribbon->first_u_m;
        since_m += since_m < 0 ? track->curve_m : 0;
        line->first_station = since_m * per_m;
        line->last_station = (since_m + length_m) * per_m;
    }
    // The whole stations from the first to the last, and both ends where they lie between.
    double span = line->last_station - line->first_station;
    line->sample_count = (uint32_t)track_floor(span) + (line->closed ? 0 : 2);
    line->sample_count = line->sample_count < 2 ? 2 : line->sample_count;
}

static double station_of_sample(const track_wall_line *line, uint32_t index) {
    if (line->closed) {
        return index;
    }
    double share = index / (line->sample_count - 1.0);
    return track_lerp(line->first_station, line->last_station, share);
}

// A point of the wall, and whether it keeps its distance from every stretch of road. Inside of a
// tight bend, or between two legs of a hairpin, it does not: there a wall at that distance would
// cross itself or stand in another one's way, and is left out.
static void sample_wall(track_wall_line *line, uint32_t index) {
    const apex_track *track = line->track;
    double along = station_of_sample(line, index);
    int32_t whole = track_floor(along);
    uint32_t segment = (uint32_t)whole % track->segment_count;
    double t = along - whole;
    if (!track->closed && whole >= (int32_t)track->segment_count) {
        segment = track->segment_count - 1;
        t = 1;
    }
    const track_station *from = &track->stations[segment];
    const track_station *to = &track->stations[track_next_station(track, segment)];
    double along_x = track_lerp(from->along_x, to->along_x, t);
    double along_y = track_lerp(from->along_y, to->along_y, t);
    double norm = 1 / sqrt(along_x * along_x + along_y * along_y);
    double offset_m = line->left
                          ? track_lerp(from->left_m, to->left_m, t) + line->wall->distance_m
                          : -track_lerp(from->right_m, to->right_m, t) - line->wall->distance_m;
    double x_m = track_lerp(from->x_m, to->x_m, t) - offset_m * along_y * norm;
    double y_m = track_lerp(from->y_m, to->y_m, t) + offset_m * along_x * norm;
    track_section at = track_ribbon_section(line->ribbon, segment, t, offset_m);
    line->samples[index] = (track_vertex){
        .x_m = x_m, .y_m = y_m, .ground_m = track_ribbon_height_m(line->ribbon, &at, true)};
    track_clearance_query query = {
        .x_m = x_m,
        .y_m = y_m,
        .z_m = track_lerp(from->z_m, to->z_m, t),
        .reach_z_m = STOREY_M,
        .limit_m = line->wall->distance_m,
    };
    track_pit_section pits =
        track_pits_at(track, track->first_s_m + (segment + t) * track->spacing_m);
    if (line->left == (track->pit_lane.side == APEX_SIDE_LEFT) && !line->in_pits &&
        track_pits_cover(&pits, line->wall->distance_m, PIT_SPARE_M)) {
        line->in_pits = true;
        line->in_pits_s_m = pits.since_m;
    }
    line->kept[index] = track_clearance(track, &query, NULL) >= line->wall->distance_m - NEARER_M;
}

static double apart_m(const track_vertex *a, const track_vertex *b) {
    double dx_m = a->x_m - b->x_m;
    double dy_m = a->y_m - b->y_m;
    return sqrt(dx_m * dx_m + dy_m * dy_m);
}

// @return whether a straight piece may stand for the points between its ends.
static bool straight_enough(const track_vertex *points, uint32_t from, uint32_t to) {
    double length_m = apart_m(&points[from], &points[to]);
    if (length_m > PIECE_M_MAX) {
        return false;
    }
    double dx = (points[to].x_m - points[from].x_m) / track_max(length_m, 1e-9);
    double dy = (points[to].y_m - points[from].y_m) / track_max(length_m, 1e-9);
    for (uint32_t i = from + 1; i < to; i++) {
        double bulge_m =
            dx * (points[i].y_m - points[from].y_m) - dy * (points[i].x_m - points[from].x_m);
        if (fabs(bulge_m) > BULGE_M_MAX) {
            return false;
        }
    }
    return true;
}

// Keeps of `count` points what the shape needs, in place. @return how many.
static uint32_t thin_out(track_vertex *points, uint32_t count) {
    uint32_t kept = 1;
    uint32_t from = 0;
    while (from + 1 < count) {
        uint32_t to = from + 1;
        while (to + 1 < count && straight_enough(points, from, to + 1)) {
            to++;
        }
        // The anchor is read before it is written over: kept never passes from.
        points[kept++] = points[to];
        from = to;
    }
    return kept;
}

// Between two cuts close by, a few samples are left of a wall that turns on the spot: they would
// only make it jagged.
static void drop_islands(track_wall_line *line) {
    uint32_t total = line->sample_count;
    uint32_t run = 0;
    double length_m = 0;
    for (uint32_t i = 1; i <= total; i++) {
        bool on = i < total && line->kept[i];
        length_m += on && line->kept[i - 1] ? apart_m(&line->samples[i - 1], &line->samples[i]) : 0;
        if (on && !line->kept[i - 1]) {
            run = i;
            length_m = 0;
        } else if (!on && line->kept[i - 1]) {
            // A run from the first or to the last sample may go on over the seam.
            for (uint32_t k = run; run > 0 && i < total && length_m < ISLAND_M && k < i; k++) {
                line->kept[k] = false;
            }
            length_m = 0;
        }
    }
}

static void turn_round(track_vertex *points, uint32_t count) {
    for (uint32_t i = 0; i < count / 2; i++) {
        track_vertex swap = points[i];
        points[i] = points[count - 1 - i];
        points[count - 1 - i] = swap;
    }
}

static apex_err emit(track_wall_line *line, uint32_t count, bool closed) {
    count = thin_out(line->chain, count);
    if (closed && count > 3 && apart_m(&line->chain[0], &line->chain[count - 1]) < 0.5) {
        count--; // the seam needs no short piece
    }
    if (count < 2) {
        return APEX_OK;
    }
    // Right of the road the lap's direction has the road on its left already.
    if (line->left != line->away) {
        turn_round(line->chain, count);
    }
    track_chain chain = {
        .vertices = line->chain,
        .count = count,
        .closed = closed && count > 2,
        .height_m = line->wall->height_m,
        .material = line->material,
    };
    return track_add_chain(line->track, &chain);
}

// @return the sample at which a wall that goes all round begins: behind its longest gap.
static uint32_t first_sample(const track_wall_line *line) {
    uint32_t total = line->sample_count;
    APEX_ASSERT(total > 0);
    uint32_t begin = 0;
    uint32_t longest = 0;
    uint32_t gap = 0;
    // Twice round, for a gap over the start line.
    for (uint32_t i = 0; i < total * 2 && line->closed; i++) {
        gap = line->kept[i % total] ? 0 : gap + 1;
        if (gap > longest && gap < total) {
            longest = gap;
            begin = (i + 1) % total;
        }
    }
    return begin;
}

static apex_err emit_chains(track_wall_line *line) {
    uint32_t total = line->sample_count;
    uint32_t begin = first_sample(line);
    uint32_t count = 0;
    uint32_t last = 0;
    bool parted = false;
    for (uint32_t i = 0; i < total; i++) {
        uint32_t index = (begin + i) % total;
        if (!line->kept[index]) {
            continue;
        }
        const track_vertex *sample = &line->samples[index];
        bool next = i == last + 1; // outside of a hairpin these stand further apart
        if (count > 0 && !next && apart_m(sample, &line->chain[count - 1]) > JOIN_M) {
            apex_err err = emit(line, count, false);
            if (err != APEX_OK) {
                return err;
            }
            parted = true;
            count = 0;
        }
        line->chain[count++] = *sample;
        last = i;
    }
    if (count == 0) {
        return APEX_OK;
    }
    bool meets = count == total || apart_m(&line->chain[0], &line->chain[count - 1]) <= JOIN_M;
    return emit(line, count, line->closed && !parted && meets);
}

apex_err track_lay_wall_line(track_wall_line *line) {
    set_stretch(line);
    line->samples = calloc(line->sample_count, sizeof *line->samples);
    line->kept = calloc(line->sample_count, sizeof *line->kept);
    line->chain = calloc(line->sample_count, sizeof *line->chain);
    apex_err err = APEX_ERR_NO_MEMORY;
    if (line->samples != NULL && line->kept != NULL && line->chain != NULL) {
        for (uint32_t i = 0; i < line->sample_count; i++) {
            sample_wall(line, i);
        }
        drop_islands(line);
        err = emit_chains(line);
    }
    free(line->samples);
    free(line->kept);
    free(line->chain);
    return err;
}
