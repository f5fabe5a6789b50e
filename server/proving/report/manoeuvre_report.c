// A manoeuvre's result as text, CSV and JSON; in text a value that was not reached is "-".
#include "proving/proving.h"

#include <math.h>

#include "proving/report/report_values.h"
#include "proving/rig/units.h"

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
            proving_print_csv(out, values[v]);
        }
        fprintf(out, ",%d", s->gear);
        for (uint32_t w = 0; w < wheels; w++) {
            proving_print_csv(out, s->load_n[w]);
        }
        fputc('\n', out);
    }
}

void apex_manoeuvre_report_json(const apex_manoeuvre_report *report, FILE *out) {
    const apex_manoeuvre_result *result = report->result;
    apex_json_writer json = apex_json_begin(apex_text_growing(), 2);
    apex_json_open(&json, NULL, '{');
    apex_json_text(&json, "manoeuvre", apex_manoeuvre_name(report->def->kind));
    apex_json_text(&json, "car", report->car->name);
    apex_json_text(&json, "verdict", verdict_name(result->verdict));
    apex_json_text(&json, "remark", result->remark);
    apex_json_open(&json, "figures", '[');
    for (size_t i = 0; i < result->figure_count; i++) {
        apex_json_open(&json, NULL, '{');
        apex_json_text(&json, "name", result->figures[i].name);
        apex_json_text(&json, "unit", result->figures[i].unit);
        proving_put_json(&json, "value", result->figures[i].value);
        apex_json_close(&json);
    }
    apex_json_close(&json);
    apex_json_close(&json);
    apex_json_print(&json, out);
}
