// The boxes in which cars stand before the start.
#include "track/laid_track.h"

#include "base/assert.h"

// From a box's front line, where the nose stands, to the car's centre of mass. The track knows no
// car; the longest road cars have their noses 2.6 m ahead of it.
#define NOSE_M 2.6
// Cars keep at least this much road outside their middle.
#define HALF_CAR_M 1.0

// A closed track is staggered: every box stands one spacing behind the one before. An open one is
// for starts side by side: a row of `columns`, then the next row.
static double box_behind_m(const apex_track *track, uint32_t index) {
    const apex_track_grid *grid = &track->grid;
    APEX_ASSERT(grid->columns > 0);
    double room_m = track->closed ? track->length_m / 2 : -track->first_s_m;
    double first_m = grid->first_m + NOSE_M;
    uint32_t step = track->closed ? index : index / grid->columns;
    int32_t fits = track_floor((room_m - first_m) / grid->spacing_m) + 1;
    uint32_t steps = fits > 0 ? (uint32_t)fits : 1;
    if (track->closed && steps > grid->columns) {
        steps =
            steps / grid->columns * grid->columns; // so that a repeated box is in its own column
    }
    APEX_ASSERT(steps > 0);
    return first_m + step % steps * grid->spacing_m;
}

static apex_placement box_placement(const apex_track *track, uint32_t index) {
    const apex_terrain_box *box = &track->boxes[index % track->box_count];
    return (apex_placement){.x_m = box->x_m, .y_m = box->y_m, .yaw_rad = box->heading_rad};
}

apex_placement apex_track_grid_placement(const apex_track *track, uint32_t index) {
    if (track->box_count > 0) {
        return box_placement(track, index);
    }
    const apex_track_grid *grid = &track->grid;
    double s_m = -box_behind_m(track, index);
    apex_track_frame frame = apex_track_frame_at(track, s_m);
    double column = index % grid->columns;
    double from_pole_m = (column - 0.5 * (grid->columns - 1)) * grid->column_gap_m;
    double offset_m = 0.5 * (frame.left_m - frame.right_m) +
                      (grid->pole_side == APEX_SIDE_LEFT ? -from_pole_m : from_pole_m);
    offset_m = track_max(offset_m, -(frame.right_m - HALF_CAR_M));
    offset_m = track_min(offset_m, track_max(frame.left_m - HALF_CAR_M, 0));
    return apex_track_placement(track, s_m, offset_m);
}
