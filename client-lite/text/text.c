// For wcwidth.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)

#include "client-lite/text/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <wchar.h>

#include "base/time_text.h"

// By the numbers of wire.proto.
static const char *const PHASES[] = {"lobby",  "grid",    "countdown", "race",
                                     "finish", "results", "over"};
static const char *const STATES[] = {"waiting", "running", "finished", "dnf"};
static const char *const EVENTS[] = {"phase",   "joined",      "left",      "lights",    "sector",
                                     "lap",     "best-lap",    "finished",  "dnf",       "reset",
                                     "contact", "engine-blew", "off-track", "wrong-way", "idle"};

enum { STATE_FINISHED = 2, STATE_DNF = 3 };

// Two names at their longest, all numbers, and room.
enum { TABLE_LINE_BYTES = 256 + CLIENT_DAMAGE_BYTES };
enum { SPEED_COLUMNS = 6, SPEED_BYTES = 16 };

#define BOLD  "\x1b[1m"
#define DIM   "\x1b[2m"
#define PLAIN "\x1b[0m"

static const char *name_of(const char *const names[], size_t count, uint32_t index) {
    return index < count ? names[index] : "?";
}

const char *client_text_phase(uint32_t phase) {
    return name_of(PHASES, sizeof PHASES / sizeof PHASES[0], phase);
}

const char *client_text_event(uint32_t kind) {
    return name_of(EVENTS, sizeof EVENTS / sizeof EVENTS[0], kind);
}

const char *client_text_state(uint32_t state) {
    return name_of(STATES, sizeof STATES / sizeof STATES[0], state);
}

static void look_up_name(const apex_client *client, uint32_t player,
                         char out[APEX_WIRE_NAME_BYTES]) {
    size_t count;
    const apex_roster_entry *roster = apex_client_roster(client, &count);
    for (size_t i = 0; i < count; i++) {
        if (roster[i].player == player) {
            memcpy(out, roster[i].name, APEX_WIRE_NAME_BYTES);
            return;
        }
    }
    const apex_standings *standings = apex_client_standings(client);
    for (uint32_t i = 0; standings && i < standings->line_count; i++) {
        if (standings->lines[i].player == player) {
            memcpy(out, standings->lines[i].name, APEX_WIRE_NAME_BYTES);
            return;
        }
    }
    snprintf(out, APEX_WIRE_NAME_BYTES, "player %" PRIu32, player);
}

static void put_name(const apex_client *client, const char *told, uint32_t player,
                     char out[APEX_WIRE_NAME_BYTES]) {
    if (told[0] != '\0') {
        memcpy(out, told, APEX_WIRE_NAME_BYTES);
    } else {
        look_up_name(client, player, out);
    }
}

void client_text_who(const apex_client *client, const apex_race_event_message *event,
                     char out[APEX_WIRE_NAME_BYTES]) {
    put_name(client, event->name, event->player, out);
}

void client_text_other(const apex_client *client, const apex_race_event_message *event,
                       char out[APEX_WIRE_NAME_BYTES]) {
    put_name(client, event->other_name, event->other, out);
}

static const char *const ZONES[APEX_WIRE_ZONES] = {"front", "rear", "left", "right", "roof"};

uint32_t client_text_zone_percent(const apex_wire_car *car, uint32_t zone) {
    uint32_t units = car->damage_zones >> (APEX_WIRE_ZONE_BITS * zone) & APEX_WIRE_ZONE_MAX;
    return (100 * units + APEX_WIRE_ZONE_MAX / 2) / APEX_WIRE_ZONE_MAX;
}

const char *client_text_zone(uint32_t zone) {
    return name_of(ZONES, APEX_WIRE_ZONES, zone);
}

void client_text_damage(const apex_wire_car *car, char out[CLIENT_DAMAGE_BYTES]) {
    size_t length = 0;
    out[0] = '\0';
    for (uint32_t zone = 0; car && zone < APEX_WIRE_ZONES; zone++) {
        uint32_t percent = client_text_zone_percent(car, zone);
        if (percent > 0 && length < CLIENT_DAMAGE_BYTES) {
            int more = snprintf(out + length, CLIENT_DAMAGE_BYTES - length, "%s %s %" PRIu32 " %%",
                                length > 0 ? "," : "damaged", ZONES[zone], percent);
            length += more > 0 ? (size_t)more : 0;
        }
    }
}

const apex_wire_car *client_text_car(const apex_client *client, uint32_t player) {
    apex_client_view view = apex_client_newest(client);
    size_t count;
    const apex_roster_entry *roster = apex_client_roster(client, &count);
    uint32_t car = 0;
    for (size_t i = 0; i < count && car == 0; i++) {
        car = roster[i].player == player ? roster[i].car : 0;
    }
    for (size_t i = 0; i < view.car_count; i++) {
        if (view.cars[i].id == car) {
            return &view.cars[i];
        }
    }
    return NULL;
}

// --- Events --------------------------------------------------------------------------------------

// As wire.proto's EventKind, in the order of EVENTS.
enum {
    PHASE,
    JOINED,
    LEFT,
    LIGHTS,
    SECTOR,
    LAP,
    BEST_LAP,
    FINISHED,
    DNF,
    RESET,
    CONTACT,
    ENGINE_BLEW,
    OFF_TRACK,
    WRONG_WAY,
    IDLE
};

static void sentence_without_player(const apex_race_event_message *event,
                                    char out[CLIENT_EVENT_BYTES]) {
    if (event->kind == PHASE) {
        uint32_t phase =
            event->value < 0 || event->value > UINT32_MAX ? UINT32_MAX : (uint32_t)event->value;
        snprintf(out, CLIENT_EVENT_BYTES, "race %" PRIu32 ": %s", event->race_number,
                 client_text_phase(phase));
    } else if (event->value == 0) {
        snprintf(out, CLIENT_EVENT_BYTES, "lights out: go");
    } else {
        snprintf(out, CLIENT_EVENT_BYTES, "start in %" PRId64 " s", event->value);
    }
}

static bool sentence_with_time(const apex_race_event_message *event, const char *name,
                               char out[CLIENT_EVENT_BYTES]) {
    char time[APEX_TIME_TEXT_BYTES];
    apex_time_text(event->time_us, time);
    switch (event->kind) {
    case LAP:
        snprintf(out, CLIENT_EVENT_BYTES, "%s: lap %" PRId64 " in %s", name, event->value, time);
        return true;
    case BEST_LAP:
        snprintf(out, CLIENT_EVENT_BYTES, "%s: best lap of the race, %s", name, time);
        return true;
    case FINISHED:
        snprintf(out, CLIENT_EVENT_BYTES, "%s finishes %" PRId64 ". in %s", name, event->value,
                 time);
        return true;
    default:
        return false;
    }
}

bool client_text_sentence(const apex_client *client, const apex_race_event_message *event,
                          char out[CLIENT_EVENT_BYTES]) {
    if (event->kind == PHASE || event->kind == LIGHTS) {
        sentence_without_player(event, out);
        return true;
    }
    char name[APEX_WIRE_NAME_BYTES];
    client_text_who(client, event, name);
    if (sentence_with_time(event, name, out)) {
        return true;
    }
    char other[APEX_WIRE_NAME_BYTES] = "a wall";
    if (event->other != 0) {
        client_text_other(client, event, other);
    }
    static const char *const SAID[] = {[JOINED] = "joins",
                                       [LEFT] = "leaves",
                                       [DNF] = "is out",
                                       [RESET] = "is put back on the track",
                                       [ENGINE_BLEW] = "has blown the engine",
                                       [OFF_TRACK] = "is off the track",
                                       [WRONG_WAY] = "drives the wrong way",
                                       [IDLE] = "did not drive, and watches now"};
    if (event->kind == IDLE && event->value > 0) {
        snprintf(out, CLIENT_EVENT_BYTES, "nobody drives the car of %s: %" PRId64 " s left", name,
                 event->value);
    } else if (event->kind == CONTACT) {
        snprintf(out, CLIENT_EVENT_BYTES, "%s hits %s", name, other);
    } else if (event->kind < sizeof SAID / sizeof SAID[0] && SAID[event->kind]) {
        snprintf(out, CLIENT_EVENT_BYTES, "%s %s", name, SAID[event->kind]);
    } else {
        return false;
    }
    return true;
}

// --- Tables --------------------------------------------------------------------------------------

// The character at `text`, which is UTF-8 (names are, the decoder has seen to it), and its bytes.
// What is not, an argument perhaps, counts byte for byte.
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
    int bytes = style->columns > 0 ? cut(line, style->columns) : (int)strlen(line);
    bool coloured = style->colours && colour[0];
    fprintf(out, "%s%.*s%s\n", coloured ? colour : "", bytes, line, coloured ? PLAIN : "");
}

static void gap_of(const apex_wire_standing *line, uint32_t leader_laps, char *out, size_t bytes) {
    char gap[APEX_TIME_TEXT_BYTES];
    apex_gap_text((int64_t)line->gap_us, gap);
    out[0] = '\0';
    if (line->state == STATE_DNF) {
        snprintf(out, bytes, "out");
    } else if (line->state == STATE_FINISHED && line->laps < leader_laps) {
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
    return line->state == STATE_DNF ? DIM : "";
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
    const char *home = line->state == STATE_FINISHED ? "*" : " ";
    return snprintf(text, bytes, "%4" PRIu32 "%s %s%*s %s%*s %4" PRIu32, line->position, home,
                    line->name, pad(line->name, wide.name), "", line->car_def,
                    pad(line->car_def, wide.car), "", line->laps);
}

// Of the player's car as it is shown; "-" for one that is not, or was not heard of for a while.
static void speed_of(const apex_wire_car *car, const client_table_style *style,
                     char out[SPEED_BYTES]) {
    snprintf(out, SPEED_BYTES, "%*s", SPEED_COLUMNS, "-");
    for (size_t i = 0; car && i < style->shown_count; i++) {
        const apex_client_pose *pose = &style->shown[i];
        if (pose->car == car->id && !pose->stale) {
            double speed_kmh = 3.6 * hypot(pose->velocity_mps[0], pose->velocity_mps[1]);
            snprintf(out, SPEED_BYTES, "%*.0f", SPEED_COLUMNS, fmin(speed_kmh, 9999.0));
        }
    }
}

// What follows the laps of a line.
static void put_rest(char *text, size_t bytes, const apex_wire_standing *line, const char *gap,
                     const client_table_style *style) {
    const apex_wire_car *car = style->client ? client_text_car(style->client, line->player) : NULL;
    char last[APEX_TIME_TEXT_BYTES];
    char best[APEX_TIME_TEXT_BYTES];
    char damage[CLIENT_DAMAGE_BYTES];
    char speed[SPEED_BYTES] = "";
    if (style->shown) {
        speed_of(car, style, speed);
    }
    apex_time_text(line->last_lap_us, last);
    apex_time_text(line->best_lap_us, best);
    client_text_damage(car, damage);
    snprintf(text, bytes, "%s  %10s %9s %9s%s%s", speed, gap, last, best, damage[0] ? "  " : "",
             damage);
}

// What the mark behind a position says, where there is one. @return lines written.
static uint32_t put_legend(FILE *out, const apex_wire_standing lines[], uint32_t count,
                           const client_table_style *style) {
    for (uint32_t i = 0; i < count; i++) {
        if (lines[i].state == STATE_FINISHED) {
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
             (int)wide.car, "car", style->shown ? "  km/h" : "", "gap", "last lap", "best lap");
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
    char laps[32] = "open session";
    if (results->laps > 0) {
        snprintf(laps, sizeof laps, "%" PRIu32 " lap%s", results->laps,
                 results->laps == 1 ? "" : "s");
    }
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
        if (line->state == STATE_FINISHED) {
            gap_of(line, leader_laps, gap, sizeof gap);
            apex_time_text(line->total_us, total);
        }
        apex_time_text(line->best_lap_us, best);
        int length = put_start(text, sizeof text, line, wide);
        snprintf(text + length, sizeof text - (size_t)length, "  %11s %10s %9s %4" PRIu32, total,
                 gap, best, line->grid);
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
