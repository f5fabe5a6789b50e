// Definitions are some kilobytes each, and most races have one or two.
#include "client-lite/session/state/garage.h"

#include <stdlib.h>

#include "defs/defs.h"

void client_garage_clear(client_garage *garage) {
    for (uint32_t i = 0; i < APEX_WIRE_DEFS_MAX; i++) {
        free(garage->defs[i]);
        garage->defs[i] = NULL;
    }
}

static apex_car_def *decode(const client_knowledge *knowledge, int index) {
    apex_car_def *def = calloc(1, sizeof *def);
    apex_def_problem problem;
    if (def != NULL && !apex_car_def_decode(knowledge->defs[index].bytes,
                                            knowledge->welcome.defs[index].length, def, &problem)) {
        free(def);
        def = NULL;
    }
    return def;
}

const apex_car_def *client_garage_def(client_garage *garage, const client_knowledge *knowledge,
                                      const char *name) {
    int index = client_knowledge_def_find(knowledge, APEX_DEF_CAR, name);
    if (index < 0 || knowledge->defs[index].bytes == NULL) {
        return NULL;
    }
    if (garage->defs[index] == NULL) {
        garage->defs[index] = decode(knowledge, index);
    }
    return garage->defs[index];
}

const apex_car_def *client_garage_def_of(client_garage *garage, const client_knowledge *knowledge,
                                         uint32_t car) {
    for (size_t i = 0; i < knowledge->roster_count; i++) {
        if (knowledge->roster[i].car == car) {
            return client_garage_def(garage, knowledge, knowledge->roster[i].car_def);
        }
    }
    return NULL;
}
