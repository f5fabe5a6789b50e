// What a definition's numbers may not be, each just past its bound, and the same ones just inside.

#include "support/base/check_main.h"
#include "support/track/track_scenes.h"
#include "track/track.h"

#include <stdlib.h>
#include <string.h>

typedef struct bound {
    void (*make)(apex_track_def *def, double value); // of a flat oval, 1428.3 m round
    double fits, refused;
    const char *field, *reason;
} bound;

static void author_of(apex_track_def *def, double letters) {
    memset(def->author, 'a', (size_t)letters);
}

static apex_track_strip *strip_of(apex_track_def *def, double height_m) {
    def->strip_count = 1;
    def->strips[0] = (apex_track_strip){
        .surface = "kerb", .outer_m = 1, .from_edge = true, .height_m = height_m};
    return &def->strips[0];
}
static void beside_the_road(apex_track_def *def, double height_m) {
    strip_of(def, height_m)->outer_m = 0.8;
}
static void over_the_edge(apex_track_def *def, double height_m) {
    strip_of(def, height_m)->inner_m = -0.1;
}
// Counted from the centre line, a strip lies on the road whatever its offsets.
static void along_the_middle(apex_track_def *def, double height_m) {
    strip_of(def, height_m)->from_edge = false;
}
static void narrow_strip(apex_track_def *def, double outer_m) {
    strip_of(def, 0)->outer_m = outer_m;
}
// Distances of a lap are taken as known to a metre.
static void strip_from(apex_track_def *def, double from_m) {
    strip_of(def, 0)->from_m = from_m;
    def->strips[0].to_m = 5;
}
static void strip_to(apex_track_def *def, double to_m) {
    strip_of(def, 0)->from_m = 5;
    def->strips[0].to_m = to_m;
}
static void wall_to(apex_track_def *def, double to_m) {
    def->wall_count = 1;
    def->walls[0] = (apex_track_wall){
        .material = "concrete", .distance_m = 5, .height_m = 1, .from_m = 5, .to_m = to_m};
}

static void first_sector(apex_track_def *def, double end_m) {
    def->sector_count = 1;
    def->sector_m[0] = end_m;
}
static void second_sector(apex_track_def *def, double end_m) {
    def->sector_count = 2;
    def->sector_m[0] = 100;
    def->sector_m[1] = end_m;
}
static void finish_of_a_sprint(apex_track_def *def, double finish_m) {
    def->closed = false;
    def->start_m = 200;
    def->finish_m = finish_m;
}
// The sprint of 300 m has 1 m at least in its last sector.
static void sector_of_a_sprint(apex_track_def *def, double end_m) {
    finish_of_a_sprint(def, 500);
    first_sector(def, end_m);
}

static apex_track_free_wall *wall_of(apex_track_def *def, uint32_t points) {
    def->free_wall_count = 1;
    def->free_walls = calloc(1, sizeof *def->free_walls);
    ck_assert_ptr_nonnull(def->free_walls);
    def->free_walls[0] = (apex_track_free_wall){.material = "concrete",
                                                .point_count = points,
                                                .x_m = {0, 10, 0, -1},
                                                .y_m = {0, 0, 10, 5},
                                                .height_m = 1};
    return def->free_walls;
}
static void closed_wall(apex_track_def *def, double points) {
    wall_of(def, (uint32_t)points)->closed = true;
}
// The fourth point comes near to the first: between them a closed wall has a piece.
static void wall_that_closes(apex_track_def *def, double apart_m) {
    apex_track_free_wall *wall = wall_of(def, 4);
    wall->closed = true;
    wall->x_m[3] = 0.8 * apart_m;
    wall->y_m[3] = 0.6 * apart_m;
}
static void posts_of(apex_track_def *def, double count) {
    def->post_count = (uint32_t)count;
}

static const bound bounds[] = {
    {author_of, APEX_TITLE_BYTES - 1, APEX_TITLE_BYTES, "author", "longer than 63"},
    {beside_the_road, 0.75, 0.85, "strips[0].height_m",
     "0.85 m over a width of 0.8 m is steeper than 45 degrees; make it lower or wider"},
    {beside_the_road, -0.75, -0.85, "strips[0].height_m",
     "-0.85 m over a width of 0.8 m is steeper than 45 degrees; make it lower or wider"},
    {over_the_edge, 0.19, 0.21, "strips[0].height_m",
     "a step of 0.21 m on the road, at most 0.2 m; put it beside the road or make it lower"},
    {over_the_edge, -0.19, -0.21, "strips[0].height_m",
     "a step of -0.21 m on the road, at most 0.2 m; put it beside the road or make it lower"},
    {along_the_middle, 0.19, 0.21, "strips[0].height_m",
     "a step of 0.21 m on the road, at most 0.2 m; put it beside the road or make it lower"},
    {narrow_strip, 0.011, 0.009, "strips[0].outer_m", "0.009 is not outside inner_m 0"},
    {strip_from, 1429, 1430, "strips[0].from_m", "1430 is not on the lap of 0..1428.3 m"},
    {strip_to, 1429, 1430, "strips[0].to_m", "1430 is not on the lap of 0..1428.3 m"},
    {wall_to, 1429, 1430, "walls[0].to_m", "1430 is not on the lap of 0..1428.3 m"},
    {wall_to, 6, 5, "walls[0].to_m", "the stretch has no length"},
    {first_sector, 1, 0.9, "sector_m[0]", "0.9 is not between 0 and 1428.3 m"},
    {first_sector, 1427.2, 1427.4, "sector_m[0]", "1427.4 is not between 0 and 1428.3 m"},
    {second_sector, 101, 100.9, "sector_m[1]", "100.9 is not between 100 and 1428.3 m"},
    {finish_of_a_sprint, 210, 209, "finish_m",
     "209 is not at least 10 m behind the start at 200, on a stretch of 1417.8 m"},
    {sector_of_a_sprint, 299, 299.1, "sector_m[0]", "299.1 is not between 0 and 300.0 m"},
    {closed_wall, 3, 2, "free_walls[0].points", "2 is outside 3..64"},
    {wall_that_closes, 0.011, 0.009, "free_walls[0].points[0]", "the same place as points[3]"},
    {posts_of, 0, 1, "posts", "there are none"},
};

static apex_err try_to_lay(void (*make)(apex_track_def *, double), double value,
                           apex_def_problem *problem) {
    apex_track_def def = track_scene_oval(400, 100);
    make(&def, value);
    apex_track *track = NULL;
    *problem = (apex_def_problem){{0}, {0}};
    apex_err err = apex_track_sketch(&def, &track, problem);
    apex_track_destroy(track);
    apex_track_def_free(&def);
    return err;
}

TEST_OVER(bounds_are_where_they_are_said_to_be, 0, (int)(sizeof bounds / sizeof bounds[0])) {
    const bound *tried = &bounds[_i];
    apex_def_problem problem;
    ck_assert_msg(try_to_lay(tried->make, tried->fits, &problem) == APEX_OK, "%s: %s",
                  problem.field, problem.reason);
    ck_assert_int_eq(try_to_lay(tried->make, tried->refused, &problem), APEX_ERR_INVALID);
    ck_assert_str_eq(problem.field, tried->field);
    ck_assert_str_eq(problem.reason, tried->reason);
}

// 21 by 31 nodes 2 m apart, from (-7, 3): to (33, 63).
TEST(boxes_stand_on_their_terrain) {
    static const struct {
        double x_m, y_m;
        const char *reason; // NULL: it stands
    } boxes[] = {
        {-7, 3, NULL},
        {33, 63, NULL},
        {-7.1, 3, "(-7.1, 3) is not on the terrain"},
        {33.1, 63, "(33.1, 63) is not on the terrain"},
        {-7, 2.9, "(-7, 2.9) is not on the terrain"},
        {33, 63.1, "(33, 63.1) is not on the terrain"},
    };
    for (size_t i = 0; i < sizeof boxes / sizeof boxes[0]; i++) {
        apex_track_def def = track_scene_terrain(21, 31, 2);
        def.terrain.x_m = -7;
        def.terrain.y_m = 3;
        def.terrain.box_count = 2;
        def.terrain.boxes[0] = (apex_terrain_box){10, 40, 0};
        def.terrain.boxes[1] = (apex_terrain_box){boxes[i].x_m, boxes[i].y_m, 0};
        apex_track *track = NULL;
        apex_def_problem problem = {{0}, {0}};
        apex_err err = apex_track_create(&def, &track, &problem);
        ck_assert_int_eq(err, boxes[i].reason == NULL ? APEX_OK : APEX_ERR_INVALID);
        if (boxes[i].reason != NULL) {
            ck_assert_str_eq(problem.field, "terrain.boxes[1]");
            ck_assert_str_eq(problem.reason, boxes[i].reason);
        }
        apex_track_destroy(track);
        apex_track_def_free(&def);
    }
}
