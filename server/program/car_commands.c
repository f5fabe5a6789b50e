// The commands that measure cars, from their arguments to their exit codes.

#include "program/car_commands.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/print.h"
#include "content/content.h"
#include "proving/proving.h"

enum { EXIT_USAGE = 2, FIRST_CODE = 256, NUMBERS_MAX = 8 };

typedef enum row_kind {
    ROW_TEXT,
    ROW_FLAG,
    ROW_NUMBER, ///< of a manoeuvre
} row_kind;

typedef struct command_options {
    const char *car, *content;
    bool csv, json, help, right;
    bool given[NUMBERS_MAX]; ///< by apex_manoeuvre_option
    double number[NUMBERS_MAX];
} command_options;

typedef struct option_row {
    const char *name;
    const char *argument;
    row_kind kind;
    size_t offset; ///< of a text or a flag
    apex_manoeuvre_option option;
    double unit; ///< in SI units
    const char *help;
} option_row;

#define FIELD(name) offsetof(command_options, name)

static const option_row ROWS[] = {
    {"csv", NULL, ROW_FLAG, FIELD(csv), 0, 0.0, "a table for plots"},
    {"json", NULL, ROW_FLAG, FIELD(json), 0, 0.0, "the figures for programs"},
    {"content", "DIR", ROW_TEXT, FIELD(content), 0, 0.0,
     "where cars are looked for before those inside the program"},
    {"help", NULL, ROW_FLAG, FIELD(help), 0, 0.0, "this text"},
    {"car", "NAME", ROW_TEXT, FIELD(car), 0, 0.0, "the car that drives, or its file"},
    {"speed", "KM/H", ROW_NUMBER, 0, APEX_OPTION_SPEED, 1.0 / 3.6,
     "at the start; without it a course is driven ever faster"},
    {"radius", "M", ROW_NUMBER, 0, APEX_OPTION_RADIUS, 1.0, "of the circle"},
    {"lateral", "M/S2", ROW_NUMBER, 0, APEX_OPTION_LATERAL, 1.0, "lateral acceleration"},
    {"deceleration", "M/S2", ROW_NUMBER, 0, APEX_OPTION_DECELERATION, 1.0, "of the braking"},
    {"grade", "PERCENT", ROW_NUMBER, 0, APEX_OPTION_GRADE, 0.01, "of slope or ramp"},
    {"friction", "N", ROW_NUMBER, 0, APEX_OPTION_FRICTION, 1.0, "of the road; 1 is dry asphalt"},
    {"hz", "60|240", ROW_NUMBER, 0, APEX_OPTION_SAMPLE_RATE, 1.0, "lines of CSV a second"},
    {"right", NULL, ROW_FLAG, FIELD(right), APEX_OPTION_SIDE, 0.0, "turn right instead of left"},
};

enum { ROW_COUNT = sizeof ROWS / sizeof ROWS[0], CAR_ROWS = 4 };

// A command: its name as in errors, and the number of rows it takes.
typedef struct command {
    char name[32];
    int rows;
} command;

static bool take_number(const command *of, const option_row *row, command_options *options) {
    double low = 60.0, high = 240.0;
    apex_manoeuvre_range(row->option, &low, &high);
    if (row->option != APEX_OPTION_SAMPLE_RATE) {
        low /= row->unit;
        high /= row->unit;
    }
    char *end = NULL;
    double value = strtod(optarg, &end);
    bool is_number = end != optarg && *end == 0 && value >= low && value <= high;
    if (row->option == APEX_OPTION_SAMPLE_RATE &&
        !(is_number && (value == 60.0 || value == 240.0))) {
        apex_print_line(stderr, "%s: --%s %s: expected 60 or 240", of->name, row->name, optarg);
        return false;
    }
    if (!is_number) {
        apex_print_line(stderr, "%s: --%s %s: expected a number, %g to %g", of->name, row->name,
                        optarg, low, high);
        return false;
    }
    options->given[row->option] = true;
    options->number[row->option] = value * row->unit;
    return true;
}

static bool take(const command *of, const option_row *row, command_options *options) {
    char *field = (char *)options + row->offset;
    switch (row->kind) {
    case ROW_TEXT:
        *(const char **)(void *)field = optarg;
        return true;
    case ROW_FLAG:
        *(bool *)field = true;
        return true;
    case ROW_NUMBER:
        break;
    }
    return take_number(of, row, options);
}

// The option names are in arguments[-1], where getopt finds the program's name.
static bool parse(command *of, int count, char **arguments, command_options *out) {
    struct option table[ROW_COUNT + 1];
    memset(table, 0, sizeof table);
    memset(out, 0, sizeof *out);
    for (int i = 0; i < of->rows; i++) {
        table[i] = (struct option){
            .name = ROWS[i].name,
            .has_arg = ROWS[i].argument != NULL ? required_argument : no_argument,
            .val = FIRST_CODE + i,
        };
    }
    char **argv = arguments - 1;
    argv[0] = of->name;
    optind = 0; // starts getopt anew: main may have used it
    for (;;) {
        int code = getopt_long(count + 1, argv, "h", table, NULL);
        if (code == -1) {
            break;
        }
        if (code == 'h') {
            out->help = true;
            continue;
        }
        if (code == '?') {
            apex_print_line(stderr, "%s: --help lists the options", of->name);
            return false;
        }
        if (!take(of, &ROWS[code - FIRST_CODE], out)) {
            return false;
        }
    }
    if (out->csv && out->json) {
        apex_print_line(stderr, "%s: --csv and --json exclude each other", of->name);
        return false;
    }
    return true;
}

static void print_options(const command *of) {
    printf("\nOptions\n");
    for (int i = 0; i < of->rows; i++) {
        char left[40];
        snprintf(left, sizeof left, "--%s %s", ROWS[i].name,
                 ROWS[i].argument != NULL ? ROWS[i].argument : "");
        printf("  %-22s %s\n", left, ROWS[i].help);
    }
}

static bool load_car(const char *name, const command_options *options, apex_car_def *out) {
    apex_content_problem problem = {{0}};
    if (apex_content_load_car(name, options->content, out, &problem) == APEX_OK) {
        return true;
    }
    apex_print_line(stderr, "apex-server: %s", problem.text);
    return false;
}

static int fail(const command *of, apex_err err) {
    apex_print_line(stderr, "%s: %s", of->name, apex_err_text(err));
    return EXIT_FAILURE;
}

// Names of the proving ground's figures for those of a car file.
typedef struct published_row {
    const char *name;
    size_t value, note;
} published_row;

#define PUBLISHED(name, field) \
    { name, offsetof(apex_car_published, field), offsetof(apex_published_notes, field) }

static const published_row PUBLISHED_ROWS[] = {
    PUBLISHED("top_speed", top_speed_kmph),   PUBLISHED("0_60_mph", zero_to_60mph_s),
    PUBLISHED("0_100_kmh", zero_to_100_s),    PUBLISHED("100_0_kmh", braking_100_0_m),
    PUBLISHED("60_0_mph", braking_60mph_0_m), PUBLISHED("skidpad", skidpad_g),
};

enum { PUBLISHED_COUNT = sizeof PUBLISHED_ROWS / sizeof PUBLISHED_ROWS[0] };

// @return how many there are: nothing of a figure that is neither known nor noted upon.
static size_t list_published(const apex_car_published *published,
                             apex_published_figure out[PUBLISHED_COUNT]) {
    size_t count = 0;
    for (size_t i = 0; i < PUBLISHED_COUNT; i++) {
        const published_row *row = &PUBLISHED_ROWS[i];
        double value;
        memcpy(&value, (const char *)published + row->value, sizeof value);
        const char *note = (const char *)&published->notes + row->note;
        if (value > 0.0 || note[0] != 0) {
            double known = value > 0.0 ? value : (double)NAN;
            out[count++] = (apex_published_figure){row->name, known, note};
        }
    }
    return count;
}

// A car and what is said of it.
typedef struct subject {
    apex_car_def car;
    apex_car_published published;
} subject;

static void report(const subject *of, const apex_car_figures figures[3],
                   const command_options *options) {
    const apex_figure_column columns[] = {
        {"measured", &figures[0]}, {"unfitted", &figures[1]}, {"on_paper", &figures[2]}};
    apex_published_figure published[PUBLISHED_COUNT];
    const apex_car_report all = {
        .car = &of->car,
        .columns = columns,
        .column_count = sizeof columns / sizeof columns[0],
        .published = published,
        .published_count = list_published(&of->published, published),
        .source = of->published.source,
    };
    if (options->csv) {
        apex_car_report_csv(&all, stdout);
    } else if (options->json) {
        apex_car_report_json(&all, stdout);
    } else {
        apex_car_report_text(&all, stdout);
    }
}

static int measure(const command *of, const subject *what, const command_options *options) {
    const apex_car_def unfitted = apex_car_unfitted(&what->car);
    apex_car_figures *figures = calloc(3, sizeof *figures);
    if (figures == NULL) {
        return fail(of, APEX_ERR_NO_MEMORY);
    }
    apex_err err = apex_car_figures_measure(&what->car, APEX_MEASURE_ALL, &figures[0]);
    if (err == APEX_OK) {
        err = apex_car_figures_measure(&unfitted, APEX_MEASURE_ALL, &figures[1]);
    }
    if (err == APEX_OK) {
        apex_car_figures_on_paper(&what->car, &figures[2]);
        report(what, figures, options);
    }
    free(figures);
    return err == APEX_OK ? EXIT_SUCCESS : fail(of, err);
}

static bool load_subject(const char *name, const command_options *options, subject *out) {
    apex_content_problem problem = {{0}};
    if (!load_car(name, options, &out->car)) {
        return false;
    }
    if (apex_content_load_published(name, options->content, &out->published, &problem) == APEX_OK) {
        return true;
    }
    apex_print_line(stderr, "apex-server: %s", problem.text);
    return false;
}

int car_command(int count, char **arguments) {
    command of = {"apex-server car", CAR_ROWS};
    command_options options;
    if (!parse(&of, count, arguments, &options)) {
        return EXIT_USAGE;
    }
    if (options.help) {
        printf("usage: apex-server car NAME|FILE [OPTION...]\n\n"
               "Drives a car over the proving ground and prints its figures; beside them those of\n"
               "the same car unfitted: without driveline losses, on tyres of friction 1; what the\n"
               "texts work out on paper: without slip, springs or wheels to spin up; and what its\n"
               "file says is published of the real one, with how far the measured lies off.\n");
        print_options(&of);
        return EXIT_SUCCESS;
    }
    // getopt has moved the names behind the options.
    if (count + 1 - optind != 1) {
        apex_print_line(
            stderr, "%s: name one car, or a file; apex-server list names those that ship", of.name);
        return EXIT_USAGE;
    }
    subject what;
    if (!load_subject(arguments[optind - 1], &options, &what)) {
        return EXIT_FAILURE;
    }
    return measure(&of, &what, &options);
}

static void list_manoeuvres(void) {
    for (int kind = 0; kind < APEX_MANOEUVRE_COUNT; kind++) {
        printf("  %-20s %s\n", apex_manoeuvre_name((apex_manoeuvre_kind)kind),
               apex_manoeuvre_about((apex_manoeuvre_kind)kind));
    }
}

static bool is_given(const command_options *options, const option_row *row) {
    return row->option == APEX_OPTION_SIDE ? options->right : options->given[row->option];
}

// Says which options the manoeuvre does take when one was given that it does not.
static bool takes_all(const command *of, apex_manoeuvre_kind kind, const command_options *options) {
    for (int i = CAR_ROWS + 1; i < ROW_COUNT; i++) {
        if (!is_given(options, &ROWS[i]) || apex_manoeuvre_takes(kind, ROWS[i].option)) {
            continue;
        }
        fprintf(stderr, "%s: %s takes no --%s; it takes", of->name, apex_manoeuvre_name(kind),
                ROWS[i].name);
        const char *comma = "";
        for (int other = CAR_ROWS + 1; other < ROW_COUNT; other++) {
            if (apex_manoeuvre_takes(kind, ROWS[other].option)) {
                fprintf(stderr, "%s --%s", comma, ROWS[other].name);
                comma = ",";
            }
        }
        fputc('\n', stderr);
        return false;
    }
    return true;
}

static apex_manoeuvre_def def_of(apex_manoeuvre_kind kind, const command_options *options) {
    apex_manoeuvre_def def = apex_default_manoeuvre_def(kind);
    double *const fields[NUMBERS_MAX] = {
        [APEX_OPTION_SPEED] = &def.speed_mps,
        [APEX_OPTION_RADIUS] = &def.radius_m,
        [APEX_OPTION_LATERAL] = &def.lateral_mps2,
        [APEX_OPTION_DECELERATION] = &def.deceleration_mps2,
        [APEX_OPTION_GRADE] = &def.grade,
        [APEX_OPTION_FRICTION] = &def.friction,
    };
    for (int option = 0; option < NUMBERS_MAX; option++) {
        if (options->given[option] && fields[option] != NULL) {
            *fields[option] = options->number[option];
        }
    }
    if (options->given[APEX_OPTION_SAMPLE_RATE]) {
        def.sample_hz = (uint32_t)options->number[APEX_OPTION_SAMPLE_RATE];
    }
    def.to_right = options->right;
    return def;
}

static int drive(const command *of, const apex_manoeuvre_def *def, const command_options *options) {
    apex_car_def car;
    if (!load_car(options->car, options, &car)) {
        return EXIT_FAILURE;
    }
    apex_samples samples = {0};
    if (options->csv) {
        samples.capacity = apex_manoeuvre_samples_max(def);
        samples.samples = malloc(samples.capacity * sizeof *samples.samples);
        if (samples.samples == NULL) {
            return fail(of, APEX_ERR_NO_MEMORY);
        }
    }
    apex_manoeuvre_result result;
    apex_err err = apex_manoeuvre_run(def, &car, options->csv ? &samples : NULL, &result);
    if (err == APEX_OK) {
        const apex_manoeuvre_report report = {def, &car, &result, &samples};
        if (options->csv) {
            apex_manoeuvre_report_csv(&report, stdout);
        } else if (options->json) {
            apex_manoeuvre_report_json(&report, stdout);
        } else {
            apex_manoeuvre_report_text(&report, stdout);
        }
    }
    free(samples.samples);
    if (err != APEX_OK) {
        return fail(of, err);
    }
    return result.verdict == APEX_VERDICT_FAIL ? EXIT_FAILURE : EXIT_SUCCESS;
}

int manoeuvre_command(int count, char **arguments) {
    command of = {"apex-server manoeuvre", ROW_COUNT};
    command_options options;
    if (!parse(&of, count, arguments, &options)) {
        return EXIT_USAGE;
    }
    int names = count + 1 - optind;
    if (options.help || count == 0) {
        printf("usage: apex-server manoeuvre NAME --car NAME|FILE [OPTION...]\n\n");
        list_manoeuvres();
        print_options(&of);
        printf("\nExit code 1 also means that the car failed: a gate was missed, the slope not "
               "held.\n");
        return EXIT_SUCCESS;
    }
    apex_manoeuvre_kind kind;
    if (names != 1) {
        apex_print_line(stderr, "%s: name one manoeuvre; without arguments they are listed",
                        of.name);
        return EXIT_USAGE;
    }
    if (!apex_manoeuvre_from_name(arguments[optind - 1], &kind)) {
        apex_print_line(stderr, "%s: no manoeuvre called '%s'; without arguments they are listed",
                        of.name, arguments[optind - 1]);
        return EXIT_USAGE;
    }
    if (options.car == NULL) {
        apex_print_line(stderr,
                        "%s: which car? --car NAME|FILE; apex-server list names those that ship",
                        of.name);
        return EXIT_USAGE;
    }
    if (!takes_all(&of, kind, &options)) {
        return EXIT_USAGE;
    }
    const apex_manoeuvre_def def = def_of(kind, &options);
    return drive(&of, &def, &options);
}
