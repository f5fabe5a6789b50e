// Figures and samples as people, spreadsheets and programs read them.
#include "support/base/check_main.h"
#include "support/physics/scenes.h"

#include "proving/proving.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *text;
static size_t length;

static FILE *begin(void) {
    FILE *out = open_memstream(&text, &length);
    ck_assert_ptr_nonnull(out);
    return out;
}

static void end(FILE *out) {
    ck_assert_int_eq(fclose(out), 0);
}

static size_t count_of(char wanted) {
    size_t count = 0;
    for (size_t i = 0; i < length; i++) {
        count += text[i] == wanted;
    }
    return count;
}

// Every line has as many fields as the header.
static size_t expect_table(void) {
    size_t lines = 0, commas = 0, wanted = 0;
    for (size_t i = 0; i < length; i++) {
        commas += text[i] == ',';
        if (text[i] == '\n') {
            wanted = lines == 0 ? commas : wanted;
            ck_assert_msg(commas == wanted, "line %zu: %zu commas, not %zu", lines + 1, commas,
                          wanted);
            commas = 0;
            lines++;
        }
    }
    return lines;
}

static void has(const char *part) {
    ck_assert_msg(strstr(text, part) != NULL, "nothing like '%s' in\n%s", part, text);
}

static apex_car_figures figures[2];
static apex_car_def car;

static apex_car_report report_of(uint32_t what) {
    static const apex_figure_column columns[] = {{"measured", &figures[0]},
                                                 {"unfitted", &figures[1]}};
    const apex_car_def plain = apex_car_unfitted(&car);
    ck_assert_int_eq(apex_car_figures_measure(&car, what, &figures[0]), APEX_OK);
    ck_assert_int_eq(apex_car_figures_measure(&plain, what, &figures[1]), APEX_OK);
    return (apex_car_report){.car = &car, .columns = columns, .column_count = 2};
}

TEST(car_as_text) {
    car = scene_corvette();
    snprintf(car.title, sizeof car.title, "Somebody's Corvette");
    const apex_car_report report = report_of(APEX_MEASURE_REST | APEX_MEASURE_BRAKES);
    FILE *out = begin();
    apex_car_report_text(&report, out);
    end(out);
    has("corvette: Somebody's Corvette\n");
    has("\n                         measured   unfitted\nSpeed\n");
    has("\n  mass, full of fuel         1500       1500  kg\n");
    has("\n  skidpad, 100 ft               -          -  g\n"); // not asked for
    has("\n  each wheel                 3679    3679    3679    3679  N\n");
    has("\nGear speeds in km/h, at the limiter's 6200 rpm\n"
        "         1       2       3       4       5       6       R\n      87.4 ");
    has("    80.1\n");
    has("      3500   462.2   169.4\n");
    ck_assert_ptr_null(strstr(text, "ublished"));
    ck_assert_ptr_null(strchr(text, '_')); // every figure has words
    free(text);
}

TEST(car_as_csv) {
    car = scene_corvette();
    const apex_car_report report = report_of(APEX_MEASURE_REST);
    apex_figure list[APEX_FIGURES_MAX];
    size_t count = apex_car_figures_list(&figures[0], list);
    FILE *out = begin();
    apex_car_report_csv(&report, out);
    end(out);
    const char header[] =
        "figure,at,at_unit,unit,measured,unfitted,published,deviation_percent,note\n";
    ck_assert_int_eq(strncmp(text, header, sizeof header - 1), 0);
    // The header, single figures, six gears, two values at each of 21 engine speeds.
    ck_assert_uint_eq(expect_table(), 1 + count + 6 + 2 * 21);
    has("\ntorque,3500,rpm,Nm,462.2105,462.2105,,,\n");
    has("\ngear_speed,1,gear,km/h,87.35625,87.35625,,,\n");
    has("\nskidpad,,,g,,,,,\n");
    free(text);
}

TEST(car_as_json) {
    car = scene_corvette();
    snprintf(car.title, sizeof car.title, "A \"fast\" \\ car\t\x01 \xc3\xa9");
    const apex_car_report report = report_of(APEX_MEASURE_REST);
    FILE *out = begin();
    apex_car_report_json(&report, out);
    end(out);
    has("\"title\": \"A \\\"fast\\\" \\\\ car\\u0009\\u0001 \xc3\xa9\"");
    has("{\"name\": \"skidpad\", \"unit\": \"g\", \"measured\": null, \"unfitted\": null, "
        "\"published\": null, \"deviation_percent\": null, \"note\": null}");
    has("\"published_source\": null,\n");
    has("{\"rpm\": 1000, \"torque_nm\": 390, \"power_kw\": ");
    ck_assert_uint_eq(count_of('{'), count_of('}'));
    ck_assert_uint_eq(count_of('['), count_of(']'));
    ck_assert_ptr_null(strstr(text, "nan"));
    free(text);
}

// Braking from 100 km/h: published 4 % longer than the 37.5 m that are made to be measured.
static apex_car_report report_beside_published(void) {
    static apex_published_figure published[] = {
        {"top_speed", (double)NAN, "no two agree, \"about 280\""},
        {"100_0_kmh", 36.0, ""},
        {"skidpad", 1.25, "another tyre"},
    };
    car = scene_corvette();
    apex_car_report report = report_of(0);
    figures[0].from_100kmh_m = 37.5;
    figures[0].skidpad_g = 1.0;
    report.published = published;
    report.published_count = 3;
    report.source = "somebody, 1998";
    return report;
}

TEST(published_figures_stand_beside_as_text) {
    const apex_car_report report = report_beside_published();
    FILE *out = begin();
    apex_car_report_text(&report, out);
    end(out);
    has("\n                         measured   unfitted  published         deviation\nSpeed\n");
    has("\n  top speed                     -          -             km/h              [1]\n");
    has("\n  0-60 mph                      -          -             s\n");
    has("\n  100-0 km/h                 37.5          -       36.0  m         +4.2 %\n");
    has("\n  skidpad, 100 ft           1.000          -      1.250  g        -20.0 %  [2]\n");
    has("\nPublished: somebody, 1998\n\n[1] no two agree, \"about 280\"\n[2] another tyre\n\n");
    free(text);
}

TEST(published_figures_stand_beside_for_programs) {
    const apex_car_report report = report_beside_published();
    FILE *out = begin();
    apex_car_report_csv(&report, out);
    end(out);
    has("\ntop_speed,,,km/h,,,,,\"no two agree, \"\"about 280\"\"\"\n");
    has("\n100_0_kmh,,,m,37.5,,36,4.166667,\n");
    has("\nskidpad,,,g,1,,1.25,-20,\"another tyre\"\n");
    free(text);
    out = begin();
    apex_car_report_json(&report, out);
    end(out);
    has("\"published_source\": \"somebody, 1998\"");
    has("\"measured\": null, \"unfitted\": null, \"published\": null, "
        "\"deviation_percent\": null, \"note\": \"no two agree, \\\"about 280\\\"\"}");
    has("\"measured\": 1, \"unfitted\": null, \"published\": 1.25, "
        "\"deviation_percent\": -20, \"note\": \"another tyre\"}");
    free(text);
}

TEST(kinematic_cars_have_no_engine_to_show) {
    car = scene_car_kind(6);
    const apex_car_report report = report_of(0);
    FILE *out = begin();
    apex_car_report_text(&report, out);
    end(out);
    ck_assert_ptr_null(strstr(text, "rpm"));
    free(text);
    out = begin();
    apex_car_report_json(&report, out);
    end(out);
    has("\"gears\": [],\n  \"engine\": []\n}\n");
    free(text);
}

static const char HEADER[] =
    "t_s,x_m,y_m,z_m,speed_mps,yaw_deg,yaw_rate_degps,a_x_mps2,a_y_mps2,slip_angle_deg,roll_deg,"
    "pitch_deg,steer_deg,throttle,brake,rpm,gear,load_1_n,load_2_n,load_3_n,load_4_n\n";

TEST(manoeuvre_as_csv) {
    car = scene_corvette();
    const apex_manoeuvre_def def = apex_default_manoeuvre_def(APEX_MANOEUVRE_BRAKING);
    size_t capacity = apex_manoeuvre_samples_max(&def);
    apex_samples samples = {calloc(capacity, sizeof(apex_sample)), capacity, 0};
    apex_manoeuvre_result result;
    ck_assert_int_eq(apex_manoeuvre_run(&def, &car, &samples, &result), APEX_OK);
    FILE *out = begin();
    apex_manoeuvre_report_csv(&(apex_manoeuvre_report){&def, &car, &result, &samples}, out);
    end(out);
    ck_assert_int_eq(strncmp(text, HEADER, sizeof HEADER - 1), 0);
    ck_assert_uint_eq(expect_table(), 1 + samples.count);
    const char *row = strchr(text, '\n') + 1;
    double t, x, y, z, speed;
    ck_assert_int_eq(sscanf(row, "%lf,%lf,%lf,%lf,%lf,", &t, &x, &y, &z, &speed), 5);
    ck_assert_double_eq(t, 0.0);
    ck_assert_double_eq_tol(x, samples.samples[0].x_m, 1e-3);
    ck_assert_double_eq_tol(speed, samples.samples[0].speed_mps, 1e-3);
    free(text);
    free(samples.samples);
}

TEST(verdicts_are_told) {
    car = scene_corvette();
    const apex_manoeuvre_def def = apex_default_manoeuvre_def(APEX_MANOEUVRE_SLALOM);
    apex_manoeuvre_result result = {
        .figures = {{"time", "s", 12.345}, {"count", "", 3.0}, {"way", "m", (double)NAN}},
        .figure_count = 3,
        .verdict = APEX_VERDICT_FAIL,
        .remark = "gate 2 missed"};
    const apex_manoeuvre_report report = {&def, &car, &result, NULL};
    FILE *out = begin();
    apex_manoeuvre_report_text(&report, out);
    end(out);
    has("corvette: slalom\n");
    has("\ntime                               12.35  s\n");
    has("\ncount                                  3\n");
    has("\nway                                    -  m\n");
    has("\nfail: gate 2 missed\n");
    free(text);
    out = begin();
    apex_manoeuvre_report_json(&report, out);
    end(out);
    has("\"manoeuvre\": \"slalom\",\n  \"car\": \"corvette\",\n  \"verdict\": \"fail\",\n"
        "  \"remark\": \"gate 2 missed\"");
    has("{\"name\": \"time\", \"unit\": \"s\", \"value\": 12.345},");
    has("{\"name\": \"way\", \"unit\": \"m\", \"value\": null}\n");
    free(text);
    result.verdict = APEX_VERDICT_NONE;
    result.remark[0] = 0;
    out = begin();
    apex_manoeuvre_report_text(&report, out);
    end(out);
    ck_assert_ptr_null(strstr(text, "fail"));
    ck_assert_ptr_null(strstr(text, "none"));
    free(text);
}
