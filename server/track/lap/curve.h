/// The smooth line through a definition's points: a cubic spline over chord length, C2, closed or
/// with natural ends; widths and banking between the points without overshoot.
#pragma once

#include "track/track.h"

/// A point of the definition with what the pieces on both sides of it need.
typedef struct track_knot {
    double u; ///< chord length from the first point: the spline's parameter
    double at[3];
    double bend[3];         ///< second derivative
    double across[3];       ///< left, right, banking
    double across_slope[3]; ///< their first derivatives
} track_knot;

typedef struct track_curve {
    uint32_t piece_count;
    track_knot *knots; ///< piece_count + 1; the last repeats the first on a closed track
} track_curve;

typedef struct track_curve_sample {
    double at[3], first[3], second[3]; ///< position and derivatives by u
} track_curve_sample;

apex_err track_curve_create(const apex_track_def *def, track_curve *curve,
                            apex_def_problem *problem);
void track_curve_destroy(track_curve *curve);
/// @param u between the piece's knots.
track_curve_sample track_curve_at(const track_curve *curve, uint32_t piece, double u);
/// Left width, right width and banking.
void track_curve_across(const track_curve *curve, uint32_t piece, double u, double out[3]);
/// Length in space between two parameters of one piece, at most about 2 m apart.
double track_curve_length_m(const track_curve *curve, uint32_t piece, double from_u, double to_u);
