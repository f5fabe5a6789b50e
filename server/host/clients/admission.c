// A client is let in, as a driver or to watch: it is sent everything from here on.

#include "host/clients/admission.h"

uint32_t host_period_of_hz(const apex_race *race, uint32_t hz) {
    uint32_t tick_hz = apex_race_tick_hz(race);
    if (hz == 0) {
        return 0;
    }
    uint32_t period = (tick_hz + hz / 2) / hz;
    return period > 0 ? period : 1;
}

uint32_t host_period_within(const apex_race *race, uint32_t wished_hz, uint32_t hz_max) {
    uint32_t wished = host_period_of_hz(race, wished_hz);
    uint32_t least = host_period_of_hz(race, hz_max);
    if (wished == 0 || least == 0) {
        return 0;
    }
    return wished > least ? wished : least;
}

void host_admit(const host_frame *frame, host_clients *clients, const apex_race *race,
                host_client *client) {
    client->needs_past |= !client->admitted;
    client->admitted = true;
    client->needs_roster = true;
    clients->newcomers_wait = true;
    client->viewer.turn = client->session.index1;
    if (!client->subscribed) {
        client->viewer.period_ticks = host_period_of_hz(race, frame->setup->file.snapshot_hz);
    }
}
