// Marshals: who is off the road, going the wrong way, stuck, or inside somebody.
#include "race/race_private.h"

#include <math.h>

// Less than this is no way made; backing off and running into the same wall again is less. Where
// patience is short the way is what a lazy start from rest makes in it (s = a t^2 / 2), or a car
// that was put back would be put back again before it could get going.
static const double STUCK_WAY_M = 12.0;
static const double LAZY_START_MPS2 = 1.0;
static const double WRONG_WAY_MPS = 2.0;
static const double WRONG_WAY_S = 2.0;
static const double IDLE_WARNED_S = 15.0;   // before who does not drive is out
static const double CONTACT_NS_MIN = 100.0; // a touch at walking pace; less is noise

enum { STEER_REST = 655 }; // a wheel that is let go moves by as much

static uint32_t slot_of(const apex_race *race, apex_car_id car) {
    if (car.index1 == 0) {
        return race->field.capacity;
    }
    uint32_t slot = race->field.slot_of_car[car.index1 - 1];
    return race_player_live(race, slot) ? slot : race->field.capacity;
}

void race_watch_retire(apex_race *race, uint32_t slot) {
    race->field.players[slot].state = APEX_STANDING_DNF;
    race_event_add(race, APEX_EVENT_DNF, slot, 0, 0);
    race_grid_ghost(race, slot, true);
}

static bool may_reset(const apex_race *race, const race_player *player) {
    return player->state == APEX_STANDING_RUNNING || race->event.phase == APEX_PHASE_LOBBY;
}

void race_watch_car_events(apex_race *race) {
    size_t count = 0;
    const apex_car_event *events = apex_world_car_events(race->field.world, &count);
    for (size_t i = 0; i < count; i++) {
        uint32_t slot = slot_of(race, events[i].car);
        if (slot == race->field.capacity) {
            continue;
        }
        race_player *player = &race->field.players[slot];
        switch (events[i].kind) {
        case APEX_CAR_ENGINE_BLEW:
            player->watch.crippled = true;
            race_event_add(race, APEX_EVENT_ENGINE_BLEW, slot, (int64_t)events[i].value, 0);
            break;
        case APEX_CAR_OUT_OF_FUEL:
            player->watch.crippled = true;
            break;
        case APEX_CAR_RESET_WANTED:
        case APEX_CAR_STOPPED_BAD:
            if (may_reset(race, player)) {
                race_grid_reset(race, slot);
            }
            break;
        default:
            break;
        }
    }
}

void race_watch_contacts(apex_race *race) {
    size_t count = 0;
    const apex_contact_event *contacts = apex_world_contacts(race->field.world, &count);
    for (size_t i = 0; i < count; i++) {
        const apex_contact_event *contact = &contacts[i];
        uint32_t slot = slot_of(race, contact->car);
        uint32_t other = slot_of(race, contact->other);
        if (!contact->began || contact->impulse_ns < CONTACT_NS_MIN ||
            slot == race->field.capacity || contact->kind == APEX_CONTACT_GROUND) {
            continue;
        }
        apex_player_id other_id = {0, 0};
        race->field.players[slot].watch.contacts +=
            race->field.players[slot].state == APEX_STANDING_RUNNING;
        if (other < race->field.capacity) {
            other_id = race->field.players[other].id;
            race->field.players[other].watch.contacts +=
                race->field.players[other].state == APEX_STANDING_RUNNING;
        }
        race_event_contact(race, race->field.players[slot].id, other_id,
                           (int64_t)contact->impulse_ns);
    }
}

static void watch_road(apex_race *race, uint32_t slot) {
    race_player *player = &race->field.players[slot];
    const apex_car_pose *pose = race_player_pose(race, slot);
    if (pose->wheels_on_road > 0) {
        if (player->watch.off) {
            player->watch.off = false;
            player->watch.off_ticks = 0;
        }
        return;
    }
    if (!player->watch.off) {
        if (pose->airborne) {
            return; // a jump is not an excursion
        }
        player->watch.off = true;
        player->watch.off_count++;
        race_event_add(race, APEX_EVENT_OFF_TRACK, slot, 0, 0);
    }
    player->watch.off_ticks++;
    if (player->watch.off_ticks > player->watch.off_ticks_max) {
        player->watch.off_ticks_max = player->watch.off_ticks;
    }
}

static void watch_direction(apex_race *race, uint32_t slot, double step_m) {
    race_player *player = &race->field.players[slot];
    double speed_mps = step_m * race->field.tick_hz;
    if (speed_mps > WRONG_WAY_MPS) {
        player->watch.wrong_ticks = 0;
        player->watch.wrong_told = false;
    } else if (speed_mps < -WRONG_WAY_MPS) {
        player->watch.wrong_ticks++;
        if (!player->watch.wrong_told &&
            player->watch.wrong_ticks >= race_phase_ticks(race, WRONG_WAY_S)) {
            player->watch.wrong_told = true;
            race_event_add(race, APEX_EVENT_WRONG_WAY, slot, 0, 0);
        }
    }
}

static bool differs(int a, int b, int by) {
    return a - b > by || b - a > by;
}

// A pedal that is pressed, or anything that is elsewhere than it was when he last touched
// something.
static bool is_touched(const apex_controls *now, const apex_controls *before) {
    return race_drive_presses(now->throttle) || differs(now->steer, before->steer, STEER_REST) ||
           differs(now->clutch, before->clutch, RACE_PEDAL_REST) ||
           differs(now->handbrake, before->handbrake, RACE_PEDAL_REST) ||
           now->gear != before->gear || now->shift_up_count != before->shift_up_count ||
           now->shift_down_count != before->shift_down_count ||
           now->reset_count != before->reset_count || now->aids_off != before->aids_off;
}

void race_watch_idle(apex_race *race, uint32_t slot) {
    race_player *player = &race->field.players[slot];
    const apex_controls *now = &race->field.used[slot];
    // The brake of a car that was set down aside may be the rules'.
    bool brakes = !player->aside && race_drive_presses(now->brake);
    if (player->driven_by_server || brakes || is_touched(now, &player->watch.touched)) {
        player->watch.idle_ticks = 0;
        player->watch.touched = *now;
        return;
    }
    if (race->def.idle_s <= 0.0) {
        return;
    }
    double warned_s = fmin(IDLE_WARNED_S, floor(0.5 * race->def.idle_s));
    uint64_t all = race_phase_ticks(race, race->def.idle_s);
    player->watch.idle_ticks++;
    if (player->watch.idle_ticks == all) {
        race_watch_retire(race, slot);
        race_event_add(race, APEX_EVENT_IDLE, slot, 0, 0);
    } else if (warned_s > 0.0 &&
               player->watch.idle_ticks + race_phase_ticks(race, warned_s) == all) {
        race_event_add(race, APEX_EVENT_IDLE, slot, (int64_t)warned_s, 0);
    }
}

static void watch_way(apex_race *race, uint32_t slot) {
    race_player *player = &race->field.players[slot];
    double moved_m = player->way_m - player->watch.stuck_way_m;
    double lazy_m = 0.5 * LAZY_START_MPS2 * race->def.stuck_s * race->def.stuck_s;
    double enough_m = lazy_m < STUCK_WAY_M ? lazy_m : STUCK_WAY_M;
    if (moved_m > enough_m || moved_m < -enough_m) {
        player->watch.stuck_way_m = player->way_m;
        player->watch.stuck_ticks = 0;
        return;
    }
    // A driver who does not want to go on is not stuck, and would be put back for ever.
    if (player->watch.crippled || race_drive_presses(race->field.used[slot].throttle)) {
        player->watch.stuck_ticks++;
    }
    if (race->def.stuck_s <= 0.0 ||
        player->watch.stuck_ticks < race_phase_ticks(race, race->def.stuck_s)) {
        return;
    }
    if (player->watch.crippled) {
        race_watch_retire(race, slot); // no reset makes it go again
    } else {
        race_grid_reset(race, slot);
    }
}

static void watch_ghost(apex_race *race, uint32_t slot) {
    race_player *player = &race->field.players[slot];
    bool for_good = player->state == APEX_STANDING_FINISHED || player->state == APEX_STANDING_DNF;
    if (!player->ghost || for_good) {
        return;
    }
    if (player->ghost_ticks > 0) {
        player->ghost_ticks--;
    } else if ((!player->aside || race_berth_is_left(race, slot)) &&
               race_grid_is_free(race, slot)) {
        race_grid_ghost(race, slot, false);
    }
}

void race_watch_player(apex_race *race, uint32_t slot, double step_m) {
    bool running = race->field.players[slot].state == APEX_STANDING_RUNNING;
    if (running && race->field.open_session) {
        race_open_watch(race, slot);
    } else if (running) {
        watch_road(race, slot);
        watch_direction(race, slot, step_m);
        watch_way(race, slot);
    }
    if (race->field.players[slot].state == APEX_STANDING_RUNNING) {
        race_watch_idle(race, slot);
    }
    watch_ghost(race, slot);
}
