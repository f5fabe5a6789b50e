// The frame is drawn over the last one by moving the cursor up.
#include "client-lite/watch/screen.h"

#include <inttypes.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/print.h"
#include "base/time_text.h"
#include "client-lite/text/text_control.h"
#include "client-lite/text/text_tables.h"
#include "client-lite/text/text_waiting.h"

#define RED   "\x1b[31m"
#define GREEN "\x1b[32m"
#define BOLD  "\x1b[1m"
#define DIM   "\x1b[2m"
#define PLAIN "\x1b[0m"

enum { LIGHTS = 5, SUMMARY_LINES = 5, ROWS_DEFAULT = 24, COLUMNS_DEFAULT = 80 };
enum { COLUMNS_FOR_LIGHTS = 32 };

static const uint64_t GO_SHOWN_US = 3000000;

bool cli_screen_moves(void) {
    const char *terminal = getenv("TERM");
    return isatty(STDOUT_FILENO) && !(terminal != NULL && strcmp(terminal, "dumb") == 0);
}

cli_screen cli_screen_create(const char *server) {
    const char *no_colour = getenv("NO_COLOR");
    setlocale(LC_CTYPE, "");
    return (cli_screen){.colours = cli_screen_moves() && !(no_colour != NULL && no_colour[0]),
                        .wide_characters = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
                        .lights = -1,
                        .server = server};
}

void cli_screen_free(cli_screen *screen) {
    free(screen->shown);
    screen->shown = NULL;
    screen->shown_count = screen->shown_capacity = 0;
}

void cli_screen_note(cli_screen *screen, const char *text) {
    if (screen->event_count == CLI_SCREEN_EVENTS) {
        memmove(screen->events[0], screen->events[1],
                (CLI_SCREEN_EVENTS - 1) * sizeof screen->events[0]);
        screen->event_count--;
    }
    snprintf(screen->events[screen->event_count++], CLIENT_EVENT_BYTES, "%s", text);
}

void cli_screen_event(cli_screen *screen, const apex_client *client,
                      const apex_race_event_message *event, uint64_t now_us) {
    if (event->kind == APEX_WIRE_EVENT_LIGHTS) {
        screen->lights = event->value;
        screen->go_us = event->value == 0 ? now_us : 0;
        return; // the lights themselves are drawn
    }
    char text[CLIENT_EVENT_BYTES];
    // Laps stand in the table; a line for each would push everything else out.
    if (event->kind != APEX_WIRE_EVENT_LAP && client_text_sentence(client, event, text)) {
        cli_screen_note(screen, text);
    }
}

static const char *colour(const cli_screen *screen, const char *sequence) {
    return screen->colours ? sequence : "";
}

static void put_lights(FILE *out, const cli_screen *screen, uint32_t phase, uint64_t now_us) {
    const char *on = screen->wide_characters ? "\u25cf" : "*";
    const char *off = screen->wide_characters ? "\u25cb" : "o";
    if (phase == APEX_WIRE_PHASE_COUNTDOWN && screen->lights > 0) {
        int64_t lit = LIGHTS + 1 - screen->lights;
        for (int64_t i = 0; i < LIGHTS; i++) {
            fprintf(out, " %s%s%s", i < lit ? colour(screen, RED) : "", i < lit ? on : off,
                    colour(screen, PLAIN));
        }
    } else if (screen->go_us != 0 && now_us - screen->go_us < GO_SHOWN_US) {
        fprintf(out, " %s%s GO%s", colour(screen, GREEN), on, colour(screen, PLAIN));
    }
}

static const char *track_name(const apex_welcome *welcome) {
    for (uint32_t i = 0; welcome != NULL && i < welcome->def_count; i++) {
        if (welcome->defs[i].kind == APEX_DEF_TRACK) {
            return welcome->defs[i].name;
        }
    }
    return "?";
}

static void put_header(FILE *out, const cli_screen *screen, const apex_client *client,
                       const client_table_style *style) {
    const apex_welcome *welcome = apex_client_welcome(client);
    const apex_race_state *race = apex_client_race_state(client);
    const apex_race_session *session = apex_client_session(client);
    char text[384], laps[CLIENT_LENGTH_BYTES];
    uint32_t count = welcome != NULL ? welcome->laps : 0;
    client_text_length(session, session != NULL && session->count > 0 ? session->laps : count,
                       laps);
    int length =
        snprintf(text, sizeof text, "%s, %s on %s", track_name(welcome), laps, screen->server);
    if (race != NULL && length > 0 && (size_t)length < sizeof text) {
        snprintf(text + length, sizeof text - (size_t)length,
                 "  race %" PRIu32 ", %" PRIu32 " of %" PRIu32 " running", race->race_number,
                 race->running, race->players);
    }
    client_text_line(out, text, BOLD, style);
}

static bool has_clock(uint32_t phase) {
    return phase >= APEX_WIRE_PHASE_COUNTDOWN && phase <= APEX_WIRE_PHASE_FINISH;
}

static void put_waiting(FILE *out, const apex_client *client) {
    const apex_race_state *race = apex_client_race_state(client);
    char waiting[APEX_LOBBY_TEXT_BYTES];
    if (race != NULL && client_text_waiting(race, waiting)) {
        fprintf(out, "  %s", waiting);
    }
}

// @return whether there is something to say of it.
static bool session_of(const apex_client *client, char out[CLIENT_SESSION_BYTES]) {
    const apex_race_session *session = apex_client_session(client);
    out[0] = '\0';
    if (session != NULL) {
        client_text_session(session, out);
    }
    return out[0] != '\0';
}

static void put_session(FILE *out, const apex_client *client, const client_table_style *style) {
    char text[CLIENT_SESSION_BYTES];
    if (session_of(client, text)) {
        client_text_line(out, text, "", style);
    }
}

static void put_state(FILE *out, const cli_screen *screen, const apex_client *client,
                      const client_table_style *style, uint64_t now_us) {
    apex_client_view view = apex_client_newest(client);
    fprintf(out, "%s%s%s", colour(screen, BOLD), apex_wire_phase_name(view.phase),
            colour(screen, PLAIN));
    if (has_clock(view.phase)) {
        char clock[APEX_TIME_TEXT_BYTES];
        apex_clock_text((int64_t)view.race_time_ms * 1000, clock);
        fprintf(out, "  %s", clock);
    }
    put_waiting(out, client);
    // A line with colours in it can't be cut; without the lights it fits anywhere.
    if (style->columns == 0 || style->columns >= COLUMNS_FOR_LIGHTS) {
        put_lights(out, screen, view.phase, now_us);
    }
    fprintf(out, "\n");
}

static struct winsize terminal_size(void) {
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) {
        size = (struct winsize){.ws_row = ROWS_DEFAULT, .ws_col = COLUMNS_DEFAULT};
    }
    return size;
}

static client_table_style style_of(const cli_screen *screen, bool fit) {
    client_table_style style = {.colours = screen->colours};
    if (!fit) {
        return style;
    }
    struct winsize size = terminal_size();
    style.columns = size.ws_col > 1 ? size.ws_col - 1u : 1u;
    // Three lines above, one of titles, one for "and more", one for what marks mean, the events,
    // and the cursor's own.
    uint32_t around = 3 + 1 + 1 + 1 + CLI_SCREEN_EVENTS + 1;
    style.lines_max = size.ws_row > around + 1 ? size.ws_row - around : 1;
    return style;
}

static void compose(FILE *out, const cli_screen *screen, const apex_client *client,
                    uint64_t now_us) {
    client_table_style style = style_of(screen, true);
    style.client = client;
    style.shown = screen->shown;
    style.shown_count = screen->shown_count;
    put_header(out, screen, client, &style);
    put_state(out, screen, client, &style, now_us);
    put_session(out, client, &style);
    const apex_standings *standings = apex_client_standings(client);
    if (standings != NULL) {
        client_text_order(out, standings, &style);
    }
    for (uint32_t i = 0; i < screen->event_count; i++) {
        client_text_line(out, screen->events[i], DIM, &style);
    }
}

void cli_screen_erase(cli_screen *screen) {
    if (screen->drawn > 0) {
        printf("\x1b[%" PRIu32 "A\r\x1b[J", screen->drawn);
        fflush(stdout);
    }
    screen->drawn = 0;
}

// Without memory for them a frame is drawn all the same, only without speeds.
static void take_shown(cli_screen *screen, apex_client *client, uint64_t now_us) {
    size_t wanted = apex_client_newest(client).car_count + 1;
    if (screen->shown_capacity < wanted) {
        apex_client_pose *room = realloc(screen->shown, 2 * wanted * sizeof *room);
        if (room != NULL) {
            screen->shown = room;
            screen->shown_capacity = 2 * wanted;
        }
    }
    screen->shown_count = apex_client_shown(client, now_us, screen->shown, screen->shown_capacity);
}

void cli_screen_draw(cli_screen *screen, apex_client *client, uint64_t now_us) {
    take_shown(screen, client, now_us);
    char *frame = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&frame, &length);
    if (out == NULL) {
        return;
    }
    compose(out, screen, client, now_us);
    fclose(out);
    // One write over the old lines, each cleared to its end: a full clear first would flicker.
    if (screen->drawn > 0) {
        printf("\x1b[%" PRIu32 "A\r", screen->drawn);
    }
    screen->drawn = 0;
    // The cursor can't go up to what has scrolled away, so the frame must leave it a line.
    uint32_t rows = terminal_size().ws_row;
    for (char *line = frame; line != NULL && *line && screen->drawn + 1 < rows;) {
        char *end = strchr(line, '\n');
        printf("%.*s\x1b[K\n", (int)(end - line), line);
        line = end + 1;
        screen->drawn++;
    }
    printf("\x1b[J");
    fflush(stdout);
    free(frame);
}

void cli_screen_print(FILE *out, const cli_screen *screen, const apex_client *client) {
    client_table_style style = style_of(screen, false);
    style.client = client;
    put_header(out, screen, client, &style);
    put_state(out, screen, client, &style, 0);
    put_session(out, client, &style);
    const apex_standings *standings = apex_client_standings(client);
    if (standings != NULL) {
        client_text_order(out, standings, &style);
    }
}

void cli_screen_lap(cli_screen *screen, const apex_client *client,
                    const apex_race_event_message *event) {
    if (event->race_number != screen->lap_race) {
        screen->lap_race = event->race_number;
        screen->lap_told = 0;
    }
    if (event->kind != APEX_WIRE_EVENT_LAP || event->value <= (int64_t)screen->lap_told) {
        return;
    }
    screen->lap_told = (uint32_t)event->value;
    const apex_race_state *race = apex_client_race_state(client);
    char name[APEX_WIRE_NAME_BYTES], time[APEX_TIME_TEXT_BYTES];
    client_text_who(client, event, name);
    apex_time_text(event->time_us, time);
    apex_print_line(stdout, "lap %" PRIu32 " of %" PRIu32 ": %s leads, %s", screen->lap_told,
                    race != NULL ? race->laps : 0, name, time);
    fflush(stdout);
}

void cli_screen_summary(FILE *out, const apex_client *client) {
    apex_client_view view = apex_client_newest(client);
    char clock[APEX_TIME_TEXT_BYTES] = "";
    if (has_clock(view.phase)) {
        apex_clock_text((int64_t)view.race_time_ms * 1000, clock);
    }
    fprintf(out, "%s %s", apex_wire_phase_name(view.phase), clock);
    put_waiting(out, client);
    char session[CLIENT_SESSION_BYTES];
    if (session_of(client, session)) {
        fprintf(out, "  ");
        apex_print_text(out, session);
    }
    const apex_standings *standings = apex_client_standings(client);
    uint32_t shown = standings != NULL ? standings->line_count : 0;
    for (uint32_t i = 0; i < shown && i < SUMMARY_LINES; i++) {
        const apex_wire_standing *line = &standings->lines[i];
        char gap[APEX_TIME_TEXT_BYTES];
        bool is_behind = i > 0 && line->gap_us > 0;
        apex_gap_text((int64_t)line->gap_us, gap);
        fprintf(out, "  %" PRIu32 ". ", line->position);
        apex_print_text(out, line->name);
        fprintf(out, " (%" PRIu32 "%s%s)", line->laps, is_behind ? " " : "", is_behind ? gap : "");
    }
    fprintf(out, "\n");
}
