// A driver's conduct: looked at four times a second, and told if it is not as he knows it. Times go
// in tenths of a second, so that a plan's does not change with every drop of fuel.

#include "host/news/conduct_news.h"

#include <string.h>

enum { CONDUCT_HZ = 4, STEP_US = 100000 };

static uint64_t in_steps(uint64_t us) {
    return (us + STEP_US - 1) / STEP_US * STEP_US;
}

static apex_wire_pit_plan plan_message(const apex_pit_plan *plan) {
    return (apex_wire_pit_plan){
        .stop = plan->stop,
        .fuel_g = (uint32_t)(plan->fuel_kg * 1000.0 + 0.5),
        .tyres = plan->tyres,
        .compound = plan->compound,
        .repair = plan->repair,
    };
}

apex_conduct host_conduct_message(const apex_race_conduct *conduct) {
    const apex_pit_state *pit = &conduct->pit;
    return (apex_conduct){
        .pit = (uint32_t)pit->phase,
        .box = pit->box1,
        .stops = pit->stops,
        .stops_counted = pit->stops_counted,
        .plan = plan_message(&pit->plan),
        .plan_us = in_steps(pit->plan_us),
        .left_us = in_steps(pit->left_us),
        .lane_us = pit->phase == APEX_PIT_ROAD ? pit->lane_us : in_steps(pit->lane_us),
        .lap_voids = conduct->lap_voids,
        .incident_points = conduct->incident_points,
    };
}

static bool same_plan(const apex_wire_pit_plan *a, const apex_wire_pit_plan *b) {
    return a->stop == b->stop && a->fuel_g == b->fuel_g && a->tyres == b->tyres &&
           a->compound == b->compound && a->repair == b->repair;
}

static bool same(const apex_conduct *a, const apex_conduct *b) {
    return a->pit == b->pit && a->box == b->box && a->stops == b->stops &&
           a->stops_counted == b->stops_counted && same_plan(&a->plan, &b->plan) &&
           a->plan_us == b->plan_us && a->left_us == b->left_us && a->lane_us == b->lane_us &&
           a->lap_voids == b->lap_voids && a->incident_points == b->incident_points;
}

static void look_at(host_frame *frame, const host_client *client, uint32_t place,
                    const apex_race *race) {
    apex_race_conduct conduct;
    if (!apex_race_conduct_of(race, client->player, &conduct)) {
        return;
    }
    const apex_conduct now = host_conduct_message(&conduct);
    if (!client->has_conduct || !same(&client->conduct, &now)) {
        frame->conducts[frame->conduct_count++] = (host_conduct_due){place, now};
    }
}

// Newcomers are told after they have been greeted.
static bool is_due(const host_frame *frame, const host_client *client) {
    bool is_driver = client->admitted && client->player.index1 != 0 && !client->lost;
    bool is_turn = (frame->round + client->viewer.turn) % (frame->tick_hz / CONDUCT_HZ) == 0;
    return is_driver && !client->needs_roster && (is_turn || !client->has_conduct);
}

void host_capture_conducts(host_frame *frame, const host_clients *clients, const apex_race *race) {
    frame->conduct_count = 0;
    if (!frame->setup->has_control) {
        return;
    }
    frame->conducts = apex_arena_alloc(frame->arena, clients->end * sizeof *frame->conducts);
    for (uint32_t i = 0; frame->conducts != NULL && i < clients->end; i++) {
        if (is_due(frame, &clients->at[i])) {
            look_at(frame, &clients->at[i], i, race);
        }
    }
}

void host_tell_conducts(const host_frame *frame, host_clients *clients, apex_sessions *sessions) {
    for (size_t i = 0; i < frame->conduct_count; i++) {
        host_client *client = &clients->at[frame->conducts[i].place];
        apex_server_message message = {.kind = APEX_SERVER_CONDUCT,
                                       .conduct = frame->conducts[i].conduct};
        client->has_conduct = true;
        client->conduct = message.conduct;
        apex_sessions_send(sessions, client->session, &message);
    }
}
