// Arguments become options; what is wrong with them is said in a sentence.

#include "program/server_options.h"
#include "base/print.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

typedef enum option_kind {
    OPTION_TEXT,
    OPTION_CONFIG,
    OPTION_NUMBER,
    OPTION_SPEED,
    OPTION_DAMAGE,
    OPTION_PASSWORD_FOR,
    OPTION_PLAIN,
    OPTION_GUESTS,
    OPTION_LOBBY_KEY,
    OPTION_LOG,
    OPTION_LOG_LEVEL,
    OPTION_FLAG,
} option_kind;

typedef struct option_row {
    const char *name;
    const char *argument;
    option_kind kind;
    size_t offset; ///< of the field in server_options
    int64_t low, high;
    const char *help;
} option_row;

#define FIELD(name) offsetof(server_options, name)

static const option_row rows[] = {
    {"config", "FILE", OPTION_CONFIG, 0, 0, 0,
     "race file (YAML), or the name of one that ships; once for each race to host at a time"},
    {"content", "DIR", OPTION_TEXT, FIELD(content), 0, 0,
     "where cars and tracks are looked for before those inside the program"},
    {"track", "NAME", OPTION_TEXT, FIELD(track), 0, 0, "track to race on"},
    {"car", "NAME", OPTION_TEXT, FIELD(car), 0, 0, "the one car everybody drives"},
    {"laps", "N", OPTION_NUMBER, FIELD(laps), 1, 999, "length of a race"},
    {"players", "N", OPTION_NUMBER, FIELD(players), 1, APEX_CARS_MAX,
     "the grid forms when N players, bots included, are in"},
    {"bots", "N", OPTION_NUMBER, FIELD(bots), 0, APEX_CARS_MAX, "cars the server drives itself"},
    {"races", "N", OPTION_NUMBER, FIELD(races), 0, 100000,
     "end after N races, whoever is there; without: race after race, while somebody is there"},
    {"port", "N", OPTION_NUMBER, FIELD(port), 0, 65535,
     "UDP port, of a second race the next one; 0 takes a free one"},
    {"web", "PLACE", OPTION_TEXT, FIELD(web), 0, 0,
     "of the live page: ADDRESS:PORT, :PORT for every address, or off; else localhost:8080"},
    {"web-certificate", "FILE", OPTION_TEXT, FIELD(web_certificate), 0, 0,
     "PEM, with its chain: the page is https://; it is read again when it changes, and on SIGHUP"},
    {"web-key", "FILE", OPTION_TEXT, FIELD(web_key), 0, 0, "PEM, the certificate's private key"},
    {"address", "IP", OPTION_TEXT, FIELD(address), 0, 0, "listen on this address only"},
    {"password", "TEXT", OPTION_TEXT, FIELD(password), 0, 0,
     "needed to drive or to watch; others on this machine see it here: see the next"},
    {"password-file", "FILE", OPTION_TEXT, FIELD(password_file), 0, 0,
     "its first line is the password, read again by reload; or the environment's APEX_PASSWORD"},
    {"password-for", "all|drive", OPTION_PASSWORD_FOR, FIELD(password_for), 0, 0,
     "what it is needed for: drive leaves watching open to everybody"},
    {"invite", NULL, OPTION_FLAG, FIELD(invite), 0, 0,
     "on a terminal, the link for friends and its picture have the password in them"},
    {"guests", "yes|no", OPTION_GUESTS, FIELD(guests), 0, 0,
     "whether who comes without a driver's key may drive (else yes)"},
    {"drivers", "FILE", OPTION_TEXT, FIELD(drivers), 0, 0,
     "who may drive, a fingerprint or key a line; read again on SIGHUP and by reload"},
    {"lobby-key", "KEY", OPTION_LOBBY_KEY, 0, 0, 0,
     "of a lobby whose tokens are believed; once for each"},
    {"token-needed", NULL, OPTION_FLAG, FIELD(token_needed), 0, 0,
     "nobody drives without a token of a lobby's"},
    {"plain", "near|all|none", OPTION_PLAIN, FIELD(plain), 0, 0,
     "clients that come without a seal: near (else) are those from private addresses"},
    {"key-file", "FILE", OPTION_TEXT, FIELD(key_file), 0, 0,
     "of the key by which clients know the server, made if there is none (else one in "
     "~/.local/state/apex)"},
    {"clients", "N", OPTION_NUMBER, FIELD(clients), 1, 16000,
     "most players and spectators at a time"},
    {"clients-per-address", "N", OPTION_NUMBER, FIELD(per_address), 1, 16000,
     "most of them from one address"},
    {"resume-grace", "S", OPTION_NUMBER, FIELD(resume_grace), 0, 600,
     "keep the place of a player whose connection broke; 0: do not"},
    {"results", "DIR", OPTION_TEXT, FIELD(results), 0, 0,
     "write results and events into this directory, of a second race into race-2 in it"},
    {"record", "FILE", OPTION_TEXT, FIELD(record), 0, 0,
     "record a replay; where there is such a file, into FILE-2 beside it"},
    {"replays", "DIR", OPTION_TEXT, FIELD(replays), 0, 0,
     "record into this directory, and show on the page what is there"},
    {"replays-mib", "N", OPTION_NUMBER, FIELD(replays_mib), 0, 100000000,
     "MiB of all there (else 20480): the oldest are removed; 0: no limit"},
    {"speed", "N|max", OPTION_SPEED, FIELD(speed), 0, 0,
     "run N times as fast as real time, with the same bits"},
    {"wait-ms", "N", OPTION_NUMBER, FIELD(wait_ms), 0, 10000,
     "at --speed max a tick waits so long for a player's controls (else 1000); 0: not at all"},
    {"tick-hz", "N", OPTION_NUMBER, FIELD(tick_hz), 20, 240, "ticks a second; divides 240 or 200"},
    {"snapshot-hz", "N", OPTION_NUMBER, FIELD(snapshot_hz), 1, 240,
     "snapshots a second; divides the tick rate"},
    {"workers", "N", OPTION_NUMBER, FIELD(workers), 0, 63, "threads beside the main one"},
    {"damage", "off|visual|full", OPTION_DAMAGE, FIELD(damage), 0, 0,
     "what contact does to cars: nothing, a look, or what it costs"},
    {"seed", "N", OPTION_NUMBER, FIELD(seed), 0, (int64_t)APEX_RACE_SEED_MAX,
     "what chance decides goes the same way again; 0, the default, draws one and prints it"},
    {"log", "text|json", OPTION_LOG, FIELD(log_format), 0, 0, "form of log lines"},
    {"log-level", "LEVEL", OPTION_LOG_LEVEL, FIELD(log_level), 0, 0, "debug, info, warn or error"},
    {"help", NULL, OPTION_FLAG, FIELD(help), 0, 0, "this text"},
    {"version", NULL, OPTION_FLAG, FIELD(version), 0, 0, "the version"},
};

enum { ROWS = sizeof rows / sizeof rows[0], FIRST_CODE = 256 };

static bool complain(const option_row *row, const char *text, const char *expected) {
    apex_print_line(stderr, "apex-server: --%s %s: expected %s", row->name, text, expected);
    return false;
}

static bool take_number(const option_row *row, const char *text, int64_t *out) {
    char *end = NULL;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || value < row->low || value > row->high) {
        char expected[96];
        snprintf(expected, sizeof expected, "a whole number, %lld to %lld", (long long)row->low,
                 (long long)row->high);
        return complain(row, text, expected);
    }
    *out = value;
    return true;
}

static bool take_speed(const option_row *row, const char *text, double *out) {
    if (strcmp(text, "max") == 0) {
        *out = 0.0;
        return true;
    }
    char *end = NULL;
    double value = strtod(text, &end);
    if (end == text || *end != '\0' || !(value >= 0.01 && value <= 1000.0)) {
        return complain(row, text, "a number from 0.01 to 1000, or max");
    }
    *out = value;
    return true;
}

// The index of a word among those there are.
static bool take_word(const option_row *row, const char *text, const char *const words[],
                      int64_t *out) {
    char expected[96] = "";
    for (size_t i = 0; words[i] != NULL; i++) {
        if (strcmp(text, words[i]) == 0) {
            *out = (int64_t)i;
            return true;
        }
        size_t length = strlen(expected);
        const char *before = i == 0 ? "" : words[i + 1] == NULL ? " or " : ", ";
        snprintf(expected + length, sizeof expected - length, "%s%s", before, words[i]);
    }
    return complain(row, text, expected);
}

static bool take_damage(const option_row *row, const char *text, int64_t *out) {
    static const char *const MODES[] = {[APEX_DAMAGE_OFF] = "off",
                                        [APEX_DAMAGE_VISUAL] = "visual",
                                        [APEX_DAMAGE_FULL] = "full",
                                        NULL};
    return take_word(row, text, MODES, out);
}

static bool take_password_for(const option_row *row, const char *text, int64_t *out) {
    static const char *const USES[] = {
        [APEX_PASSWORD_FOR_ALL] = "all", [APEX_PASSWORD_FOR_DRIVE] = "drive", NULL};
    return take_word(row, text, USES, out);
}

static bool take_plain(const option_row *row, const char *text, int64_t *out) {
    static const char *const FROM[] = {[APEX_PLAIN_FROM_NEAR] = "near",
                                       [APEX_PLAIN_FROM_ALL] = "all",
                                       [APEX_PLAIN_FROM_NONE] = "none",
                                       NULL};
    return take_word(row, text, FROM, out);
}

static bool take_guests(const option_row *row, const char *text, int64_t *out) {
    static const char *const ANSWERS[] = {"no", "yes", NULL};
    return take_word(row, text, ANSWERS, out);
}

static bool take_lobby_key(const option_row *row, const char *text, server_options *options) {
    uint8_t key[APEX_LOBBY_KEY_BYTES];
    if (!apex_lobby_key_read(text, key)) {
        return complain(row, text, "64 digits and letters a to f, as token key prints them");
    }
    if (options->lobby_key_count == APEX_RACE_LOBBIES_MAX) {
        return complain(row, text, "no more than 16 of them");
    }
    options->lobby_keys[options->lobby_key_count++] = text;
    return true;
}

static bool take(server_options *options, const option_row *row, const char *text) {
    void *field = (char *)options + row->offset;
    switch (row->kind) {
    case OPTION_TEXT:
        *(const char **)field = text;
        return true;
    case OPTION_CONFIG:
        if (options->config_count == APEX_SITE_RACES_MAX) {
            return complain(row, text, "no more than 16 of them");
        }
        options->configs[options->config_count++] = text;
        return true;
    case OPTION_NUMBER:
        return take_number(row, text, field);
    case OPTION_SPEED:
        return take_speed(row, text, field);
    case OPTION_DAMAGE:
        return take_damage(row, text, field);
    case OPTION_PASSWORD_FOR:
        return take_password_for(row, text, field);
    case OPTION_PLAIN:
        return take_plain(row, text, field);
    case OPTION_GUESTS:
        return take_guests(row, text, field);
    case OPTION_LOBBY_KEY:
        return take_lobby_key(row, text, options);
    case OPTION_LOG:
        return apex_log_format_from_name(text, field) || complain(row, text, "text or json");
    case OPTION_LOG_LEVEL:
        return apex_log_level_from_name(text, field) ||
               complain(row, text, "debug, info, warn or error");
    case OPTION_FLAG:
        *(bool *)field = true;
        return true;
    }
    return false;
}

static server_options nothing_given(void) {
    return (server_options){
        .laps = -1,
        .players = -1,
        .bots = -1,
        .races = -1,
        .port = -1,
        .clients = -1,
        .per_address = -1,
        .resume_grace = -1,
        .wait_ms = -1,
        .tick_hz = -1,
        .snapshot_hz = -1,
        .workers = -1,
        .replays_mib = -1,
        .seed = -1,
        .damage = -1,
        .password_for = -1,
        .plain = -1,
        .guests = -1,
        .speed = 1.0,
        .log_format = APEX_LOG_TEXT,
        .log_level = APEX_LOG_INFO,
    };
}

bool server_options_parse(int argc, char **argv, server_options *out) {
    *out = nothing_given();
    struct option table[ROWS + 1];
    memset(table, 0, sizeof table);
    for (int i = 0; i < ROWS; i++) {
        table[i] = (struct option){
            .name = rows[i].name,
            .has_arg = rows[i].argument != NULL ? required_argument : no_argument,
            .val = FIRST_CODE + i,
        };
    }
    for (;;) {
        int code = getopt_long(argc, argv, "h", table, NULL);
        if (code == -1) {
            break;
        }
        if (code == 'h') {
            out->help = true;
            continue;
        }
        if (code == '?') {
            fprintf(stderr, "apex-server: --help lists the options\n");
            return false;
        }
        if (!take(out, &rows[code - FIRST_CODE], optarg)) {
            return false;
        }
    }
    out->first_argument = optind;
    return true;
}

void server_options_help(FILE *out) {
    fprintf(out, "apex-server: hosts car races\n"
                 "\n"
                 "  apex-server [OPTIONS]             host races until told to stop\n"
                 "  apex-server check FILE...         check car, track and race files\n"
                 "  apex-server default car|track|race  print a commented file with every key\n"
                 "  apex-server list                  name the cars, tracks and races that ship\n"
                 "  apex-server replay verify FILE    run a replay again and compare\n"
                 "  apex-server car NAME|FILE         measure a car: times, distances, curves\n"
                 "  apex-server manoeuvre [NAME]      drive a test; without NAME list them\n"
                 "  apex-server track NAME|FILE       what a track is; --svg FILE draws it\n"
                 "  apex-server track import FILE.csv --out DIR  make one of a table of points\n"
                 "  apex-server token key|sign|show   what a lobby lets drivers in by\n"
                 "\n"
                 "Options\n");
    for (int i = 0; i < ROWS; i++) {
        char left[48];
        snprintf(left, sizeof left, "--%s %s", rows[i].name,
                 rows[i].argument != NULL ? rows[i].argument : "");
        apex_print_line(out, "  %-26s %s", left, rows[i].help);
    }
    fprintf(out, "\nOn standard input it takes commands: help lists them. Operators of the page "
                 "need a token:\nweb.token of the race file, or the environment's "
                 "APEX_WEB_TOKEN.\n");
}

static bool put_text(char *to, size_t capacity, const char *text, const char *name,
                     char why[APEX_HOST_WHY_BYTES]) {
    if (text == NULL) {
        return true;
    }
    int length = snprintf(to, capacity, "%s", text);
    if (length >= 0 && (size_t)length < capacity) {
        return true;
    }
    snprintf(why, APEX_HOST_WHY_BYTES, "--%s: longer than %zu bytes", name, capacity - 1);
    return false;
}

// Of a file that is read later: with where it was named, for whoever finds it unfit.
static bool put_file(char to[APEX_CONTENT_PATH_BYTES], char at[APEX_CONTENT_PATH_BYTES],
                     const char *text, const char *name, char why[APEX_HOST_WHY_BYTES]) {
    if (text != NULL) {
        snprintf(at, APEX_CONTENT_PATH_BYTES, "--%s: ", name);
    }
    return put_text(to, APEX_CONTENT_PATH_BYTES, text, name, why);
}

static void put_number(uint32_t *to, int64_t value) {
    if (value >= 0) {
        *to = (uint32_t)value;
    }
}

static uint32_t nearest_divisor(uint32_t number, uint32_t wanted) {
    uint32_t below = wanted < number ? wanted : number;
    while (number % below != 0) {
        below--;
    }
    uint32_t above = wanted < number ? wanted : number;
    while (number % above != 0) {
        above++;
    }
    return wanted - below < above - wanted ? below : above;
}

// Rates divide each other. One that was not given follows one that was.
static void apply_rates(const server_options *options, apex_race_file *file) {
    apex_world_def *world = &file->race.world;
    if (options->tick_hz < 0) {
        return;
    }
    if (!apex_world_rates_ok(world->tick_hz, world->substep_hz)) {
        world->substep_hz = apex_world_substep_hz(world->tick_hz);
    }
    if (options->snapshot_hz < 0) {
        file->snapshot_hz = nearest_divisor(world->tick_hz, file->snapshot_hz);
    }
}

// Lobbies of the command line come in the place of the file's.
static void apply_entry(const server_options *options, apex_race_file *file) {
    if (options->guests >= 0) {
        file->guests = options->guests == 1;
    }
    file->token_needed = file->token_needed || options->token_needed;
    for (uint32_t i = 0; i < options->lobby_key_count; i++) {
        (void)apex_lobby_key_read(options->lobby_keys[i], file->lobby_keys[i]);
        file->lobby_key_count = options->lobby_key_count;
    }
}

static void apply_numbers(const server_options *options, apex_race_file *file) {
    put_number(&file->race.laps, options->laps);
    file->laps_given = file->laps_given || options->laps >= 0;
    put_number(&file->race.races, options->races);
    put_number(&file->race.start_players, options->players);
    put_number(&file->race.world.tick_hz, options->tick_hz);
    put_number(&file->controls_wait_ms, options->wait_ms);
    put_number(&file->bots, options->bots);
    put_number(&file->clients_max, options->clients);
    put_number(&file->clients_per_address_max, options->per_address);
    put_number(&file->snapshot_hz, options->snapshot_hz);
    put_number(&file->web.replays_mib_max, options->replays_mib);
    if (options->port >= 0) {
        file->port = (uint16_t)options->port;
    }
    if (options->resume_grace >= 0) {
        file->resume_grace_s = (double)options->resume_grace;
    }
    if (options->damage >= 0) {
        file->race.world.damage = (apex_damage_mode)options->damage;
    }
    if (options->password_for >= 0) {
        file->password_for = (apex_password_for)options->password_for;
    }
    if (options->plain >= 0) {
        file->plain = (apex_plain_from)options->plain;
    }
    apply_entry(options, file);
    if (options->seed >= 0) {
        file->race.world.seed = (uint64_t)options->seed;
    }
    apply_rates(options, file);
    uint32_t wanted = file->race.start_players;
    wanted = wanted > file->bots ? wanted : file->bots;
    if (file->race.player_capacity < wanted) {
        file->race.player_capacity = wanted;
    }
    if (file->bots > 0 && options->players < 0 && file->race.start_players < file->bots) {
        file->race.start_players = file->bots;
    }
    // Bots alone that are to be through with it as fast as they can wait for nobody.
    if (file->bots > 0 && options->players < 0 && options->speed <= 0.0 &&
        options->config_count == 0) {
        file->race.start_players = file->bots;
    }
    if (options->clients < 0 && options->players > 0 &&
        file->clients_max < (uint32_t)options->players) {
        file->clients_max = (uint32_t)options->players;
    }
}

static bool check_web(const server_options *options, char why[APEX_HOST_WHY_BYTES]) {
    apex_listen listen;
    if (options->web != NULL && !apex_listen_parse(options->web, &listen)) {
        snprintf(why, APEX_HOST_WHY_BYTES,
                 "--web %.64s: expected ADDRESS:PORT, PORT or off, for example 0.0.0.0:8080",
                 options->web);
        return false;
    }
    return true;
}

bool server_options_apply(const server_options *options, apex_race_file *file,
                          char why[APEX_HOST_WHY_BYTES]) {
    apply_numbers(options, file);
    const uint32_t tick_hz = file->race.world.tick_hz;
    if (!apex_world_rates_ok(tick_hz, file->race.world.substep_hz)) {
        snprintf(why, APEX_HOST_WHY_BYTES,
                 "--tick-hz %u: must divide 240 or 200 (20, 24, 25, 30, 40, 48, 50, 60, 80, "
                 "100, 120, 200, 240)",
                 tick_hz);
        return false;
    }
    if (tick_hz % file->snapshot_hz != 0) {
        snprintf(why, APEX_HOST_WHY_BYTES, "--snapshot-hz %u: must divide the tick rate, %u",
                 file->snapshot_hz, tick_hz);
        return false;
    }
    if (file->token_needed && file->lobby_key_count == 0) {
        snprintf(why, APEX_HOST_WHY_BYTES,
                 "--token-needed: name the lobby whose tokens are believed by --lobby-key");
        return false;
    }
    if (options->car != NULL) {
        file->car_count = 1;
    }
    return put_text(file->track, sizeof file->track, options->track, "track", why) &&
           put_text(file->cars[0], sizeof file->cars[0], options->car, "car", why) &&
           put_text(file->address, sizeof file->address, options->address, "address", why) &&
           put_text(file->password, sizeof file->password, options->password, "password", why) &&
           put_text(file->key_file, sizeof file->key_file, options->key_file, "key-file", why) &&
           put_text(file->results_dir, sizeof file->results_dir, options->results, "results",
                    why) &&
           put_text(file->web.listen, sizeof file->web.listen, options->web, "web", why) &&
           put_text(file->web.replays_dir, sizeof file->web.replays_dir, options->replays,
                    "replays", why) &&
           put_file(file->drivers, file->drivers_at, options->drivers, "drivers", why) &&
           put_file(file->web.certificate, file->web.certificate_at, options->web_certificate,
                    "web-certificate", why) &&
           put_file(file->web.key, file->web.key_at, options->web_key, "web-key", why) &&
           check_web(options, why);
}
