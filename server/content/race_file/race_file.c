/// Race files: what is raced, by which rules, and how the server hosts it.
#include "content/race_file/race_file.h"
#include "content/race_file/entry_keys.h"
#include "content/race_file/lobby_keys.h"
#include "content/race_file/rules_keys.h"
#include "content/race_file/session_keys.h"
#include "content/race_file/weekend_whole.h"

#include <string.h>

#include "content/document/nodes.h"
#include "content/document/problem.h"
#include "content/document/value.h"
#include "content/fields/field_macros.h"
#include "content/fields/fields.h"
#include "content/fields/write_fields.h"
#include "race/race_def_ranges.h"
#include "race/weekend_def_ranges.h"

_Static_assert(sizeof(apex_damage_mode) == sizeof(int), "choices are stored as int");

static const char *const damage_modes[] = {"off", "visual", "full", NULL};

_Static_assert(sizeof(apex_snapshot_preset) == sizeof(int), "choices are stored as int");

static const char *const snapshot_presets[] = {"lan", "internet", "crowd", NULL};

_Static_assert(sizeof(apex_password_for) == sizeof(int), "choices are stored as int");
_Static_assert(sizeof(apex_plain_from) == sizeof(int), "like this one");

static const char *const password_uses[] = {"all", "drive", NULL};
static const char *const plain_uses[] = {"near", "all", "none", NULL};

static bool read_cars(content_reader *reader, const yaml_node_t *node, void *base);
static void write_cars(content_writer *writer, const void *base);

static const content_field world_fields[] = {
    RANGED_COUNT(apex_world_def, tick_hz, "steps a second; divides substep_hz"),
    RANGED_COUNT(apex_world_def, substep_hz, "200 or 240; it alone decides how cars drive"),
    RANGED(apex_world_def, gravity_mps2, "of where the race is"),
    RANGED(apex_world_def, air_density_kg_per_m3, "1.2 at 20 degrees by the sea"),
    {FIELD(apex_world_def, "seed", CONTENT_SEED, seed, "now a key of the race"), .old = true},
    CHOICE(apex_world_def, damage, damage_modes, "off, visual or full"),
    FLAG(apex_world_def, fuel_burns, "and cars grow lighter"),
    FLAG(apex_world_def, tyres_wear, "and lose grip"),
    FLAG(apex_world_def, temperatures, "of tyres and brakes matter"),
};
static const content_table world_table = CONTENT_TABLE(world_fields);

static const content_field server_fields[] = {
    TEXT(apex_race_file, address, "to listen on; empty: every address"),
    {FIELD(apex_race_file, "port", CONTENT_PORT, port, "UDP; 0: any free one"), .max = 65535},
    TEXT(apex_race_file, password, "to drive and to watch; empty: none"),
    CHOICE(apex_race_file, password_for, password_uses,
           "all; or drive: whoever watches needs none"),
    TEXT(apex_race_file, password_file, "whose first line is the password; empty: none"),
    FLAG(apex_race_file, guests, "may drive: who comes without a driver's key"),
    TEXT(apex_race_file, drivers,
         "file of those who may drive, a fingerprint or key a line; empty: anybody"),
    {.key = "lobby_keys",
     .type = CONTENT_CUSTOM,
     .read = content_read_lobby_keys,
     .alone = true,
     .write = content_write_lobby_keys,
     .help = "public keys of lobbies whose tokens are believed"},
    FLAG(apex_race_file, token_needed, "to drive, one of those lobbies'"),
    FLAG(apex_race_file, any_audience, "tokens for any server are good here, too"),
    CHOICE(apex_race_file, plain, plain_uses,
           "clients without a seal: near: from private addresses; all; none"),
    TEXT(apex_race_file, key_file,
         "by which clients know the server; empty: in the state directory"),
    COUNT(apex_race_file, clients_max, 1, 16000, "players and spectators"),
    COUNT(apex_race_file, clients_per_address_max, 1, 16000, "of them from one address"),
    COUNT(apex_race_file, joins_per_s, 0, 100000,
          "after clients_max at once, of players and spectators; 0: no limit"),
    COUNT(apex_race_file, joins_per_address_per_s, 0, 100000,
          "likewise, after clients_per_address_max at once"),
    COUNT(apex_race_file, snapshot_hz, 1, 240,
          "sent to each client that does not ask for less; divides tick_hz"),
    COUNT(apex_race_file, telemetry_hz, 0, 240, "as often as a client may ask for; 0: none"),
    COUNT(apex_race_file, nearest_hz, 0, 240,
          "likewise, of cars side by side with a driver, in what snapshots leave of their bytes"),
    CHOICE(apex_race_file, snapshots, snapshot_presets,
           "up to 1184, 600 or 300 bytes each: lan, internet or crowd"),
    REAL(apex_race_file, snapshot_mbit_per_s_max, 0, 100000, "to all together; 0: no limit"),
    COUNT(apex_race_file, controls_wait_ms, 0, 10000,
          "at --speed max a tick waits so long for a player's controls; 0: not at all"),
    REAL(apex_race_file, client_timeout_s, 1, 120, "a client that is silent so long is dropped"),
    REAL(apex_race_file, resume_grace_s, 0, 600,
         "a lost player's place is kept, its car driven; 0: not at all"),
    REAL(apex_race_file, viewer_silence_s, 0, 600,
         "a client that says nothing so long is sent no more snapshots; 0: never"),
    TEXT(apex_race_file, results_dir, "where results are written; empty: nowhere"),
    COUNT(apex_race_file, journal_mib_max, 0, 1000000,
          "MiB of events.jsonl there, then it becomes events-N.jsonl; 0: no limit"),
    COUNT(apex_race_file, journal_files_max, 0, 1000000,
          "such files, of which the oldest are removed; 0: all are kept"),
};
static const content_table server_table = CONTENT_TABLE(server_fields);

static const content_field web_fields[] = {
    TEXT(apex_web_file, listen, "ADDRESS:PORT; :PORT: every address; off: no page"),
    TEXT(apex_web_file, origins, "other sites whose pages may connect: https://a.example ..."),
    TEXT(apex_web_file, hosts, "names of this site, checked if given: race.example ..."),
    TEXT(apex_web_file, certificate,
         "PEM file with its chain, for https:// without a proxy; empty: http://"),
    TEXT(apex_web_file, key, "PEM file of the certificate's private key, without a passphrase"),
    TEXT(apex_web_file, proxies, "whose X-Forwarded-For is believed: 127.0.0.1 10.0.0.0/8 ..."),
    TEXT(apex_web_file, token, "operators' password there; empty: nobody operates"),
    TEXT(apex_web_file, replays_dir, "recordings to be shown, and made; empty: none"),
    COUNT(apex_web_file, replays_mib_max, 0, 100000000,
          "MiB of all there, the oldest are removed; 0: no limit"),
    COUNT(apex_web_file, replays_file_mib_max, 0, 1000000,
          "MiB of one, then it goes on in another; 0: no limit"),
};
static const content_table web_table = CONTENT_TABLE(web_fields);

// Of the race itself, within the range that is said beside it.
#define RULE(member, kind, text)                                 \
    {                                                            \
        FIELD(apex_race_file, #member, kind, race.member, text), \
            RANGE(APEX_RANGE(apex_race_def, member))             \
    }
#define RULE_FLAG(member, text) \
    { FIELD(apex_race_file, #member, CONTENT_FLAG, race.member, text) }

// Items that cannot be read by themselves: they name what stands elsewhere in the file.
#define LIST_OF(word, most, reader, fields, first, text)                              \
    {                                                                                 \
        .key = (word), .type = CONTENT_CUSTOM, .read = (reader), .count_max = (most), \
        .table = &(fields), .prototype = &(first), .help = (text)                     \
    }

static const content_field race_fields[] = {
    KIND("a race file"),
    {FIELD(apex_race_file, "name", CONTENT_TEXT, race.name, "what people read"),
     .bytes = sizeof(((apex_race_file *)0)->race.name)},
    TEXT(apex_race_file, track, "a shipped one, one of --content, or a path"),
    {.key = "cars",
     .type = CONTENT_CUSTOM,
     .read = read_cars,
     .alone = true,
     .write = write_cars,
     .help = "to choose from, named like tracks; the first is the default"},
    RULE(laps, CONTENT_COUNT, "to the finish, without sessions; 0 on a track without a lap"),
    RULE(player_capacity, CONTENT_COUNT, "cars at most"),
    RULE(start_players, CONTENT_COUNT, "the grid forms when so many are there; 0: by command only"),
    RULE(lobby_s, CONTENT_REAL, "longest wait for more; 0 no limit"),
    RULE(countdown_s, CONTENT_REAL, "lights before the start"),
    RULE(finish_wait_s, CONTENT_REAL, "for the others after the winner"),
    RULE(race_s_max, CONTENT_REAL, "hard end; 0 none"),
    RULE(results_s, CONTENT_REAL, "results stand before the next race"),
    RULE(stuck_s, CONTENT_REAL, "without way until put back; 0 never"),
    RULE(idle_s, CONTENT_REAL, "a driver who touches nothing so long watches; 0 never"),
    RULE(reset_wait_s, CONTENT_REAL,
         "from a reset to the next that its driver may ask for; 0 none"),
    RULE(races, CONTENT_COUNT, "before the event is over; 0: on and on, while somebody is there"),
    RULE_FLAG(late_join, "joining during a race"),
    RULE_FLAG(reverse_grid, "the last of the race before is first"),
    COUNT(apex_race_file, bots, 0, APEX_CARS_MAX, "cars the server drives itself"),
    REAL(apex_race_file, bot_skill, 0.5, 1, "share of what the car can do, of a middling bot"),
    REAL(apex_race_file, bot_skill_spread, 0, 0.5,
         "from the weakest to the strongest; each race deals strengths and cars anew"),
    {FIELD(apex_race_file, "world", CONTENT_MAP, race.world, "physics"), .table = &world_table},
    {FIELD(apex_race_file, "seed", CONTENT_SEED, race.world.seed,
           "of what chance decides; 0: another each time the server starts")},
    {.key = "rules",
     .type = CONTENT_CUSTOM,
     .read = content_read_rules,
     .alone = true,
     .write = content_write_rules,
     .help = "a preset's name, free, club or league, or a map of what differs from it"},
    {FIELD(apex_race_file, "pits", CONTENT_MAP, race.weekend.pits, "seconds of a stop's work"),
     .table = &content_pits_table},
    LIST_OF("classes", APEX_CLASSES_MAX, content_read_classes, content_class_table,
            content_first_class, "each with an order and results of its own"),
    LIST_OF("entries", APEX_ENTRIES_MAX, content_read_entries, content_entry_table,
            content_first_entry, "who is expected, and what they drive"),
    {FIELD(apex_race_file, "only_listed", CONTENT_FLAG, race.weekend.entries.only_listed,
           "nobody drives but those entries")},
    {FIELD(apex_race_file, "success_kg", CONTENT_REALS, race.weekend.entries.success_kg,
           "ballast by the place in the race before"),
     .count_offset = offsetof(apex_race_file, race.weekend.entries.success_count),
     .count_max = APEX_SUCCESS_PLACES_MAX, RANGE(APEX_RANGE(apex_entry_list_def, success_kg))},
    LIST_OF("sessions", APEX_SESSIONS_MAX, content_read_sessions, content_session_table,
            content_first_session, "of the event, in order; none: one race after another"),
    {.key = "server", .type = CONTENT_MAP, .table = &server_table, .help = "network and files"},
    {FIELD(apex_race_file, "web", CONTENT_MAP, web, "the live page"), .table = &web_table},
};
static const content_table race_table = CONTENT_TABLE(race_fields);

apex_race_file apex_default_race_file(void) {
    apex_race_file file = {.race = apex_default_race_def(),
                           .track = "ridgeway",
                           .car_count = 1,
                           .cars = {"boxster-s"},
                           .bot_skill = 0.95,
                           .bot_skill_spread = 0.06,
                           .port = 26000,
                           .guests = true,
                           .clients_max = 128,
                           .clients_per_address_max = 64,
                           .joins_per_s = 50,
                           .joins_per_address_per_s = 2,
                           .snapshot_hz = 20,
                           .telemetry_hz = 60,
                           .nearest_hz = 60,
                           .snapshots = APEX_SNAPSHOTS_INTERNET,
                           .controls_wait_ms = 1000,
                           .client_timeout_s = 5,
                           .resume_grace_s = 30,
                           .viewer_silence_s = 10,
                           .web.listen = "localhost:8080",
                           .journal_mib_max = 64,
                           .journal_files_max = 15,
                           .web.replays_mib_max = 20480,
                           .web.replays_file_mib_max = 512};
    file.race.world.seed = 0;
    file.race.weekend = apex_default_weekend_def();
    return file;
}

static bool read_car(content_reader *reader, const yaml_node_t *item, size_t place, void *base) {
    apex_race_file *file = base;
    char *name = file->cars[place];
    memset(name, 0, sizeof file->cars[place]); // one that cannot be read is like no other
    if (!content_read_text(reader, item, name, sizeof file->cars[place])) {
        return false;
    }
    for (size_t i = 0; i < place; i++) {
        if (strcmp(name, file->cars[i]) == 0) {
            return content_fail(reader, item->start_mark, APEX_ERR_PARSE,
                                "'%.64s' is in the list already", name);
        }
    }
    return true;
}

static bool read_cars(content_reader *reader, const yaml_node_t *node, void *base) {
    apex_race_file *file = base;
    if (!content_need_list(reader, node, 1, APEX_RACE_CAR_DEFS_MAX)) {
        return false;
    }
    file->car_count = (uint32_t)content_list_count(node);
    return content_read_items(reader, node, read_car, file);
}

static void write_cars(content_writer *writer, const void *base) {
    const apex_race_file *file = base;
    for (uint32_t i = 0; i < file->car_count; i++) {
        fprintf(writer->out, "%*s- %s\n", writer->indent + 2, "", file->cars[i]);
    }
}

static bool refuse(content_reader *reader, const char *path, const char *reason) {
    return content_fail(reader, content_locate(reader, path), APEX_ERR_RANGE, "%s: %s", path,
                        reason);
}

static bool check_whole(content_reader *reader, const apex_race_file *file) {
    const apex_race_def *race = &file->race;
    const apex_world_def *world = &race->world;
    const char *token_problem = apex_web_token_problem(file->web.token);
    bool has_snapshot_hz = world->tick_hz % file->snapshot_hz == 0;
    // Ticks of one substep can always be stepped, if the substeps can.
    bool has_substep_hz = apex_world_rates_ok(world->substep_hz, world->substep_hz);
    bool has_certificate = file->web.certificate[0] != '\0', has_key = file->web.key[0] != '\0';
    apex_listen listen;
    const struct {
        bool is_broken;
        const char *path, *reason;
    } rules[] = {
        {!has_substep_hz, "world.substep_hz", "it is 200 or 240"},
        {has_substep_hz && !apex_world_rates_ok(world->tick_hz, world->substep_hz), "world.tick_hz",
         "it must divide substep_hz evenly"},
        {!has_snapshot_hz, "server.snapshot_hz", "it must divide tick_hz evenly"},
        {file->bots > race->player_capacity, "bots", "more than player_capacity has room for"},
        {file->clients_per_address_max > file->clients_max, "server.clients_per_address_max",
         "more than clients_max"},
        {!apex_listen_parse(file->web.listen, &listen), "web.listen",
         "expected ADDRESS:PORT, PORT or off"},
        {has_certificate && !has_key, "web.certificate", "web.key, its private key, is missing"},
        {has_key && !has_certificate, "web.key", "web.certificate, which it is of, is missing"},
        {token_problem != NULL, "web.token", token_problem},
        {file->password[0] != '\0' && file->password_file[0] != '\0', "server.password_file",
         "there is a password already: keep one of the two"},
        {file->token_needed && file->lobby_key_count == 0, "server.token_needed",
         "needs lobby_keys, to know whose tokens to believe"},
        {file->any_audience && file->lobby_key_count == 0, "server.any_audience",
         "is about tokens: it needs lobby_keys"},
    };
    bool good = true;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (rules[i].is_broken) {
            good = refuse(reader, rules[i].path, rules[i].reason);
        }
        if (!good && !content_goes_on(reader)) {
            break;
        }
    }
    return good;
}

// The rules between the numbers of the race itself, which are not the file's.
static bool check_race(content_reader *reader, const apex_race_file *file) {
    apex_race_def_problem problems[APEX_RACE_DEF_PROBLEMS_MAX];
    size_t count = apex_race_def_check(&file->race, problems);
    for (size_t i = 0; i < count; i++) {
        refuse(reader, problems[i].key, problems[i].reason);
        if (!content_goes_on(reader)) {
            break;
        }
    }
    return count == 0;
}

static void note_place(content_reader *reader, const char *path, const char *value,
                       char out[APEX_CONTENT_PATH_BYTES]) {
    yaml_mark_t at = content_locate(reader, path);
    if (value[0] != '\0') {
        snprintf(out, APEX_CONTENT_PATH_BYTES, "%.200s:%zu:%zu: ", reader->label, at.line + 1,
                 at.column + 1);
    }
}

bool content_read_race(content_reader *reader, apex_race_file *out) {
    apex_race_file file = apex_default_race_file();
    if (!content_read_map(reader, reader->root, &race_table, &file)) {
        return false;
    }
    bool good = check_race(reader, &file);
    if ((!good && !content_goes_on(reader)) || !check_whole(reader, &file) || !good ||
        !content_check_weekend(reader, &file)) {
        return false;
    }
    file.race.world.car_capacity = file.race.player_capacity;
    apex_web_file *web = &file.web;
    note_place(reader, "web.certificate", web->certificate, web->certificate_at);
    note_place(reader, "web.key", web->key, web->key_at);
    note_place(reader, "server.drivers", file.drivers, file.drivers_at);
    note_place(reader, "server.password_file", file.password_file, file.password_file_at);
    file.laps_given = content_find(reader, reader->root, "laps") != NULL;
    *out = file;
    return true;
}

void content_write_race(FILE *out) {
    content_writer writer = {.out = out, .kind = "race"};
    apex_race_file file = apex_default_race_file();
    fputs(
        "# A race and the server that hosts it. Times are in seconds. A key that is left out has\n"
        "# the value that stands here.\n",
        out);
    content_write_map(&writer, &race_table, &file, NULL);
}
