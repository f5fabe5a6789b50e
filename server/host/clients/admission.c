// A client is let in, as a driver or to watch: it is sent everything from here on.

#include "host/host_private.h"

uint32_t host_period_of_hz(const apex_server *server, uint32_t hz) {
    uint32_t tick_hz = apex_race_tick_hz(server->race);
    if (hz == 0) {
        return 0;
    }
    uint32_t period = (tick_hz + hz / 2) / hz;
    return period > 0 ? period : 1;
}

void host_admit(apex_server *server, host_client *client) {
    client->needs_past |= !client->admitted;
    client->admitted = true;
    client->needs_roster = true;
    server->newcomers_wait = true;
    client->viewer.turn = client->session.index1;
    if (!client->subscribed) {
        client->viewer.period_ticks = host_period_of_hz(server, server->file.snapshot_hz);
    }
}
