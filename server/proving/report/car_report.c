// A car's figures as text, CSV and JSON, beside those of others of its kind and what is published.
// A value that was not reached is "-", empty and null.
#include "proving/proving.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/print.h"
#include "proving/report/report_values.h"
#include "proving/rig/units.h"

enum { COLUMNS_MAX = 4 };

typedef struct report_lists {
    apex_figure figures[COLUMNS_MAX][APEX_FIGURES_MAX];
    size_t count;
} report_lists;

// All columns are of one car and so have the same lines.
static void fill_lists(const apex_car_report *report, report_lists *lists) {
    APEX_ASSERT(report->column_count >= 1 && report->column_count <= COLUMNS_MAX);
    memset(lists, 0, sizeof *lists);
    lists->count = APEX_FIGURES_MAX;
    for (size_t c = 0; c < report->column_count; c++) {
        size_t count = apex_car_figures_list(report->columns[c].figures, lists->figures[c]);
        lists->count = count < lists->count ? count : lists->count;
    }
}

static apex_published_figure published_of(const apex_car_report *report, const char *name) {
    for (size_t i = 0; i < report->published_count; i++) {
        if (strcmp(report->published[i].name, name) == 0) {
            return report->published[i];
        }
    }
    return (apex_published_figure){name, proving_nothing(), ""};
}

static double deviation_percent(double measured, double published) {
    return 100.0 * (measured - published) / published;
}

// A line of the table. Those after a heading belong to it.
typedef struct text_row {
    const char *name, *label;
    int places;
    const char *heading; ///< before it, or NULL
} text_row;

static const text_row ROWS[] = {
    {"top_speed", "top speed", 1, "Speed"},
    {"top_speed_rpm", "  at", 0, NULL},
    {"top_speed_gear", "  in gear", 0, NULL},
    {"0_60_mph", "0-60 mph", 2, NULL},
    {"0_100_kmh", "0-100 km/h", 2, NULL},
    {"0_160_kmh", "0-160 km/h", 2, NULL},
    {"0_200_kmh", "0-200 km/h", 2, NULL},
    {"quarter_mile", "quarter mile", 2, NULL},
    {"quarter_mile_speed", "  at", 1, NULL},
    {"100_0_kmh", "100-0 km/h", 1, "Braking"},
    {"60_0_mph", "60-0 mph", 1, NULL},
    {"skidpad", "skidpad, 100 ft", 3, "Cornering"},
    {"skidpad_left", "  to the left", 3, NULL},
    {"skidpad_right", "  to the right", 3, NULL},
    {"understeer", "understeer gradient", 2, NULL},
    {"power_peak", "power", 1, "Engine"},
    {"power_peak_rpm", "  at", 0, NULL},
    {"torque_peak", "torque", 1, NULL},
    {"torque_peak_rpm", "  at", 0, NULL},
    {"mass", "mass, full of fuel", 0, "Weight"},
    {"front_weight", "on the front", 1, NULL},
    {"axle_1_load", "axle 1", 0, NULL},
    {"axle_2_load", "axle 2", 0, NULL},
    {"axle_3_load", "axle 3", 0, NULL},
    {"axle_4_load", "axle 4", 0, NULL},
    {"rollover", "tips over at", 2, NULL},
    {"wheelie", "front lifts at", 2, NULL},
    {"stoppie", "rear lifts at", 2, NULL},
};

// NULL for what the table leaves to the line of wheel loads.
static const text_row *row_of(const char *name) {
    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        if (strcmp(ROWS[i].name, name) == 0) {
            return &ROWS[i];
        }
    }
    return NULL;
}

enum { LABEL_WIDTH = 22, COLUMN_WIDTH = 11, UNIT_WIDTH = 8, PERCENT_WIDTH = 10 };

static void text_value(FILE *out, double value, int places) {
    if (isnan(value)) {
        fprintf(out, "%*s", COLUMN_WIDTH, "-");
    } else {
        fprintf(out, "%*.*f", COLUMN_WIDTH, places, value);
    }
}

// Published figure, unit, deviation, number of the note.
static void text_tail(const apex_car_report *report, const apex_figure *measured, int places,
                      FILE *out) {
    const apex_published_figure published = published_of(report, measured->name);
    bool has_figure = !isnan(published.value);
    if (has_figure) {
        text_value(out, published.value, places);
    } else if (report->published_count > 0 && measured->unit[0] != 0) {
        fprintf(out, "%*s", COLUMN_WIDTH, "");
    }
    bool has_deviation = has_figure && !isnan(measured->value);
    bool has_note = published.note[0] != 0;
    if (has_deviation || has_note) {
        fprintf(out, "  %-*s", UNIT_WIDTH - 2, measured->unit);
    } else if (measured->unit[0] != 0) {
        fprintf(out, "  %s", measured->unit);
    }
    if (has_deviation) {
        double deviation = deviation_percent(measured->value, published.value);
        fprintf(out, "%+*.1f %%", PERCENT_WIDTH - 2, deviation);
    } else if (has_note) {
        fprintf(out, "%*s", PERCENT_WIDTH, "");
    }
    if (has_note) {
        size_t number = 1;
        for (size_t i = 0; strcmp(report->published[i].name, measured->name) != 0; i++) {
            number += report->published[i].note[0] != 0;
        }
        fprintf(out, "  [%zu]", number);
    }
    fputc('\n', out);
}

static void text_table(const apex_car_report *report, FILE *out) {
    report_lists lists;
    fill_lists(report, &lists);
    fprintf(out, "%-*s", LABEL_WIDTH, "");
    for (size_t c = 0; c < report->column_count; c++) {
        fprintf(out, "%*s", COLUMN_WIDTH, report->columns[c].title);
    }
    if (report->published_count > 0) {
        fprintf(out, "%*s%*s", COLUMN_WIDTH, "published", UNIT_WIDTH + PERCENT_WIDTH, "deviation");
    }
    fputc('\n', out);
    for (size_t i = 0; i < lists.count; i++) {
        const text_row *row = row_of(lists.figures[0][i].name);
        if (row == NULL) {
            continue;
        }
        if (row->heading != NULL) {
            fprintf(out, "%s\n", row->heading);
        }
        fprintf(out, "  %-*s", LABEL_WIDTH - 2, row->label);
        for (size_t c = 0; c < report->column_count; c++) {
            text_value(out, lists.figures[c][i].value, row->places);
        }
        text_tail(report, &lists.figures[0][i], row->places, out);
    }
}

static void text_wheels(const apex_car_figures *figures, FILE *out) {
    fprintf(out, "  %-*s", LABEL_WIDTH - 2, "each wheel");
    for (uint32_t w = 0; w < figures->wheel_count; w++) {
        double load = figures->wheel_load_n[w];
        if (isnan(load)) {
            fprintf(out, "%*s", w > 0 ? 8 : COLUMN_WIDTH, "-");
        } else {
            fprintf(out, "%*.0f", w > 0 ? 8 : COLUMN_WIDTH, load);
        }
    }
    fprintf(out, "  N\n");
}

static void text_notes(const apex_car_report *report, FILE *out) {
    if (report->published_count == 0) {
        return;
    }
    if (report->source != NULL && report->source[0] != 0) {
        fputc('\n', out);
        apex_print_line(out, "Published: %s", report->source);
    }
    size_t number = 0;
    for (size_t i = 0; i < report->published_count; i++) {
        if (report->published[i].note[0] != 0) {
            fputs(number == 0 ? "\n" : "", out);
            apex_print_line(out, "[%zu] %s", number + 1, report->published[i].note);
            number++;
        }
    }
}

static void text_gears(const apex_car_report *report, FILE *out) {
    const apex_car_figures *figures = report->columns[0].figures;
    fprintf(out, "\nGear speeds in km/h, at the limiter's %.0f rpm\n  ",
            report->car->engine.limiter_rpm);
    for (uint32_t g = 0; g < figures->gear_count; g++) {
        fprintf(out, "%8u", g + 1);
    }
    fprintf(out, "%8s\n  ", "R");
    for (uint32_t g = 0; g < figures->gear_count; g++) {
        fprintf(out, "%8.1f", figures->gear_speed_mps[g] / PROVING_KMH);
    }
    fprintf(out, "%8.1f\n", figures->reverse_speed_mps / PROVING_KMH);
}

// Every so many points that a page holds them; the CSV has all.
static void text_engine(const apex_car_figures *figures, FILE *out) {
    enum { LINES_MAX = 32 };
    uint32_t every = (figures->engine_count + LINES_MAX - 1) / LINES_MAX;
    fprintf(out, "\nTorque and power at full throttle\n  %8s%8s%8s\n", "rpm", "Nm", "kW");
    for (uint32_t i = 0; i < figures->engine_count; i += every) {
        const apex_engine_point *point = &figures->engine[i];
        fprintf(out, "  %8.0f%8.1f%8.1f\n", point->rpm, point->torque_nm, point->power_w / 1000.0);
    }
}

void apex_car_report_text(const apex_car_report *report, FILE *out) {
    apex_print_line(out, "%s: %s", report->car->name, report->car->title);
    fputc('\n', out);
    text_table(report, out);
    text_wheels(report->columns[0].figures, out);
    text_notes(report, out);
    if (report->columns[0].figures->gear_count > 0) {
        text_gears(report, out);
        text_engine(report->columns[0].figures, out);
    }
}

// A value that fitting does not change: gears and engine. `at` is the number that it belongs to.
typedef struct csv_point {
    const char *figure, *at_unit, *unit;
    double at, value;
} csv_point;

static void csv_put(const apex_car_report *report, const csv_point *point, FILE *out) {
    fprintf(out, "%s,%.7g,%s,%s", point->figure, point->at, point->at_unit, point->unit);
    for (size_t c = 0; c < report->column_count; c++) {
        proving_print_csv(out, point->value);
    }
    fputs(",,,\n", out);
}

// RFC 4180: a note may hold commas and quotes, but no line breaks.
static void csv_note(const char *note, FILE *out) {
    if (note[0] == 0) {
        return;
    }
    fputc('"', out);
    for (; *note != 0; note++) {
        fprintf(out, *note == '"' ? "\"\"" : "%c", *note);
    }
    fputc('"', out);
}

static void csv_published(const apex_car_report *report, const apex_figure *measured, FILE *out) {
    const apex_published_figure published = published_of(report, measured->name);
    proving_print_csv(out, published.value);
    proving_print_csv(out, deviation_percent(measured->value, published.value));
    fputc(',', out);
    csv_note(published.note, out);
    fputc('\n', out);
}

void apex_car_report_csv(const apex_car_report *report, FILE *out) {
    report_lists lists;
    fill_lists(report, &lists);
    fprintf(out, "figure,at,at_unit,unit");
    for (size_t c = 0; c < report->column_count; c++) {
        fprintf(out, ",%s", report->columns[c].title);
    }
    fputs(",published,deviation_percent,note\n", out);
    for (size_t i = 0; i < lists.count; i++) {
        fprintf(out, "%s,,,%s", lists.figures[0][i].name, lists.figures[0][i].unit);
        for (size_t c = 0; c < report->column_count; c++) {
            proving_print_csv(out, lists.figures[c][i].value);
        }
        csv_published(report, &lists.figures[0][i], out);
    }
    const apex_car_figures *figures = report->columns[0].figures;
    for (uint32_t g = 0; g < figures->gear_count; g++) {
        double speed = figures->gear_speed_mps[g] / PROVING_KMH;
        csv_put(report, &(csv_point){"gear_speed", "gear", "km/h", g + 1.0, speed}, out);
    }
    for (uint32_t i = 0; i < figures->engine_count; i++) {
        const apex_engine_point *at = &figures->engine[i];
        csv_put(report, &(csv_point){"torque", "rpm", "Nm", at->rpm, at->torque_nm}, out);
        csv_put(report, &(csv_point){"power", "rpm", "kW", at->rpm, at->power_w / 1000.0}, out);
    }
}

static void json_curves(const apex_car_figures *figures, apex_json_writer *json) {
    apex_json_open(json, "gears", '[');
    for (uint32_t g = 0; g < figures->gear_count; g++) {
        apex_json_open(json, NULL, '{');
        apex_json_count(json, "gear", g + 1);
        proving_put_json(json, "speed_kmh", figures->gear_speed_mps[g] / PROVING_KMH);
        apex_json_close(json);
    }
    apex_json_close(json);
    apex_json_open(json, "engine", '[');
    for (uint32_t i = 0; i < figures->engine_count; i++) {
        const apex_engine_point *at = &figures->engine[i];
        apex_json_open(json, NULL, '{');
        proving_put_json(json, "rpm", at->rpm);
        proving_put_json(json, "torque_nm", at->torque_nm);
        proving_put_json(json, "power_kw", at->power_w / 1000.0);
        apex_json_close(json);
    }
    apex_json_close(json);
}

static void json_text_or_null(apex_json_writer *json, const char *key, const char *text) {
    if (text != NULL && text[0] != 0) {
        apex_json_text(json, key, text);
    } else {
        apex_json_null(json, key);
    }
}

static void json_figure(const apex_car_report *report, const report_lists *lists, size_t i,
                        apex_json_writer *json) {
    const apex_figure *measured = &lists->figures[0][i];
    const apex_published_figure published = published_of(report, measured->name);
    apex_json_open(json, NULL, '{');
    apex_json_text(json, "name", measured->name);
    apex_json_text(json, "unit", measured->unit);
    for (size_t c = 0; c < report->column_count; c++) {
        proving_put_json(json, report->columns[c].title, lists->figures[c][i].value);
    }
    proving_put_json(json, "published", published.value);
    proving_put_json(json, "deviation_percent",
                     deviation_percent(measured->value, published.value));
    json_text_or_null(json, "note", published.note);
    apex_json_close(json);
}

void apex_car_report_json(const apex_car_report *report, FILE *out) {
    report_lists lists;
    fill_lists(report, &lists);
    apex_json_writer json = apex_json_begin(apex_text_growing(), 2);
    apex_json_open(&json, NULL, '{');
    apex_json_text(&json, "car", report->car->name);
    apex_json_text(&json, "title", report->car->title);
    json_text_or_null(&json, "published_source", report->source);
    apex_json_open(&json, "figures", '[');
    for (size_t i = 0; i < lists.count; i++) {
        json_figure(report, &lists, i, &json);
    }
    apex_json_close(&json);
    json_curves(report->columns[0].figures, &json);
    apex_json_close(&json);
    apex_json_print(&json, out);
}
