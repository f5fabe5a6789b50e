// A plan that cannot be is refused with the reason; one that can is shown back by the driver's
// conduct.

#include "host/ingest/pit_plan.h"

#include <stdio.h>

#include "host/simulation/race_commands.h"

static bool has_compound(const host_setup *setup, uint32_t compound) {
    uint32_t count = setup->file.race.weekend.pits.compound_count;
    return compound < (count > 0 ? count : 1); // without any there are the car's own tyres
}

void host_take_pit_plan(const host_setup *setup, apex_sessions *sessions,
                        host_simulation *simulation, const host_client *client,
                        const apex_wire_pit_plan *plan) {
    char text[APEX_WIRE_TEXT_BYTES];
    if (!has_compound(setup, plan->compound)) {
        snprintf(text, sizeof text, "this event has no compound %u of tyres; it has %u",
                 plan->compound, setup->file.race.weekend.pits.compound_count);
        apex_sessions_reject(sessions, client->session, APEX_REASON_BAD_MESSAGE, text);
        return;
    }
    apex_race_command command = {.kind = APEX_RACE_PIT_PLAN,
                                 .player = client->player,
                                 .plan = {.stop = plan->stop,
                                          .fuel_kg = plan->fuel_g / 1000.0,
                                          .tyres = plan->tyres,
                                          .compound = plan->compound,
                                          .repair = plan->repair}};
    apex_err err = host_apply(simulation, &command);
    if (err != APEX_OK) {
        snprintf(text, sizeof text, "no plan for the pits can be made here: %s",
                 apex_err_text(err));
        apex_sessions_reject(sessions, client->session, APEX_REASON_OUT_OF_ORDER, text);
    }
}
