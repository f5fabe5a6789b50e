/// A centre line given as straights and bends in driving order, the way a circuit is described in
/// words. A bend may ease in and out along clothoids (curvature linear in the way). Heights, widths
/// and banking run through the values at the sections' ends along monotone cubics (Fritsch and
/// Carlson 1980): smooth, and never beyond the values that were written.
#include "content/track_file/track_sections.h"

#include <math.h>
#include <stdlib.h>

#include "base/trig.h"
#include "content/document/nodes.h"
#include "content/document/value.h"
#include "content/fields/field_macros.h"
#include "content/fields/fields.h"
#include "content/fields/write_fields.h"
#include "content/track_file/section_names.h"
#include "content/track_file/track_draft.h"

enum {
    SECTIONS_MAX = 1024,
    PROFILES = 4, ///< z, left, right, banking
};

#define STEP_M        5.0 // between points; less in tight bends
#define STEPS_IN_TURN 60.0
#define CLOSE_M       0.5
#define CLOSE_DEG     0.5
#define LEFT_OUT      ((double)NAN)

typedef struct stretch {
    double straight_m, left_rad, right_rad, radius_m, ease_m; ///< as in the file, or LEFT_OUT
    double rise_m, left_m, right_m, banking_rad;
    double length_m;
    double turn_rad; ///< left positive
    bool is_join;
    double join_x[6], join_y[6]; ///< polynomials over 0..1
} stretch;

typedef struct pose {
    double x_m, y_m, heading_rad;
} pose;

typedef struct course_plan {
    stretch *sections;
    size_t count;
    double (*knots)[PROFILES]; ///< count + 1: at the begin of each section and the end of the last
    pose begin, end;
    double length_m;
} course_plan;

static const stretch first_section = {.straight_m = LEFT_OUT,
                                      .left_rad = LEFT_OUT,
                                      .right_rad = LEFT_OUT,
                                      .radius_m = LEFT_OUT,
                                      .left_m = LEFT_OUT,
                                      .right_m = LEFT_OUT,
                                      .banking_rad = LEFT_OUT};

static const content_field section_fields[] = {
    REAL(stretch, straight_m, 0.1, APEX_TRACK_LENGTH_M_MAX, "a straight of this length"),
    ANGLE(stretch, "left_deg", left_rad, 0.1, 720, "a bend to the left by this angle"),
    ANGLE(stretch, "right_deg", right_rad, 0.1, 720, "a bend to the right by this angle"),
    REAL(stretch, radius_m, 3, 100000, "of the bend"),
    REAL(stretch, ease_m, 0, 1000, "way over which the bend eases in, and again out"),
    REAL(stretch, rise_m, -200, 200, "from its begin to its end"),
    REAL(stretch, left_m, 1, 50, "road to the left of the centre line at its end"),
    REAL(stretch, right_m, 1, 50, "the same to the right"),
    ANGLE(stretch, "banking_deg", banking_rad, -57, 57, "at its end, left edge up positive"),
};
static const content_table section_table = CONTENT_TABLE(section_fields);

static bool measure_bend(content_reader *reader, const yaml_node_t *node, stretch *out) {
    bool left = !isnan(out->left_rad);
    if (isnan(out->radius_m)) {
        return content_fail(reader, node->start_mark, APEX_ERR_PARSE,
                            "radius_m: missing (of the bend)");
    }
    double angle_rad = left ? out->left_rad : out->right_rad;
    double arc_m = angle_rad * out->radius_m;
    if (out->ease_m > arc_m) {
        return content_fail(reader, node->start_mark, APEX_ERR_RANGE,
                            "ease_m: %.6g is too long; this bend has room for %.6g", out->ease_m,
                            arc_m);
    }
    // Curvature is a trapezium over the way; its area is the angle.
    out->length_m = arc_m + out->ease_m;
    out->turn_rad = left ? angle_rad : -angle_rad;
    return true;
}

static bool measure(content_reader *reader, const yaml_node_t *node, stretch *out) {
    int kinds = !isnan(out->straight_m) + !isnan(out->left_rad) + !isnan(out->right_rad);
    if (kinds != 1) {
        return content_fail(reader, node->start_mark, APEX_ERR_PARSE,
                            "expected one of straight_m, left_deg and right_deg, found %d of them",
                            kinds);
    }
    if (isnan(out->straight_m)) {
        return measure_bend(reader, node, out);
    }
    if (!isnan(out->radius_m) || out->ease_m > 0) {
        return content_fail(reader, node->start_mark, APEX_ERR_PARSE,
                            "a straight has neither radius_m nor ease_m");
    }
    out->length_m = out->straight_m;
    return true;
}

static bool read_all(content_reader *reader, const yaml_node_t *node, course_plan *out) {
    for (size_t i = 0; i < out->count; i++) {
        const yaml_node_t *item = content_list_item(reader, node, i);
        size_t path = content_push_index(reader, i);
        out->sections[i] = first_section;
        bool good = content_read_map(reader, item, &section_table, &out->sections[i]) &&
                    measure(reader, item, &out->sections[i]);
        content_pop(reader, path);
        if (!good && !content_goes_on(reader)) {
            return false;
        }
        out->length_m += out->sections[i].length_m;
    }
    // With a wrong section, or a wrong width of the road, nothing can be laid.
    if (reader->err != APEX_OK) {
        return false;
    }
    if (out->length_m > APEX_TRACK_LENGTH_M_MAX) {
        return content_fail(reader, node->start_mark, APEX_ERR_RANGE,
                            "the track is %.0f m long; at most %d m can be laid", out->length_m,
                            APEX_TRACK_LENGTH_M_MAX);
    }
    return true;
}

/// Heading gained since the section's begin.
static double turned_rad(const stretch *section, double s_m) {
    double ease = section->ease_m;
    double rest = section->length_m - s_m;
    double curvature = section->turn_rad / (section->length_m - ease);
    if (s_m < ease) {
        return curvature * s_m * s_m / (2.0 * ease);
    }
    if (ease > 0 && rest < ease) { // the last piece may end a rounding error past the end
        return section->turn_rad - curvature * rest * rest / (2.0 * ease);
    }
    return curvature * (s_m - 0.5 * ease);
}

static double polynomial(const double c[6], double t) {
    return c[0] + t * (c[1] + t * (c[2] + t * (c[3] + t * (c[4] + t * c[5]))));
}

/// Gauss and Legendre's three points a piece: exact to a micrometre for pieces of a tenth of a
/// radian.
static pose advance(const stretch *section, const pose *begin, double from_m, double to_m) {
    static const double node[3] = {-0.7745966692414834, 0.0, 0.7745966692414834};
    static const double weight[3] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
    pose out = *begin;
    if (section->is_join) {
        double t = to_m / section->length_m;
        return (pose){polynomial(section->join_x, t), polynomial(section->join_y, t), 0};
    }
    double base_rad = begin->heading_rad - turned_rad(section, from_m);
    double way_m = to_m - from_m;
    for (int i = 0; i < 3; i++) {
        double sine, cosine;
        double s_m = from_m + 0.5 * (1.0 + node[i]) * way_m;
        apex_sincos(base_rad + turned_rad(section, s_m), &sine, &cosine);
        out.x_m += weight[i] * way_m * cosine;
        out.y_m += weight[i] * way_m * sine;
    }
    out.heading_rad = base_rad + turned_rad(section, to_m);
    return out;
}

static size_t pieces(const stretch *section) {
    double step = STEP_M;
    if (section->turn_rad != 0) {
        double fine = section->radius_m * 2.0 * APEX_PI / STEPS_IN_TURN;
        step = fine < step ? fine : step;
    }
    return (size_t)ceil(section->length_m / step - 1e-9);
}

static pose run_through(const stretch *section, pose at) {
    size_t count = pieces(section);
    for (size_t i = 0; i < count; i++) {
        at = advance(section, &at, section->length_m * (double)i / (double)count,
                     section->length_m * (double)(i + 1) / (double)count);
    }
    return at;
}

static double given_or(double value, double otherwise) {
    return isnan(value) ? otherwise : value;
}

static void set_knots(course_plan *course, const double first[PROFILES]) {
    for (int p = 0; p < PROFILES; p++) {
        course->knots[0][p] = first[p];
    }
    for (size_t i = 0; i < course->count; i++) {
        const stretch *section = &course->sections[i];
        const double *before = course->knots[i];
        double *after = course->knots[i + 1];
        after[0] = before[0] + section->rise_m;
        after[1] = given_or(section->left_m, before[1]);
        after[2] = given_or(section->right_m, before[2]);
        after[3] = given_or(section->banking_rad, before[3]);
    }
}

static double chord_slope(const course_plan *course, size_t section, int profile) {
    return (course->knots[section + 1][profile] - course->knots[section][profile]) /
           course->sections[section].length_m;
}

/// Harmonic mean of the slopes on both sides; level where they differ in sign.
static double knot_slope(const course_plan *course, size_t knot, int profile, bool closed) {
    if (!closed && (knot == 0 || knot == course->count)) {
        return chord_slope(course, knot == 0 ? 0 : knot - 1, profile);
    }
    size_t after = knot == course->count ? 0 : knot;
    size_t before = after == 0 ? course->count - 1 : after - 1;
    double a = chord_slope(course, before, profile), b = chord_slope(course, after, profile);
    return a * b > 0 ? 2.0 * a * b / (a + b) : 0.0;
}

static double profile_at(const course_plan *course, size_t section, int profile, double s_m,
                         bool closed) {
    double length = course->sections[section].length_m;
    double t = s_m / length, u = 1.0 - t;
    double a = course->knots[section][profile], b = course->knots[section + 1][profile];
    double slope_a = knot_slope(course, section, profile, closed) * length;
    double slope_b = knot_slope(course, section + 1, profile, closed) * length;
    // In this form a constant stays the same to the bit.
    return a + t * t * (3.0 - 2.0 * t) * (b - a) + slope_a * u * u * t - slope_b * t * t * u;
}

static apex_track_point point_at(const course_plan *course, size_t section, double s_m,
                                 const pose *at, bool closed) {
    return (apex_track_point){.x_m = at->x_m,
                              .y_m = at->y_m,
                              .z_m = profile_at(course, section, 0, s_m, closed),
                              .left_m = profile_at(course, section, 1, s_m, closed),
                              .right_m = profile_at(course, section, 2, s_m, closed),
                              .banking_rad = profile_at(course, section, 3, s_m, closed)};
}

static void emit(content_reader *reader, const course_plan *course, apex_track_def *out) {
    pose at = course->begin;
    uint32_t point = 0;
    for (size_t i = 0; i < course->count; i++) {
        const stretch *section = &course->sections[i];
        size_t count = pieces(section);
        for (size_t j = 0; j < count; j++) {
            double from_m = section->length_m * (double)j / (double)count;
            content_note_section(reader, point, i);
            out->points[point++] = point_at(course, i, from_m, &at, out->closed);
            at = advance(section, &at, from_m, section->length_m * (double)(j + 1) / (double)count);
        }
    }
    if (!out->closed) {
        content_note_section(reader, point, course->count - 1);
        out->points[point++] = point_at(course, course->count - 1,
                                        course->sections[course->count - 1].length_m, &at, false);
    }
    out->point_count = point;
}

/// Spreads the gap that rounded numbers leave evenly over the lap.
static void spread_gap(const course_plan *course, apex_track_def *out) {
    double rise_m = course->knots[course->count][0] - course->knots[0][0];
    for (uint32_t i = 0; i < out->point_count; i++) {
        double share = (double)i / (double)out->point_count;
        out->points[i].x_m -= share * (course->end.x_m - course->begin.x_m);
        out->points[i].y_m -= share * (course->end.y_m - course->begin.y_m);
        out->points[i].z_m -= share * rise_m;
    }
}

/// Quintic from the end to the begin whose curvature vanishes at both: bends join it like a
/// straight.
static void set_join(double c[6], double from, double to, double slope_from, double slope_to) {
    double way = to - from;
    c[0] = from;
    c[1] = slope_from;
    c[2] = 0;
    c[3] = 10.0 * way - 6.0 * slope_from - 4.0 * slope_to;
    c[4] = -15.0 * way + 8.0 * slope_from + 7.0 * slope_to;
    c[5] = 6.0 * way - 3.0 * slope_from - 3.0 * slope_to;
}

static void join(course_plan *course, double gap_m) {
    stretch *last = &course->sections[course->count];
    double sine, cosine, sine_end, cosine_end;
    *last = first_section;
    last->is_join = true;
    last->rise_m = course->knots[0][0] - course->knots[course->count][0];
    last->left_m = course->knots[0][1];
    last->right_m = course->knots[0][2];
    last->banking_rad = course->knots[0][3];
    apex_sincos(course->begin.heading_rad, &sine, &cosine);
    apex_sincos(course->end.heading_rad, &sine_end, &cosine_end);
    set_join(last->join_x, course->end.x_m, course->begin.x_m, gap_m * cosine_end, gap_m * cosine);
    set_join(last->join_y, course->end.y_m, course->begin.y_m, gap_m * sine_end, gap_m * sine);
    for (int i = 0; i < 64; i++) {
        double dx = polynomial(last->join_x, (i + 1) / 64.0) - polynomial(last->join_x, i / 64.0);
        double dy = polynomial(last->join_y, (i + 1) / 64.0) - polynomial(last->join_y, i / 64.0);
        last->length_m += sqrt(dx * dx + dy * dy);
    }
    for (int p = 0; p < PROFILES; p++) {
        course->knots[course->count + 1][p] = course->knots[0][p];
    }
    course->count++;
    course->end = course->begin;
}

static bool close_lap(content_reader *reader, const yaml_node_t *node, course_plan *course,
                      bool may_join) {
    double dx = course->end.x_m - course->begin.x_m, dy = course->end.y_m - course->begin.y_m;
    double dz = course->knots[course->count][0] - course->knots[0][0];
    double gap_m = sqrt(dx * dx + dy * dy);
    double turn_deg = apex_wrap_angle(course->end.heading_rad - course->begin.heading_rad) /
                      CONTENT_RADIANS_PER_DEGREE;
    if (gap_m <= CLOSE_M && fabs(turn_deg) <= CLOSE_DEG && fabs(dz) <= CLOSE_M) {
        return true;
    }
    if (may_join && gap_m > CLOSE_M) {
        join(course, gap_m);
        return true;
    }
    return content_fail(reader, node->start_mark, APEX_ERR_RANGE,
                        "the lap does not close: its end misses its begin by %.2f m (x %+.2f, "
                        "y %+.2f, z %+.2f) and %.2f degrees; %g m and %g degrees are allowed",
                        gap_m, dx, dy, dz, turn_deg, CLOSE_M, CLOSE_DEG);
}

static bool lay_out(content_reader *reader, const yaml_node_t *node, content_track_file *file,
                    course_plan *course) {
    double half_m = 0.5 * file->width_m;
    if (!read_all(reader, node, course)) {
        return false;
    }
    course->begin = (pose){file->origin.x_m, file->origin.y_m, file->origin.heading_rad};
    course->end = course->begin;
    for (size_t i = 0; i < course->count; i++) {
        course->end = run_through(&course->sections[i], course->end);
    }
    set_knots(course, (double[PROFILES]){file->origin.z_m, half_m, half_m, 0});
    if (file->def.closed) {
        // A lap begins as wide and as banked as it ends.
        const double *last = course->knots[course->count];
        set_knots(course, (double[PROFILES]){file->origin.z_m, last[1], last[2], last[3]});
        if (!close_lap(reader, node, course, file->join)) {
            return false;
        }
    }
    size_t points = 1;
    for (size_t i = 0; i < course->count; i++) {
        points += pieces(&course->sections[i]);
    }
    if (points > APEX_TRACK_POINTS_MAX) {
        return content_fail(reader, node->start_mark, APEX_ERR_RANGE,
                            "the sections need %zu points; there is room for %d", points,
                            APEX_TRACK_POINTS_MAX);
    }
    file->def.points = calloc(points, sizeof *file->def.points);
    if (file->def.points == NULL || !content_begin_sections(reader, points)) {
        return content_fail(reader, node->start_mark, APEX_ERR_NO_MEMORY, "out of memory");
    }
    emit(reader, course, &file->def);
    if (file->def.closed) {
        spread_gap(course, &file->def);
    }
    return true;
}

bool content_read_sections(content_reader *reader, const yaml_node_t *node, void *base) {
    content_track_file *file = base;
    if (!content_need_list(reader, node, 1, SECTIONS_MAX)) {
        return false;
    }
    if (file->def.points != NULL) {
        return content_fail(reader, node->start_mark, APEX_ERR_PARSE,
                            "there are points already; a track has one centre line");
    }
    course_plan course = {.count = content_list_count(node)};
    // One more than listed: the curve that joins the end to the begin.
    course.sections = calloc(course.count + 1, sizeof *course.sections);
    course.knots = calloc(course.count + 2, sizeof *course.knots);
    bool good = course.sections != NULL && course.knots != NULL;
    if (good) {
        good = lay_out(reader, node, file, &course);
    } else {
        content_fail(reader, node->start_mark, APEX_ERR_NO_MEMORY, "out of memory");
    }
    free(course.sections);
    free(course.knots);
    return good;
}

void content_write_sections(content_writer *writer, const void *base) {
    (void)base;
    fputs("  - {straight_m: 300}\n"
          "  - {left_deg: 180, radius_m: 80, ease_m: 40}\n"
          "  - {straight_m: 300}\n"
          "  - {left_deg: 180, radius_m: 80, ease_m: 40}\n"
          "  # Of a section:\n",
          writer->out);
    for (size_t i = 0; i < section_table.count; i++) {
        fprintf(writer->out, "  # %-12s %s\n", section_table.fields[i].key,
                section_table.fields[i].help);
    }
}
