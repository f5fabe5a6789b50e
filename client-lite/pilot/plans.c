// Plans are kept in a list and found again by the hashes of what they are made of.
#include "client-lite/pilot/plans.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "client-lite/prediction/world_def.h"
#include "client-lite/tracks/track_cache.h"
#include "defs/defs.h"
#include "proto/proto.h"

// A server that comes back may have other rules, and pilots still hold what was made for the old.
typedef struct known_foresight {
    struct known_foresight *next;
    apex_world_def world;
    client_foresight *foresight; ///< NULL: there is no such world
} known_foresight;

typedef struct known_plan {
    struct known_plan *next;
    uint64_t track_hash, car_hash;
    double gravity_mps2;
    const apex_track *track;
    apex_car_def car;
    apex_driver_plan *plan;
    known_foresight *foresights; ///< made when first asked for
} known_plan;

struct client_plans {
    apex_client_tracks *tracks;
    known_plan *plans;
    char problem[384];
};

client_plans *client_plans_create(void) {
    client_plans *plans = calloc(1, sizeof *plans);
    apex_client_tracks *tracks = apex_client_tracks_create();
    if (plans == NULL || tracks == NULL) {
        free(plans);
        apex_client_tracks_destroy(tracks);
        return NULL;
    }
    plans->tracks = tracks;
    return plans;
}

static void free_foresights(known_foresight *first) {
    while (first != NULL) {
        known_foresight *gone = first;
        first = gone->next;
        client_foresight_destroy(gone->foresight);
        free(gone);
    }
}

void client_plans_destroy(client_plans *plans) {
    if (plans == NULL) {
        return;
    }
    while (plans->plans != NULL) {
        known_plan *gone = plans->plans;
        plans->plans = gone->next;
        free_foresights(gone->foresights);
        apex_driver_plan_destroy(gone->plan);
        free(gone);
    }
    apex_client_tracks_destroy(plans->tracks);
    free(plans);
}

static const apex_track *track_for(client_plans *plans, const apex_client *client, uint64_t hash) {
    const client_laid_track *laid = client_track_cache_find(plans->tracks, hash);
    size_t length;
    const uint8_t *bytes = apex_client_def_bytes(client, APEX_DEF_TRACK, NULL, &length, NULL);
    if (laid == NULL && bytes == NULL) {
        snprintf(plans->problem, sizeof plans->problem, "the server sent no track");
        return NULL;
    }
    apex_def_problem problem;
    if (laid == NULL) {
        laid = client_track_cache_lay(plans->tracks, hash, bytes, length, &problem);
    }
    if (laid == NULL) {
        snprintf(plans->problem, sizeof plans->problem, "the server's track cannot be laid: %s: %s",
                 problem.field, problem.reason);
        return NULL;
    }
    APEX_ASSERT(laid->track != NULL); // only a page takes ground that was laid elsewhere
    return laid->track;
}

// A server that does not tell its gravity, or tells one that no race may have, is taken for Earth.
static double gravity_of(const apex_welcome *welcome) {
    const apex_world_rules *rules = &welcome->world;
    bool is_told = rules->substep_hz != 0 &&
                   apex_is_within(rules->gravity_mps2, APEX_RANGE(apex_world_def, gravity_mps2));
    return is_told ? rules->gravity_mps2 : apex_default_world_def().gravity_mps2;
}

static const apex_driver_plan *make_plan(client_plans *plans, const apex_client *client,
                                         const apex_def_name *track, const apex_def_name *car) {
    const apex_track *laid = track_for(plans, client, track->hash);
    if (laid == NULL) {
        return NULL;
    }
    size_t length;
    const uint8_t *bytes = apex_client_def_bytes(client, APEX_DEF_CAR, car->name, &length, NULL);
    known_plan *made = bytes != NULL ? calloc(1, sizeof *made) : NULL;
    if (made == NULL) {
        snprintf(plans->problem, sizeof plans->problem, "the server sent no car '%s'", car->name);
        return NULL;
    }
    made->track_hash = track->hash;
    made->car_hash = car->hash;
    made->gravity_mps2 = gravity_of(apex_client_welcome(client));
    made->track = laid;
    apex_def_problem problem = {0};
    if (!apex_car_def_decode(bytes, length, &made->car, &problem)) {
        snprintf(plans->problem, sizeof plans->problem, "the server's car '%s' is unusable: %s: %s",
                 car->name, problem.field, problem.reason);
    } else if (apex_driver_plan_create(laid, &made->car, made->gravity_mps2, &made->plan) !=
               APEX_OK) {
        snprintf(plans->problem, sizeof plans->problem, "no line round '%s' for car '%s'",
                 track->name, car->name);
    } else {
        made->next = plans->plans;
        plans->plans = made;
        return made->plan;
    }
    free(made);
    return NULL;
}

static const apex_def_name *find_def(const apex_welcome *welcome, apex_def_kind kind,
                                     const char *name) {
    for (uint32_t i = 0; i < welcome->def_count; i++) {
        const apex_def_name *def = &welcome->defs[i];
        if (def->kind == kind && (name == NULL || !name[0] || strcmp(def->name, name) == 0)) {
            return def;
        }
    }
    return NULL;
}

// Says what the server has instead. @param car the one it has not; NULL if it names no track.
static void tell_offer(client_plans *plans, const apex_welcome *welcome, const char *car) {
    char *text = plans->problem;
    size_t bytes = sizeof plans->problem;
    int length = car != NULL ? snprintf(text, bytes, "the server offers no car '%s', only", car)
                             : snprintf(text, bytes, "the server offers no track or no car at all");
    const char *between = " ";
    for (uint32_t i = 0; car != NULL && i < welcome->def_count; i++) {
        if (welcome->defs[i].kind == APEX_DEF_CAR && (size_t)length < bytes) {
            length += snprintf(text + length, bytes - (size_t)length, "%s%s", between,
                               welcome->defs[i].name);
            between = ", ";
        }
    }
}

const apex_driver_plan *client_plans_for(client_plans *plans, const apex_client *client,
                                         const char *car, const char **problem) {
    *problem = plans->problem;
    const apex_welcome *welcome = apex_client_welcome(client);
    APEX_ASSERT(welcome != NULL);
    const apex_def_name *track_def = find_def(welcome, APEX_DEF_TRACK, NULL);
    const apex_def_name *car_def = find_def(welcome, APEX_DEF_CAR, car);
    if (track_def == NULL || car_def == NULL) {
        tell_offer(plans, welcome, track_def != NULL ? car : NULL);
        return NULL;
    }
    double gravity_mps2 = gravity_of(welcome);
    for (const known_plan *known = plans->plans; known != NULL; known = known->next) {
        if (known->track_hash == track_def->hash && known->car_hash == car_def->hash &&
            known->gravity_mps2 == gravity_mps2) {
            return known->plan;
        }
    }
    return make_plan(plans, client, track_def, car_def);
}

apex_client_tracks *client_plans_tracks(client_plans *plans) {
    return plans->tracks;
}

static known_plan *find_plan(const client_plans *plans, const apex_driver_plan *plan) {
    known_plan *known = plans->plans;
    while (known->plan != plan) {
        known = known->next;
        APEX_ASSERT(known != NULL);
    }
    return known;
}

const apex_track *client_plans_track(const client_plans *plans, const apex_driver_plan *plan) {
    return find_plan(plans, plan)->track;
}

const apex_car_def *client_plans_car(const client_plans *plans, const apex_driver_plan *plan) {
    return &find_plan(plans, plan)->car;
}

static bool is_same_world(const apex_world_def *a, const apex_world_def *b) {
    return a->tick_hz == b->tick_hz && a->substep_hz == b->substep_hz &&
           a->gravity_mps2 == b->gravity_mps2 &&
           a->air_density_kg_per_m3 == b->air_density_kg_per_m3 && a->damage == b->damage &&
           a->fuel_burns == b->fuel_burns && a->tyres_wear == b->tyres_wear &&
           a->temperatures == b->temperatures;
}

client_foresight *client_plans_foresight(client_plans *plans, const apex_driver_plan *plan,
                                         const apex_welcome *welcome) {
    known_plan *known = find_plan(plans, plan);
    apex_world_def world = client_world_def(&welcome->world, welcome->tick_hz);
    for (const known_foresight *made = known->foresights; made != NULL; made = made->next) {
        if (is_same_world(&made->world, &world)) {
            return made->foresight;
        }
    }
    known_foresight *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return NULL;
    }
    made->world = world;
    made->foresight = client_foresight_create(
        apex_track_ground(known->track), apex_track_walls(known->track), &known->car, &made->world);
    made->next = known->foresights;
    known->foresights = made;
    return made->foresight;
}
