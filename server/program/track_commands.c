// A track told and drawn, or made of a table of points: from arguments to exit codes.

#include "program/track_commands.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/print.h"
#include "content/content.h"
#include "drawing/drawing.h"
#include "program/process_clock.h"

enum { EXIT_USAGE = 2, PATH_BYTES = 1024 };

typedef struct command_options {
    const char *svg, *content, *out, *name, *title;
    bool json, help;
    const char *subject; ///< the track, or the file to import
} command_options;

static const char INFO_HELP[] =
    "usage: apex-server track NAME|FILE [OPTION...]\n"
    "       apex-server track import FILE.csv --out DIR [OPTION...]\n\n"
    "Prints what a track is: length, widths, heights, bends, what it is made of. Or draws it.\n\n"
    "Options\n"
    "  --svg FILE             draw it as a picture instead; - for standard output\n"
    "  --json                 the figures for programs\n"
    "  --content DIR          where tracks are looked for before those inside the program\n"
    "  --help                 this text; of import: apex-server track import --help\n";

static const char IMPORT_HELP[] =
    "usage: apex-server track import FILE.csv --out DIR [OPTION...]\n\n"
    "Makes DIR/NAME.yaml of a table x_m,y_m,w_tr_right_m,w_tr_left_m: the centre line of a closed\n"
    "circuit and the road's width to each side, as in the TUMFTM racetrack database. Where the\n"
    "lap crosses itself it gets a bridge; kerbs, gravel, guard rails and sectors are made up.\n\n"
    "Options\n"
    "  --out DIR              where the track file goes\n"
    "  --name NAME            what races call it; without: made of the file's name\n"
    "  --title TEXT           what people read; without: the name\n"
    "  --help                 this text\n";

static const struct option INFO_OPTIONS[] = {
    {"svg", required_argument, NULL, 's'},
    {"content", required_argument, NULL, 'c'},
    {"json", no_argument, NULL, 'j'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static const struct option IMPORT_OPTIONS[] = {
    {"out", required_argument, NULL, 'o'},
    {"name", required_argument, NULL, 'n'},
    {"title", required_argument, NULL, 't'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

typedef struct command {
    char name[32]; ///< as in errors
    const struct option *options;
    const char *wants; ///< said when it is not named
} command;

static void take(int code, command_options *out) {
    switch (code) {
    case 's':
        out->svg = optarg;
        break;
    case 'c':
        out->content = optarg;
        break;
    case 'o':
        out->out = optarg;
        break;
    case 'n':
        out->name = optarg;
        break;
    case 't':
        out->title = optarg;
        break;
    case 'j':
        out->json = true;
        break;
    default:
        out->help = true;
    }
}

// The option names are in arguments[-1], where getopt finds the program's name.
static bool parse(command *of, int count, char **arguments, command_options *out) {
    memset(out, 0, sizeof *out);
    char **argv = arguments - 1;
    argv[0] = of->name;
    optind = 0; // starts getopt anew: main may have used it
    int code = 0;
    while ((code = getopt_long(count + 1, argv, "h", of->options, NULL)) != -1) {
        if (code == '?') {
            apex_print_line(stderr, "%s: --help lists the options", of->name);
            return false;
        }
        take(code, out);
    }
    if (out->help) {
        return true;
    }
    // getopt has moved the names behind the options.
    if (count + 1 - optind != 1) {
        apex_print_line(stderr, "%s: %s", of->name, of->wants);
        return false;
    }
    out->subject = argv[optind];
    return true;
}

static int fail(const command *of, const char *what, const char *why) {
    apex_print_line(stderr, "%s: %s%s%s", of->name, what, what[0] != '\0' ? ": " : "", why);
    return EXIT_FAILURE;
}

typedef struct written_file {
    const char *path;
    const char *text;
    size_t length;
    bool may_replace;
} written_file;

static bool write_bytes(int file, const char *text, size_t length) {
    while (length > 0) {
        ssize_t written = write(file, text, length);
        if (written < 0 && errno != EINTR) {
            return false;
        }
        text += written > 0 ? written : 0;
        length -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

// The file is there whole or not at all. @return false with errno set.
static bool write_file(const written_file *what) {
    char unfinished[PATH_BYTES];
    int printed = snprintf(unfinished, sizeof unfinished, "%s.part", what->path);
    if (printed < 0 || (size_t)printed >= sizeof unfinished) {
        errno = ENAMETOOLONG;
        return false;
    }
    int file = open(unfinished, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file < 0) {
        return false;
    }
    bool good = write_bytes(file, what->text, what->length) && fsync(file) == 0;
    int error = errno;
    if (close(file) != 0 && good) {
        good = false;
        error = errno;
    }
    // A link, unlike renaming, leaves alone what is there already.
    if (good &&
        (what->may_replace ? rename(unfinished, what->path) : link(unfinished, what->path)) != 0) {
        good = false;
        error = errno;
    }
    if (!good || !what->may_replace) {
        unlink(unfinished);
    }
    errno = error;
    return good;
}

static int write_svg(const command *of, const apex_track_sheet *sheet, const char *path) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL) {
        return fail(of, "", apex_err_text(APEX_ERR_NO_MEMORY));
    }
    apex_err err = apex_track_draw_svg(sheet, out);
    if (fclose(out) != 0 && err == APEX_OK) {
        err = APEX_ERR_NO_MEMORY;
    }
    int code = EXIT_SUCCESS;
    if (err != APEX_OK) {
        code = fail(of, "", apex_err_text(err));
    } else if (strcmp(path, "-") == 0) {
        if (!write_bytes(STDOUT_FILENO, text, length)) {
            code = fail(of, "standard output", apex_errno_text(errno));
        }
    } else if (!write_file(&(written_file){path, text, length, true})) {
        code = fail(of, path, apex_errno_text(errno));
    }
    free(text);
    return code;
}

static int show(const command *of, const apex_track_def *def, const command_options *options) {
    apex_track_figures *figures = calloc(1, sizeof *figures);
    apex_track *track = NULL;
    uint64_t begin_us = server_monotonic_us();
    apex_err err = apex_track_create(def, &track, NULL);
    uint64_t end_us = server_monotonic_us();
    if (err == APEX_OK) {
        err = figures != NULL ? apex_track_measure(def, track, figures) : APEX_ERR_NO_MEMORY;
    }
    int code = EXIT_SUCCESS;
    if (err != APEX_OK) {
        code = fail(of, "", apex_err_text(err));
    } else {
        figures->lay_s = (double)(end_us - begin_us) / 1e6;
        const apex_track_sheet sheet = {def, track, figures};
        if (options->svg != NULL) {
            code = write_svg(of, &sheet, options->svg);
        }
        if (options->json) {
            apex_track_report_json(&sheet, stdout);
        } else if (options->svg == NULL) {
            apex_track_report_text(&sheet, stdout);
        }
    }
    apex_track_destroy(track);
    free(figures);
    return code;
}

static int info_command(int count, char **arguments) {
    command of = {"apex-server track", INFO_OPTIONS,
                  "name one track, or a file; apex-server list names those that ship"};
    command_options options;
    if (!parse(&of, count, arguments, &options)) {
        return EXIT_USAGE;
    }
    if (options.help) {
        fputs(INFO_HELP, stdout);
        return EXIT_SUCCESS;
    }
    if (options.json && options.svg != NULL && strcmp(options.svg, "-") == 0) {
        apex_print_line(stderr, "%s: --json and --svg - both want standard output", of.name);
        return EXIT_USAGE;
    }
    apex_track_def def;
    apex_content_problem problem = {{0}};
    if (apex_content_load_track(options.subject, options.content, &def, &problem) != APEX_OK) {
        apex_print_line(stderr, "apex-server: %s", problem.text);
        return EXIT_FAILURE;
    }
    int code = show(&of, &def, &options);
    apex_track_def_free(&def);
    return code;
}

static bool put_text(const command *of, char *to, size_t bytes, const char *text) {
    if (text == NULL) {
        return true;
    }
    if (strlen(text) >= bytes) {
        apex_print_line(stderr, "%s: '%s' is longer than %zu bytes", of->name, text, bytes - 1);
        return false;
    }
    memcpy(to, text, strlen(text) + 1);
    return true;
}

// A written file must read back, or a person finds out only when a race is to start.
static bool reads_back(const char *text, size_t length, const char *path) {
    apex_track_def def;
    apex_content_problem problem = {{0}};
    if (apex_content_parse_track(text, length, path, &def, &problem) != APEX_OK) {
        apex_print_line(stderr, "apex-server: %s", problem.text);
        return false;
    }
    apex_track_def_free(&def);
    return true;
}

static int save(const command *of, const apex_circuit *circuit, const command_options *options) {
    char path[PATH_BYTES];
    int printed = snprintf(path, sizeof path, "%s/%s.yaml", options->out, circuit->name);
    if (printed < 0 || (size_t)printed >= sizeof path) {
        return fail(of, "--out", strerror(ENAMETOOLONG));
    }
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL) {
        return fail(of, "", apex_err_text(APEX_ERR_NO_MEMORY));
    }
    apex_err err = apex_content_write_circuit(circuit, options->subject, out);
    int code = EXIT_SUCCESS;
    if (fclose(out) != 0 || err != APEX_OK) {
        code = fail(of, "", apex_err_text(APEX_ERR_NO_MEMORY));
    } else if (!reads_back(text, length, path)) {
        code = EXIT_FAILURE;
    } else if (mkdir(options->out, 0777) != 0 && errno != EEXIST) {
        code = fail(of, options->out, apex_errno_text(errno));
    } else if (!write_file(&(written_file){path, text, length, false})) {
        code = fail(of, path,
                    errno == EEXIST ? "is there already; remove it, or say another --name"
                                    : apex_errno_text(errno));
    } else {
        apex_content_report_circuit(circuit, stdout);
        apex_print_line(stdout, "  written to %s", path);
    }
    free(text);
    return code;
}

static int import_command(int count, char **arguments) {
    command of = {"apex-server track import", IMPORT_OPTIONS, "name one table, FILE.csv"};
    command_options options;
    if (!parse(&of, count, arguments, &options)) {
        return EXIT_USAGE;
    }
    if (options.help) {
        fputs(IMPORT_HELP, stdout);
        return EXIT_SUCCESS;
    }
    if (options.out == NULL) {
        apex_print_line(stderr, "%s: where to? --out DIR", of.name);
        return EXIT_USAGE;
    }
    apex_circuit *circuit = calloc(1, sizeof *circuit);
    if (circuit == NULL) {
        return fail(&of, "", apex_err_text(APEX_ERR_NO_MEMORY));
    }
    int code = EXIT_USAGE;
    if (put_text(&of, circuit->name, sizeof circuit->name, options.name) &&
        put_text(&of, circuit->title, sizeof circuit->title, options.title)) {
        apex_content_problem problem = {{0}};
        if (apex_content_import_circuit(options.subject, circuit, &problem) == APEX_OK) {
            code = save(&of, circuit, &options);
            apex_track_def_free(&circuit->def);
        } else {
            apex_print_line(stderr, "apex-server: %s", problem.text);
            code = EXIT_FAILURE;
        }
    }
    free(circuit);
    return code;
}

int track_command(int count, char **arguments) {
    if (count > 0 && strcmp(arguments[0], "import") == 0) {
        return import_command(count - 1, arguments + 1);
    }
    return info_command(count, arguments);
}
