// The HTTP API without HTTP: a race rig whose server is asked by requests as the gateway hands them
// over, and answers that are read as JSON.

#ifndef APEX_TESTS_API_RIG_H
#define APEX_TESTS_API_RIG_H

#include <jansson.h>

#include "api/api.h"
#include "support/host/race_rig.h"

#define API_RIG_TOKEN   "open sesame, please"
#define API_RIG_ADDRESS "192.0.2.7"

typedef struct api_rig {
    race_rig *race;
    apex_server *servers[2]; // the first is the rig's
    apex_api api;            // may be changed between requests
    apex_arena arena;
    apex_web_request request; // the next one's
    apex_web_answer answer;   // the last one's
    char *body;               // its body, ended by a zero
    json_t *json;             // the same, NULL if it is none
} api_rig;

// A small race on the oval that starts when it is told to and writes no results.
apex_race_file api_rig_race_file(void);
// A server of its own, in virtual time, and nobody connected.
void api_rig_begin(api_rig *rig, const apex_race_file *file);
void api_rig_end(api_rig *rig);

// Asks with the token API_RIG_TOKEN, or none, or another. @return the status
uint32_t api_rig_get(api_rig *rig, const char *path);
uint32_t api_rig_get_as(api_rig *rig, const char *path, const char *token);
uint32_t api_rig_post(api_rig *rig, const char *path, const char *body);
uint32_t api_rig_post_as(api_rig *rig, const char *path, const char *body, const char *token);

// Of the last answer, by keys and places: "order.0.name". Fails the test if it is not there or of
// another kind.
const json_t *api_rig_at(const api_rig *rig, const char *where);
const char *api_rig_text(const api_rig *rig, const char *where);
double api_rig_number(const api_rig *rig, const char *where);
bool api_rig_is(const api_rig *rig, const char *where);

#endif
