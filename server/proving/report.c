// Figures and samples as text, CSV and JSON. A value that was not reached is "-", empty and null.

#include "proving_private.h"

#include "base/assert.h"

#include <math.h>
#include <string.h>

// --- Values -------------------------------------------------------------------------------------

static void print_text(FILE *out, double value) {
    if (isnan(value)) {
        fprintf(out, "%12s", "-");
    } else {
        int places = fabs(value) >= 1000.0  ? 0
                     : fabs(value) >= 100.0 ? 1
                     : fabs(value) >= 10.0  ? 2
                                            : 3;
        fprintf(out, "%12.*f", value == floor(value) ? 0 : places, value);
    }
}

static void print_unit(FILE *out, const char *unit) {
    fprintf(out, "%s%s\n", unit[0] != 0 ? "  " : "", unit);
}

static void print_csv(FILE *out, double value) {
    if (isnan(value)) {
        fputc(',', out);
    } else {
        fprintf(out, ",%.7g", value);
    }
}

static void print_json(FILE *out, double value) {
    if (isfinite(value)) {
        fprintf(out, "%.10g", value);
    } else {
        fputs("null", out);
    }
}

// A title is whatever its file says.
static void print_json_text(FILE *out, const char *text) {
    fputc('"', out);
    for (const unsigned char *at = (const unsigned char *)text; *at != 0; at++) {
        if (*at == '"' || *at == '\\') {
            fprintf(out, "\\%c", *at);
        } else if (*at < 0x20) {
            fprintf(out, "\\u%04x", *at);
        } else {
            fputc(*at, out);
        }
    }
    fputc('"', out);
}

// --- A car's figures ----------------------------------------------------------------------------

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

static void text_gears(const apex_car_figures *figures, FILE *out) {
    fprintf(out, "\ngear speeds at the limiter, km/h\n ");
    for (uint32_t g = 0; g < figures->gear_count; g++) {
        fprintf(out, " %u: %.1f", g + 1, figures->gear_speed_mps[g] / PROVING_KMH);
    }
    fprintf(out, " R: %.1f\n", figures->reverse_speed_mps / PROVING_KMH);
}

static void text_engine(const apex_car_figures *figures, FILE *out) {
    fprintf(out, "\n%12s%12s%12s\n", "rpm", "Nm", "kW");
    for (uint32_t i = 0; i < figures->engine_count; i++) {
        const apex_engine_point *point = &figures->engine[i];
        fprintf(out, "%12.0f%12.1f%12.1f\n", point->rpm, point->torque_nm, point->power_w / 1000.0);
    }
}

void apex_car_report_text(const apex_car_report *report, FILE *out) {
    report_lists lists;
    fill_lists(report, &lists);
    fprintf(out, "%s: %s\n\n%-20s", report->car->name, report->car->title, "");
    for (size_t c = 0; c < report->column_count; c++) {
        fprintf(out, "%12s", report->columns[c].title);
    }
    fputc('\n', out);
    for (size_t i = 0; i < lists.count; i++) {
        fprintf(out, "%-20s", lists.figures[0][i].name);
        for (size_t c = 0; c < report->column_count; c++) {
            print_text(out, lists.figures[c][i].value);
        }
        print_unit(out, lists.figures[0][i].unit);
    }
    if (report->columns[0].figures->gear_count > 0) {
        text_gears(report->columns[0].figures, out);
        text_engine(report->columns[0].figures, out);
    }
}

// What fitting does not change: gears and engine. `at` is what the value belongs to.
typedef struct csv_point {
    const char *figure, *at_unit, *unit;
    double at, value;
} csv_point;

static void csv_put(const apex_car_report *report, const csv_point *point, FILE *out) {
    fprintf(out, "%s,%.7g,%s,%s", point->figure, point->at, point->at_unit, point->unit);
    for (size_t c = 0; c < report->column_count; c++) {
        print_csv(out, point->value);
    }
    fputc('\n', out);
}

void apex_car_report_csv(const apex_car_report *report, FILE *out) {
    report_lists lists;
    fill_lists(report, &lists);
    fprintf(out, "figure,at,at_unit,unit");
    for (size_t c = 0; c < report->column_count; c++) {
        fprintf(out, ",%s", report->columns[c].title);
    }
    fputc('\n', out);
    for (size_t i = 0; i < lists.count; i++) {
        fprintf(out, "%s,,,%s", lists.figures[0][i].name, lists.figures[0][i].unit);
        for (size_t c = 0; c < report->column_count; c++) {
            print_csv(out, lists.figures[c][i].value);
        }
        fputc('\n', out);
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

static void json_curves(const apex_car_figures *figures, FILE *out) {
    fprintf(out, "  \"gears\": [");
    for (uint32_t g = 0; g < figures->gear_count; g++) {
        fprintf(out, "%s\n    {\"gear\": %u, \"speed_kmh\": ", g > 0 ? "," : "", g + 1);
        print_json(out, figures->gear_speed_mps[g] / PROVING_KMH);
        fputc('}', out);
    }
    fprintf(out, "\n  ],\n  \"engine\": [");
    for (uint32_t i = 0; i < figures->engine_count; i++) {
        const apex_engine_point *at = &figures->engine[i];
        fprintf(out, "%s\n    {\"rpm\": %.10g, \"torque_nm\": %.10g, \"power_kw\": %.10g}",
                i > 0 ? "," : "", at->rpm, at->torque_nm, at->power_w / 1000.0);
    }
    fprintf(out, "\n  ]\n");
}

void apex_car_report_json(const apex_car_report *report, FILE *out) {
    report_lists lists;
    fill_lists(report, &lists);
    fprintf(out, "{\n  \"car\": ");
    print_json_text(out, report->car->name);
    fprintf(out, ",\n  \"title\": ");
    print_json_text(out, report->car->title);
    fprintf(out, ",\n  \"figures\": [");
    for (size_t i = 0; i < lists.count; i++) {
        fprintf(out, "%s\n    {\"name\": \"%s\", \"unit\": \"%s\"", i > 0 ? "," : "",
                lists.figures[0][i].name, lists.figures[0][i].unit);
        for (size_t c = 0; c < report->column_count; c++) {
            fprintf(out, ", \"%s\": ", report->columns[c].title);
            print_json(out, lists.figures[c][i].value);
        }
        fputc('}', out);
    }
    fprintf(out, "\n  ],\n");
    json_curves(report->columns[0].figures, out);
    fprintf(out, "}\n");
}

// --- A manoeuvre --------------------------------------------------------------------------------

static const char *verdict_name(apex_verdict verdict) {
    static const char *const names[] = {"none", "pass", "fail"};
    return names[verdict];
}

void apex_manoeuvre_report_text(const apex_manoeuvre_report *report, FILE *out) {
    const apex_manoeuvre_result *result = report->result;
    fprintf(out, "%s: %s\n%s\n\n", report->car->name, apex_manoeuvre_name(report->def->kind),
            apex_manoeuvre_about(report->def->kind));
    for (size_t i = 0; i < result->figure_count; i++) {
        fprintf(out, "%-28s", result->figures[i].name);
        print_text(out, result->figures[i].value);
        print_unit(out, result->figures[i].unit);
    }
    if (result->verdict != APEX_VERDICT_NONE) {
        bool has_remark = result->remark[0] != 0;
        fprintf(out, "\n%s%s%s\n", verdict_name(result->verdict), has_remark ? ": " : "",
                result->remark);
    }
}

void apex_manoeuvre_report_csv(const apex_manoeuvre_report *report, FILE *out) {
    const uint32_t wheels = apex_car_def_wheel_count(report->car);
    fprintf(out, "t_s,x_m,y_m,z_m,speed_mps,yaw_deg,yaw_rate_degps,a_x_mps2,a_y_mps2,"
                 "slip_angle_deg,roll_deg,pitch_deg,steer_deg,throttle,brake,rpm,gear");
    for (uint32_t w = 0; w < wheels; w++) {
        fprintf(out, ",load_%u_n", w + 1);
    }
    fputc('\n', out);
    for (size_t i = 0; i < report->samples->count; i++) {
        const apex_sample *s = &report->samples->samples[i];
        const double values[] = {
            s->x_m,
            s->y_m,
            s->z_m,
            s->speed_mps,
            proving_degrees(s->yaw_rad),
            proving_degrees(s->yaw_rate_radps),
            s->ax_mps2,
            s->ay_mps2,
            proving_degrees(s->slip_angle_rad),
            proving_degrees(s->roll_rad),
            proving_degrees(s->pitch_rad),
            proving_degrees(s->steer_rad),
            s->throttle,
            s->brake,
            s->engine_rpm,
        };
        fprintf(out, "%.6f", s->time_s);
        for (size_t v = 0; v < sizeof values / sizeof values[0]; v++) {
            print_csv(out, values[v]);
        }
        fprintf(out, ",%d", s->gear);
        for (uint32_t w = 0; w < wheels; w++) {
            print_csv(out, s->load_n[w]);
        }
        fputc('\n', out);
    }
}

void apex_manoeuvre_report_json(const apex_manoeuvre_report *report, FILE *out) {
    const apex_manoeuvre_result *result = report->result;
    fprintf(out,
            "{\n  \"manoeuvre\": \"%s\",\n  \"car\": ", apex_manoeuvre_name(report->def->kind));
    print_json_text(out, report->car->name);
    fprintf(out, ",\n  \"verdict\": \"%s\",\n  \"remark\": ", verdict_name(result->verdict));
    print_json_text(out, result->remark);
    fprintf(out, ",\n  \"figures\": [");
    for (size_t i = 0; i < result->figure_count; i++) {
        fprintf(out, "%s\n    {\"name\": \"%s\", \"unit\": \"%s\", \"value\": ", i > 0 ? "," : "",
                result->figures[i].name, result->figures[i].unit);
        print_json(out, result->figures[i].value);
        fputc('}', out);
    }
    fprintf(out, "\n  ]\n}\n");
}
