// A visit to the pits: a way across the road as a function of the way along it, and the speeds that
// go with it. It keeps nothing from tick to tick, so a driver who is saved, or whose orders change,
// goes on from where he is.
//
// The way leaves the line before the entry, follows the lane's middle, swings into the box and out
// of it, and comes back to the line behind the exit. He is not left to the line at the exit itself:
// in the bend after it the line may lie at the other side of the road and lead across it, and a car
// that follows its direction from the wrong side is led off the road.
#include "driver/drive/pit_visit.h"

#include <math.h>

#include "base/trig.h"
#include "driver/clamp.h"
#include "driver/plan/driver_plan.h"

static const double APPROACH_M = 140.0; // before the entry the way leaves the line
static const double BESIDE_M = 20.0;    // and so far it has run along the edge
static const double SWING_M = 16.0;     // from the lane's middle into the box, along the lane
static const double STRAIGHT_M = 3.0;   // beside the box's middle, where he has swung in
static const double SWING_MPS = 5.0;
static const double LEAN_SWING_MPS = 4.0; // leaning comes before turning
static const double ASIDE_M_MAX = 3.0;    // from the way: further off it is another's
static const double BRAKE_MPS2 = 4.0;
static const double BRAKE_MPS2_MAX = 7.0; // an entry that would need more is for the next lap
static const double BOX_BRAKE_MPS2 = 2.5;
static const double LINE_SPARE_M = 8.0;
static const double BELOW_LIMIT_MPS = 0.5;
static const double STAND_M = 0.25;
static const double STANDS_MPS = 0.5;
static const double RELEASE_S = 3.5;  // before whoever comes along the lane
static const double ABREAST_M = 4.0;  // he is not past yet
static const double MISSED_M = 1.0;   // past the middle of his box
static const double STEP_M = 4.0;     // from sample to sample of the way
static const double BEND_SHARE = 0.7; // of the grip, for the bends of the way
static const double PREVIEW_S = 0.18; // until the car turns as it was steered

enum { SAMPLES = 20, HERE = 4, HALF = 3 };

typedef struct pit_way {
    const apex_driver_plan *plan;
    apex_track_pits lane;
    double side;              // of the road: 1 left, -1 right
    double since_m;           // where he is, from the lane's entry; negative before it
    double box_m;             // likewise; negative: none
    bool stops;               // at it
    double smooth_m[SAMPLES]; // offset of the way, without the box; from HALF to SAMPLES - 1 - HALF
} pit_way;

// Since the lane's entry; on a circuit negative from where he has merged.
static double since_m(const apex_track *track, const apex_track_pits *lane, double s_m) {
    double since = s_m - lane->entry_s_m;
    if (!apex_track_closed(track)) {
        return since;
    }
    double lap_m = apex_track_length_m(track);
    since += since < 0.0 ? lap_m : 0.0;
    return since > lane->length_m + APEX_DRIVER_MERGE_M ? since - lap_m : since;
}

static pit_way way_of(const driver_now *now) {
    const apex_driver_orders *orders = &now->view->orders;
    const apex_track *track = now->plan->track;
    pit_way way = {.plan = now->plan, .lane = apex_track_pits_of(track), .box_m = -1.0};
    way.side = way.lane.side == APEX_SIDE_LEFT ? 1.0 : -1.0;
    way.since_m = since_m(track, &way.lane, now->place.s_m);
    if (orders->box1 > 0 && orders->box1 <= way.lane.box_count) {
        // The middle of the hull is to stand in the middle of the box.
        way.box_m = apex_track_pit_box_since_m(track, orders->box1 - 1) -
                    now->plan->car.def->hull.centre_x_m;
        way.stops = !orders->released;
    }
    return way;
}

static double eased(double share) {
    double within = driver_clamped(share, 0.0, 1.0);
    return within * within * (3.0 - 2.0 * within);
}

// Off the line to the edge of the road, as far inside it as the lane begins and ends; the lane's
// middle; and back to the line.
static double offset_at(const pit_way *way, double since) {
    const apex_track *track = way->plan->track;
    const apex_track_pits *lane = &way->lane;
    double s_m = lane->entry_s_m + since;
    double lap_m = apex_track_length_m(track);
    s_m -= apex_track_closed(track) ? floor(s_m / lap_m) * lap_m : 0.0;
    apex_track_frame frame = apex_track_frame_at(track, s_m);
    if (since >= 0.0 && since < lane->length_m) {
        apex_track_place middle = {s_m, 0.0, frame.left_m, frame.right_m, true};
        return -apex_track_pit_place_of(track, &middle).offset_m;
    }
    double half_m = way->side > 0.0 ? frame.left_m : frame.right_m;
    double edge_m = way->side * (half_m - 0.5 * lane->width_m);
    double line_m = driver_plan_at(way->plan, s_m).offset_m;
    double share = since < 0.0
                       ? eased((since + APPROACH_M) / (APPROACH_M - BESIDE_M))
                       : eased(1.0 - (since - lane->length_m) / (double)APEX_DRIVER_MERGE_M);
    return line_m + share * (edge_m - line_m);
}

// A lane's tapers bend more than its limit allows for; a car is narrower than it, and cuts them.
static void smooth(pit_way *way) {
    double raw_m[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) {
        raw_m[i] = offset_at(way, way->since_m + (i - HERE) * STEP_M);
    }
    for (int i = HALF; i < SAMPLES - HALF; i++) {
        double sum_m = 0.0;
        for (int k = -HALF; k <= HALF; k++) {
            sum_m += raw_m[i + k];
        }
        way->smooth_m[i] = sum_m / (2 * HALF + 1);
    }
}

// Into the box, and out of it. The wheel has time to turn: at either end the way is straight.
typedef struct swing {
    double aside_m, slope, bend_per_m;
} swing;

static swing swing_at(const pit_way *way, double since) {
    double from_box_m = since - way->box_m;
    double x = 1.0 - (fabs(from_box_m) - STRAIGHT_M) / SWING_M;
    double depth_m = way->side * 0.5 * (way->lane.width_m + way->lane.box_depth_m);
    if (way->box_m < 0.0 || x <= 0.0) {
        return (swing){0.0, 0.0, 0.0};
    }
    if (x >= 1.0) {
        return (swing){depth_m, 0.0, 0.0};
    }
    double steep = 30.0 * x * x * (1.0 - x) * (1.0 - x) * depth_m / SWING_M;
    return (swing){
        .aside_m = x * x * x * (10.0 - 15.0 * x + 6.0 * x * x) * depth_m,
        .slope = from_box_m < 0.0 ? steep : -steep,
        .bend_per_m = 60.0 * x * (1.0 - x) * (1.0 - 2.0 * x) * depth_m / (SWING_M * SWING_M),
    };
}

static double way_at(const pit_way *way, double ahead_m) {
    double at = driver_clamped(ahead_m / STEP_M, 0.0, SAMPLES - HALF - 2 - HERE);
    int i = (int)at;
    double share = at - i;
    const double *here = &way->smooth_m[HERE + i];
    return here[0] + share * (here[1] - here[0]) + swing_at(way, way->since_m + ahead_m).aside_m;
}

static double smooth_bend(const pit_way *way, int i) {
    const double *at = &way->smooth_m[i];
    return (at[1] - 2.0 * at[0] + at[-1]) / (STEP_M * STEP_M);
}

// The speed from which he can slow down to another over a way.
static double before_mps(double mps, double way_m, double brake_mps2) {
    return sqrt(mps * mps + 2.0 * brake_mps2 * fmax(way_m, 0.0));
}

static bool can_brake(const pit_way *way, const driver_now *now) {
    double way_m = way->lane.line_in_m - way->since_m;
    return now->view->speed_mps <= before_mps(way->lane.speed_limit_mps, way_m, BRAKE_MPS2_MAX);
}

static bool is_on_way(const pit_way *way, const driver_now *now) {
    const apex_track_pits *lane = &way->lane;
    double since = way->since_m;
    if (since < -APPROACH_M || since >= lane->length_m + APEX_DRIVER_MERGE_M) {
        return false;
    }
    if (since < 0.0) {
        return can_brake(way, now);
    }
    if (now->place.on_road) {
        bool parted = since > lane->line_in_m && since < lane->line_out_m;
        return !parted && fabs(now->place.offset_m - offset_at(way, since)) < ASIDE_M_MAX;
    }
    apex_track_pit_place pit = apex_track_pit_place_of(now->plan->track, &now->place);
    double aside_m = now->place.offset_m - offset_at(way, since) - swing_at(way, since).aside_m;
    return pit.in_lane || pit.in_boxes || fabs(aside_m) < ASIDE_M_MAX;
}

typedef struct visit_wish {
    driver_now *now;
    driver_room *wish;
    double skill;
} visit_wish;

// Whoever dares less than the plan brakes here as hard as everybody: the way leaves no more room.
static void slow_to(visit_wish *of, double mps, double brake_mps2) {
    if (mps < of->wish->speed_mps) {
        of->wish->speed_mps = mps;
        of->now->here.acceleration_mps2 = -brake_mps2 / (of->skill * of->skill);
    }
}

// Of a car that has an entry further ahead, and brakes for it.
static void foresee(const pit_way *way, driver_now *now) {
    if (way->since_m < -APPROACH_M && can_brake(way, now)) {
        double limit_mps = way->lane.speed_limit_mps - BELOW_LIMIT_MPS;
        double from_mps = before_mps(limit_mps, way->lane.line_in_m - way->since_m, BRAKE_MPS2);
        if (from_mps < now->soon.speed_mps) {
            now->soon.speed_mps = from_mps;
            now->here.acceleration_mps2 = -BRAKE_MPS2;
        }
    }
}

bool driver_visit_follow(driver_now *now) {
    if (!now->view->orders.pits || !apex_track_pits_of(now->plan->track).exists) {
        return false;
    }
    pit_way way = way_of(now);
    if (!is_on_way(&way, now)) {
        foresee(&way, now);
        return false;
    }
    smooth(&way);
    apex_track_frame frame = apex_track_frame_at(now->plan->track, now->place.s_m);
    swing here = swing_at(&way, way.since_m);
    now->here.offset_m = way_at(&way, 0.0);
    double slope = here.slope + (way.smooth_m[HERE + 1] - way.smooth_m[HERE - 1]) / (2.0 * STEP_M);
    double along = fmax(1.0 - frame.curvature_per_m * now->here.offset_m, 0.2);
    apex_sincos(frame.heading_rad + apex_atan(slope / along), &now->here.tangent_y,
                &now->here.tangent_x);
    double preview_m = PREVIEW_S * fmax(now->view->speed_mps, 0.0);
    int soon = HERE + (int)(preview_m / STEP_M + 0.5);
    soon = soon < SAMPLES - HALF - 1 ? soon : SAMPLES - HALF - 2;
    now->preview.curvature_per_m = now->preview.middle_curvature_per_m + smooth_bend(&way, soon) +
                                   swing_at(&way, way.since_m + preview_m).bend_per_m;
    now->ahead.offset_m = way_at(&way, now->look_m);
    now->ahead.offset_m_min = now->ahead.offset_m_max = now->ahead.offset_m;
    return true;
}

// No faster than the tyres take the bends of the way; that of the box has a speed of its own.
static void slow_for_bends(const pit_way *way, visit_wish *of) {
    const driver_now *now = of->now;
    const driver_car *car = &now->plan->car;
    double side_mps2 = BEND_SHARE * car->grip_lat * now->here.friction * car->gravity_mps2;
    for (int i = HERE; i < SAMPLES - HALF - 1; i++) {
        double s_m = now->place.s_m + (i - HERE) * STEP_M;
        double road_per_m = apex_track_frame_at(way->plan->track, s_m).curvature_per_m;
        double along = fmax(1.0 - road_per_m * way->smooth_m[i], 0.2);
        double bend_per_m = smooth_bend(way, i) + road_per_m / along;
        double bend_mps = sqrt(side_mps2 / fmax(fabs(bend_per_m), 1e-6));
        double way_m = (i - HERE) * STEP_M;
        slow_to(of, before_mps(bend_mps, way_m, BRAKE_MPS2), way_m > 0.0 ? BRAKE_MPS2 : 0.0);
    }
}

static void slow_for_limit(const pit_way *way, visit_wish *of) {
    double limit_mps = way->lane.speed_limit_mps - BELOW_LIMIT_MPS;
    double to_line_m = way->lane.line_in_m - LINE_SPARE_M - way->since_m;
    if (to_line_m > 0.0) {
        slow_to(of, before_mps(limit_mps, to_line_m, BRAKE_MPS2), BRAKE_MPS2);
    } else if (way->since_m < way->lane.line_out_m) {
        slow_to(of, limit_mps, 0.0);
        of->now->lane_limit_mps = way->lane.speed_limit_mps;
    }
}

// Somebody comes along the lane who would have to brake for a car that moves out now.
static bool must_wait(const pit_way *way, const driver_now *now) {
    double lane_m = 0.5 * (way->lane.width_m + way->lane.box_depth_m);
    for (uint32_t i = 0; i < now->view->neighbour_count; i++) {
        const apex_driver_neighbour *other = &now->view->neighbours[i];
        double inwards_m = -way->side * other->left_m;
        bool in_lane = fabs(inwards_m - lane_m) < 0.5 * way->lane.width_m;
        double behind_m = -other->ahead_m;
        if (in_lane && behind_m > -ABREAST_M && behind_m < RELEASE_S * other->closing_mps) {
            return true;
        }
    }
    return false;
}

static void slow_for_box(const pit_way *way, visit_wish *of) {
    double left_m = way->box_m - way->since_m;
    double swing_m = left_m - STRAIGHT_M - SWING_M;
    if (way->box_m < 0.0 || left_m < -STRAIGHT_M - SWING_M) {
        return;
    }
    bool comes = way->stops && left_m >= -MISSED_M;
    if (comes || swing_m < 0.0) {
        double swing_mps = of->now->plan->car.leans ? LEAN_SWING_MPS : SWING_MPS;
        slow_to(of, before_mps(swing_mps, swing_m, BOX_BRAKE_MPS2),
                swing_m > 0.0 ? BOX_BRAKE_MPS2 : 0.0);
    }
    if (!way->stops && fabs(left_m) < MISSED_M && of->now->view->speed_mps < STANDS_MPS) {
        of->now->stands = must_wait(way, of->now);
    }
    if (comes) {
        slow_to(of, before_mps(0.0, left_m, BOX_BRAKE_MPS2), BOX_BRAKE_MPS2);
        of->now->stands = left_m < STAND_M;
    }
}

void driver_visit_wish(double skill, driver_now *now, driver_room *wish) {
    pit_way way = way_of(now);
    smooth(&way);
    wish->offset_m = now->ahead.offset_m;
    visit_wish of = {now, wish, skill};
    slow_for_bends(&way, &of);
    slow_for_limit(&way, &of);
    slow_for_box(&way, &of);
}
