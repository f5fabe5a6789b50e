// Hosting: from the command line to running races, and to their end.

#include "program/hosting.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

#include "base/log.h"
#include "program/announce.h"
#include "program/given_race.h"
#include "program/kept_key.h"
#include "program/process.h"
#include "program/process_clock.h"
#include "program/reload.h"
#include "program/server_key.h"
#include "program/server_loop.h"
#include "proto/proto.h"
#include "replay/replay.h"

enum { OPEN_FILES_WANTED = 8192, RECORDING_PATH_BYTES = 2 * APEX_HOST_PATH_BYTES };

static const uint64_t MIB = 1024 * 1024;

struct server_hosting {
    server_loop *loop;
    apex_site *site; ///< NULL once the loop has run
    uint32_t server_count;
    apex_server *servers[APEX_SITE_RACES_MAX];
    char results_dirs[APEX_SITE_RACES_MAX][APEX_CONTENT_PATH_BYTES]; ///< of the servers
    apex_held_names *held_names;
    page_passwords passwords;
    server_reload reload;
    apex_used_tokens *used_tokens; ///< NULL: no race trusts a lobby
    apex_web_file web;
    apex_listen listen;
    double speed;
};

// The default race is named after its laps and its track.
static void name_default(const server_options *options, apex_server_def *def) {
    apex_race_def *race = &def->file.race;
    if (options->config_count > 0 || (options->track == NULL && options->laps < 0)) {
        return;
    }
    int length = snprintf(race->name, sizeof race->name, "%s", def->track.name);
    race->name[0] = (char)toupper((unsigned char)race->name[0]);
    if (race->laps > 0 && length > 0 && (size_t)length < sizeof race->name) {
        snprintf(race->name + length, sizeof race->name - (size_t)length, ", %u lap%s", race->laps,
                 race->laps == 1 ? "" : "s");
    }
}

static bool load(const server_options *options, uint32_t race, apex_server_def *def,
                 given_race *given, char why[APEX_HOST_WHY_BYTES]) {
    if (!given_race_read(options, race, given, why) ||
        apex_server_def_load(&given->file, options->content, def, why) != APEX_OK) {
        return false;
    }
    // The lobby is for people and programs who come in real time.
    if (options->speed > 1.0) {
        def->file.race.lobby_s =
            fmin(def->file.race.lobby_s * options->speed, APEX_RACE_SECONDS_MAX);
    }
    name_default(options, def);
    return true;
}

static uint32_t default_workers(void) {
    unsigned int cores = uv_available_parallelism();
    return (cores < 8 ? cores : 8) - 1;
}

// Files are named after the time and the race: 20260301-120000-three-laps-of-ridgeway.apexr. Of a
// name that is taken the recording takes the next one.
static void name_recording(const char *directory, const apex_server_def *def,
                           char out[RECORDING_PATH_BYTES]) {
    char stamp[32] = "", name[APEX_NAME_BYTES] = "";
    time_t now_s = (time_t)(def->unix_us / 1000000u);
    struct tm utc;
    if (gmtime_r(&now_s, &utc) != NULL) {
        strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &utc);
    }
    size_t length = 0;
    for (const char *c = def->file.race.name; *c != '\0' && length < sizeof name - 1; c++) {
        bool is_plain = isalnum((unsigned char)*c);
        if (is_plain || (length > 0 && name[length - 1] != '-')) {
            name[length++] = is_plain ? (char)tolower((unsigned char)*c) : '-';
        }
    }
    length -= length > 0 && name[length - 1] == '-';
    name[length] = '\0';
    snprintf(out, RECORDING_PATH_BYTES, "%s/%s-%s.apexr", directory, stamp, name);
}

// What is being written is never removed: a folder that is held to a size has room for the
// recording that grows and for as much of those before it.
static uint64_t recording_bytes_max(const apex_web_file *web, bool is_in_folder) {
    uint64_t bytes = MIB * web->replays_file_mib_max, all = MIB * web->replays_mib_max;
    bool is_held = is_in_folder && all > 0 && (bytes == 0 || bytes > all / 2);
    return is_held ? all / 2 : bytes;
}

static bool choose_recording(const server_options *options, apex_server_def *def,
                             char why[APEX_HOST_WHY_BYTES]) {
    char path[RECORDING_PATH_BYTES] = "";
    const char *directory = def->file.web.replays_dir;
    if (options->record != NULL && options->config_count > 1) {
        snprintf(why, APEX_HOST_WHY_BYTES,
                 "--record: one file cannot hold several races; --replays DIR records each");
        return false;
    }
    if (options->record != NULL) {
        snprintf(path, sizeof path, "%s", options->record);
    } else if (directory[0] != '\0') {
        (void)mkdir(directory, 0777); // if that fails the recording says why
        if (def->file.web.replays_mib_max > 0) {
            (void)apex_replay_rotate(directory, MIB * def->file.web.replays_mib_max);
        }
        name_recording(directory, def, path);
    }
    if (strlen(path) >= sizeof def->record_path) {
        snprintf(why, APEX_HOST_WHY_BYTES, "--record: the path is too long");
        return false;
    }
    memcpy(def->record_path, path, strlen(path) + 1);
    def->record_bytes_max = recording_bytes_max(&def->file.web, options->record == NULL);
    return true;
}

static bool draw_bytes(void *out, size_t count, char why[APEX_HOST_WHY_BYTES]) {
    if (getrandom(out, count, 0) == (ssize_t)count) {
        return true;
    }
    snprintf(why, APEX_HOST_WHY_BYTES, "no random numbers from the system");
    return false;
}

// A race draws nothing from outside: what chance decides in it follows from this number.
static bool choose_seed(apex_server_def *def, char why[APEX_HOST_WHY_BYTES]) {
    uint64_t *seed = &def->file.race.world.seed;
    while (*seed == 0) {
        if (!draw_bytes(seed, sizeof *seed, why)) {
            return false;
        }
        *seed &= APEX_RACE_SEED_MAX;
    }
    return true;
}

// What clients put behind # to be sure whom they talk to.
static void announce_key(const apex_server *server, bool is_kept) {
    char text[SERVER_KEY_TEXT_BYTES];
    server_key_text(apex_server_seal_key(server), text);
    apex_log(APEX_LOG_INFO, "main", "to come sealed: apex-client bot HOST:%u#%s%s",
             apex_server_port(server), text,
             is_kept ? "" : " (a new key with each start; --key-file keeps one)");
}

// A token that names no race is good for any of them, but once.
static bool share_used_tokens(server_hosting *hosting, apex_server_def *def,
                              char why[APEX_HOST_WHY_BYTES]) {
    if (def->file.lobby_key_count == 0) {
        return true;
    }
    if (hosting->used_tokens == NULL &&
        (!apex_identity_begin() ||
         apex_used_tokens_create(APEX_TOKENS_USED_MAX, &hosting->used_tokens) != APEX_OK)) {
        snprintf(why, APEX_HOST_WHY_BYTES, "out of memory");
        return false;
    }
    def->used_tokens = hosting->used_tokens;
    return true;
}

static bool complete(server_hosting *hosting, const server_options *options, apex_server_def *def,
                     kept_key *kept, char why[APEX_HOST_WHY_BYTES]) {
    def->workers = options->workers >= 0 ? (uint32_t)options->workers : default_workers();
    def->speed_permille = (uint32_t)(options->speed * 1000.0 + 0.5);
    def->listen = true;
    def->idles = true;
    def->fed_links_max = apex_site_links_max(&hosting->listen, def->file.clients_max);
    def->held_names = hosting->held_names;
    def->race = hosting->server_count + 1;
    def->now_us = server_monotonic_us();
    def->unix_us = server_unix_us();
    def->clock_us = server_monotonic_us;
    if (!draw_bytes(def->token_key, sizeof def->token_key, why) || !choose_seed(def, why) ||
        !share_used_tokens(hosting, def, why)) {
        return false;
    }
    return kept_key_choose(def, kept, why) && choose_recording(options, def, why);
}

static bool is_port_taken(const server_hosting *hosting, uint16_t port) {
    for (uint32_t i = 0; i < hosting->server_count; i++) {
        if (apex_server_port(hosting->servers[i]) == port) {
            return true;
        }
    }
    return false;
}

// Races of one process that name the same port take the next ones.
static void find_port(const server_hosting *hosting, apex_race_file *file) {
    while (file->port != 0 && is_port_taken(hosting, file->port)) {
        file->port++;
    }
}

// Results and journals have one writer each: of races that name the same directory all but the
// first have their own in it.
static bool find_results_dir(server_hosting *hosting, apex_race_file *file,
                             char why[APEX_HOST_WHY_BYTES]) {
    uint32_t race = hosting->server_count;
    char *own = hosting->results_dirs[race];
    memcpy(own, file->results_dir, sizeof file->results_dir);
    for (uint32_t i = 0; i < race && own[0] != '\0'; i++) {
        if (strcmp(hosting->results_dirs[i], own) != 0) {
            continue;
        }
        int length =
            snprintf(file->results_dir, sizeof file->results_dir, "%s/race-%u", own, race + 1);
        if (length < 0 || (size_t)length >= sizeof file->results_dir) {
            snprintf(why, APEX_HOST_WHY_BYTES, "the results directory's path is too long");
            return false;
        }
        memcpy(own, file->results_dir, sizeof file->results_dir);
        break;
    }
    return true;
}

// Each browser is an open file, and systems begin with 1,024 of them.
static void allow_open_files(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < OPEN_FILES_WANTED) {
        bool is_enough = limit.rlim_max == RLIM_INFINITY || limit.rlim_max >= OPEN_FILES_WANTED;
        limit.rlim_cur = is_enough ? OPEN_FILES_WANTED : limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit); // with fewer it serves fewer
    }
}

static void remember_web(server_hosting *hosting, const apex_race_file *file) {
    hosting->web = file->web;
    (void)apex_listen_parse(file->web.listen, &hosting->listen); // it was checked when it was read
}

static void announce(const apex_server *server, const apex_server_def *def, const kept_key *kept) {
    apex_log(APEX_LOG_INFO, "main", "apex-server %s: %s, laps %u, track %s, UDP port %u",
             APEX_VERSION, def->file.race.name, def->file.race.laps, def->track.name,
             apex_server_port(server));
    announce_key(server, def->has_seal_secret);
    kept_key_announce(kept);
    apex_log(APEX_LOG_INFO, "main", "seed %llu; the same races again: --seed %llu",
             (unsigned long long)def->file.race.world.seed,
             (unsigned long long)def->file.race.world.seed);
}

static apex_err create_loaded(server_hosting *hosting, const server_options *options,
                              apex_server_def *def, const given_race *given,
                              char why[APEX_HOST_WHY_BYTES]) {
    kept_key kept;
    uint32_t race = hosting->server_count;
    if (race == 0) {
        remember_web(hosting, &def->file);
    }
    find_port(hosting, &def->file);
    if (!find_results_dir(hosting, &def->file, why) ||
        !complete(hosting, options, def, &kept, why)) {
        return APEX_ERR_INVALID;
    }
    apex_err err = apex_server_create(def, &hosting->servers[race], why);
    if (err != APEX_OK) {
        return err;
    }
    hosting->server_count++;
    page_passwords *passwords = &hosting->passwords;
    passwords->are_shown = options->invite;
    memcpy(passwords->of_races[passwords->race_count++], given->file.password,
           sizeof passwords->of_races[0]);
    if (!server_reload_add(&hosting->reload, hosting->servers[race], given, why)) {
        return APEX_ERR_NO_MEMORY;
    }
    announce(hosting->servers[race], def, &kept);
    return APEX_OK;
}

static apex_err create_server(server_hosting *hosting, const server_options *options,
                              char why[APEX_HOST_WHY_BYTES]) {
    apex_server_def *def = calloc(1, sizeof *def);
    given_race *given = calloc(1, sizeof *given);
    apex_err err = APEX_ERR_NO_MEMORY;
    if (def == NULL || given == NULL) {
        snprintf(why, APEX_HOST_WHY_BYTES, "out of memory");
    } else if (!load(options, hosting->server_count, def, given, why)) {
        err = APEX_ERR_INVALID;
    } else {
        err = create_loaded(hosting, options, def, given, why);
        apex_track_def_free(&def->track);
    }
    if (given != NULL) {
        given_race_free(given);
    }
    free(given);
    free(def);
    return err;
}

// What is wrong with a certificate is found out when it is read, after the file that names it.
static void name_place(const apex_web_file *web, char why[APEX_HOST_WHY_BYTES]) {
    bool is_certificate = strncmp(why, "web.certificate", strlen("web.certificate")) == 0;
    bool is_key = strncmp(why, "web.key", strlen("web.key")) == 0;
    const char *at = is_certificate ? web->certificate_at : is_key ? web->key_at : "";
    size_t before = strlen(at), length = strlen(why) + 1;
    if (before + length <= APEX_HOST_WHY_BYTES) {
        memmove(why + before, why, length);
        memcpy(why, at, before);
    }
}

// The default's port may be another program's; one that somebody chose is to be had, or nothing.
static apex_err open_site(server_hosting *hosting, const server_options *options,
                          char why[APEX_HOST_WHY_BYTES]) {
    const char *token = getenv("APEX_WEB_TOKEN");
    apex_site_def def = {
        .loop = server_loop_uv(hosting->loop),
        .listen = hosting->listen,
        .origins = hosting->web.origins,
        .hosts = hosting->web.hosts,
        .proxies = hosting->web.proxies,
        .token = token != NULL ? token : hosting->web.token,
        .replays_dir = hosting->web.replays_dir,
        .certificate = hosting->web.certificate,
        .key = hosting->web.key,
        .now_us = server_monotonic_us(),
        .now_unix_s = (int64_t)(server_unix_us() / 1000000),
        .clock_us = server_monotonic_us,
        .look = server_process_look,
        .look_data = server_loop_times(hosting->loop),
        .reload = server_reload_all,
        .reload_context = &hosting->reload,
    };
    if (!draw_bytes(def.token_key, sizeof def.token_key, why)) {
        return APEX_ERR_IO;
    }
    apex_err err =
        apex_site_create(&def, hosting->servers, hosting->server_count, &hosting->site, why);
    // A port that nobody chose gives way to any free one (DECISIONS 37).
    bool is_chosen = options->web != NULL ||
                     strcmp(hosting->web.listen, apex_default_race_file().web.listen) != 0;
    if (err == APEX_ERR_BUSY_PORT && !is_chosen) {
        apex_log(APEX_LOG_WARN, "main", "the page takes any free port: %s", why);
        def.listen.port = 0;
        err = apex_site_create(&def, hosting->servers, hosting->server_count, &hosting->site, why);
    }
    if (err == APEX_OK) {
        announce_page(&hosting->listen, apex_site_port(hosting->site),
                      apex_site_is_tls(hosting->site), &hosting->passwords);
    } else {
        name_place(&hosting->web, why);
    }
    return err;
}

// The environment's token before anything begins; a race file's is checked when it is read.
static apex_err check_token(char why[APEX_HOST_WHY_BYTES]) {
    const char *token = getenv("APEX_WEB_TOKEN");
    const char *problem = token != NULL ? apex_web_token_problem(token) : NULL;
    if (problem != NULL) {
        snprintf(why, APEX_HOST_WHY_BYTES, "APEX_WEB_TOKEN: %s", problem);
    }
    return problem != NULL ? APEX_ERR_INVALID : APEX_OK;
}

apex_err hosting_create(const server_options *options, server_hosting **out,
                        char why[APEX_HOST_WHY_BYTES]) {
    server_hosting *hosting = calloc(1, sizeof *hosting);
    allow_open_files();
    apex_err err =
        hosting != NULL ? server_loop_create(&hosting->loop) : (apex_err)APEX_ERR_NO_MEMORY;
    if (err == APEX_OK) {
        hosting->held_names = apex_held_names_create();
        err = hosting->held_names != NULL ? APEX_OK : APEX_ERR_NO_MEMORY;
    }
    if (err != APEX_OK) {
        hosting_destroy(hosting);
        snprintf(why, APEX_HOST_WHY_BYTES, "%s", apex_err_text(err));
        return err;
    }
    hosting->speed = options->speed;
    hosting->reload.options = options;
    uint32_t wanted = options->config_count > 0 ? options->config_count : 1;
    err = check_token(why);
    while (err == APEX_OK && hosting->server_count < wanted) {
        err = create_server(hosting, options, why);
    }
    if (err == APEX_OK) {
        err = open_site(hosting, options, why);
    }
    if (err != APEX_OK) {
        hosting_destroy(hosting);
        return err;
    }
    const apex_web_file *web = &hosting->web;
    if (options->record == NULL && web->replays_dir[0] != '\0' && web->replays_mib_max > 0) {
        server_loop_limit_recordings(hosting->loop, web->replays_dir, MIB * web->replays_mib_max);
    }
    *out = hosting;
    return APEX_OK;
}

int hosting_run(server_hosting *hosting) {
    apex_site *site = hosting->site;
    hosting->reload.site = site;
    server_loop_set_reload(hosting->loop, &hosting->reload);
    hosting->site = NULL; // the loop destroys it, while it still runs
    return server_loop_run(hosting->loop, site, hosting->servers, hosting->server_count,
                           hosting->speed);
}

void hosting_destroy(server_hosting *hosting) {
    if (hosting == NULL) {
        return;
    }
    apex_site_destroy(hosting->site);
    // While the loop is there signals are heard and change nothing: servers write their last files.
    for (uint32_t i = 0; i < hosting->server_count; i++) {
        apex_server_destroy(hosting->servers[i]);
    }
    apex_used_tokens_destroy(hosting->used_tokens);
    apex_held_names_destroy(hosting->held_names);
    server_loop_destroy(hosting->loop);
    free(hosting);
}
