#include <stdlib.h>
#include <string.h>

#include "car_commands.h"
#include "clock.h"
#include "hosting.h"
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

static int host(const server_options *options) {
    char why[APEX_HOST_WHY_BYTES] = "";
    server_hosting *hosted = NULL;
    if (hosting_create(options, &hosted, why) != APEX_OK) {
        return fail(why);
    }
    int code = hosting_run(hosted);
    hosting_destroy(hosted);
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
