#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <uv.h>

#include "car_commands.h"
#include "loop.h"
#include "options.h"
#include "track_commands.h"
#include "base/log.h"
#include "content/content.h"
#include "host/host.h"

enum { EXIT_USAGE = 2 };

static int fail(const char *why) {
    fprintf(stderr, "apex-server: %s\n", why);
    return EXIT_FAILURE;
}

// --- Programs beside hosting --------------------------------------------------------------------

static const char *kind_name(apex_content_kind kind) {
    static const char *const names[] = {"car", "track", "race"};
    return names[kind];
}

static int check_files(int count, char **paths) {
    if (count == 0) {
        fprintf(stderr, "apex-server check: name at least one file\n");
        return EXIT_USAGE;
    }
    int bad = 0;
    for (int i = 0; i < count; i++) {
        apex_content_kind kind;
        apex_content_problem problem = {{0}};
        if (apex_content_check(paths[i], &kind, &problem) == APEX_OK) {
            printf("%s: %s, fine\n", paths[i], kind_name(kind));
        } else {
            fprintf(stderr, "%s\n", problem.text);
            bad++;
        }
    }
    return bad == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int print_default(int count, char **names) {
    for (int kind = APEX_CONTENT_CAR; count == 1 && kind <= APEX_CONTENT_RACE; kind++) {
        if (strcmp(names[0], kind_name((apex_content_kind)kind)) == 0) {
            apex_err err = apex_content_write_default((apex_content_kind)kind, stdout);
            return err == APEX_OK ? EXIT_SUCCESS : fail(apex_err_text(err));
        }
    }
    fprintf(stderr, "apex-server default: say car, track or race\n");
    return EXIT_USAGE;
}

static int list_content(int count, char **rest) {
    (void)count;
    (void)rest;
    for (int kind = APEX_CONTENT_CAR; kind <= APEX_CONTENT_RACE; kind++) {
        printf("%ss:\n", kind_name((apex_content_kind)kind));
        const char *name = NULL;
        for (size_t i = 0; (name = apex_content_shipped((apex_content_kind)kind, i)) != NULL; i++) {
            printf("  %s\n", name);
        }
    }
    return EXIT_SUCCESS;
}

static int replay(int count, char **arguments) {
    if (count != 2 || strcmp(arguments[0], "verify") != 0) {
        fprintf(stderr, "usage: apex-server replay verify FILE\n");
        return EXIT_USAGE;
    }
    return apex_replay_verify(arguments[1], 0, stdout) == APEX_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}

typedef struct subcommand {
    const char *name;
    int (*run)(int count, char **arguments);
} subcommand;

static const subcommand subcommands[] = {
    {"check", check_files},   {"default", print_default}, {"list", list_content},
    {"replay", replay},       {"car", car_command},       {"manoeuvre", manoeuvre_command},
    {"track", track_command},
};

// Commands with options of their own see the command line before hosting's options do.
static const char *const with_options[] = {"car", "manoeuvre", "track"};

static bool has_options(const char *name) {
    for (size_t i = 0; i < sizeof with_options / sizeof with_options[0]; i++) {
        if (strcmp(name, with_options[i]) == 0) {
            return true;
        }
    }
    return false;
}

// @return the exit code, or -1 if there is no such command
static int run_subcommand(int count, char **arguments) {
    for (size_t i = 0; i < sizeof subcommands / sizeof subcommands[0]; i++) {
        if (strcmp(arguments[0], subcommands[i].name) == 0) {
            return subcommands[i].run(count - 1, arguments + 1);
        }
    }
    return -1;
}

// --- Hosting ------------------------------------------------------------------------------------

static bool load(const server_options *options, apex_server_def *def,
                 char why[APEX_HOST_WHY_BYTES]) {
    apex_race_file file;
    apex_content_problem problem = {{0}};
    const char *name = options->config != NULL ? options->config : "default";
    if (apex_content_load_race(name, options->content, &file, &problem) != APEX_OK) {
        snprintf(why, APEX_HOST_WHY_BYTES, "%s", problem.text);
        return false;
    }
    // The default's laps are nobody's wish: on a track without a lap they may go.
    file.laps_given = file.laps_given && options->config != NULL;
    return server_options_apply(options, &file, why) &&
           apex_server_def_load(&file, options->content, def, why) == APEX_OK;
}

static uint32_t default_workers(void) {
    unsigned int cores = uv_available_parallelism();
    return (cores < 8 ? cores : 8) - 1;
}

static bool complete(const server_options *options, apex_server_def *def,
                     char why[APEX_HOST_WHY_BYTES]) {
    def->workers = options->workers >= 0 ? (uint32_t)options->workers : default_workers();
    def->speed_permille = (uint32_t)(options->speed * 1000.0 + 0.5);
    def->listen = true;
    def->now_us = server_monotonic_us();
    def->unix_us = server_unix_us();
    def->clock_us = server_monotonic_us;
    const char *record = options->record != NULL ? options->record : "";
    if (strlen(record) >= sizeof def->record_path) {
        snprintf(why, APEX_HOST_WHY_BYTES, "--record: the path is too long");
        return false;
    }
    memcpy(def->record_path, record, strlen(record) + 1);
    if (getrandom(def->token_key, sizeof def->token_key, 0) != (ssize_t)sizeof def->token_key) {
        snprintf(why, APEX_HOST_WHY_BYTES, "no random numbers from the system");
        return false;
    }
    return true;
}

static int host(const server_options *options) {
    char why[APEX_HOST_WHY_BYTES] = "";
    apex_server_def *def = calloc(1, sizeof *def);
    if (def == NULL) {
        return fail("out of memory");
    }
    apex_server *server = NULL;
    bool loaded = load(options, def, why);
    bool created =
        loaded && complete(options, def, why) && apex_server_create(def, &server, why) == APEX_OK;
    if (created) {
        const apex_race_file *file = &def->file;
        apex_log(APEX_LOG_INFO, "main", "apex-server %s: %s, laps %u, track %s, UDP port %u",
                 APEX_VERSION, file->race.name, file->race.laps, def->track.name,
                 apex_server_port(server));
    }
    if (loaded) {
        apex_track_def_free(&def->track);
    }
    free(def);
    if (!created) {
        return fail(why);
    }
    int code = server_loop_run(server, options->speed);
    apex_server_destroy(server);
    return code;
}

int main(int argc, char **argv) {
    if (argc > 1 && has_options(argv[1])) {
        return run_subcommand(argc - 1, argv + 1);
    }
    server_options options;
    if (!server_options_parse(argc, argv, &options)) {
        return EXIT_USAGE;
    }
    if (options.help) {
        server_options_help(stdout);
        return EXIT_SUCCESS;
    }
    if (options.version) {
        printf("apex-server %s\n", APEX_VERSION);
        return EXIT_SUCCESS;
    }
    apex_log_set_level(options.log_level);
    apex_log_set_format(options.log_format);
    apex_log_set_file(stderr);
    apex_log_set_time(server_unix_us());
    int left = argc - options.first_argument;
    char **arguments = argv + options.first_argument;
    if (left == 0) {
        return host(&options);
    }
    int code = run_subcommand(left, arguments);
    if (code < 0) {
        fprintf(stderr, "apex-server: no command \"%s\"; --help lists them\n", arguments[0]);
        return EXIT_USAGE;
    }
    return code;
}
