// links: content
/// Any bytes as a car, a track and a race file, and as a circuit's table: a definition or a problem
/// that says where, and no byte lost either way.
#include "fuzz.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "content/content.h"
#include "content/track_file/picture.h"

static void expect_told(apex_err err, const apex_content_problem *problem) {
    bool told = strncmp(problem->text, "fuzz:", 5) == 0;
    APEX_ASSERT(memchr(problem->text, 0, sizeof problem->text) != NULL);
    APEX_ASSERT(err == APEX_OK ? problem->text[0] == '\0' : told);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = (const char *)data;
    apex_content_problem problem;
    apex_car_def car;
    apex_err err = apex_content_parse_car(text, size, "fuzz", &car, &problem);
    expect_told(err, &problem);
    APEX_ASSERT(err != APEX_OK || apex_car_def_check(&car, NULL));
    apex_race_file race;
    expect_told(apex_content_parse_race(text, size, "fuzz", &race, &problem), &problem);
    apex_track_def track;
    err = apex_content_parse_track(text, size, "fuzz", &track, &problem);
    expect_told(err, &problem);
    if (err == APEX_OK) {
        APEX_ASSERT(track.point_count <= APEX_TRACK_POINTS_MAX);
        apex_track_def_free(&track);
    }
    static apex_circuit circuit;
    memset(&circuit, 0, sizeof circuit);
    err = apex_content_parse_circuit(text, size, "fuzz", &circuit, &problem);
    expect_told(err, &problem);
    if (err == APEX_OK) {
        APEX_ASSERT(circuit.def.point_count <= APEX_TRACK_POINTS_MAX);
        apex_track_def_free(&circuit.def);
    }
    content_picture picture;
    char why[CONTENT_PICTURE_WHY_BYTES] = "";
    bool good = content_picture_read(text, size, APEX_TERRAIN_NODES_MAX, &picture, why);
    APEX_ASSERT(good ? picture.values != NULL : strncmp(why, "byte ", 5) == 0);
    free(picture.values);
    return 0;
}
