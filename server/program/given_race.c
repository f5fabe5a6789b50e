// The same is read at the start and when an operator says so, so that both find the same faults.
#include "program/given_race.h"

#include <stdlib.h>

#include "program/driver_list.h"
#include "program/join_password.h"

static bool read_file(const server_options *options, uint32_t race, apex_race_file *out,
                      char why[APEX_HOST_WHY_BYTES]) {
    apex_content_problem problem = {{0}};
    const char *name = options->config_count > 0 ? options->configs[race] : "default";
    if (apex_content_load_race(name, options->content, out, &problem) != APEX_OK) {
        snprintf(why, APEX_HOST_WHY_BYTES, "%s", problem.text);
        return false;
    }
    // The default's laps are nobody's wish: on a track without a lap they may go.
    out->laps_given = out->laps_given && options->config_count > 0;
    return server_options_apply(options, out, why) && join_password_choose(options, out, why);
}

static bool read_list(given_race *given, char why[APEX_HOST_WHY_BYTES]) {
    const apex_race_file *file = &given->file;
    char problem[APEX_HOST_WHY_BYTES];
    if (file->drivers[0] == '\0' ||
        driver_list_read(file->drivers, &given->drivers, &given->driver_count, problem)) {
        return true;
    }
    snprintf(why, APEX_HOST_WHY_BYTES, "%.200s%.400s", file->drivers_at, problem);
    return false;
}

bool given_race_read(const server_options *options, uint32_t race, given_race *out,
                     char why[APEX_HOST_WHY_BYTES]) {
    out->drivers = NULL;
    out->driver_count = 0;
    return read_file(options, race, &out->file, why) && read_list(out, why);
}

void given_race_free(given_race *given) {
    free(given->drivers);
    given->drivers = NULL;
}
