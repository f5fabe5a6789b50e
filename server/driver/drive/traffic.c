// Other cars, in the road's own coordinates: how far along, how far across. A car beside us keeps
// its lane; a slower one ahead is passed where there is room, else followed.
#include "driver/drive/traffic.h"

#include <math.h>

#include "driver/plan/driver_plan.h"

static const double SIDE_GAP_M = 0.7;
static const double EDGE_USE_M = 0.4;
static const double FOLLOW_GAP_M = 3.0;
static const double FOLLOW_S = 0.6;
static const double BRAKE_MPS2 = 6.0;
static const double CLOSE_IN_MPS2 = 3.0;
static const double FOLLOW_RATE_PER_S = 0.5;
static const double DROP_BACK_MPS = 1.5;
static const double ABREAST_M = 0.5;
static const double ABREAST_LENGTH = 1.5;
static const double ON_LINE_M = 1.2;
static const double PASS_S = 4.0; // worth a lane change when we are there within so long
static const double PASS_NEAR_S = 0.8;
static const double PASS_ROOM_S = 4.0; // of straight that is left, for that
static const double PASS_NEAR_M = 6.0;
static const double PASS_SHARE = 0.97; // of our own speed: a car nearly as fast is not worth it
static const double PASS_SHARE_BEND = 0.4;
static const double PASS_BEND_PER_M = 0.005;
// A car so close behind would like to go by; with one so close ahead it is that one which holds up.
static const double HELD_S = 1.2;
static const double HELD_M = 8.0;
static const double FREE_S = 1.8;
static const double FALLS_BACK_MPS = 1.5;

enum { PASS_LOOKS = 5 };

typedef struct other_car {
    double gap_m;  // ahead positive, centre to centre
    double line_m; // offset of the line where it is
    double offset_m;
    double speed_mps;
    bool passable;   // on a straight where nobody brakes
    double plan_mps; // what we would drive where it is
} other_car;

typedef struct lane {
    double low_m, high_m;
    double own_m; // where we are
} lane;

static bool is_straight(const driver_point *point) {
    return point->acceleration_mps2 > -1.0 && fabs(point->middle_curvature_per_m) < PASS_BEND_PER_M;
}

static bool is_straight_at(const apex_driver_plan *plan, double s_m) {
    driver_point there = driver_plan_at(plan, s_m);
    return is_straight(&there);
}

bool driver_traffic_passable(const apex_driver_plan *plan, double s_m, double room_m) {
    for (int i = 0; i <= PASS_LOOKS; i++) {
        if (!is_straight_at(plan, s_m + room_m * i / PASS_LOOKS)) {
            return false;
        }
    }
    return true;
}

static other_car see(const apex_driver_plan *plan, const apex_driver_view *view,
                     const apex_track_place *own, const double heading[2], uint32_t index) {
    const apex_driver_neighbour *near = &view->neighbours[index];
    double x_m = view->x_m + near->ahead_m * heading[0] - near->left_m * heading[1];
    double y_m = view->y_m + near->ahead_m * heading[1] + near->left_m * heading[0];
    apex_track_place place = apex_track_project(plan->track, x_m, y_m, own->s_m + near->ahead_m);
    double slower_mps = near->ahead_m >= 0.0 ? near->closing_mps : -near->closing_mps;
    double gap_m = apex_track_gap_m(plan->track, own->s_m, place.s_m);
    // Round the inside of a bend it is less far than along the centre line.
    driver_point between = driver_plan_at(plan, own->s_m + 0.5 * gap_m);
    double inside = between.middle_curvature_per_m * 0.5 * (own->offset_m + place.offset_m);
    driver_point there = driver_plan_at(plan, place.s_m);
    return (other_car){
        .gap_m = gap_m * fmin(fmax(1.0 - inside, 0.5), 1.0),
        .line_m = there.offset_m,
        .offset_m = place.offset_m,
        .speed_mps = view->speed_mps - slower_mps,
        .plan_mps = there.speed_mps,
        .passable =
            near->ahead_m > 0.0 &&
            driver_traffic_passable(plan, place.s_m, PASS_ROOM_S * fmax(view->speed_mps, 0.0)),
    };
}

static bool is_beside(const driver_car *car, const apex_track_place *own, const other_car *other) {
    return fabs(other->gap_m) < 2.0 * car->half_length_m + 1.0 &&
           fabs(other->offset_m - own->offset_m) > 1.2 * car->half_width_m;
}

static double pass_width_m(const driver_car *car) {
    return 2.0 * car->half_width_m + SIDE_GAP_M;
}

// A car beside us is left its width of road, even where it is over the edge already.
static void keep_clear(const driver_car *car, const driver_room *road, const other_car *other,
                       lane *open) {
    if (other->offset_m > open->own_m) {
        double his_m = fmin(other->offset_m, road->offset_m_max);
        open->high_m = fmin(open->high_m, his_m - pass_width_m(car));
    } else {
        double his_m = fmax(other->offset_m, road->offset_m_min);
        open->low_m = fmax(open->low_m, his_m + pass_width_m(car));
    }
}

// Passing is for straights; in bends and while braking, only somebody in trouble is driven round.
static bool worth_passing(const driver_car *car, const apex_driver_view *view,
                          const other_car *other, double wish_mps) {
    if (view->orders.no_passing) {
        return false;
    }
    double free_m = other->gap_m - 2.0 * car->half_length_m;
    double closing_mps = fmax(view->speed_mps - other->speed_mps, 0.0);
    double expected_mps = fmin(wish_mps, other->plan_mps);
    double near_m = other->passable ? PASS_NEAR_S * view->speed_mps : PASS_NEAR_M;
    double share = other->passable ? PASS_SHARE : PASS_SHARE_BEND;
    return other->speed_mps < share * expected_mps && other->gap_m > 0.0 &&
           (free_m < near_m || free_m < closing_mps * PASS_S);
}

// The side of a slower car that is nearer to where we are: to where we wish to go would change its
// mind half-way. If neither fits, we stay behind.
static double pass_offset_m(const driver_car *car, const other_car *other, const lane *open,
                            const driver_room *room) {
    double width_m = pass_width_m(car);
    if (fabs(other->offset_m - room->offset_m) >= width_m) {
        return room->offset_m;
    }
    double left_m = other->offset_m + width_m;
    double right_m = other->offset_m - width_m;
    bool left_fits = left_m <= open->high_m;
    bool right_fits = right_m >= open->low_m;
    bool left_nearer = open->own_m >= other->offset_m;
    if (left_fits && (left_nearer || !right_fits)) {
        return left_m;
    }
    return right_fits ? right_m : room->offset_m;
}

// @return whether it is in our way now, or on the line that we will take. Passing, we keep off the
// line.
static bool in_the_way(const driver_car *car, const apex_track_place *own, const other_car *other,
                       bool passing) {
    double width_m = 2.0 * car->half_width_m + 0.3;
    return fabs(other->offset_m - own->offset_m) < width_m ||
           (!passing && fabs(other->offset_m - other->line_m) < width_m);
}

// Two limits: he brakes as hard as he can and we a little less hard, which matters at speed; and he
// goes on as he does and we close in gently, which matters when he stands.
static double follow_mps(const driver_car *car, const other_car *other, double own_mps) {
    double free_m = other->gap_m - 2.0 * car->half_length_m - FOLLOW_GAP_M;
    double ahead_mps = fmax(other->speed_mps, 0.0);
    double closer_m = fmax(free_m, 0.0);
    double brakes_mps = sqrt(ahead_mps * ahead_mps + 2.0 * BRAKE_MPS2 * closer_m);
    double limit_mps = fmin(brakes_mps, ahead_mps + sqrt(2.0 * CLOSE_IN_MPS2 * closer_m));
    // Too close: drop back, but gently, or each car in a queue brakes harder than the one ahead of
    // it.
    double missing_m = FOLLOW_S * own_mps - free_m;
    if (missing_m > 0.0) {
        double most_mps = free_m > 0.0 ? DROP_BACK_MPS : 2.0 * DROP_BACK_MPS;
        double back_mps = fmin(FOLLOW_RATE_PER_S * missing_m, most_mps);
        limit_mps = fmin(limit_mps, fmax(ahead_mps - back_mps, 0.0));
    }
    return limit_mps;
}

// Of two cars abreast at one speed, the one behind falls in if it is kept from where it would be,
// or they would stay so lap after lap. A car that has the line is given way even by one a little
// ahead: outside of it there is no road left when the line comes out of the bend.
static double fall_in_mps(const driver_car *car, const driver_room *wish, const lane *open,
                          const other_car *other, double own_mps) {
    bool kept = wish->offset_m < open->low_m || wish->offset_m > open->high_m;
    bool gains = own_mps - other->speed_mps > DROP_BACK_MPS;
    // Never both: each slower than the other, they would come to a stand.
    bool has_line = fabs(other->offset_m - other->line_m) < ON_LINE_M;
    bool own_line = fabs(open->own_m - other->line_m) < ON_LINE_M;
    double length_m = ABREAST_LENGTH * car->half_length_m;
    double from_m = has_line == own_line ? ABREAST_M : own_line ? length_m : -length_m;
    bool falls_in = kept && !gains && other->gap_m > from_m;
    return falls_in ? other->speed_mps - DROP_BACK_MPS : (double)INFINITY;
}

static void note_company(const apex_driver_view *view, const other_car *other, driver_room *room) {
    double length_m = HELD_M + HELD_S * view->speed_mps;
    double gains_mps = other->speed_mps - view->speed_mps;
    bool level = other->gap_m <= HELD_M;
    room->holds_up |= level && other->gap_m > -length_m && gains_mps > -FALLS_BACK_MPS;
    room->follows |= !level && other->gap_m < HELD_M + FREE_S * view->speed_mps;
}

driver_room driver_traffic(const apex_driver_plan *plan, const apex_driver_view *view,
                           const apex_track_place *own, const double heading[2], driver_room wish) {
    const driver_car *car = &plan->car;
    other_car others[APEX_DRIVER_NEIGHBOURS_MAX];
    uint32_t count = view->neighbour_count;
    count = count < APEX_DRIVER_NEIGHBOURS_MAX ? count : APEX_DRIVER_NEIGHBOURS_MAX;
    lane open = {wish.offset_m_min, wish.offset_m_max, own->offset_m};
    for (uint32_t i = 0; i < count; i++) {
        others[i] = see(plan, view, own, heading, i);
        note_company(view, &others[i], &wish);
        if (is_beside(car, own, &others[i])) {
            keep_clear(car, &wish, &others[i], &open);
        }
    }
    driver_room room = wish;
    for (uint32_t i = 0; i < count; i++) {
        if (is_beside(car, own, &others[i])) {
            double fall_mps = fall_in_mps(car, &wish, &open, &others[i], view->speed_mps);
            room.speed_mps = fmin(room.speed_mps, fall_mps);
            continue;
        }
        if (worth_passing(car, view, &others[i], wish.speed_mps)) {
            room.offset_m = pass_offset_m(car, &others[i], &open, &room);
        }
        if (others[i].gap_m > 0.0 &&
            in_the_way(car, own, &others[i], room.offset_m != wish.offset_m)) {
            room.speed_mps = fmin(room.speed_mps, follow_mps(car, &others[i], view->speed_mps));
        }
    }
    if (open.low_m > open.high_m) { // somebody on either side, or he leaves too little road
        room.offset_m = own->offset_m;
    } else {
        room.offset_m = fmin(fmax(room.offset_m, open.low_m), open.high_m);
        room.offset_m_min = open.low_m;
        room.offset_m_max = open.high_m;
    }
    // Never off the road for anybody; beside another the margin to its edge may be used.
    room.offset_m = fmax(room.offset_m, wish.offset_m_min - EDGE_USE_M);
    room.offset_m = fmin(room.offset_m, wish.offset_m_max + EDGE_USE_M);
    return room;
}
