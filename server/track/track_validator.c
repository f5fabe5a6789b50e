// The track's validator: whether a laid track is what all its readers take it for. A definition is
// checked and refused before; what is found here is an error of the laying. It runs once for each
// track, where validators are on (base/assert.h).
#include "track/track_validator.h"

#include <math.h>

// The curve is measured in steps.
#define SLACK_SHARE    0.01
#define LENGTH_SLACK_M 0.01
#define UNIT_SLACK     1e-9

static const char *check_lengths(const apex_track *track) {
    if (track->station_count < 2 ||
        track->segment_count != track->station_count - (track->closed ? 0 : 1)) {
        return "there are not as many segments as stations have between them";
    }
    double curve_m = track->segment_count * track->spacing_m;
    if (!(track->spacing_m > 0) || fabs(curve_m - track->curve_m) > LENGTH_SLACK_M) {
        return "the stations do not stand along the whole curve";
    }
    if (track->closed) {
        return track->first_s_m >= 0 && track->first_s_m <= 0 &&
                       fabs(track->length_m - track->curve_m) <= LENGTH_SLACK_M
                   ? NULL
                   : "a closed lap does not begin and end at its line";
    }
    return track->first_s_m <= 0 && track->length_m > 0 &&
                   track->first_s_m + track->curve_m >= track->length_m - LENGTH_SLACK_M
               ? NULL
               : "the lines of an open track are not both on it";
}

static const char *check_station(const apex_track *track, uint32_t index) {
    const track_station *here = &track->stations[index];
    double square = here->along_x * here->along_x + here->along_y * here->along_y;
    if (!(fabs(square - 1) <= UNIT_SLACK)) {
        return "a station's direction is no unit vector";
    }
    if (!(here->left_m > 0 && here->right_m > 0)) {
        return "the road has no width";
    }
    return track_max(here->left_m, here->right_m) <= track->half_width_m_max
               ? NULL
               : "the road is wider than its widest place";
}

// The next one stands ahead, and no further off than along the curve; on a closed lap the first one
// is the next of the last.
static const char *check_step(const apex_track *track, uint32_t index) {
    const track_station *here = &track->stations[index];
    const track_station *next = &track->stations[track_next_station(track, index)];
    double x_m = next->x_m - here->x_m;
    double y_m = next->y_m - here->y_m;
    if (!(x_m * here->along_x + y_m * here->along_y > 0)) {
        return "the stations do not rise along the lap";
    }
    return sqrt(x_m * x_m + y_m * y_m) <= (1 + SLACK_SHARE) * track->spacing_m
               ? NULL
               : "two neighbouring stations stand too far apart";
}

// Along the definition's points, over whose seam a closed lap goes once.
static const char *check_points(const apex_track *track) {
    uint32_t falls = 0;
    for (uint32_t i = 0; i + 1 < track->station_count; i++) {
        falls += track->stations[i + 1].point < track->stations[i].point;
    }
    return falls <= (track->closed ? 1 : 0) ? NULL
                                            : "the stations do not go along the points in order";
}

static const char *check_sectors(const apex_track *track) {
    if (track->sector_count < 1 || track->sector_count > APEX_TRACK_SECTORS_MAX) {
        return "there are too few sectors, or too many";
    }
    double from_m = 0;
    for (uint32_t i = 0; i < track->sector_count; i++) {
        if (!(track->sector_end_m[i] > from_m)) {
            return "the ends of the sectors do not rise along the lap";
        }
        from_m = track->sector_end_m[i];
    }
    return from_m >= track->length_m && from_m <= track->length_m
               ? NULL
               : "the last sector does not end with the lap";
}

static const char *check_places(const apex_track *track) {
    if (track->box_count > APEX_TERRAIN_BOXES_MAX ||
        (track->box_count == 0 && track->grid.columns < 1)) {
        return "there are no boxes to start from";
    }
    if (!track->pit_lane.given) {
        return NULL;
    }
    double entry_s_m = track->pit_entry_s_m;
    bool on_lap = entry_s_m >= track->first_s_m && entry_s_m <= track->first_s_m + track->curve_m &&
                  track->pit_length_m > 0 && track->pit_length_m < track->curve_m;
    return on_lap ? NULL : "the pit lane is not on the lap";
}

static const char *check_ground(const apex_ground *ground) {
    if (ground->outside_surface >= ground->surface_count) {
        return "the ground outside has no surface";
    }
    for (size_t i = 0; i < (size_t)ground->width * ground->depth; i++) {
        if (ground->directory[i] != APEX_GROUND_NONE &&
            ground->directory[i] >= ground->tile_count) {
            return "the directory of the ground names a tile that there is not";
        }
    }
    for (uint32_t i = 0; i < ground->tile_count; i++) {
        uint32_t above = ground->tiles[i].above;
        if (above != APEX_GROUND_NONE && (above >= ground->tile_count ||
                                          ground->tiles[above].tile_x != ground->tiles[i].tile_x ||
                                          ground->tiles[above].tile_y != ground->tiles[i].tile_y)) {
            return "a tile does not lie above the one that names it";
        }
    }
    return NULL;
}

static const char *check_walls(const apex_walls *walls) {
    for (uint32_t i = 0; i < walls->segment_count; i++) {
        const apex_wall_segment *segment = &walls->segments[i];
        bool follows =
            segment->next == APEX_GROUND_NONE ||
            (segment->next < walls->segment_count && walls->segments[segment->next].previous == i);
        if (!follows) {
            return "a wall's next segment has another one before it";
        }
        if (segment->material >= walls->material_count || !(segment->top_m > segment->base_m)) {
            return "a wall has no material, or no height";
        }
    }
    for (uint32_t i = 0; i < walls->post_count; i++) {
        const apex_wall_post *post = &walls->posts[i];
        if (post->material >= walls->material_count || !(post->radius_m > 0)) {
            return "a post has no material, or no width";
        }
    }
    return NULL;
}

const char *track_validate(const apex_track *track) {
    const char *sentence = check_lengths(track);
    for (uint32_t i = 0; sentence == NULL && i < track->station_count; i++) {
        sentence = check_station(track, i);
    }
    for (uint32_t i = 0; sentence == NULL && i < track->segment_count; i++) {
        sentence = check_step(track, i);
    }
    sentence = sentence != NULL ? sentence : check_points(track);
    sentence = sentence != NULL ? sentence : check_sectors(track);
    sentence = sentence != NULL ? sentence : check_places(track);
    sentence = sentence != NULL ? sentence : check_ground(&track->ground);
    return sentence != NULL ? sentence : check_walls(&track->walls);
}
