// The walks over rooms' states until those rooms have them.
#include "race/penalties/penalties.h"
#include "race/pits/pit.h"

void race_penalties_walk(race_walk *io, race_penalties *penalties) {
    race_walk_choice(io, &penalties->count, APEX_PENALTIES_EACH_MAX);
    race_walk_u32(io, &penalties->grid_drop);
    race_walk_bool(io, &penalties->disqualified);
    for (uint32_t i = 0; i < APEX_PENALTIES_EACH_MAX; i++) {
        race_walk_u64(io, &penalties->all[i].added_us);
    }
}

void race_pit_walk(race_walk *io, race_pit *pit) {
    race_walk_u32(io, &pit->told.box1);
}
