/// The public face: cars, tracks and races from a text or by name, and their default files.
#include "content/content.h"

#include "content/car_file/car_file.h"
#include "content/load_file.h"
#include "content/race_file/race_file.h"
#include "content/track_file/track_file.h"

apex_err apex_content_parse_car(const char *text, size_t length, const char *label,
                                apex_car_def *out, apex_content_problem *problem) {
    return content_parse(text, length, label,
                         (content_wanted){APEX_CONTENT_CAR, false, out, NULL, NULL, NULL}, problem);
}

apex_err apex_content_parse_track(const char *text, size_t length, const char *label,
                                  apex_track_def *out, apex_content_problem *problem) {
    return content_parse(text, length, label,
                         (content_wanted){APEX_CONTENT_TRACK, false, out, NULL, NULL, NULL},
                         problem);
}

apex_err apex_content_parse_race(const char *text, size_t length, const char *label,
                                 apex_race_file *out, apex_content_problem *problem) {
    return content_parse(text, length, label,
                         (content_wanted){APEX_CONTENT_RACE, false, out, NULL, NULL, NULL},
                         problem);
}

apex_err apex_content_load_car(const char *name, const char *directory, apex_car_def *out,
                               apex_content_problem *problem) {
    return content_load(name, directory,
                        (content_wanted){APEX_CONTENT_CAR, false, out, NULL, NULL, NULL}, problem);
}

apex_err apex_content_load_published(const char *name, const char *directory,
                                     apex_car_published *out, apex_content_problem *problem) {
    return content_load(name, directory,
                        (content_wanted){APEX_CONTENT_CAR, false, NULL, out, NULL, NULL}, problem);
}

apex_err apex_content_load_track(const char *name, const char *directory, apex_track_def *out,
                                 apex_content_problem *problem) {
    return content_load(name, directory,
                        (content_wanted){APEX_CONTENT_TRACK, true, out, NULL, NULL, NULL}, problem);
}

apex_err apex_content_load_race(const char *name, const char *directory, apex_race_file *out,
                                apex_content_problem *problem) {
    return content_load(name, directory,
                        (content_wanted){APEX_CONTENT_RACE, false, out, NULL, NULL, NULL}, problem);
}

apex_err apex_content_write_default(apex_content_kind kind, FILE *out) {
    switch (kind) {
    case APEX_CONTENT_CAR:
        content_write_car(out);
        break;
    case APEX_CONTENT_TRACK:
        content_write_track(out);
        break;
    case APEX_CONTENT_RACE:
        content_write_race(out);
        break;
    }
    return fflush(out) == 0 && ferror(out) == 0 ? APEX_OK : APEX_ERR_IO;
}
