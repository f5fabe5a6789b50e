/// Sine, arctangent and their kin with the same bits everywhere.
///
/// The C library's versions differ between systems and releases in their last bits, and a race that
/// is off by one bit is another race a minute later. These use only + - * /, sqrt and conversions
/// between double and integer, so every compiler gives one answer (with contraction off).
/// Nothing here sets errno or traps; an argument that is not a number gives not-a-number.
#pragma once

#define APEX_PI 3.14159265358979323846
/// The excess of pi over the nearest double to it.
#define APEX_PI_TAIL 1.2246467991473531772e-16

/// atan(k / 16), for code that computes many angles at a time.
extern const double APEX_ATAN_SIXTEENTHS[17];

/// Error below 1 ulp of 1 (2.2e-16) for |x| up to 1e6, and below 1e-15 of the result where that is
/// larger than 1e-8. Beyond 1e6 radians the argument's own spacing dominates; infinite gives NaN.
double apex_sin(double x_rad);
double apex_cos(double x_rad);
void apex_sincos(double x_rad, double *sin, double *cos);

/// Sine over cosine, to the bit. Relative error below 5e-16 for |x| up to 1e3.
double apex_tan(double x_rad);

/// Relative error below 5e-16 everywhere; +-infinity gives +-pi/2.
double apex_atan(double x);

/// Angle of the point (x, y), -pi..pi, relative error below 6e-16. Both zero gives 0.
double apex_atan2(double y, double x);

/// Arguments a rounding error outside -1..1 count as -1 or 1: they come from dot products of unit
/// vectors. Error below 1e-15.
double apex_asin(double x);
double apex_acos(double x);

/// Relative error below 5e-16 for -700 < x < 709; 0 below -708, infinity above 709.78.
double apex_exp(double x);

/// The angle that differs from `angle_rad` by whole turns and lies in -pi..pi.
double apex_wrap_angle(double angle_rad);
