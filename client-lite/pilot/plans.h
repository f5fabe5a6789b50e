/// Plans (a line round the track and its speeds), shared by all pilots of the same car on the same
/// track.
#pragma once

#include <stdint.h>

#include "client-lite/client.h"
#include "client-lite/prediction/foresight.h"
#include "driver/driver.h"

typedef struct client_plans client_plans;

client_plans *client_plans_create(void); ///< NULL when out of memory
void client_plans_destroy(client_plans *plans);

/// The plan for the client's track and the car of that name (NULL or "": the server's default).
/// Made from the client's definitions if it has them and nobody needed this plan before.
/// @return NULL with *problem a sentence for people, which lives until the next call.
const apex_driver_plan *client_plans_for(client_plans *plans, const apex_client *client,
                                         const char *car, const char **problem);

/// The tracks that plans were made for, to lend to clients that predict.
apex_client_tracks *client_plans_tracks(client_plans *plans);
/// The track and the car of a plan; they live as long as `plans`.
const apex_track *client_plans_track(const client_plans *plans, const apex_driver_plan *plan);
const apex_car_def *client_plans_car(const client_plans *plans, const apex_driver_plan *plan);

/// Foresight for cars that follow the plan in the world of that server, shared by all of them; NULL
/// if there can be none.
client_foresight *client_plans_foresight(client_plans *plans, const apex_driver_plan *plan,
                                         const apex_welcome *welcome);
