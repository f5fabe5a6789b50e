// Commands of a replay, to bytes and back. Kinds of before have every field that there was before;
// those of a weekend have their own.
#include "replay/replay_format.h"

#include <math.h>
#include <string.h>

#include "race/weekend_def_ranges.h"

enum { PLAN_STOP = 1, PLAN_TYRES = 2, PLAN_REPAIR = 4 };

static void put_plain(store_bytes_out *out, const apex_race_command *command) {
    store_put_u32(out, command->car);
    char name[APEX_NAME_BYTES] = "";
    memcpy(name, command->name, strnlen(command->name, APEX_NAME_BYTES - 1));
    store_put(out, name, sizeof name);
    store_put_double(out, command->skill);
    store_put_double(out, command->lane_m);
    store_put_double(out, command->patience_s);
    store_put_u8(out, (uint8_t)command->why);
}

static void take_plain(store_bytes_in *in, apex_race_command *command) {
    command->car = store_take_u32(in);
    const uint8_t *name = store_take(in, APEX_NAME_BYTES);
    if (name != NULL) {
        memcpy(command->name, name, APEX_NAME_BYTES - 1);
    }
    command->skill = store_take_double(in);
    command->lane_m = store_take_double(in);
    command->patience_s = store_take_double(in);
    uint8_t why = store_take_u8(in);
    command->why = (apex_leave_why)why;
    in->failed = in->failed || why > APEX_LEAVE_IDLE || !isfinite(command->skill) ||
                 !isfinite(command->lane_m) || !isfinite(command->patience_s);
}

static void put_penalty(store_bytes_out *out, const apex_penalty *penalty) {
    store_put_u32(out, penalty->number);
    store_put_u8(out, (uint8_t)penalty->offence);
    store_put_u8(out, (uint8_t)penalty->kind);
    store_put_double(out, penalty->amount);
}

static void take_penalty(store_bytes_in *in, apex_penalty *penalty) {
    penalty->number = store_take_u32(in);
    uint8_t offence = store_take_u8(in), kind = store_take_u8(in);
    penalty->offence = (apex_offence)offence;
    penalty->kind = (apex_penalty_kind)kind;
    penalty->amount = store_take_double(in);
    in->failed = in->failed || offence >= APEX_OFFENCES || kind >= APEX_PENALTY_KINDS ||
                 !apex_is_within(penalty->amount, APEX_RANGE(apex_penalty_step, amount));
}

static void put_plan(store_bytes_out *out, const apex_pit_plan *plan) {
    store_put_u8(out, (uint8_t)((plan->stop ? PLAN_STOP : 0) | (plan->tyres ? PLAN_TYRES : 0) |
                                (plan->repair ? PLAN_REPAIR : 0)));
    store_put_double(out, plan->fuel_kg);
    store_put_u32(out, plan->compound);
}

static void take_plan(store_bytes_in *in, apex_pit_plan *plan) {
    uint8_t flags = store_take_u8(in);
    plan->stop = (flags & PLAN_STOP) != 0;
    plan->tyres = (flags & PLAN_TYRES) != 0;
    plan->repair = (flags & PLAN_REPAIR) != 0;
    plan->fuel_kg = store_take_double(in);
    plan->compound = store_take_u32(in);
    in->failed = in->failed || flags > (PLAN_STOP | PLAN_TYRES | PLAN_REPAIR) ||
                 plan->compound >= APEX_COMPOUNDS_MAX ||
                 !apex_is_within(plan->fuel_kg, APEX_RANGE(apex_pit_plan, fuel_kg));
}

void store_put_command(store_bytes_out *out, const apex_race_command *command) {
    store_put_u8(out, (uint8_t)command->kind);
    store_put_u16(out, command->player.index1);
    store_put_u16(out, command->player.generation);
    switch (command->kind) {
    case APEX_RACE_SESSION_END:
    case APEX_RACE_SESSION_SKIP:
        return;
    case APEX_RACE_SESSION_EXTEND:
        store_put_double(out, command->seconds);
        return;
    case APEX_RACE_CALL:
        store_put_u8(out, (uint8_t)command->flag);
        return;
    case APEX_RACE_PENALISE:
    case APEX_RACE_PARDON:
        put_penalty(out, &command->penalty);
        return;
    case APEX_RACE_PIT_PLAN:
        put_plan(out, &command->plan);
        return;
    default:
        put_plain(out, command);
    }
}

static void take_flag(store_bytes_in *in, apex_race_flag *flag) {
    uint8_t byte = store_take_u8(in);
    *flag = (apex_race_flag)byte;
    in->failed = in->failed || byte >= APEX_RACE_FLAGS;
}

static void take_seconds(store_bytes_in *in, double *seconds) {
    *seconds = store_take_double(in);
    in->failed = in->failed || !apex_is_within(*seconds, APEX_RANGE(apex_race_command, seconds));
}

apex_race_command store_take_command(store_bytes_in *in) {
    uint8_t kind = store_take_u8(in);
    apex_race_command command = {.kind = (apex_race_command_kind)kind};
    command.player.index1 = store_take_u16(in);
    command.player.generation = store_take_u16(in);
    switch (command.kind) {
    case APEX_RACE_SESSION_END:
    case APEX_RACE_SESSION_SKIP:
        break;
    case APEX_RACE_SESSION_EXTEND:
        take_seconds(in, &command.seconds);
        break;
    case APEX_RACE_CALL:
        take_flag(in, &command.flag);
        break;
    case APEX_RACE_PENALISE:
    case APEX_RACE_PARDON:
        take_penalty(in, &command.penalty);
        break;
    case APEX_RACE_PIT_PLAN:
        take_plan(in, &command.plan);
        break;
    default:
        take_plain(in, &command);
    }
    in->failed = in->failed || kind >= APEX_RACE_COMMANDS;
    return command;
}
