// The world of a server, for one car of a client.
#include "client-lite/prediction/world_def.h"

apex_world_def client_world_def(const apex_world_rules *rules, uint32_t tick_hz) {
    apex_world_def def = apex_default_world_def();
    def.car_capacity = 1;
    def.type_capacity = 1;
    def.tick_hz = tick_hz;
    if (rules->substep_hz == 0) { // a server that does not tell
        def.substep_hz = apex_world_substep_hz(tick_hz);
        return def;
    }
    def.substep_hz = rules->substep_hz;
    def.gravity_mps2 = rules->gravity_mps2;
    def.air_density_kg_per_m3 = rules->air_density_kg_per_m3;
    def.damage = (apex_damage_mode)rules->damage;
    def.fuel_burns = rules->fuel_burns;
    def.tyres_wear = rules->tyres_wear;
    def.temperatures = rules->temperatures;
    return def;
}
