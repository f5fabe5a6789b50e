// The shapes beside the road and on it: verges, strips, the pit lane, walls and posts.
#include "client-lite/tracks/outline_shapes.h"

#include <math.h>
#include <string.h>

#include "base/trig.h"

enum { POST_CORNERS = 8 };

static void add_band(outline_work *work, const apex_track_band *band, const char *surface) {
    apex_track_cut cut = {
        .track = work->track,
        .spots = work->spots,
        .spot_count = work->spot_count,
        .band = *band,
    };
    apex_track_piece piece;
    while (apex_track_next_piece(&cut, &piece)) {
        client_outline_shape *shape =
            client_outline_begin_shape(work->out, &work->out->strips, surface);
        for (size_t i = 0; i < piece.count; i++) {
            client_outline_add_point(work->out, shape, piece.at_m[i]);
        }
    }
}

static void add_strip(outline_work *work, const apex_track_strip *strip) {
    apex_track_band bands[2];
    apex_track_stretch along = apex_track_strip_stretch(work->track, work->def, strip);
    size_t count = apex_track_strip_bands(strip, along, bands);
    for (size_t i = 0; i < count; i++) {
        add_band(work, &bands[i], strip->surface);
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

static void add_corner(outline_work *work, client_outline_shape *row, uint32_t box,
                       apex_track_corner corner) {
    double at_m[2];
    apex_track_pit_box_corner(work->track, box, corner, at_m);
    client_outline_add_point(work->out, row, at_m);
}

// Boxes as one strip of the lane's surface.
static void add_boxes(outline_work *work, const apex_track_pit_lane *lane) {
    client_outline_shape *row =
        client_outline_begin_shape(work->out, &work->out->strips, lane->surface);
    for (uint32_t box = 0; box < lane->box_count; box++) {
        add_corner(work, row, box, APEX_CORNER_LEFT_BEHIND);
        add_corner(work, row, box, APEX_CORNER_LEFT_AHEAD);
    }
    for (uint32_t box = lane->box_count; box-- > 0;) {
        add_corner(work, row, box, APEX_CORNER_RIGHT_AHEAD);
        add_corner(work, row, box, APEX_CORNER_RIGHT_BEHIND);
    }
}

void outline_pits(outline_work *work) {
    const apex_track_pit_lane *lane = &work->def->pit_lane;
    if (!apex_track_pits_of(work->track).exists) {
        return;
    }
    if (lane->box_count > 0) {
        add_boxes(work, lane);
    }
    client_outline *out = work->out;
    out->pit_lane.first = out->points.count;
    memcpy(out->pit_lane.name, lane->surface, sizeof out->pit_lane.name);
    uint32_t count = apex_track_pit_rim_count(work->track);
    for (uint32_t i = 0; i < count; i++) {
        double at_m[2];
        apex_track_pit_rim_point(work->track, i, at_m);
        client_outline_add_point(out, &out->pit_lane, at_m);
    }
}

static void add_post(client_outline *out, const apex_wall_post *post, const char *material) {
    client_outline_shape *ring = client_outline_begin_shape(out, &out->walls, material);
    for (int i = 0; i <= POST_CORNERS; i++) {
        double sin;
        double cos;
        apex_sincos(2.0 * 3.14159265358979323846 * (i % POST_CORNERS) / POST_CORNERS, &sin, &cos);
        const double at_m[2] = {post->x_m + post->radius_m * cos, post->y_m + post->radius_m * sin};
        client_outline_add_point(out, ring, at_m);
    }
}

void outline_walls(outline_work *work) {
    client_outline *out = work->out;
    const apex_walls *walls = apex_track_walls(work->track);
    client_outline_shape *line = NULL;
    for (uint32_t i = 0; i < walls->segment_count; i++) {
        const apex_wall_segment *piece = &walls->segments[i];
        const apex_wall_segment *before = i > 0 ? piece - 1 : NULL;
        bool goes_on = before != NULL && piece->previous == i - 1 && before->next == i;
        if (!goes_on) {
            line = client_outline_begin_shape(out, &out->walls,
                                              walls->materials[piece->material].name);
            client_outline_add_point(out, line,
                                     (const double[2]){piece->from_x_m, piece->from_y_m});
        }
        client_outline_add_point(out, line, (const double[2]){piece->to_x_m, piece->to_y_m});
    }
    for (uint32_t i = 0; i < walls->post_count; i++) {
        add_post(out, &walls->posts[i], walls->materials[walls->posts[i].material].name);
    }
}
