// The road along the lap, with as few places as its lines allow, and what holds the rest.
#include "client-lite/tracks/outline_trace.h"

#include <math.h>
#include <stdlib.h>

#include "client-lite/tracks/outline_shapes.h"

// The lap is looked at this closely; then as few places are kept as the lines allow.
#define LOOK_M      0.5
#define KEPT_M_MAX  20.0
#define KEPT_OFF_M  (CLIENT_OUTLINE_ERROR_M / 2)
#define KEPT_RISE_M 0.1

/// The three lines at a place.
typedef struct look {
    apex_track_spot spot;
    double line_m[3][2];
} look;

static look look_at(const outline_work *work, double s_m) {
    static const apex_track_border lines[3] = {
        {APEX_LINE_LEFT_EDGE, 0.0}, {APEX_LINE_RIGHT_EDGE, 0.0}, {APEX_LINE_CENTRE, 0.0}};
    look at = {.spot = apex_track_spot_at(work->track, s_m)};
    for (int i = 0; i < 3; i++) {
        apex_track_border_at(&lines[i], &at.spot.frame, at.line_m[i]);
    }
    return at;
}

// The distance of a point from the chord between two others.
static double off_chord_m(const double from_m[2], const double to_m[2], const double at_m[2]) {
    double along_x = to_m[0] - from_m[0], along_y = to_m[1] - from_m[1];
    double x = at_m[0] - from_m[0], y = at_m[1] - from_m[1];
    double square = along_x * along_x + along_y * along_y;
    double share = square > 0.0 ? (x * along_x + y * along_y) / square : 0.0;
    share = share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
    double off_x = x - share * along_x, off_y = y - share * along_y;
    return sqrt(off_x * off_x + off_y * off_y);
}

// @return whether two looks tell all that lies between them.
static bool is_told(const look *from, const look *to) {
    double way_m = to->spot.s_m - from->spot.s_m;
    for (const look *at = from + 1; at < to; at++) {
        for (int line = 0; line < 3; line++) {
            if (off_chord_m(from->line_m[line], to->line_m[line], at->line_m[line]) > KEPT_OFF_M) {
                return false;
            }
        }
        double share = (at->spot.s_m - from->spot.s_m) / way_m;
        double rise_m = to->spot.frame.z_m - from->spot.frame.z_m;
        double z_m = from->spot.frame.z_m + share * rise_m;
        if (fabs(at->spot.frame.z_m - z_m) > KEPT_RISE_M) {
            return false;
        }
    }
    return way_m <= KEPT_M_MAX;
}

static void keep(outline_work *work, const look *at) {
    client_outline *out = work->out;
    client_outline_put_point(out, &out->left_edge, at->line_m[0]);
    client_outline_put_point(out, &out->right_edge, at->line_m[1]);
    client_outline_put_point(out, &out->centre, at->line_m[2]);
    client_outline_put(out, &out->lap_m, at->spot.s_m);
    client_outline_put(out, &out->height_m, at->spot.frame.z_m);
    work->spots[work->spot_count++] = at->spot;
}

static void thin(outline_work *work, const look *looks, size_t count) {
    size_t from = 0;
    keep(work, &looks[0]);
    for (size_t to = 2; to < count; to++) {
        if (!is_told(&looks[from], &looks[to])) {
            from = to - 1;
            keep(work, &looks[from]);
        }
    }
    // On a closed lap the last look is at the first place again.
    if (!work->def->closed) {
        keep(work, &looks[count - 1]);
    }
}

static void lay_lines(outline_work *work) {
    apex_track_stretch lap = apex_track_extent(work->track);
    double way_m = lap.to_m - lap.from_m;
    size_t steps = (size_t)(way_m / LOOK_M) + 2;
    look *looks = malloc((steps + 1) * sizeof *looks);
    work->spots = malloc((steps + 1) * sizeof *work->spots);
    if (looks != NULL && work->spots != NULL) {
        for (size_t i = 0; i <= steps; i++) {
            looks[i] = look_at(work, lap.from_m + way_m * (double)i / (double)steps);
        }
        thin(work, looks, steps + 1);
    } else {
        work->out->failed = true;
    }
    free(looks);
}

static void add_grid(outline_work *work, uint32_t boxes) {
    client_outline *out = work->out;
    for (uint32_t i = 0; i < boxes; i++) {
        apex_placement at = apex_track_grid_placement(work->track, i);
        client_outline_put(out, &out->grid, at.x_m);
        client_outline_put(out, &out->grid, at.y_m);
        client_outline_put(out, &out->grid, at.yaw_rad);
    }
}

static void include_terrain(client_outline *out, const apex_terrain *terrain) {
    out->west = fmin(out->west, terrain->x_m);
    out->south = fmin(out->south, terrain->y_m);
    out->east = fmax(out->east, terrain->x_m + (terrain->columns - 1) * terrain->cell_m);
    out->north = fmax(out->north, terrain->y_m + (terrain->rows - 1) * terrain->cell_m);
}

client_outline *client_outline_create(const apex_track_def *def, const apex_track *track,
                                      uint32_t grid_boxes) {
    client_outline *out = calloc(1, sizeof *out);
    if (out == NULL) {
        return NULL;
    }
    out->west = out->south = HUGE_VAL;
    out->east = out->north = -HUGE_VAL;
    outline_work work = {.def = def, .track = track, .out = out};
    if (apex_track_has_lap(track)) {
        out->closed = def->closed;
        out->length_m = apex_track_length_m(track);
        out->finish_m = def->closed ? 0.0 : out->length_m;
        lay_lines(&work);
        if (!out->failed) {
            outline_strips(&work);
            outline_pits(&work);
        }
        free(work.spots);
    }
    outline_walls(&work);
    add_grid(&work, grid_boxes);
    if (def->terrain.columns > 0) {
        include_terrain(out, &def->terrain);
    }
    if (out->failed) {
        client_outline_destroy(out);
        return NULL;
    }
    return out;
}
