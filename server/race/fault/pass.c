// Two cars beside each other in a corner.
#include "race/fault/pass.h"

#include "race/fault/reasons.h"

static const double WATCH_S = 0.7;      // in which it is seen who moved
static const double LEVEL_M = 1.0;      // neither passes the other
static const double ROLES_S = 0.5;      // before turn-in: there who is behind is who passes
static const double CONTROLLED_S = 0.5; // beside the mirror before the apex for less is a dive
static const double EDGE_M = 0.5;       // nearer to the road's edge nobody can go
static const double ROOM_M = 1.0;       // with more than this he could have
static const double MOVED_M = 0.5;      // more than his line asks
static const double LOOK_S = 0.05;      // steps in which an overlap is looked for

typedef struct pass {
    const race_scene *scene;
    apex_fault *out;
    uint32_t inside, outside;
    double turn_in_s, apex_s; // when the first of both was there; apex_s 0: not yet
} pass;

static void add(const pass *it, apex_fault_reason_kind kind, uint32_t whom, double value) {
    race_reason_add(it->out, kind, whom, (double[]){value, 0.0});
}

// When the first of both was there.
static double first_s(const race_scene *scene, double along_m) {
    double a_s = race_scene_reached_s(&scene->cars[0], along_m);
    double b_s = race_scene_reached_s(&scene->cars[1], along_m);
    double first = a_s > b_s ? a_s : b_s;
    double oldest_s = race_scene_oldest_s(scene);
    return first < 0.0 ? 0.0 : first > oldest_s ? oldest_s : first;
}

static pass pass_of(const race_scene *scene, apex_fault *out) {
    bool first_is_left = race_scene_side(scene, 0) < 0;
    uint32_t inside = first_is_left == scene->is_left ? 0 : 1;
    double turn_in_s = first_s(scene, scene->turn_in_m);
    double apex_s = first_s(scene, scene->apex_m);
    return (pass){
        .scene = scene,
        .out = out,
        .inside = inside,
        .outside = 1 - inside,
        // A corner that fills half a lap may seem to begin ahead.
        .turn_in_s = turn_in_s > apex_s ? turn_in_s : apex_s,
        .apex_s = apex_s,
    };
}

// Before the apex, the time for which the inside car has been beside the other's mirror without a
// break until then; below 0 if it is not beside it there.
static double beside_s(const pass *it) {
    double since_s = -1.0;
    uint32_t steps = (uint32_t)((it->turn_in_s - it->apex_s) / LOOK_S) + 1;
    for (uint32_t i = 0; i <= steps; i++) {
        double age_s = it->apex_s + LOOK_S * i;
        if (race_scene_past_m(it->scene, it->inside, RACE_LINE_MIRROR, age_s) < 0.0) {
            break;
        }
        since_s = LOOK_S * i;
    }
    return since_s;
}

// Whether the inside car was beside the other at all, on the way from turn-in to the apex.
static bool was_beside(const pass *it) {
    uint32_t steps = (uint32_t)((it->turn_in_s - it->apex_s) / LOOK_S);
    for (uint32_t i = 0; i <= steps; i++) {
        double age_s = it->turn_in_s - LOOK_S * i;
        if (race_scene_past_m(it->scene, it->inside, RACE_LINE_REAR_AXLE, age_s) > 0.0) {
            return true;
        }
    }
    return false;
}

// He who had to leave room did not, or the other did not use it.
static void judge_room_inside(const pass *it) {
    const race_scene *scene = it->scene;
    double spare_m = race_scene_spare_m(scene, it->inside);
    double in_m = race_scene_closed_m(scene, it->outside, WATCH_S);
    double out_m = race_scene_closed_m(scene, it->inside, WATCH_S);
    if (spare_m < EDGE_M || in_m > out_m) {
        add(it, APEX_FAULT_TURNED_IN, it->outside, spare_m);
    } else if (spare_m > ROOM_M) {
        add(it, APEX_FAULT_RAN_WIDE, it->inside, spare_m);
    }
}

static void judge_room_outside(const pass *it) {
    const race_scene *scene = it->scene;
    double spare_m = race_scene_spare_m(scene, it->outside);
    double in_m = race_scene_closed_m(scene, it->outside, WATCH_S);
    double out_m = race_scene_closed_m(scene, it->inside, WATCH_S);
    double moved_m = race_scene_moved_m(scene, it->inside, WATCH_S);
    if (spare_m < EDGE_M) {
        add(it, APEX_FAULT_NO_ROOM_OUTSIDE, it->inside, spare_m);
    } else if (in_m > out_m) {
        add(it, APEX_FAULT_TURNED_IN, it->outside, race_scene_spare_m(scene, it->inside));
    } else if (moved_m > MOVED_M) {
        add(it, APEX_FAULT_MOVED_OVER, it->inside, moved_m);
    }
}

static void judge_inside(const pass *it) {
    const race_scene *scene = it->scene;
    double mirror_m = race_scene_past_m(scene, it->inside, RACE_LINE_MIRROR, it->apex_s);
    double rear_m = race_scene_past_m(scene, it->inside, RACE_LINE_REAR_AXLE, it->apex_s);
    double began_m = race_scene_past_m(scene, it->inside, RACE_LINE_REAR_AXLE, it->turn_in_s);
    double since_s = beside_s(it);
    if (rear_m < 0.0 && was_beside(it)) {
        add(it, APEX_FAULT_BACKED_OUT, it->inside, -rear_m);
    } else if (began_m < 0.0 && since_s < CONTROLLED_S) {
        add(it, APEX_FAULT_DIVED_IN, it->inside, since_s > 0.0 ? since_s : 0.0);
    } else if (mirror_m < 0.0) {
        add(it, APEX_FAULT_NOT_FAR_ENOUGH, it->inside, -mirror_m);
    } else {
        judge_room_inside(it);
    }
}

static void judge_outside(const pass *it) {
    const race_scene *scene = it->scene;
    double ahead_m = race_scene_past_m(scene, it->outside, RACE_LINE_FRONT_AXLE, it->apex_s);
    if (ahead_m >= 0.0) {
        judge_room_outside(it);
        return;
    }
    add(it, APEX_FAULT_OUTSIDE_NOT_AHEAD, it->outside, -ahead_m);
    double spare_m = race_scene_spare_m(scene, it->inside);
    if (spare_m > ROOM_M && race_scene_moved_m(scene, it->inside, WATCH_S) > MOVED_M) {
        add(it, APEX_FAULT_RAN_WIDE, it->inside, spare_m);
    }
}

// Neither passes: each leaves the other a car's width.
static void judge_level(const pass *it) {
    const race_scene *scene = it->scene;
    double inside_m = race_scene_spare_m(scene, it->inside);
    double outside_m = race_scene_spare_m(scene, it->outside);
    double moved_m[2];
    for (uint32_t i = 0; i < 2; i++) {
        moved_m[i] = race_scene_moved_m(scene, i, WATCH_S);
    }
    uint32_t mover = moved_m[0] > moved_m[1] ? 0 : 1;
    if (inside_m < EDGE_M) {
        add(it, APEX_FAULT_TURNED_IN, it->outside, inside_m);
    }
    if (outside_m < EDGE_M) {
        add(it, APEX_FAULT_NO_ROOM_OUTSIDE, it->inside, outside_m);
    }
    if (inside_m >= EDGE_M && outside_m >= EDGE_M) {
        if (moved_m[mover] - moved_m[1 - mover] > MOVED_M) {
            add(it, APEX_FAULT_MOVED_OVER, mover, moved_m[mover]);
        } else {
            add(it, APEX_FAULT_SIDE_BY_SIDE, 0, 0.0);
        }
    }
}

void race_pass_judge(const race_scene *scene, apex_fault *out) {
    pass it = pass_of(scene, out);
    double ahead_m =
        race_scene_past_m(scene, it.inside, RACE_LINE_FRONT_AXLE, it.turn_in_s + ROLES_S);
    if (ahead_m < -LEVEL_M) {
        judge_inside(&it);
    } else if (ahead_m > LEVEL_M) {
        judge_outside(&it);
    } else {
        judge_level(&it);
    }
}
