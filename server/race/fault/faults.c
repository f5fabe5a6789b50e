// The stewards' room.
#include "race/fault/faults.h"

#include "race/fault/fault.h"
#include "race/fault/reasons.h"

#include "base/assert.h"

#include <math.h>
#include <string.h>

static const double IMPULSE_NS_MIN = 100.0; // as that of a contact that is told
static const double CHAIN_S = 1.5;          // later, a contact follows from nothing
static const double PUSHED_S = 0.5;         // so long nobody can do anything about a push
static const double ASTRAY_RAD = 0.349;     // 20 degrees off the road's direction
static const double WAIT_S = 2.0;           // for what a light contact does
static const double BEFORE_S = 1.0;
static const double PLACE_M = 5.0; // behind whom he was ahead of: a place lost

// A driver with more of a contact than of a racing incident was not pushed by it.
enum { PUSHED_SHARE_MAX = 60 };
enum { CONTACTS_MAX = 64 }; // of a tick; who is in a pile of more has other worries

void race_faults_make(race_faults *faults, const race_field *field, race_trail trails[],
                      race_chain chains[]) {
    APEX_ASSERT(faults != NULL && trails != NULL && chains != NULL);
    memset(faults, 0, sizeof *faults);
    faults->history = (race_history){
        .every_ticks = race_history_every(field->tick_hz),
        .capacity = field->capacity,
        .trails = trails,
    };
    faults->chains = chains;
    race_corners_find(&faults->corners, field->track);
}

void race_faults_forget(race_faults *faults, uint32_t slot) {
    APEX_ASSERT(slot < faults->history.capacity);
    race_trail_forget(&faults->history.trails[slot]);
    faults->chains[slot] = (race_chain){0};
}

void race_faults_put_back(race_faults *faults, uint32_t slot, uint64_t tick) {
    APEX_ASSERT(slot < faults->history.capacity);
    race_trail_put_back(&faults->history.trails[slot], tick);
    faults->chains[slot] = (race_chain){0};
}

const apex_fault *race_faults_told(const race_faults *faults, uint32_t back) {
    if (back >= RACE_FAULTS_KEPT || back >= faults->told) {
        return NULL;
    }
    return &faults->kept[(faults->told - 1 - back) % RACE_FAULTS_KEPT];
}

static void tell(race_faults *faults, const apex_fault *fault) {
    faults->kept[faults->told % RACE_FAULTS_KEPT] = *fault;
    faults->told++;
    faults->told_now++;
}

static bool same_player(apex_player_id a, apex_player_id b) {
    return a.index1 == b.index1 && a.generation == b.generation;
}

// The judging of one tick.
typedef struct sitting {
    race_faults *faults;
    const race_stewarding *with;
    uint64_t tick;
} sitting;

static double since_s(const sitting *in, uint64_t tick) {
    return (double)(in->tick - tick) / in->with->field->tick_hz;
}

// @return the chain that a slot's next contact belongs to, NULL: none
static race_chain *chain_of(const sitting *in, uint32_t slot) {
    race_chain *chain = &in->faults->chains[slot];
    return chain->tick > 0 && since_s(in, chain->tick) <= CHAIN_S ? chain : NULL;
}

// Right after the push, or not master of his car since.
static bool is_pushed(const sitting *in, uint32_t slot, const race_chain *chain) {
    if (chain == NULL || chain->share > PUSHED_SHARE_MAX) {
        return false;
    }
    if (since_s(in, chain->tick) <= PUSHED_S) {
        return true;
    }
    race_moment now = race_history_see(in->with->field, slot);
    return now.flags != 0 || fabs(race_history_heading_rad(in->with->field, &now)) > ASTRAY_RAD;
}

static void link(sitting *in, const apex_fault *fault, const uint32_t slots[2]) {
    for (uint32_t i = 0; i < 2; i++) {
        bool other_most = fault->shares[1 - i] >= fault->pusher_share;
        in->faults->chains[slots[i]] = (race_chain){
            .tick = in->tick,
            .chain = fault->chain,
            .share = fault->shares[i],
            .by = other_most ? fault->players[1 - i] : fault->pusher,
        };
    }
}

// Shares of a contact that one of the two came into by an earlier one: his are those he has of
// that, the other has none.
static void judge_pushed(const sitting *in, uint32_t whom, const race_chain *chain,
                         apex_fault *fault) {
    fault->chain = chain->chain;
    fault->shares[whom] = chain->share;
    fault->shares[1 - whom] = 0;
    fault->pusher_share = 100 - chain->share;
    fault->pusher = fault->pusher_share > 0 ? chain->by : (apex_player_id){0, 0};
    race_reason_add(fault, APEX_FAULT_PUSHED, whom, (double[]){since_s(in, chain->tick), 0.0});
}

static double ahead_before_m(const race_scene *scene) {
    return race_scene_at(&scene->cars[0], BEFORE_S).along_m -
           race_scene_at(&scene->cars[1], BEFORE_S).along_m;
}

static void wait_for_harm(race_faults *faults, const apex_fault *fault, double ahead_m) {
    if (faults->pending_count == RACE_FAULTS_PENDING) { // the oldest has had the most time
        faults->pending_count--;
        memmove(&faults->pending[0], &faults->pending[1],
                faults->pending_count * sizeof faults->pending[0]);
    }
    faults->pending[faults->pending_count++] = (race_pending_fault){*fault, ahead_m};
}

static bool is_blue_for(const race_stewarding *with, uint32_t slot, uint32_t other) {
    return with->blue_for1 != NULL && with->blue_for1[slot] == other + 1;
}

static void judge_new(sitting *in, race_touching *touching) {
    race_faults *faults = in->faults;
    const race_field *field = in->with->field;
    race_scene scene;
    touching->blue[0] = is_blue_for(in->with, touching->slots[0], touching->slots[1]);
    touching->blue[1] = is_blue_for(in->with, touching->slots[1], touching->slots[0]);
    race_stage(&faults->history, &faults->corners, field, touching, &scene);
    apex_fault fault = {
        .number = ++faults->issued,
        .chain = faults->issued,
        .tick = in->tick,
        .race_number = in->with->race_number,
        .players = {field->players[touching->slots[0]].id, field->players[touching->slots[1]].id},
        .s_m = touching->s_m,
        .closing_mps = scene.closing_mps,
    };
    const race_chain *first = chain_of(in, touching->slots[0]);
    const race_chain *second = chain_of(in, touching->slots[1]);
    bool first_pushed = is_pushed(in, touching->slots[0], first);
    bool second_pushed = is_pushed(in, touching->slots[1], second);
    if (first_pushed && (!second_pushed || first->tick <= second->tick)) {
        judge_pushed(in, 0, first, &fault);
    } else if (second_pushed) {
        judge_pushed(in, 1, second, &fault);
    } else {
        race_fault_judge(&scene, &fault);
    }
    link(in, &fault, touching->slots);
    if (scene.closing_mps >= in->with->rule->closing_mps) {
        tell(faults, &fault);
    } else {
        wait_for_harm(faults, &fault, ahead_before_m(&scene));
    }
}

static uint32_t racing_slot(const race_field *field, apex_car_id car) {
    if (car.index1 == 0 || car.index1 > field->capacity) {
        return field->capacity;
    }
    uint32_t slot = field->slot_of_car[car.index1 - 1];
    const race_player *player = &field->players[slot];
    bool is_his = race_field_is_live(field, slot) && player->car_id.index1 == car.index1 &&
                  player->car_id.generation == car.generation;
    return is_his && player->state == APEX_STANDING_RUNNING ? slot : field->capacity;
}

// Two cars that touch, of whom both race. @return false: others
static bool are_rivals(const race_field *field, const apex_contact_event *contact,
                       uint32_t slots[2]) {
    if (contact->kind != APEX_CONTACT_CAR) {
        return false;
    }
    slots[0] = racing_slot(field, contact->car);
    slots[1] = racing_slot(field, contact->other);
    return slots[0] != field->capacity && slots[1] != field->capacity;
}

// @return whether the two are at it still: then nothing new has happened
static bool go_on(const sitting *in, const uint32_t slots[2]) {
    race_chain *first = chain_of(in, slots[0]);
    race_chain *second = chain_of(in, slots[1]);
    if (first == NULL || second == NULL || first->chain != second->chain) {
        return false;
    }
    first->tick = second->tick = in->tick;
    return true;
}

// The new ones, the hardest first: of three cars in a row that touch in one tick, that is where it
// began.
static uint32_t gather(const sitting *in, const apex_contact_event *out[CONTACTS_MAX]) {
    const apex_contact_event *all = in->with->contacts;
    uint32_t found = 0;
    for (size_t i = 0; i < in->with->contact_count && found < CONTACTS_MAX; i++) {
        uint32_t slots[2];
        if (!are_rivals(in->with->field, &all[i], slots) || go_on(in, slots) || !all[i].began ||
            all[i].impulse_ns < IMPULSE_NS_MIN) {
            continue;
        }
        uint32_t at = found++;
        for (; at > 0 && out[at - 1]->closing_mps < all[i].closing_mps; at--) {
            out[at] = out[at - 1];
        }
        out[at] = &all[i];
    }
    return found;
}

static void judge_contacts(sitting *in) {
    const apex_contact_event *contacts[CONTACTS_MAX];
    uint32_t count = gather(in, contacts);
    for (uint32_t i = 0; i < count; i++) {
        race_touching touching = {.contact = contacts[i]};
        if (are_rivals(in->with->field, contacts[i], touching.slots) &&
            !go_on(in, touching.slots)) { // three who touch each other in one tick are one chain
            judge_new(in, &touching);
        }
    }
}

// Whether one of the two who touched has lost his control since.
static bool has_lost_control(const sitting *in, const apex_fault *fault) {
    for (uint32_t i = 0; i < 2; i++) {
        const race_trail *trail = &in->faults->history.trails[fault->players[i].index1 - 1];
        if (trail->lost_tick > fault->tick || trail->off_tick > fault->tick ||
            trail->put_back_tick > fault->tick) {
            return true;
        }
    }
    return false;
}

static bool has_lost_place(const sitting *in, const race_pending_fault *pending) {
    const race_field *field = in->with->field;
    const apex_player_id *players = pending->fault.players;
    double now_m = apex_track_gap_m(field->track, field->players[players[1].index1 - 1].s_m,
                                    field->players[players[0].index1 - 1].s_m);
    return pending->ahead_m > 0.0 ? now_m < -PLACE_M : now_m > PLACE_M;
}

static bool are_racing(const race_field *field, const apex_player_id players[2]) {
    for (uint32_t i = 0; i < 2; i++) {
        const race_player *player = &field->players[players[i].index1 - 1];
        if (!same_player(player->id, players[i]) || player->state != APEX_STANDING_RUNNING) {
            return false;
        }
    }
    return true;
}

static void judge_pending(sitting *in) {
    race_faults *faults = in->faults;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < faults->pending_count; i++) {
        race_pending_fault *pending = &faults->pending[i];
        bool is_due = since_s(in, pending->fault.tick) >= WAIT_S;
        if (!are_racing(in->with->field, pending->fault.players)) {
            continue;
        }
        if (has_lost_control(in, &pending->fault) || (is_due && has_lost_place(in, pending))) {
            tell(faults, &pending->fault);
        } else if (!is_due) {
            faults->pending[kept] = *pending;
            kept++;
        }
    }
    faults->pending_count = kept;
}

void race_faults_judge(race_faults *faults, const race_stewarding *with) {
    APEX_ASSERT(with->rule->on && faults->history.capacity == with->field->capacity);
    sitting in = {faults, with, apex_world_tick(with->field->world)};
    faults->told_now = 0;
    if (!with->field->open_session) {
        judge_pending(&in);
        judge_contacts(&in);
    }
}
