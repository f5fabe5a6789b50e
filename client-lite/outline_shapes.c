// What lies beside the road and on it: verges, strips, the pit lane, walls and posts.
#include "client-lite/outline_private.h"

#include <math.h>
#include <string.h>

#include "base/trig.h"

enum {
    PIECE_SPOTS = 60, ///< of one polygon: a whole lap in one would cancel itself out somewhere
    POST_CORNERS = 8,
};

#define PIT_STEP_M 4.0

// --- Bands along the road ----------------------------------------------------------------------

typedef enum line_kind { LINE_CENTRE, LINE_LEFT_EDGE, LINE_RIGHT_EDGE } line_kind;

/// One side of a band: metres to the left of the centre line, or outwards from an edge.
typedef struct band_side {
    line_kind from;
    double offset_m;
} band_side;

typedef struct band {
    band_side left, right;
    double from_m, to_m; ///< lap distances; to_m may pass the end of the lap
    const char *surface;
} band;

static double offset_of(const band_side *side, const apex_track_frame *at) {
    return side->from == LINE_LEFT_EDGE    ? at->left_m + side->offset_m
           : side->from == LINE_RIGHT_EDGE ? -at->right_m - side->offset_m
                                           : side->offset_m;
}

static void add_piece(outline_work *work, const band *of, const outline_spot *spots, size_t count) {
    client_outline_shape *shape = outline_begin_shape(work->out, &work->out->strips, of->surface);
    double at_m[2];
    for (size_t i = 0; i < count; i++) {
        outline_beside(&spots[i].frame, offset_of(&of->left, &spots[i].frame), at_m);
        outline_add_point(work->out, shape, at_m);
    }
    for (size_t i = count; i-- > 0;) {
        outline_beside(&spots[i].frame, offset_of(&of->right, &spots[i].frame), at_m);
        outline_add_point(work->out, shape, at_m);
    }
}

static outline_spot spot_at(const outline_work *work, double s_m) {
    return (outline_spot){s_m, apex_track_frame_at(work->track, s_m)};
}

static void add_band(outline_work *work, const band *of) {
    outline_spot room[PIECE_SPOTS + 1];
    size_t count = 0;
    double lap_m = work->out->length_m;
    room[count++] = spot_at(work, of->from_m);
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < work->spot_count; i++) {
            double s_m = work->spots[i].s_m + (round - 1) * lap_m;
            bool is_there = round == 1 || work->out->closed;
            if (!is_there || s_m <= of->from_m + 0.1 || s_m >= of->to_m - 0.1) {
                continue;
            }
            room[count] = (outline_spot){s_m, work->spots[i].frame};
            if (++count == PIECE_SPOTS) {
                add_piece(work, of, room, count);
                room[0] = room[count - 2];
                room[1] = room[count - 1];
                count = 2;
            }
        }
    }
    room[count++] = spot_at(work, of->to_m);
    add_piece(work, of, room, count);
}

static void add_side(outline_work *work, const apex_track_strip *strip, band of, bool left) {
    line_kind edge = left ? LINE_LEFT_EDGE : LINE_RIGHT_EDGE;
    of.left = (band_side){edge, left ? strip->outer_m : strip->inner_m};
    of.right = (band_side){edge, left ? strip->inner_m : strip->outer_m};
    add_band(work, &of);
}

static void add_strip(outline_work *work, const apex_track_strip *strip) {
    const apex_track_def *def = work->def;
    band of = {.from_m = work->from_m, .to_m = work->to_m, .surface = strip->surface};
    if (strip->from_m > 0.0 || strip->to_m > 0.0) {
        of.from_m = strip->from_m - def->start_m;
        of.to_m = strip->to_m - def->start_m;
        of.to_m += of.to_m < of.from_m ? work->out->length_m : 0.0;
    }
    if (!strip->from_edge) {
        of.left = (band_side){LINE_CENTRE, strip->outer_m};
        of.right = (band_side){LINE_CENTRE, strip->inner_m};
        add_band(work, &of);
        return;
    }
    if (strip->side != APEX_SIDE_RIGHT) {
        add_side(work, strip, of, true);
    }
    if (strip->side != APEX_SIDE_LEFT) {
        add_side(work, strip, of, false);
    }
}

void outline_strips(outline_work *work) {
    const apex_track_def *def = work->def;
    bool is_course = def->terrain.columns > 0; // ground of its own lies beside it
    if (def->verge_m > 0.0 && !is_course) {
        apex_track_strip verge = {
            .side = APEX_SIDE_BOTH, .from_edge = true, .outer_m = def->verge_m};
        memcpy(verge.surface, def->verge_surface, sizeof verge.surface);
        add_strip(work, &verge);
    }
    for (uint32_t i = 0; i < def->strip_count; i++) {
        add_strip(work, &def->strips[i]);
    }
}

// --- Pits --------------------------------------------------------------------------------------

// A place beside a placement: to its left, and ahead.
static void beside_placement(const apex_placement *at, double left_m, double ahead_m,
                             double out_m[2]) {
    double sin;
    double cos;
    apex_sincos(at->yaw_rad, &sin, &cos);
    out_m[0] = at->x_m + ahead_m * cos - left_m * sin;
    out_m[1] = at->y_m + ahead_m * sin + left_m * cos;
}

// Boxes as one strip of the lane's surface.
static void add_boxes(outline_work *work, const apex_track_pit_lane *lane) {
    client_outline_shape *row = outline_begin_shape(work->out, &work->out->strips, lane->surface);
    uint32_t count = lane->box_count;
    double at_m[2];
    for (uint32_t i = 0; i < 4 * count; i++) {
        bool back = i >= 2 * count;
        uint32_t box = back ? (4 * count - 1 - i) / 2 : i / 2;
        bool front = back ? i % 2 == 0 : i % 2 == 1;
        apex_placement at = apex_track_pit_box_placement(work->track, box);
        beside_placement(&at, back ? -0.5 * lane->box_depth_m : 0.5 * lane->box_depth_m,
                         front ? 0.5 * lane->box_spacing_m : -0.5 * lane->box_spacing_m, at_m);
        outline_add_point(work->out, row, at_m);
    }
}

void outline_pits(outline_work *work) {
    apex_track_pits pits = apex_track_pits_of(work->track);
    const apex_track_pit_lane *lane = &work->def->pit_lane;
    if (!pits.exists) {
        return;
    }
    if (lane->box_count > 0) {
        add_boxes(work, lane);
    }
    client_outline *out = work->out;
    out->pit_lane.first = out->points.count;
    memcpy(out->pit_lane.name, lane->surface, sizeof out->pit_lane.name);
    uint32_t steps = (uint32_t)(pits.length_m / PIT_STEP_M) + 1;
    for (uint32_t i = 0; i < 2 * (steps + 1); i++) {
        bool back = i > steps;
        double share = (double)(back ? 2 * steps + 1 - i : i) / steps;
        apex_placement at = apex_track_pit_lane_placement(work->track, share * pits.length_m);
        double at_m[2];
        beside_placement(&at, back ? -0.5 * lane->width_m : 0.5 * lane->width_m, 0.0, at_m);
        outline_add_point(out, &out->pit_lane, at_m);
    }
}

// --- Walls and posts ---------------------------------------------------------------------------

static void add_post(client_outline *out, const apex_wall_post *post, const char *material) {
    client_outline_shape *ring = outline_begin_shape(out, &out->walls, material);
    for (int i = 0; i <= POST_CORNERS; i++) {
        double sin;
        double cos;
        apex_sincos(2.0 * 3.14159265358979323846 * (i % POST_CORNERS) / POST_CORNERS, &sin, &cos);
        const double at_m[2] = {post->x_m + post->radius_m * cos, post->y_m + post->radius_m * sin};
        outline_add_point(out, ring, at_m);
    }
}

void outline_walls(outline_work *work) {
    client_outline *out = work->out;
    const apex_walls *walls = apex_track_walls(work->track);
    client_outline_shape *line = NULL;
    for (uint32_t i = 0; i < walls->segment_count; i++) {
        const apex_wall_segment *piece = &walls->segments[i];
        const apex_wall_segment *before = i > 0 ? piece - 1 : NULL;
        bool goes_on = before && piece->previous == i - 1 && before->next == i;
        if (!goes_on) {
            line = outline_begin_shape(out, &out->walls, walls->materials[piece->material].name);
            outline_add_point(out, line, (const double[2]){piece->from_x_m, piece->from_y_m});
        }
        outline_add_point(out, line, (const double[2]){piece->to_x_m, piece->to_y_m});
    }
    for (uint32_t i = 0; i < walls->post_count; i++) {
        add_post(out, &walls->posts[i], walls->materials[walls->posts[i].material].name);
    }
}
