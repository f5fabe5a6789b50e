// Tables are laid out by the columns that a terminal needs for their characters.

// For wcwidth.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)

#include "client-lite/text/text_tables.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <wchar.h>

#include "base/print.h"
#include "base/time_text.h"
#include "client-lite/text/text.h"
#include "client-lite/text/text_control.h"

// Two names at their longest, all numbers, and room.
enum { TABLE_LINE_BYTES = 256 + CLIENT_DAMAGE_BYTES + CLIENT_PENALTY_BYTES };

enum { SPEED_COLUMNS = 6, SPEED_BYTES = 16 };

#define BOLD  "\x1b[1m"
#define DIM   "\x1b[2m"
#define PLAIN "\x1b[0m"

// The character at `text`, which is UTF-8 (names are, the decoder has seen to it), and its bytes.
// A text that is not, an argument perhaps, counts byte for byte.
static size_t character_at(const char *text, wchar_t *character) {
    static const unsigned char payload[5] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    unsigned char lead = (unsigned char)*text;
    size_t bytes = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    *character = lead & payload[bytes];
    for (size_t i = 1; i < bytes; i++) {
        unsigned char next = (unsigned char)text[i];
        if ((next & 0xC0) != 0x80) {
            *character = lead;
            return 1;
        }
        *character = *character << 6 | (next & 0x3F);
    }
    return bytes;
}

// Columns on a terminal: Chinese or a flag take two, an accent on its own none. Knows them in a
// UTF-8 locale only; in others the terminal will not draw them either.
static uint32_t columns_of(wchar_t character) {
    int columns = wcwidth(character);
    return columns >= 0 ? (uint32_t)columns : 1;
}

static uint32_t width_of(const char *text) {
    uint32_t width = 0;
    wchar_t character;
    while (*text) {
        text += character_at(text, &character);
        width += columns_of(character);
    }
    return width;
}

static int pad(const char *text, uint32_t width) {
    uint32_t taken = width_of(text);
    return taken < width ? (int)(width - taken) : 0;
}

static int cut(const char *line, uint32_t columns) {
    const char *end = line;
    for (uint32_t taken = 0; *end;) {
        wchar_t character;
        size_t bytes = character_at(end, &character);
        taken += columns_of(character);
        if (taken > columns) {
            break;
        }
        end += bytes;
    }
    return (int)(end - line);
}

void client_text_line(FILE *out, const char *line, const char *colour,
                      const client_table_style *style) {
    char shown[4 * TABLE_LINE_BYTES];
    apex_text_writer text = apex_text_in(shown, sizeof shown - 1);
    apex_print_escaped(&text, line);
    shown[text.length] = '\0';
    int bytes = style->columns > 0 ? cut(shown, style->columns) : (int)text.length;
    bool coloured = style->colours && colour[0];
    fprintf(out, "%s%.*s%s\n", coloured ? colour : "", bytes, shown, coloured ? PLAIN : "");
}

static void gap_of(const apex_wire_standing *line, uint32_t leader_laps, char *out, size_t bytes) {
    char gap[APEX_TIME_TEXT_BYTES];
    apex_gap_text((int64_t)line->gap_us, gap);
    out[0] = '\0';
    if (line->state == APEX_WIRE_STANDING_DNF) {
        snprintf(out, bytes, "out");
    } else if (line->state == APEX_WIRE_STANDING_FINISHED && line->laps < leader_laps) {
        snprintf(out, bytes, "+%" PRIu32 " lap%s", leader_laps - line->laps,
                 leader_laps - line->laps == 1 ? "" : "s");
    } else if (line->position > 1 && line->gap_us > 0) {
        snprintf(out, bytes, "%s", gap);
    }
}

static const char *line_colour(const apex_wire_standing *line, const client_table_style *style) {
    if (style->own != 0 && line->player == style->own) {
        return BOLD;
    }
    return line->state == APEX_WIRE_STANDING_DNF ? DIM : "";
}

// Columns as wide as what stands in them, so that a table of short names fits a narrow terminal.
typedef struct widths {
    uint32_t name, car;
} widths;

static widths widths_of(const apex_wire_standing lines[], uint32_t count) {
    widths widest = {.name = 8, .car = 8};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t name = width_of(lines[i].name);
        uint32_t car = width_of(lines[i].car_def);
        widest.name = name > widest.name ? name : widest.name;
        widest.car = car > widest.car ? car : widest.car;
    }
    return widest;
}

// Position, name, car and laps: how every line begins. @return characters written.
static int put_start(char *text, size_t bytes, const apex_wire_standing *line, widths wide) {
    const char *home = line->state == APEX_WIRE_STANDING_FINISHED ? "*" : " ";
    return snprintf(text, bytes, "%4" PRIu32 "%s %s%*s %s%*s %4" PRIu32, line->position, home,
                    line->name, pad(line->name, wide.name), "", line->car_def,
                    pad(line->car_def, wide.car), "", line->laps);
}

// Of the player's car as it is shown; "-" for one that is not, or was not heard of for a while.
static void speed_of(const apex_wire_car *car, const client_table_style *style,
                     char out[SPEED_BYTES]) {
    snprintf(out, SPEED_BYTES, "%*s", SPEED_COLUMNS, "-");
    for (size_t i = 0; car != NULL && i < style->shown_count; i++) {
        const apex_client_pose *pose = &style->shown[i];
        if (pose->car == car->id && !pose->stale) {
            double speed_kmh = 3.6 * hypot(pose->velocity_mps[0], pose->velocity_mps[1]);
            snprintf(out, SPEED_BYTES, "%*.0f", SPEED_COLUMNS, fmin(speed_kmh, 9999.0));
        }
    }
}

// Puts the columns that follow the laps of a line.
static void put_rest(char *text, size_t bytes, const apex_wire_standing *line, const char *gap,
                     const client_table_style *style) {
    const apex_wire_car *car =
        style->client != NULL ? client_text_car(style->client, line->player) : NULL;
    char last[APEX_TIME_TEXT_BYTES];
    char best[APEX_TIME_TEXT_BYTES];
    char damage[CLIENT_DAMAGE_BYTES];
    char speed[SPEED_BYTES] = "";
    if (style->shown != NULL) {
        speed_of(car, style, speed);
    }
    apex_time_text(line->last_lap_us, last);
    apex_time_text(line->best_lap_us, best);
    client_text_damage(car, damage);
    char conduct[CLIENT_PENALTY_BYTES];
    client_text_conduct(style->client, line, conduct);
    snprintf(text, bytes, "%s  %10s %9s %9s%s%s%s%s", speed, gap, last, best, damage[0] ? "  " : "",
             damage, conduct[0] ? "  " : "", conduct);
}

// Explains the mark behind a position, if there is one. @return lines written.
static uint32_t put_legend(FILE *out, const apex_wire_standing lines[], uint32_t count,
                           const client_table_style *style) {
    for (uint32_t i = 0; i < count; i++) {
        if (lines[i].state == APEX_WIRE_STANDING_FINISHED) {
            client_text_line(out, "    * has finished", DIM, style);
            return 1;
        }
    }
    return 0;
}

uint32_t client_text_order(FILE *out, const apex_standings *standings,
                           const client_table_style *style) {
    uint32_t shown = standings->line_count;
    if (style->lines_max > 0 && shown > style->lines_max) {
        shown = style->lines_max;
    }
    widths wide = widths_of(standings->lines, shown);
    char text[TABLE_LINE_BYTES];
    snprintf(text, sizeof text, " pos  %-*s %-*s laps%s  %10s %9s %9s", (int)wide.name, "name",
             (int)wide.car, "car", style->shown != NULL ? "  km/h" : "", "gap", "last lap",
             "best lap");
    client_text_line(out, text, BOLD, style);
    uint32_t leader_laps = shown > 0 ? standings->lines[0].laps : 0;
    for (uint32_t i = 0; i < shown; i++) {
        const apex_wire_standing *line = &standings->lines[i];
        char gap[APEX_TIME_TEXT_BYTES + 8];
        gap_of(line, leader_laps, gap, sizeof gap);
        int length = put_start(text, sizeof text, line, wide);
        put_rest(text + length, sizeof text - (size_t)length, line, gap, style);
        client_text_line(out, text, line_colour(line, style), style);
    }
    uint32_t written = shown + 1;
    if (standings->total > shown) {
        snprintf(text, sizeof text, "      ... and %" PRIu32 " more", standings->total - shown);
        client_text_line(out, text, DIM, style);
        written++;
    }
    return written + put_legend(out, standings->lines, shown, style);
}

void client_text_results(FILE *out, const apex_results *results, const client_table_style *style) {
    char text[TABLE_LINE_BYTES];
    widths wide = widths_of(results->lines, results->line_count);
    char laps[CLIENT_LENGTH_BYTES];
    client_text_length(style->client != NULL ? apex_client_session(style->client) : NULL,
                       results->laps, laps);
    snprintf(text, sizeof text, "Results of race %" PRIu32 ": %s, %s", results->race_number,
             results->track, laps);
    client_text_line(out, text, BOLD, style);
    snprintf(text, sizeof text, " pos  %-*s %-*s laps  %11s %10s %9s %4s", (int)wide.name, "name",
             (int)wide.car, "car", "time", "gap", "best lap", "grid");
    client_text_line(out, text, BOLD, style);
    uint32_t leader_laps = results->line_count > 0 ? results->lines[0].laps : 0;
    for (uint32_t i = 0; i < results->line_count; i++) {
        const apex_wire_standing *line = &results->lines[i];
        char gap[APEX_TIME_TEXT_BYTES + 8] = "";
        char total[APEX_TIME_TEXT_BYTES] = "DNF";
        if (line->kicked) {
            memcpy(total, "kicked", sizeof "kicked");
        }
        char best[APEX_TIME_TEXT_BYTES];
        if (line->state == APEX_WIRE_STANDING_FINISHED) {
            gap_of(line, leader_laps, gap, sizeof gap);
            apex_time_text(line->total_us, total);
        }
        apex_time_text(line->best_lap_us, best);
        int length = put_start(text, sizeof text, line, wide);
        char conduct[CLIENT_PENALTY_BYTES];
        client_text_conduct(NULL, line, conduct);
        snprintf(text + length, sizeof text - (size_t)length, "  %11s %10s %9s %4" PRIu32 "%s%s",
                 total, gap, best, line->grid, conduct[0] ? "  " : "", conduct);
        client_text_line(out, text, line_colour(line, style), style);
    }
    for (uint32_t i = 0; i < results->apart_count; i++) {
        const apex_wire_standing *line = &results->apart[i];
        snprintf(text, sizeof text, "   -   %s did not start%s", line->name,
                 line->kicked ? " (kicked)" : "");
        client_text_line(out, text, DIM, style);
    }
    put_legend(out, results->lines, results->line_count, style);
}
