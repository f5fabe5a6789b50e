// Loading a server's definition: from a race file to everything a server is made of.

#include <stdio.h>
#include <string.h>

#include "host/host.h"

apex_err apex_server_def_of(const apex_race_file *file, apex_track_def *track,
                            const char *content_directory, apex_server_def *out,
                            char why[APEX_HOST_WHY_BYTES]) {
    memset(out, 0, sizeof *out);
    out->file = *file;
    apex_content_problem problem = {{0}};
    apex_err err = apex_race_file_fit(&out->file, track, &problem);
    for (uint32_t i = 0; err == APEX_OK && i < file->car_count; i++) {
        err = apex_content_load_car(file->cars[i], content_directory, &out->cars[i], &problem);
        out->car_count = i + 1;
    }
    if (err != APEX_OK) {
        apex_track_def_free(track);
        snprintf(why, APEX_HOST_WHY_BYTES, "%s", problem.text);
        return err;
    }
    out->track = *track;
    return APEX_OK;
}

apex_err apex_server_def_load(const apex_race_file *file, const char *content_directory,
                              apex_server_def *out, char why[APEX_HOST_WHY_BYTES]) {
    apex_track_def track;
    apex_content_problem problem = {{0}};
    apex_err err = apex_content_load_track(file->track, content_directory, &track, &problem);
    if (err != APEX_OK) {
        memset(out, 0, sizeof *out);
        snprintf(why, APEX_HOST_WHY_BYTES, "%s", problem.text);
        return err;
    }
    return apex_server_def_of(file, &track, content_directory, out, why);
}
