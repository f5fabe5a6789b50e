// The entry point: the first argument names a command; without one the server hosts races.
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/print.h"
#include "base/version.h"
#include "content/content.h"
#include "playback/playback.h"
#include "program/car_commands.h"
#include "program/hosting.h"
#include "program/process_clock.h"
#include "program/server_options.h"
#include "program/token_commands.h"
#include "program/track_commands.h"

enum {
    EXIT_USAGE = 2,
    LOG_WAIT_MS = 1000, ///< for the last lines to be taken
};

static int fail(const char *why) {
    apex_print_line(stderr, "apex-server: %s", why);
    return EXIT_FAILURE;
}

static const char *kind_name(apex_content_kind kind) {
    static const char *const names[] = {"car", "track", "race"};
    return names[kind];
}

// Reports all that is wrong with a file at once, so that its author need not come back for each
// problem.
static bool check_file(const char *path, apex_content_problems *problems) {
    apex_content_kind kind = APEX_CONTENT_RACE;
    if (apex_content_check(path, &kind, problems) == APEX_OK) {
        apex_print_line(stdout, "%s: %s, fine", path, kind_name(kind));
        return true;
    }
    for (uint32_t i = 0; i < problems->count; i++) {
        apex_print_line(stderr, "%s", problems->at[i].text);
    }
    if (problems->has_more) {
        apex_print_line(stderr, "%s: and more", path);
    }
    return false;
}

static int check_files(int count, char **paths) {
    if (count == 0) {
        fprintf(stderr, "apex-server check: name at least one file\n");
        return EXIT_USAGE;
    }
    apex_content_problems *problems = calloc(1, sizeof *problems); // too much for a stack
    if (problems == NULL) {
        return fail(apex_err_text(APEX_ERR_NO_MEMORY));
    }
    int bad = 0;
    for (int i = 0; i < count; i++) {
        bad += !check_file(paths[i], problems);
    }
    free(problems);
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

static const char CHECK_HELP[] =
    "usage: apex-server check FILE...\n\n"
    "Checks car, track and race files: every key, what a file says as a whole, whether a track\n"
    "can be laid, and what a race names. All that is wrong is told, a line each:\n\n"
    "  FILE:LINE:COLUMN: KEY: what was expected\n\n"
    "A track is laid, and a race is looked at as a whole, once each key by itself is right.\n"
    "  -h, --help             this text\n\n"
    "Exit code: 0 all are fine, 1 some are not, 2 usage.\n";
static const char DEFAULT_HELP[] =
    "usage: apex-server default car|track|race\n\n"
    "Prints a file of that kind with every key, its default and its help, to begin with.\n"
    "  -h, --help             this text\n";
static const char LIST_HELP[] = "usage: apex-server list\n\n"
                                "Names the cars, tracks and races that ship inside the program.\n"
                                "  -h, --help             this text\n";
static const char REPLAY_HELP[] =
    "usage: apex-server replay verify FILE\n\n"
    "Runs a recording again and compares every hash and keyframe in it.\n"
    "  -h, --help             this text\n\n"
    "Exit code: 0 it is the same race, 1 it is not, or cannot be read, 2 usage.\n";

typedef struct subcommand {
    const char *name;
    int (*run)(int count, char **arguments);
    const char *help; ///< NULL: it sees the command line itself, before hosting's options do
} subcommand;

static const subcommand subcommands[] = {
    {"check", check_files, CHECK_HELP}, {"default", print_default, DEFAULT_HELP},
    {"list", list_content, LIST_HELP},  {"replay", replay, REPLAY_HELP},
    {"car", car_command, NULL},         {"manoeuvre", manoeuvre_command, NULL},
    {"token", token_command, NULL},     {"track", track_command, NULL},
};

static const subcommand *find_subcommand(const char *name) {
    for (size_t i = 0; i < sizeof subcommands / sizeof subcommands[0]; i++) {
        if (strcmp(name, subcommands[i].name) == 0) {
            return &subcommands[i];
        }
    }
    return NULL;
}

static bool asks_for_help(int count, char **arguments) {
    for (int i = 0; i < count && strcmp(arguments[i], "--") != 0; i++) {
        if (strcmp(arguments[i], "-h") == 0 || strcmp(arguments[i], "--help") == 0) {
            return true;
        }
    }
    return false;
}

// @return the exit code, or -1 if there is no such command
static int run_subcommand(int count, char **arguments) {
    const subcommand *found = find_subcommand(arguments[0]);
    return found != NULL ? found->run(count - 1, arguments + 1) : -1;
}

static int host(const server_options *options) {
    char why[APEX_HOST_WHY_BYTES] = "";
    server_hosting *hosted = NULL;
    if (hosting_create(options, &hosted, why) != APEX_OK) {
        return fail(why);
    }
    // From here on races run, which must not wait for who reads the log. Without memory for that
    // they wait.
    (void)apex_log_begin_writing();
    int code = hosting_run(hosted);
    hosting_destroy(hosted);
    apex_log_end_writing(LOG_WAIT_MS);
    return code;
}

int main(int argc, char **argv) {
    const subcommand *first = argc > 1 ? find_subcommand(argv[1]) : NULL;
    if (first != NULL && first->help == NULL) {
        return first->run(argc - 2, argv + 2);
    }
    if (first != NULL && asks_for_help(argc - 2, argv + 2)) {
        fputs(first->help, stdout);
        return EXIT_SUCCESS;
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
        printf("apex-server %s (commit %s, physics %u, protocol %u)\n", APEX_VERSION, apex_commit(),
               APEX_PHYSICS_VERSION, APEX_PROTOCOL_VERSION);
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
        apex_print_line(stderr, "apex-server: no command \"%s\"; --help lists them", arguments[0]);
        return EXIT_USAGE;
    }
    return code;
}
