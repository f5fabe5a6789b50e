// Families, samples and histograms as text.
#include "api/metrics/exposition_text.h"

#include <string.h>

#include "base/assert.h"
#include "proto/proto.h"

static void add(exposition *out, const char *text) {
    apex_text_add(&out->text, text);
}

// Backslashes and ends of lines are escaped everywhere, quotes in labels.
static void add_escaped(exposition *out, const char *text, const char *special) {
    for (;;) {
        size_t plain = strcspn(text, special);
        apex_text_put(&out->text, text, plain);
        text += plain;
        if (*text == '\0') {
            return;
        }
        const char escape[2] = {'\\', *text == '\n' ? 'n' : *text};
        apex_text_put(&out->text, escape, sizeof escape);
        text++;
    }
}

void exposition_family(exposition *out, const char *name, exposition_kind kind, const char *help) {
    static const char *const kinds[] = {
        [EXPOSITION_COUNTER] = "counter",
        [EXPOSITION_GAUGE] = "gauge",
        [EXPOSITION_HISTOGRAM] = "histogram",
    };
    out->family = name;
    add(out, "# HELP ");
    add(out, name);
    add(out, " ");
    add_escaped(out, help, "\\\n");
    add(out, "\n# TYPE ");
    add(out, name);
    add(out, " ");
    add(out, kinds[kind]);
    add(out, "\n");
}

void exposition_begin(exposition *out, const char *suffix) {
    out->labels = 0;
    add(out, out->family);
    add(out, suffix);
}

void exposition_label(exposition *out, const char *name, const char *value) {
    enum { VALUE_BYTES = 160 };
    char checked[VALUE_BYTES];
    apex_wire_text(checked, sizeof checked, value); // the format is UTF-8
    add(out, out->labels++ == 0 ? "{" : ",");
    add(out, name);
    add(out, "=\"");
    add_escaped(out, checked, "\\\n\"");
    add(out, "\"");
}

void exposition_race(exposition *out, uint32_t race) {
    add(out, out->labels++ == 0 ? "{race=\"" : ",race=\"");
    apex_text_count(&out->text, race);
    add(out, "\"");
}

static void begin_value(exposition *out) {
    add(out, out->labels > 0 ? "} " : " ");
}

void exposition_count(exposition *out, uint64_t value) {
    begin_value(out);
    apex_text_count(&out->text, value);
    add(out, "\n");
}

void exposition_seconds(exposition *out, uint64_t us) {
    begin_value(out);
    apex_text_seconds(&out->text, (int64_t)us);
    add(out, "\n");
}

void exposition_share(exposition *out, uint32_t ppm) {
    exposition_seconds(out, ppm); // millionths are written as microseconds are
}

static void begin_bucket(exposition *out, uint32_t race) {
    exposition_begin(out, "_bucket");
    exposition_race(out, race);
    add(out, ",le=\"");
}

static void end_bucket(exposition *out, uint64_t count) {
    add(out, "\"");
    exposition_count(out, count);
}

static void begin_of_race(exposition *out, const char *suffix, uint32_t race) {
    exposition_begin(out, suffix);
    exposition_race(out, race);
}

void exposition_times(exposition *out, uint32_t race, const apex_histogram *times) {
    // Each begins a bucket of the histogram, so that counts below it are exact. A time is cut off
    // to microseconds: what is below the bound as a number is at most the bound as a time.
    static const uint32_t bounds_us[] = {
        25,   35,   50,   70,   100,  140,   200,   280,   400,   560,   800,   1120,   1600,
        2240, 3200, 4480, 6400, 8960, 12800, 17920, 25600, 35840, 51200, 71680, 102400,
    };
    for (size_t i = 0; i < sizeof bounds_us / sizeof bounds_us[0]; i++) {
        begin_bucket(out, race);
        apex_text_seconds(&out->text, bounds_us[i]);
        end_bucket(out, apex_histogram_count_below(times, bounds_us[i]));
    }
    begin_bucket(out, race);
    add(out, "+Inf");
    end_bucket(out, times->count);
    begin_of_race(out, "_sum", race);
    exposition_seconds(out, times->sum);
    begin_of_race(out, "_count", race);
    exposition_count(out, times->count);
}

void exposition_counts(exposition *out, uint32_t race, const exposition_buckets *buckets) {
    APEX_ASSERT(buckets->count > 0);
    uint64_t total = 0;
    for (size_t i = 0; i < buckets->count; i++) {
        total += buckets->counts[i];
        begin_bucket(out, race);
        if (i + 1 < buckets->count) {
            apex_text_count(&out->text, buckets->bounds[i]);
        } else {
            add(out, "+Inf");
        }
        end_bucket(out, total);
    }
    begin_of_race(out, "_sum", race);
    exposition_count(out, buckets->sum);
    begin_of_race(out, "_count", race);
    exposition_count(out, total);
}

void exposition_figures(exposition *out, const apex_api *api, const exposition_figure figures[],
                        size_t count) {
    for (size_t i = 0; i < count; i++) {
        exposition_family(out, figures[i].name, figures[i].kind, figures[i].help);
        for (uint32_t race = 1; race <= api->server_count; race++) {
            begin_of_race(out, "", race);
            exposition_count(out, figures[i].of(api->servers[race - 1]));
        }
    }
}
