// The plan of a driver: the road read station by station, a line laid on it, and speeds along that.
#include "driver/plan/driver_plan.h"

#include <math.h>
#include <stdlib.h>

#include "base/assert.h"
#include "base/trig.h"
#include "driver/plan/racing_line.h"
#include "driver/plan/speed_profile.h"

static const double STEP_M = 4.0;
static const double MARGIN_M = 0.9; // between the car's side and the road's edge
static const double FAR_M = 1e6;    // past the ends of any stretch

static const double SPEED_MPS_MAX = 130.0;
static const double LEAP_STEP_M = 2.0;
static const double LANDING_MPS_MAX = 3.5; // a fall from 0.6 m
static const double RIDER_LANDING_MPS_MAX = 2.0;

enum { LEAP_STEPS = 10 };
enum { COUNT_MULTIPLE = 32 }; // so that the line's coarse strides come out even

static double least(double a, double b) {
    return a < b ? a : b;
}

static double friction_at(const apex_track *track, double s_m, double offset_m) {
    const apex_ground *ground = apex_track_ground(track);
    apex_placement at = apex_track_placement(track, s_m, offset_m);
    apex_ground_sample sample = apex_ground_at(ground, at.x_m, at.y_m, at.z_m);
    APEX_ASSERT(sample.surface < ground->surface_count);
    return ground->surfaces[sample.surface].friction;
}

static void read_station(const apex_driver_plan *plan, double s_m, driver_station *station) {
    apex_track_frame frame = apex_track_frame_at(plan->track, s_m);
    double sine = 0.0;
    double cosine = 1.0;
    apex_sincos(frame.heading_rad, &sine, &cosine);
    station->centre_x_m = frame.x_m;
    station->centre_y_m = frame.y_m;
    station->normal_x = -sine;
    station->normal_y = cosine;
    double margin_m = plan->car.half_width_m + MARGIN_M;
    double high_m = frame.left_m - margin_m;
    double low_m = margin_m - frame.right_m;
    if (low_m > high_m) { // a road narrower than the car with its margins: its middle
        low_m = high_m = 0.5 * (low_m + high_m);
    }
    station->offset_m_min = low_m;
    station->offset_m_max = high_m;
    station->offset_m = low_m > 0.0 ? low_m : high_m < 0.0 ? high_m : 0.0;
    station->banking_rad = frame.banking_rad;
    station->slope_rad = frame.slope_rad;
    station->middle_curvature_per_m = frame.curvature_per_m;
    station->friction = friction_at(plan->track, s_m, 0.0);
}

// A line may leave a dry road for a patch of ice beside the middle.
static void read_friction_of_line(apex_driver_plan *plan) {
    for (uint32_t i = 0; i < plan->count; i++) {
        driver_station *station = &plan->stations[i];
        double s_m = plan->first_s_m + i * plan->step_m;
        station->friction =
            least(station->friction, friction_at(plan->track, s_m, station->offset_m));
    }
}

// Over a crest a car may fly as long as it comes down softly: where it takes off at slope a and
// lands at slope b, it meets the road at v (a - b). Slower than the crest's own sqrt(g / c) it does
// not take off at all, however much the road falls.
static double leap_mps(const apex_driver_plan *plan, double s_m) {
    double sharpest_per_m = 0.0;
    double highest_rad = -1.0;
    double fallen_rad = 0.0;
    double before_rad = 0.0;
    for (int i = 0; i <= LEAP_STEPS; i++) {
        double at_m = s_m + (i - 0.5 * LEAP_STEPS) * LEAP_STEP_M;
        double slope_rad = apex_track_frame_at(plan->track, at_m).slope_rad;
        if (i > 0) {
            sharpest_per_m = least(sharpest_per_m, (slope_rad - before_rad) / LEAP_STEP_M);
        }
        highest_rad = slope_rad > highest_rad ? slope_rad : highest_rad;
        fallen_rad = least(fallen_rad, slope_rad - highest_rad);
        before_rad = slope_rad;
    }
    double lifting_per_m = -sharpest_per_m - plan->car.downforce_n_per_mps2 / plan->car.mass_kg;
    if (lifting_per_m < 1e-4) {
        return SPEED_MPS_MAX;
    }
    double takes_off_mps = sqrt(plan->car.gravity_mps2 / lifting_per_m);
    double landing_mps = plan->car.leans ? RIDER_LANDING_MPS_MAX : LANDING_MPS_MAX;
    double soft_mps = fallen_rad < -1e-3 ? landing_mps / -fallen_rad : SPEED_MPS_MAX;
    return least(takes_off_mps > soft_mps ? takes_off_mps : soft_mps, SPEED_MPS_MAX);
}

static void read_crests(apex_driver_plan *plan) {
    for (uint32_t i = 0; i < plan->count; i++) {
        double before_rad = plan->stations[driver_line_index(plan, i, -2)].slope_rad;
        double after_rad = plan->stations[driver_line_index(plan, i, 2)].slope_rad;
        plan->stations[i].crest_per_m = (after_rad - before_rad) / (4.0 * plan->step_m);
        plan->stations[i].leap_mps = leap_mps(plan, plan->first_s_m + i * plan->step_m);
    }
}

// A stretch has tarmac before its start and past its finish; the frames there say how much.
static void measure(apex_driver_plan *plan) {
    double length_m = apex_track_length_m(plan->track);
    plan->closed = apex_track_closed(plan->track);
    plan->first_s_m = 0.0;
    if (!plan->closed) {
        apex_track_frame first = apex_track_frame_at(plan->track, -FAR_M);
        apex_track_frame last = apex_track_frame_at(plan->track, FAR_M);
        plan->first_s_m = apex_track_find(plan->track, first.x_m, first.y_m, first.z_m).s_m;
        length_m = apex_track_find(plan->track, last.x_m, last.y_m, last.z_m).s_m - plan->first_s_m;
    }
    uint32_t pieces = (uint32_t)(length_m / (STEP_M * COUNT_MULTIPLE)) + 1;
    plan->count = pieces * COUNT_MULTIPLE;
    plan->step_m = length_m / (plan->closed ? plan->count : plan->count - 1);
}

apex_err apex_driver_plan_create(const apex_track *track, const apex_car_def *car,
                                 double gravity_mps2, apex_driver_plan **out) {
    APEX_ASSERT(track != NULL && car != NULL && out != NULL && gravity_mps2 > 0.0);
    apex_driver_plan *plan = calloc(1, sizeof *plan);
    if (plan == NULL) {
        return APEX_ERR_NO_MEMORY;
    }
    plan->track = track;
    plan->car = driver_car_of(car, gravity_mps2);
    measure(plan);
    plan->stations = calloc(plan->count, sizeof *plan->stations);
    if (plan->stations == NULL) {
        free(plan);
        return APEX_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < plan->count; i++) {
        read_station(plan, plan->first_s_m + i * plan->step_m, &plan->stations[i]);
    }
    read_crests(plan);
    driver_line_place(plan);
    driver_set_speeds(plan);
    for (uint32_t i = 0; i < plan->count; i++) {
        plan->stations[i].middle_mps = plan->stations[i].speed_mps;
    }
    driver_line_relax(plan);
    read_friction_of_line(plan);
    driver_set_speeds(plan);
    *out = plan;
    return APEX_OK;
}

void apex_driver_plan_destroy(apex_driver_plan *plan) {
    if (plan != NULL) {
        free(plan->stations);
        free(plan);
    }
}

static double mix(double a, double b, double share) {
    return a + share * (b - a);
}

// Between two stations.
typedef struct plan_span {
    const driver_station *a, *b;
    double share;
} plan_span;

static plan_span span_at(const apex_driver_plan *plan, double s_m) {
    double at = (s_m - plan->first_s_m) / plan->step_m;
    double last = plan->count - 1.0;
    if (plan->closed) {
        at -= plan->count * floor(at / plan->count);
        at = at < plan->count ? at : 0.0; // rounding just below a whole lap
    } else {
        at = at > 0.0 ? at < last ? at : last : 0.0;
    }
    uint32_t index = (uint32_t)at;
    return (plan_span){&plan->stations[index], &plan->stations[driver_line_index(plan, index, 1)],
                       at - index};
}

driver_point driver_plan_at(const apex_driver_plan *plan, double s_m) {
    plan_span span = span_at(plan, s_m);
    const driver_station *a = span.a, *b = span.b;
    double share = span.share;
    return (driver_point){
        .tangent_x = mix(a->tangent_x, b->tangent_x, share),
        .tangent_y = mix(a->tangent_y, b->tangent_y, share),
        .offset_m = mix(a->offset_m, b->offset_m, share),
        .offset_m_min = mix(a->offset_m_min, b->offset_m_min, share),
        .offset_m_max = mix(a->offset_m_max, b->offset_m_max, share),
        .curvature_per_m = mix(a->curvature_per_m, b->curvature_per_m, share),
        .speed_mps = mix(a->speed_mps, b->speed_mps, share),
        .middle_curvature_per_m = mix(a->middle_curvature_per_m, b->middle_curvature_per_m, share),
        .middle_mps = mix(a->middle_mps, b->middle_mps, share),
        .banking_rad = mix(a->banking_rad, b->banking_rad, share),
        .friction = least(a->friction, b->friction),
        .climb_mps2 = plan->car.gravity_mps2 * mix(a->slope_rad, b->slope_rad, share),
        .crest_per_m = mix(a->crest_per_m, b->crest_per_m, share),
        .acceleration_mps2 =
            (b->speed_mps * b->speed_mps - a->speed_mps * a->speed_mps) / (2.0 * plan->step_m),
    };
}

double apex_driver_plan_offset_m(const apex_driver_plan *plan, double s_m) {
    APEX_ASSERT(plan != NULL);
    return driver_plan_at(plan, s_m).offset_m;
}

double apex_driver_plan_speed_mps(const apex_driver_plan *plan, double s_m) {
    APEX_ASSERT(plan != NULL);
    plan_span span = span_at(plan, s_m);
    return mix(span.a->speed_mps, span.b->speed_mps, span.share);
}
