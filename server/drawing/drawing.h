/// Tracks for people: their figures, and a picture. Knows what is laid and asks nothing of a race
/// (DECISIONS 19).
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "physics/physics.h"
#include "track/track.h"

enum { APEX_TRACK_CROSSINGS_MAX = 32 };

/// A place where the lap passes over itself.
typedef struct apex_track_crossing {
    double upper_s_m, lower_s_m; ///< lap distances
    double x_m, y_m;
    double height_m; ///< between the roads
    double sin;      ///< of the angle between them
} apex_track_crossing;

/// The figures of a track. Those along the lap are 0 of a terrain without a course.
typedef struct apex_track_figures {
    bool has_lap;
    bool has_terrain;
    double length_m;
    double narrowest_m, widest_m; ///< of the road
    double lowest_m, highest_m;   ///< of the centre line
    double climb_m;               ///< all that goes up in a lap
    double steepest;              ///< up or down, as a ratio
    double banking_rad_max;       ///< to either side
    uint32_t left_bends, right_bends;
    double tightest_m;                      ///< radius of the tightest bend; 0 without bends
    double surface_m2[APEX_SURFACES_MAX];   ///< laid, by the ground's surface
    double wall_m[APEX_WALL_MATERIALS_MAX]; ///< by the walls' material
    double east_m, north_m;                 ///< a terrain's size
    double ground_low_m, ground_high_m;     ///< of its nodes
    uint32_t grid_boxes;                    ///< that differ from each other
    uint32_t crossing_count;
    apex_track_crossing crossings[APEX_TRACK_CROSSINGS_MAX];
    uint64_t memory_bytes; ///< of ground and walls
    double lay_s;          ///< time that laying took: the caller's to fill in
} apex_track_figures;

/// @param def what the track was laid from.
apex_err apex_track_measure(const apex_track_def *def, const apex_track *track,
                            apex_track_figures *out);

/// A track, and what was measured of it.
typedef struct apex_track_sheet {
    const apex_track_def *def;
    const apex_track *track;
    const apex_track_figures *figures;
} apex_track_sheet;

void apex_track_report_text(const apex_track_sheet *sheet, FILE *out);
void apex_track_report_json(const apex_track_sheet *sheet, FILE *out);
/// A picture that needs nothing but itself, with the same bytes for the same track. Its unit is the
/// metre. @return NO_MEMORY, or IO when `out` fails.
apex_err apex_track_draw_svg(const apex_track_sheet *sheet, FILE *out);
