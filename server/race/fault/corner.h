// The corners of a lap: where cars turn in, where the apex is, and where the road is straight
// again.
#pragma once

#include "track/track.h"

enum { RACE_CORNERS_MAX = 128 };

// Lap distances; those of a corner over the line may wrap.
typedef struct race_corner {
    double turn_in_m, apex_m, exit_m;
    double turned_rad; // from turn-in to exit, to the left
} race_corner;

typedef struct race_corners {
    uint32_t count;
    race_corner all[RACE_CORNERS_MAX]; // in the order of the lap from its first straight
} race_corners;

// Bends of less than 500 m radius that turn by 10 degrees at least. The apex is where half of it is
// turned: a bend of one radius has no sharpest place. A circle has no corner, since nobody turns
// in.
void race_corners_find(race_corners *corners, const apex_track *track);
// @return the corner between whose turn-in and exit the place is, NULL on a straight
const race_corner *race_corners_at(const race_corners *corners, const apex_track *track,
                                   double s_m);
