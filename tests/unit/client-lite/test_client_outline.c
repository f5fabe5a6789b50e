// links: content
// The laid track as lines: what is drawn is what is driven on.
#include <math.h>
#include <string.h>

#include "client-lite/tracks/outline_trace.h"
#include "content/content.h"
#include "support/base/check_main.h"

enum { BOXES = 24, TRACKS_MAX = 8 };

typedef struct drawn {
    apex_track_def def;
    apex_track *track;
    client_outline *lines;
} drawn;

// Each track once for all tests that share a process, and never let go of.
static drawn *draw(const char *name) {
    static drawn kept[TRACKS_MAX];
    drawn *out = kept;
    while (out->track != NULL && strcmp(out->def.name, name) != 0) {
        ck_assert_ptr_ne(++out, kept + TRACKS_MAX);
    }
    if (out->track != NULL) {
        return out;
    }
    apex_content_problem problem = {{0}};
    ck_assert_int_eq(apex_content_load_track(name, NULL, &out->def, &problem), APEX_OK);
    ck_assert_int_eq(apex_track_create(&out->def, &out->track, NULL), APEX_OK);
    out->lines = client_outline_create(&out->def, out->track, BOXES);
    ck_assert_ptr_nonnull(out->lines);
    return out;
}

static double way_m(const double *from, const double *to) {
    return hypot(to[0] - from[0], to[1] - from[1]);
}

static double off_chord_m(const double *from, const double *to, const double at[2]) {
    double along_x = to[0] - from[0], along_y = to[1] - from[1];
    double square = along_x * along_x + along_y * along_y;
    double share = ((at[0] - from[0]) * along_x + (at[1] - from[1]) * along_y) / square;
    share = fmin(fmax(share, 0.0), 1.0);
    return hypot(at[0] - from[0] - share * along_x, at[1] - from[1] - share * along_y);
}

static void beside(const apex_track_frame *at, double offset_m, double out_m[2]) {
    out_m[0] = at->x_m - offset_m * sin(at->heading_rad);
    out_m[1] = at->y_m + offset_m * cos(at->heading_rad);
}

static void check_edges_lie_at_the_laid_width(const drawn *of) {
    const client_outline *lines = of->lines;
    size_t count = lines->lap_m.count;
    ck_assert_uint_eq(lines->centre.count, 2 * count);
    ck_assert_uint_eq(lines->left_edge.count, 2 * count);
    ck_assert_uint_eq(lines->right_edge.count, 2 * count);
    ck_assert_uint_eq(lines->height_m.count, count);
    for (size_t i = 0; i < count; i++) {
        const double *middle = &lines->centre.values[2 * i];
        apex_track_frame at = apex_track_frame_at(of->track, lines->lap_m.values[i]);
        ck_assert_double_eq_tol(middle[0], at.x_m, 1e-9);
        ck_assert_double_eq_tol(middle[1], at.y_m, 1e-9);
        ck_assert_double_eq_tol(lines->height_m.values[i], at.z_m, 1e-9);
        ck_assert_double_eq_tol(way_m(middle, &lines->left_edge.values[2 * i]), at.left_m, 1e-6);
        ck_assert_double_eq_tol(way_m(middle, &lines->right_edge.values[2 * i]), at.right_m, 1e-6);
        // Left is where heading turns anticlockwise to.
        double left_x = lines->left_edge.values[2 * i] - middle[0];
        double left_y = lines->left_edge.values[2 * i + 1] - middle[1];
        ck_assert_double_gt(cos(at.heading_rad) * left_y - sin(at.heading_rad) * left_x, 0.0);
    }
}

// Looked at every quarter of a metre, between the points that were kept.
static void check_lines_keep_to_the_road(const drawn *of) {
    const client_outline *lines = of->lines;
    size_t count = lines->lap_m.count;
    for (size_t i = 0; i < (lines->closed ? count : count - 1); i++) {
        size_t next = (i + 1) % count;
        double from_m = lines->lap_m.values[i];
        double to_m = next > 0 ? lines->lap_m.values[next] : lines->length_m;
        ck_assert_double_gt(to_m, from_m);
        for (double s_m = from_m; s_m < to_m; s_m += 0.25) {
            apex_track_frame at = apex_track_frame_at(of->track, s_m);
            double left_m[2], right_m[2];
            beside(&at, at.left_m, left_m);
            beside(&at, -at.right_m, right_m);
            const double *left = lines->left_edge.values, *right = lines->right_edge.values;
            ck_assert_double_lt(off_chord_m(&left[2 * i], &left[2 * next], left_m),
                                CLIENT_OUTLINE_ERROR_M);
            ck_assert_double_lt(off_chord_m(&right[2 * i], &right[2 * next], right_m),
                                CLIENT_OUTLINE_ERROR_M);
        }
    }
}

TEST(a_closed_lap_comes_round) {
    const drawn *of = draw("ridgeway");
    const client_outline *lines = of->lines;
    size_t count = lines->lap_m.count;
    ck_assert(lines->closed);
    ck_assert_double_eq(lines->length_m, apex_track_length_m(of->track));
    ck_assert_double_eq(lines->finish_m, 0.0);
    ck_assert_double_eq(lines->lap_m.values[0], 0.0);
    double sum_m = 0.0;
    for (size_t i = 0; i < count; i++) {
        double step_m =
            way_m(&lines->centre.values[2 * i], &lines->centre.values[2 * ((i + 1) % count)]);
        ck_assert_double_gt(step_m, 0.1);
        ck_assert_double_lt(step_m, 20.1);
        sum_m += step_m;
    }
    // Chords are shorter than bends, and the lap's length counts the slopes.
    ck_assert_double_lt(sum_m, lines->length_m);
    ck_assert_double_gt(sum_m, 0.998 * lines->length_m);
    ck_assert_uint_lt(count, 1000);
    check_edges_lie_at_the_laid_width(of);
    check_lines_keep_to_the_road(of);
}

TEST(an_open_one_begins_before_its_line_and_ends_behind_it) {
    const drawn *of = draw("drag-strip");
    const client_outline *lines = of->lines;
    size_t count = lines->lap_m.count;
    ck_assert(!lines->closed);
    ck_assert_double_eq(lines->finish_m, lines->length_m);
    ck_assert_double_eq_tol(lines->lap_m.values[0], -of->def.start_m, 1e-9);
    const apex_track_point *first = &of->def.points[0];
    const apex_track_point *last = &of->def.points[of->def.point_count - 1];
    const double from_m[2] = {first->x_m, first->y_m}, to_m[2] = {last->x_m, last->y_m};
    ck_assert_double_lt(way_m(&lines->centre.values[0], from_m), 1e-6);
    ck_assert_double_lt(way_m(&lines->centre.values[2 * (count - 1)], to_m), 1e-6);
    check_edges_lie_at_the_laid_width(of);
    check_lines_keep_to_the_road(of);
}

TEST(all_of_it_lies_within_the_bounds) {
    const drawn *of = draw("highfell");
    const client_outline *lines = of->lines;
    double west = HUGE_VAL, north = -HUGE_VAL;
    for (size_t i = 0; i < lines->points.count; i += 2) {
        west = fmin(west, lines->points.values[i]);
        north = fmax(north, lines->points.values[i + 1]);
    }
    ck_assert_double_eq(lines->west, west);
    ck_assert_double_eq(lines->north, north);
    ck_assert_double_lt(lines->west, lines->east);
    ck_assert_double_lt(lines->south, lines->north);
}

static double lap_of(const drawn *of, const double at_m[2]) {
    return apex_track_find(of->track, at_m[0], at_m[1], 0.0).s_m;
}

// The middles between both sides of a strip lie on the surface that it is said to be of.
static size_t check_strip_lies_on_its_surface(const drawn *of, const client_outline_shape *strip) {
    const double *points = of->lines->points.values + strip->first;
    size_t places = strip->count / 4, checked = 0;
    for (size_t i = 1; i + 1 < places; i++) {
        const double *left = &points[2 * i], *right = &points[strip->count - 2 * (i + 1)];
        const double middle[2] = {0.5 * (left[0] + right[0]), 0.5 * (left[1] + right[1])};
        // Ground is of one surface for half a metre: its ends are not the file's.
        if (way_m(left, points) < 1.0 || way_m(left, &points[2 * (places - 1)]) < 1.0) {
            continue;
        }
        apex_track_frame at = apex_track_frame_at(of->track, lap_of(of, middle));
        const apex_ground *ground = apex_track_ground(of->track);
        uint8_t surface = apex_ground_at(ground, middle[0], middle[1], at.z_m + 1.0).surface;
        ck_assert_str_eq(ground->surfaces[surface].name, strip->name);
        checked++;
    }
    return checked;
}

TEST(kerbs_lie_where_the_file_says) {
    const drawn *of = draw("ridgeway");
    const client_outline *lines = of->lines;
    size_t kerbs_drawn = 0, kerbs_said = 0, checked = 0;
    for (size_t i = 0; i < lines->strips.count; i++) {
        const client_outline_shape *strip = &lines->strips.list[i];
        ck_assert_uint_eq(strip->count % 4, 0);
        if (strcmp(strip->name, "kerb") == 0) {
            checked += check_strip_lies_on_its_surface(of, strip);
            kerbs_drawn++;
        }
    }
    for (uint32_t i = 0; i < of->def.strip_count; i++) {
        const apex_track_strip *strip = &of->def.strips[i];
        if (strcmp(strip->surface, "kerb") == 0) {
            kerbs_said += strip->side == APEX_SIDE_BOTH ? 2 : 1;
        }
    }
    ck_assert_uint_gt(kerbs_said, 4);
    ck_assert_uint_eq(kerbs_drawn, kerbs_said);
    ck_assert_uint_gt(checked, 40);
}

TEST(a_strip_begins_and_ends_where_the_file_says) {
    const drawn *of = draw("ridgeway");
    const client_outline *lines = of->lines;
    const apex_track_strip *said = NULL;
    for (uint32_t i = 0; i < of->def.strip_count && said == NULL; i++) {
        const apex_track_strip *strip = &of->def.strips[i];
        bool is_one = strcmp(strip->surface, "kerb") == 0 && strip->side == APEX_SIDE_LEFT;
        said = is_one ? strip : NULL;
    }
    ck_assert_ptr_nonnull(said);
    double from_m = said->from_m - of->def.start_m;
    from_m += from_m < 0.0 ? lines->length_m : 0.0;
    apex_track_frame at = apex_track_frame_at(of->track, from_m);
    double outer_m[2], inner_m[2];
    beside(&at, at.left_m + said->outer_m, outer_m);
    beside(&at, at.left_m + said->inner_m, inner_m);
    bool found = false;
    for (size_t i = 0; i < lines->strips.count; i++) {
        const client_outline_shape *strip = &lines->strips.list[i];
        const double *points = lines->points.values + strip->first;
        found = found || (strcmp(strip->name, "kerb") == 0 && way_m(points, outer_m) < 1e-6 &&
                          way_m(&points[strip->count - 2], inner_m) < 1e-6);
    }
    ck_assert(found);
}

TEST(verges_go_all_the_way_round_without_a_gap) {
    const drawn *of = draw("oval");
    const client_outline *lines = of->lines;
    ck_assert_double_gt(of->def.verge_m, 0.0);
    // The left verge comes first, in pieces; each begins before the last has ended.
    double reached_m = 0.0;
    for (size_t i = 0; i < lines->strips.count && reached_m < lines->length_m - 0.01; i++) {
        const client_outline_shape *piece = &lines->strips.list[i];
        const double *points = lines->points.values + piece->first;
        ck_assert_str_eq(piece->name, of->def.verge_surface);
        double begin_m = lap_of(of, &points[piece->count - 2]);
        double end_m = lap_of(of, &points[piece->count / 2]);
        ck_assert_double_lt(begin_m > lines->length_m - 0.01 ? 0.0 : begin_m, reached_m + 1e-3);
        reached_m = end_m < reached_m ? lines->length_m : end_m;
    }
    ck_assert_double_ge(reached_m, lines->length_m - 0.01);
}

TEST(walls_are_those_that_were_laid) {
    const drawn *of = draw("highfell");
    const client_outline *lines = of->lines;
    const apex_walls *walls = apex_track_walls(of->track);
    double laid_m = 0.0, drawn_m = 0.0;
    for (uint32_t i = 0; i < walls->segment_count; i++) {
        const apex_wall_segment *piece = &walls->segments[i];
        laid_m += hypot(piece->to_x_m - piece->from_x_m, piece->to_y_m - piece->from_y_m);
    }
    ck_assert_uint_gt(lines->walls.count, 1);
    ck_assert_uint_lt(lines->walls.count, walls->segment_count / 10);
    for (size_t i = 0; i < lines->walls.count - walls->post_count; i++) {
        const client_outline_shape *wall = &lines->walls.list[i];
        const double *points = lines->points.values + wall->first;
        for (size_t k = 0; k + 2 < wall->count; k += 2) {
            drawn_m += way_m(&points[k], &points[k + 2]);
        }
    }
    ck_assert_double_eq_tol(drawn_m, laid_m, 1e-6 * laid_m);
}

TEST(posts_are_rings) {
    const drawn *of = draw("car-park");
    const client_outline *lines = of->lines;
    const apex_walls *walls = apex_track_walls(of->track);
    ck_assert_uint_gt(walls->post_count, 0);
    size_t first = lines->walls.count - walls->post_count;
    for (uint32_t i = 0; i < walls->post_count; i++) {
        const client_outline_shape *ring = &lines->walls.list[first + i];
        const double *points = lines->points.values + ring->first;
        const double middle[2] = {walls->posts[i].x_m, walls->posts[i].y_m};
        ck_assert_str_eq(ring->name, walls->materials[walls->posts[i].material].name);
        ck_assert_double_eq(points[0], points[ring->count - 2]);
        for (size_t k = 0; k < ring->count; k += 2) {
            ck_assert_double_eq_tol(way_m(middle, &points[k]), walls->posts[i].radius_m, 1e-9);
        }
    }
}

TEST(the_pit_lane_is_as_wide_as_it_was_asked_for) {
    const drawn *of = draw("ridgeway");
    const client_outline *lines = of->lines;
    const client_outline_shape *lane = &lines->pit_lane;
    const double *points = lines->points.values + lane->first;
    size_t places = lane->count / 4;
    ck_assert(of->def.pit_lane.given);
    ck_assert_uint_gt(places, 20);
    for (size_t i = 0; i < places; i++) {
        const double *left = &points[2 * i], *right = &points[lane->count - 2 * (i + 1)];
        ck_assert_double_eq_tol(way_m(left, right), of->def.pit_lane.width_m, 1e-6);
        const double middle[2] = {0.5 * (left[0] + right[0]), 0.5 * (left[1] + right[1])};
        apex_track_place at = apex_track_find(of->track, middle[0], middle[1], 0.0);
        ck_assert_double_eq_tol(apex_track_pit_place_of(of->track, &at).offset_m, 0.0, 0.3);
    }
}

TEST(boxes_of_the_grid_are_the_servers) {
    const drawn *of = draw("oval");
    ck_assert_uint_eq(of->lines->grid.count, 3 * BOXES);
    for (uint32_t i = 0; i < BOXES; i++) {
        apex_placement at = apex_track_grid_placement(of->track, i);
        ck_assert_double_eq(of->lines->grid.values[3 * i], at.x_m);
        ck_assert_double_eq(of->lines->grid.values[3 * i + 1], at.y_m);
        ck_assert_double_eq(of->lines->grid.values[3 * i + 2], at.yaw_rad);
    }
}

TEST(a_terrain_without_a_course_has_no_lap) {
    const drawn *of = draw("car-park");
    ck_assert_double_eq(of->lines->length_m, 0.0);
    ck_assert_uint_eq(of->lines->lap_m.count, 0);
    ck_assert_uint_eq(of->lines->strips.count, 0);
    const apex_terrain *terrain = &of->def.terrain;
    ck_assert_double_eq(of->lines->west, terrain->x_m);
    ck_assert_double_eq(of->lines->north, terrain->y_m + (terrain->rows - 1) * terrain->cell_m);
}

// A sketch is for drawing: its lines are those of the track, to the bit.
static void check_sketch(const char *name) {
    const drawn *of = draw(name);
    apex_track *sketch = NULL;
    ck_assert_int_eq(apex_track_sketch(&of->def, &sketch, NULL), APEX_OK);
    client_outline *lines = client_outline_create(&of->def, sketch, BOXES);
    ck_assert_ptr_nonnull(lines);
    const client_outline_numbers *all[][2] = {
        {&lines->left_edge, &of->lines->left_edge}, {&lines->lap_m, &of->lines->lap_m},
        {&lines->height_m, &of->lines->height_m},   {&lines->points, &of->lines->points},
        {&lines->grid, &of->lines->grid},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        ck_assert_uint_eq(all[i][0]->count, all[i][1]->count);
        size_t bytes = all[i][0]->count * sizeof(double);
        ck_assert(bytes == 0 || memcmp(all[i][0]->values, all[i][1]->values, bytes) == 0);
    }
    ck_assert_uint_eq(lines->walls.count, of->lines->walls.count);
    ck_assert_uint_eq(lines->strips.count, of->lines->strips.count);
    client_outline_destroy(lines);
    apex_track_destroy(sketch);
}

TEST(a_sketch_has_the_same_lines) {
    check_sketch("ridgeway");
    check_sketch("drag-strip");
    check_sketch("car-park-lap");
}
