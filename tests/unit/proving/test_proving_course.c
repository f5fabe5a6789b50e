// Courses: where the gates stand, when one is missed, and that a car finds its way through.
#include "support/base/check_main.h"
#include "support/physics/scenes.h"

#include "proving/course/gates.h"
#include "proving/course/practice_line.h"

#include <math.h>
#include <string.h>

static apex_manoeuvre_def def_of(apex_manoeuvre_kind kind, double speed_kmh) {
    apex_manoeuvre_def def = apex_default_manoeuvre_def(kind);
    def.speed_mps = speed_kmh / 3.6;
    return def;
}

static proving_course lay(apex_manoeuvre_kind kind, const apex_hull_def *hull) {
    const apex_manoeuvre_def def = def_of(kind, 0.0);
    return proving_course_for(&def, hull);
}

static const apex_hull_def BOX = {.length_m = 4.5, .width_m = 1.8, .height_m = 1.2};

static void expect_gate(const proving_gate *gate, double from_m, double to_m, double width_m) {
    ck_assert_double_eq_tol(gate->from_x_m, from_m, 1e-9);
    ck_assert_double_eq_tol(gate->to_x_m, to_m, 1e-9);
    ck_assert_double_eq_tol(gate->left_y_m - gate->right_y_m, width_m, 1e-9);
}

TEST(double_lane_change_is_iso_3888_1) {
    const proving_course course = lay(APEX_MANOEUVRE_DOUBLE_LANE_CHANGE, &BOX);
    ck_assert_uint_eq(course.gate_count, 3);
    ck_assert(!course.coasts);
    expect_gate(&course.gates[0], 0.0, 15.0, 1.1 * 1.8 + 0.25);
    expect_gate(&course.gates[1], 45.0, 70.0, 1.2 * 1.8 + 0.25);
    expect_gate(&course.gates[2], 95.0, 110.0, 1.3 * 1.8 + 0.25);
    ck_assert_double_eq_tol(course.gates[0].left_y_m, -course.gates[0].right_y_m, 1e-9);
    ck_assert_double_eq_tol(course.gates[1].right_y_m - course.gates[0].right_y_m, 3.5, 1e-9);
    ck_assert_double_eq_tol(course.gates[2].right_y_m, course.gates[0].right_y_m, 1e-9);
}

TEST(obstacle_avoidance_is_iso_3888_2) {
    const proving_course course = lay(APEX_MANOEUVRE_OBSTACLE_AVOIDANCE, &BOX);
    ck_assert(course.coasts);
    expect_gate(&course.gates[0], 0.0, 12.0, 1.1 * 1.8 + 0.25);
    expect_gate(&course.gates[1], 25.5, 36.5, 1.8 + 1.0);
    expect_gate(&course.gates[2], 49.0, 61.0, 3.0); // 1.3 w + 0.25 is less
    ck_assert_double_eq_tol(course.gates[1].right_y_m - course.gates[0].left_y_m, 1.0, 1e-9);
    const apex_hull_def wide = {.length_m = 5.0, .width_m = 2.3, .height_m = 2.0};
    const proving_course wider = lay(APEX_MANOEUVRE_OBSTACLE_AVOIDANCE, &wide);
    expect_gate(&wider.gates[2], 49.0, 61.0, 1.3 * 2.3 + 0.25);
}

TEST(right_is_the_mirror_of_left) {
    apex_manoeuvre_def def = def_of(APEX_MANOEUVRE_DOUBLE_LANE_CHANGE, 0.0);
    const proving_course left = proving_course_for(&def, &BOX);
    def.to_right = true;
    const proving_course right = proving_course_for(&def, &BOX);
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert_double_eq(left.gates[i].left_y_m, -right.gates[i].right_y_m);
        ck_assert_double_eq(left.gates[i].right_y_m, -right.gates[i].left_y_m);
    }
    ck_assert_double_gt(left.gates[1].right_y_m, 0.0);
}

TEST(slalom_has_ten_cones_18_m_apart) {
    const proving_course course = lay(APEX_MANOEUVRE_SLALOM, &BOX);
    ck_assert_uint_eq(course.gate_count, 10);
    for (uint32_t i = 0; i < 10; i++) {
        const proving_gate *gate = &course.gates[i];
        ck_assert_double_eq_tol(0.5 * (gate->from_x_m + gate->to_x_m), 18.0 * i, 1e-9);
        ck_assert(i % 2 == 0 ? isinf(gate->left_y_m) && gate->right_y_m > 0.0
                             : isinf(gate->right_y_m) && gate->left_y_m < 0.0);
    }
}

static apex_car_pose pose_at(double x_m, double y_m, double yaw_rad) {
    apex_car_pose pose = {.position_m = {x_m, y_m, 0.6}, .yaw_rad = yaw_rad};
    pose.orientation[0] = cos(0.5 * yaw_rad);
    pose.orientation[3] = sin(0.5 * yaw_rad);
    return pose;
}

static void expect_beyond(const apex_car_pose *pose, double right_m, double left_m) {
    const proving_gate gate = {10.0, 22.0, -1.0, 1.4};
    double beyond[2];
    proving_gate_miss_m(&gate, pose, &BOX, beyond);
    ck_assert_double_eq_tol(beyond[0], right_m, 1e-6);
    ck_assert_double_eq_tol(beyond[1], left_m, 1e-6);
}

TEST(gates_see_every_part_of_the_car) {
    apex_car_pose pose = pose_at(16.0, 0.0, 0.0); // 1.8 m wide: -0.9 .. 0.9
    expect_beyond(&pose, 0.0, 0.0);
    pose = pose_at(16.0, 0.7, 0.0);
    expect_beyond(&pose, 0.0, 0.2);
    pose = pose_at(16.0, -0.25, 0.0);
    expect_beyond(&pose, 0.15, 0.0);
    pose = pose_at(7.7, 3.0, 0.0); // its nose, 2.25 m ahead, is not yet there
    expect_beyond(&pose, 0.0, 0.0);
    pose = pose_at(7.8, 3.0, 0.0); // now it is
    expect_beyond(&pose, 0.0, 2.5);
    pose = pose_at(24.3, 3.0, 0.0); // and gone
    expect_beyond(&pose, 0.0, 0.0);
    // Askew at a cone: no corner is beside it, but a side is, at 0.9 / cos from the middle.
    const proving_gate cone = {21.95, 22.05, -1.0, 1.4};
    double beyond[2];
    pose = pose_at(22.0, 0.0, 0.5);
    proving_gate_miss_m(&cone, &pose, &BOX, beyond);
    ck_assert_double_eq_tol(beyond[0], 0.9 / cos(0.5) + 0.05 * tan(0.5) - 1.0, 1e-6);
    ck_assert_double_eq(beyond[1], 0.0);
    // Leaning, a motorcycle's wheels stay where they are, its underside moves little.
    pose = pose_at(16.0, 0.0, 0.0);
    pose.orientation[0] = cos(0.4);
    pose.orientation[1] = -sin(0.4);
    pose.orientation[3] = 0.0;
    const proving_gate gate = {10.0, 22.0, -1.2, 1.2};
    proving_gate_miss_m(&gate, &pose, &BOX, beyond);
    ck_assert_double_lt(beyond[0] + beyond[1], 0.05);
}

static void expect_inside(const proving_lesson *lesson, const proving_course *course) {
    for (uint32_t i = 0; i < lesson->line.point_count; i++) {
        double x = lesson->line.from_x_m + i * PROVING_LINE_STEP_M, y = lesson->line.y_m[i];
        for (uint32_t g = 0; g < course->gate_count; g++) {
            const proving_gate *gate = &course->gates[g];
            if (x >= gate->from_x_m && x <= gate->to_x_m) {
                ck_assert_msg(y - 0.9 > gate->right_y_m && y + 0.9 < gate->left_y_m,
                              "gate %u, x %f: y %f", g, x, y);
            }
        }
    }
}

static double sharpest(const proving_path *line) {
    double most = 0.0;
    for (uint32_t i = 1; i + 1 < line->point_count; i++) {
        most = fmax(most, fabs(line->y_m[i - 1] - 2.0 * line->y_m[i] + line->y_m[i + 1]));
    }
    return most;
}

TEST(lines_keep_inside_and_bend_gently) {
    static const apex_manoeuvre_kind kinds[] = {APEX_MANOEUVRE_DOUBLE_LANE_CHANGE,
                                                APEX_MANOEUVRE_OBSTACLE_AVOIDANCE,
                                                APEX_MANOEUVRE_SLALOM};
    // Half a cosine from lane to lane over the gap alone would bend by pi^2 / 2 dy / gap^2: 0.0197
    // and 0.087 per metre; the slalom's by (pi / 18)^2 times 1.3 m: 0.040.
    static const double bend[] = {0.0197, 0.087, 0.040};
    for (size_t k = 0; k < 3; k++) {
        const proving_course course = lay(kinds[k], &BOX);
        static proving_lesson lesson;
        proving_lesson_begin(&lesson, &course, &BOX);
        expect_inside(&lesson, &course);
        ck_assert_double_lt(sharpest(&lesson.line), 0.8 * bend[k]);
        ck_assert_double_gt(sharpest(&lesson.line), 0.2 * bend[k]);
    }
}

TEST(lessons_move_the_line_from_the_cone) {
    const proving_course course = lay(APEX_MANOEUVRE_OBSTACLE_AVOIDANCE, &BOX);
    static proving_lesson before, after;
    proving_lesson_begin(&before, &course, &BOX);
    after = before;
    const proving_misses misses = {.beyond_m = {[1] = {0.0, 0.3}}};
    proving_lesson_learn(&after, &BOX, &misses);
    double highest[2] = {-1e9, -1e9};
    for (uint32_t i = 0; i < before.line.point_count; i++) {
        highest[0] = fmax(highest[0], before.line.y_m[i]);
        highest[1] = fmax(highest[1], after.line.y_m[i]);
    }
    ck_assert_double_lt(highest[1], highest[0] - 0.1);
    expect_inside(&after, &course);
}

static double figure(const apex_manoeuvre_result *result, const char *name) {
    for (size_t i = 0; i < result->figure_count; i++) {
        if (strcmp(result->figures[i].name, name) == 0) {
            return result->figures[i].value;
        }
    }
    ck_abort_msg("no figure %s", name);
    return 0.0;
}

static apex_manoeuvre_result run(const apex_manoeuvre_def *def, const apex_car_def *car) {
    apex_manoeuvre_result result;
    ck_assert_int_eq(apex_manoeuvre_run(def, car, NULL, &result), APEX_OK);
    return result;
}

TEST(corvette_passes_at_the_standards_speed) {
    const apex_car_def car = scene_corvette();
    apex_manoeuvre_def def = def_of(APEX_MANOEUVRE_DOUBLE_LANE_CHANGE, 80.0);
    apex_manoeuvre_result result = run(&def, &car);
    ck_assert_int_eq(result.verdict, APEX_VERDICT_PASS);
    ck_assert_str_eq(result.remark, "");
    ck_assert_double_eq_tol(figure(&result, "entry_speed"), 80.0, 1.0);
    def.to_right = true;
    const apex_manoeuvre_result right = run(&def, &car);
    ck_assert_double_eq(figure(&right, "lateral_peak"), figure(&result, "lateral_peak"));
}

TEST(nobody_passes_at_any_speed) {
    const apex_car_def car = scene_corvette();
    for (int side = 0; side < check_cases(2); side++) {
        apex_manoeuvre_def def = def_of(APEX_MANOEUVRE_DOUBLE_LANE_CHANGE, 200.0);
        def.to_right = side == 1;
        apex_manoeuvre_result result = run(&def, &car);
        ck_assert_int_eq(result.verdict, APEX_VERDICT_FAIL);
        unsigned gate = 0;
        double beyond = 0.0;
        char edge[8] = "";
        int read =
            sscanf(result.remark, "gate %u missed: %lf m beyond its %7s", &gate, &beyond, edge);
        ck_assert_msg(read == 3, "%s", result.remark);
        ck_assert(gate >= 1 && gate <= 3 && beyond > 0.0);
        ck_assert(strcmp(edge, "left") == 0 || strcmp(edge, "right") == 0);
    }
}

// The sanitizers have a top-heavy car search on the first course alone: who falls does not practise
// on at that speed.
TEST(highest_speeds_are_those_of_real_cars) {
    const bool is_whole = check_is_whole();
    apex_car_def car = scene_corvette();
    car.com_height_m *= is_whole ? 1.0 : 2.5;
    static const struct {
        apex_manoeuvre_kind kind;
        double low, high;
    } courses[] = {{APEX_MANOEUVRE_DOUBLE_LANE_CHANGE, 90.0, 150.0},
                   {APEX_MANOEUVRE_OBSTACLE_AVOIDANCE, 60.0, 82.0},
                   {APEX_MANOEUVRE_SLALOM, 55.0, 80.0}};
    for (int i = 0; i < check_cases(3); i++) {
        apex_manoeuvre_def def = def_of(courses[i].kind, 0.0);
        apex_manoeuvre_result result = run(&def, &car);
        ck_assert_int_eq(result.verdict, APEX_VERDICT_PASS);
        double highest = figure(&result, "highest_speed");
        ck_assert_msg(highest > courses[i].low && highest < courses[i].high, "%f km/h", highest);
        def.speed_mps = 1.35 * highest / 3.6;
        ck_assert(!is_whole || run(&def, &car).verdict == APEX_VERDICT_FAIL);
    }
}

TEST(ice_is_slower) {
    const apex_car_def car = scene_corvette();
    apex_manoeuvre_def def = def_of(APEX_MANOEUVRE_OBSTACLE_AVOIDANCE, 65.0);
    def.friction = 0.3;
    ck_assert_int_eq(run(&def, &car).verdict, APEX_VERDICT_FAIL);
    def.speed_mps = 25.0 / 3.6;
    ck_assert_int_eq(run(&def, &car).verdict, APEX_VERDICT_PASS);
}

TEST(motorcycles_find_their_way) {
    const apex_car_def car = scene_motorcycle();
    apex_manoeuvre_def def = def_of(APEX_MANOEUVRE_DOUBLE_LANE_CHANGE, 60.0);
    ck_assert_int_eq(run(&def, &car).verdict, APEX_VERDICT_PASS);
}
