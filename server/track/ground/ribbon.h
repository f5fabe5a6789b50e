/// The cross-section of the ground along the lap: road, strips on and beside it, verge, and the
/// bank that leads down (or up) to the level of the outside.
#pragma once

#include "track/laid_track.h"

/// The shoulder beyond one edge of the road at a station.
typedef struct track_shoulder {
    double wide_m; ///< verge and strips, outwards from the road's edge
    double bank_m; ///< from there to the outside's level; 0 where both are level
    bool folds;    ///< on the inside of a bend whose middle it comes near
    double bend_m; ///< mean height of that bend
} track_shoulder;

typedef struct track_ribbon_strip {
    const apex_track_strip *def;
    uint8_t surface;
    bool whole_lap;
} track_ribbon_strip;

/// Strips over one metre of lap; what a node of the ground costs is bounded by it.
enum { TRACK_ACTIVE_MAX = 32 };

typedef struct track_ribbon {
    const apex_track *track;
    track_shoulder *shoulders;           ///< [station * 2 + (0 left, 1 right)]
    uint8_t (*active)[TRACK_ACTIVE_MAX]; ///< by segment: strips that touch it, rising
    uint8_t *active_count;               ///< by segment
    uint32_t strip_count;
    track_ribbon_strip strips[APEX_TRACK_STRIPS_MAX];
    double first_u_m; ///< of station 0, from the definition's first point
    double verge_m;
    double outside_m; ///< height of the outside: the median of the centre line's
    uint64_t roughness_seed;
    uint8_t road_surface, verge_surface, outside_surface, pit_surface;
} track_ribbon;

/// A point in the cross-section of a segment.
typedef struct track_section {
    uint32_t segment;
    double t;               ///< 0..1 along the segment
    double offset_m;        ///< to the left of the centre line
    double left_m, right_m; ///< outside the left edge, outside the right edge
    double beside_m;        ///< the larger of them; negative on the road
    double beyond_m;        ///< the same, but past the ends of an open track as far as from its end
    double wide_m, bank_m;
    bool past_end; ///< of an open track
} track_section;

// Beyond the road's edge its banking eases to level over this distance, so that a steep oval does
// not raise a verge as high as a house.
#define TRACK_EASE_M 4.0

/// @return the distance up the edge's slope that a point outside the road counts for.
static inline double track_ribbon_eased_m(double beyond_m) {
    return beyond_m < TRACK_EASE_M ? beyond_m - beyond_m * beyond_m / (2 * TRACK_EASE_M)
                                   : TRACK_EASE_M / 2;
}

/// @return the rest of a metre of lap beside the road, at an offset to the inside of a bend.
static inline double track_ribbon_left_of_lap(double curvature, double offset_m) {
    return 1 - curvature * offset_m;
}

/// A place on the lap from the definition's first point.
static inline double track_ribbon_along_m(const track_ribbon *ribbon, uint32_t segment, double t) {
    double u_m = ribbon->first_u_m + (segment + t) * ribbon->track->spacing_m;
    if (ribbon->track->closed && u_m >= ribbon->track->curve_m) {
        u_m -= ribbon->track->curve_m;
    }
    return u_m;
}

/// @return whether a strip lies at such a place.
static inline bool track_strip_covers(const apex_track_strip *strip, double u_m) {
    if (strip->from_m <= strip->to_m) {
        return u_m >= strip->from_m && u_m <= strip->to_m;
    }
    return u_m >= strip->from_m || u_m <= strip->to_m;
}

track_section track_ribbon_section(const track_ribbon *ribbon, uint32_t segment, double t,
                                   double offset_m);
/// @param banked false keeps the verge's level for ever: the shelf beside a bridge.
double track_ribbon_height_m(const track_ribbon *ribbon, const track_section *at, bool banked);
uint8_t track_ribbon_surface(const track_ribbon *ribbon, const track_section *at);
