// The numbers of a kind of car, as the step reads them. Included twice by type.h: once with
// NUMBER as real, for one kind, and once as lanes, for the kinds of eight cars side by side.
// Nothing but NUMBERs may stand here, so that one is the other's transpose. Yes and no are 1 and 0.

typedef struct NUMBERS(tyre_axis) {
    NUMBER b_peak; ///< b times the slip of the peak
    NUMBER c, e;
    NUMBER d;           ///< force at the peak, per load and friction
    NUMBER rest_secant; ///< force per load, friction and normalised slip, at no slip
    NUMBER peak_slip;   ///< slip of greatest force; the unit of normalised slip
    NUMBER per_peak;    ///< its inverse
    NUMBER relaxation_m, per_relaxation;
    NUMBER per_deflection; ///< 1 / (relaxation * peak slip): deflection -> normalised slip
} NUMBERS(tyre_axis);

typedef struct NUMBERS(tyre) {
    NUMBERS(tyre_axis) longitudinal, lateral;
    NUMBER is_linear, is_brush; ///< neither: magic formula
    NUMBER is_isotropic;        ///< both axes have one curve
    NUMBER radius_m, inertia_kgm2;
    NUMBER per_load_nominal, load_sensitivity;
    NUMBER camber_stiffness, trail_m;
    NUMBER rolling, rolling_s_per_m;
    NUMBER slide_loss; ///< share of the force that is lost once sliding
    NUMBER vertical_n_per_m;
    NUMBER vertical_ns_per_m; ///< as felt by a hub that gives way within the substep
    NUMBER temperature_best_c, per_temperature_window;
    NUMBER per_heat_capacity, wear_per_j;
} NUMBERS(tyre);

/// A value over travel, in pieces: the sum of slope * how much of the piece lies below the travel.
typedef struct NUMBERS(travel_curve) {
    NUMBER start_rad;
    NUMBER from_m[APEX_CURVE_POINTS_MAX - 1];
    NUMBER length_m[APEX_CURVE_POINTS_MAX - 1];
    NUMBER slope[APEX_CURVE_POINTS_MAX - 1];
} NUMBERS(travel_curve);

typedef struct NUMBERS(suspension) {
    NUMBER static_n; ///< of the spring at travel 0
    NUMBER spring_n_per_m, bump_ns_per_m, rebound_ns_per_m;
    NUMBER travel_bump_m, travel_rebound_m, stop_n_per_m;
    NUMBER anti_roll_n_per_m;
    NUMBER jacking; ///< vertical force of the links per lateral force: slope to the roll centre
    NUMBER is_solid;
    NUMBER unsprung_kg, per_unsprung;
    NUMBER hub_z_m; ///< from the centre of mass at travel 0
    NUMBER toe_rad, camber_rad;
    NUMBER has_curves;
    NUMBERS(travel_curve) camber, toe;
} NUMBERS(suspension);

typedef struct NUMBERS(axle) {
    NUMBERS(tyre) tyre;
    NUMBERS(suspension) suspension;
    NUMBER present[2]; ///< is there a wheel on the left, on the right; a single one is the left
    NUMBER x_m, half_track_m;
    NUMBER mean_share; ///< of a wheel in the axle's mean: 1/2, or 1 of a single one
    NUMBER steer_share;
    NUMBER per_ackermann; ///< tangent of a wheel is t / (1 - t y per_ackermann)
    NUMBER drive_share;
    NUMBER is_locked, is_limited; ///< neither, and no viscosity: open
    NUMBER preload_nm, power_bias, coast_bias, viscous_nms;
    NUMBER brake_nm, handbrake_nm, per_brake_heat, brake_fade_c;
    NUMBER lift_m2;
} NUMBERS(axle);

typedef struct NUMBERS(engine) {
    NUMBER idle_radps, limiter_radps, blow_radps;
    NUMBER idle_nm; ///< most that the idle governor gives
    NUMBER inertia_kgm2, per_inertia, brake_nms;
    NUMBER turbo_lag_s, turbo_share;
    NUMBER fuel_kg_per_j, fuel_idle_kg_per_s;
} NUMBERS(engine);

typedef struct NUMBERS(centre) {
    NUMBER is_locked, is_limited;
    NUMBER preload_nm, power_bias, coast_bias, viscous_nms;
} NUMBERS(centre);

typedef struct NUMBERS(numbers) {
    NUMBERS(axle) axles[APEX_AXLES_MAX];
    NUMBERS(engine) engine;
    NUMBERS(centre) centre;
    NUMBER gear_count, efficiency, shift_time_s, up_radps, down_radps, clutch_nm;
    NUMBER launch_radps;    ///< at which the engine can give the greatest thrust from rest
    NUMBER driven_radius_m; ///< mean of the driven wheels
    NUMBER mass_kg;         ///< all of it
    NUMBER unsprung_kg;     ///< of all wheels
    NUMBER sprung_x_kgm;    ///< first moment of the sprung part
    NUMBER fuel_x_m;
    NUMBER inertia_kgm2[3]; ///< roll and pitch of the sprung part, yaw of all
    NUMBER wheelbase_m;
    NUMBER steer_max_rad, steer_rate_radps, steer_fade_mps;
    NUMBER drag_m2, drag_height_m, slipstream_strength;
    NUMBER abs, traction_control, stability_control, steering_assist, launch_control;
    NUMBER has_automatic_clutch;
    NUMBER is_motorcycle, is_kinematic;
    NUMBER lean_friction; ///< motorcycle: lateral acceleration per gravity that a rider asks for
    NUMBER com_height_m;
    NUMBER patch_mass_share; ///< of the mass on a tyre, what its patch feels: the body may tip, too
    NUMBER hull_half_m[3], hull_centre_m[3];
} NUMBERS(numbers);
