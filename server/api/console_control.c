// Stewards type names with blanks in them, so the word that names the penalty parts a line: what is
// before it is the player, and what is after it an amount and an offence.

#include "api/console_control.h"

#include <stdlib.h>
#include <string.h>

#include "base/print.h"
#include "base/time_text.h"
#include "host/figures/figures.h"
#include "host/operate.h"

enum { WORDS_MAX = 16, LINE_BYTES = 512 };

// Even if somebody is called so: he has a number as well.
bool console_read_number(const char *text, uint32_t *number) {
    enum { DIGITS_MAX = 10 }; // of UINT32_MAX
    size_t digits = strspn(text + (text[0] == '#'), "0123456789");
    if (text[0] != '#' || digits == 0 || digits > DIGITS_MAX || text[1 + digits] != '\0') {
        return false;
    }
    unsigned long long value = strtoull(text + 1, NULL, 10);
    *number = value <= UINT32_MAX ? (uint32_t)value : 0; // 0 is nobody
    return true;
}

typedef struct console_words {
    char text[LINE_BYTES];
    char *at[WORDS_MAX];
    uint32_t count;
} console_words;

static void split(const char *line, console_words *out) {
    snprintf(out->text, sizeof out->text, "%s", line);
    out->count = 0;
    char *rest = NULL;
    for (char *word = strtok_r(out->text, " \t", &rest); word != NULL && out->count < WORDS_MAX;
         word = strtok_r(NULL, " \t", &rest)) {
        out->at[out->count++] = word;
    }
}

static bool read_decimal(const char *text, double *out) {
    char *end = NULL;
    *out = strtod(text, &end);
    return end != text && *end == '\0' && *out >= 0.0 && *out <= 1e6;
}

static bool read_whole(const char *text, uint32_t *out) {
    double value = 0.0;
    bool is_read = strspn(text, "0123456789") == strlen(text) && read_decimal(text, &value);
    *out = (uint32_t)value;
    return is_read && value >= 1.0;
}

static bool read_kind(const char *text, apex_penalty_kind *out) {
    for (uint32_t kind = 0; kind < APEX_WIRE_PENALTY_KINDS; kind++) {
        if (strcmp(text, apex_wire_penalty_name(kind)) == 0) {
            *out = (apex_penalty_kind)kind;
            return true;
        }
    }
    return false;
}

static bool read_offence(const char *text, apex_offence *out) {
    for (uint32_t offence = 0; offence < APEX_WIRE_OFFENCES; offence++) {
        if (strcmp(text, apex_wire_offence_name(offence)) == 0) {
            *out = (apex_offence)offence;
            return true;
        }
    }
    return false;
}

static void list_kinds(FILE *out) {
    fprintf(out, "penalties:");
    for (uint32_t kind = 0; kind < APEX_WIRE_PENALTY_KINDS; kind++) {
        fprintf(out, " %s", apex_wire_penalty_name(kind));
    }
    fprintf(out, "\noffences:");
    for (uint32_t offence = 0; offence < APEX_WIRE_OFFENCES; offence++) {
        fprintf(out, " %s", apex_wire_offence_name(offence));
    }
    fprintf(out, "\n");
}

// [AMOUNT] [OFFENCE], from a word on.
static bool read_rest(const console_words *words, uint32_t from, apex_penalty *penalty,
                      bool *has_offence) {
    if (from < words->count && read_decimal(words->at[from], &penalty->amount)) {
        from++;
    }
    *has_offence = from < words->count && read_offence(words->at[from], &penalty->offence);
    return from + *has_offence == words->count;
}

void console_session(apex_server *server, const char *rest, FILE *out) {
    char said[HOST_SAID_BYTES] = "session end, session extend SECONDS, or session skip?";
    console_words words;
    double seconds = 0.0;
    split(rest, &words);
    if (words.count == 1 && strcmp(words.at[0], "end") == 0) {
        (void)host_operate_session_end(server, said);
    } else if (words.count == 1 && strcmp(words.at[0], "skip") == 0) {
        (void)host_operate_session_skip(server, said);
    } else if (words.count == 2 && strcmp(words.at[0], "extend") == 0 &&
               read_decimal(words.at[1], &seconds)) {
        (void)host_operate_session_extend(server, seconds, said);
    }
    apex_print_line(out, "%s", said);
}

void console_flag(apex_server *server, const char *rest, FILE *out) {
    static const apex_race_flag flags[] = {APEX_FLAG_GREEN, APEX_FLAG_FULL_COURSE, APEX_FLAG_RED};
    char said[HOST_SAID_BYTES] = "flag green, flag full-course, or flag red?";
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        if (strcmp(rest, apex_wire_flag_name((uint32_t)flags[i])) == 0) {
            (void)host_operate_flag(server, flags[i], said);
        }
    }
    apex_print_line(out, "%s", said);
}

static host_whom whom_of(const console_words *words, uint32_t count, char name[LINE_BYTES]) {
    uint32_t number = 0;
    name[0] = '\0';
    if (count == 1 && console_read_number(words->at[0], &number)) {
        return (host_whom){.player = number};
    }
    for (uint32_t i = 0; i < count; i++) {
        size_t length = strlen(name);
        snprintf(name + length, LINE_BYTES - length, "%s%s", i > 0 ? " " : "", words->at[i]);
    }
    return (host_whom){.name = name};
}

void console_penalise(apex_server *server, const char *rest, FILE *out) {
    char said[HOST_SAID_BYTES], name[LINE_BYTES];
    apex_penalty penalty = {.offence = APEX_OFFENCE_STEWARDS};
    console_words words;
    bool has_offence;
    split(rest, &words);
    for (uint32_t i = 1; i < words.count; i++) {
        if (read_kind(words.at[i], &penalty.kind) &&
            read_rest(&words, i + 1, &penalty, &has_offence)) {
            const host_whom whom = whom_of(&words, i, name);
            (void)host_operate_penalise(server, whom, &penalty, said);
            apex_print_line(out, "%s", said);
            return;
        }
    }
    fprintf(out, "penalise PLAYER PENALTY [AMOUNT] [OFFENCE]; for example: penalise #65537 time 5 "
                 "blocking\n");
    list_kinds(out);
}

void console_change(apex_server *server, const char *rest, FILE *out) {
    char said[HOST_SAID_BYTES];
    apex_penalty penalty = {.offence = APEX_OFFENCE_STEWARDS};
    console_words words;
    bool has_offence;
    split(rest, &words);
    if (words.count >= 2 && read_whole(words.at[0], &penalty.number) &&
        read_kind(words.at[1], &penalty.kind) && read_rest(&words, 2, &penalty, &has_offence)) {
        (void)host_operate_change(server, &penalty, !has_offence, said);
        apex_print_line(out, "%s", said);
        return;
    }
    fprintf(out, "change NUMBER PENALTY [AMOUNT] [OFFENCE]; for example: change 7 time 5\n");
    list_kinds(out);
}

void console_pardon(apex_server *server, const char *rest, FILE *out) {
    char said[HOST_SAID_BYTES] = "pardon which? the number of a penalty, as status lists it";
    uint32_t number;
    if (read_whole(rest, &number)) {
        (void)host_operate_pardon(server, number, said);
    }
    apex_print_line(out, "%s", said);
}

void console_print_session(const apex_server *server, FILE *out) {
    apex_race_session session;
    if (!host_told_session(server, &session) || session.count == 0) {
        return;
    }
    char clock[APEX_TIME_TEXT_BYTES] = "";
    if (session.duration_ms > 0) {
        apex_clock_text(session.left_us, clock);
    }
    apex_print_line(out, "session %u of %u: %s %s%s%s%s, flag %s", session.index + 1, session.count,
                    apex_wire_session_name(session.kind), session.name, clock[0] ? ", " : "", clock,
                    session.chequered ? ", chequered" : "", apex_wire_flag_name(session.flag));
}

void console_print_penalties(const apex_server *server, FILE *out) {
    const host_penalties *penalties = host_told_penalties(server);
    for (uint32_t i = 0; i < penalties->count; i++) {
        const apex_penalty_message *penalty = &penalties->all[i];
        char amount[32] = "";
        if (penalty->time_ms > 0) {
            snprintf(amount, sizeof amount, " %g s", penalty->time_ms / 1000.0);
        } else if (penalty->places > 0) {
            snprintf(amount, sizeof amount, " %u places", penalty->places);
        }
        apex_print_line(out, "penalty %u: %s (#%u) %s%s for %s, lap %u, %s%s", penalty->number,
                        penalty->name, penalty->player, apex_wire_penalty_name(penalty->kind),
                        amount, apex_wire_offence_name(penalty->offence), penalty->lap,
                        apex_wire_penalty_state_name(penalty->state),
                        penalty->by_stewards ? ", by stewards" : "");
    }
}
