// The controls of a tick become levels for a block's substeps, and their counters gear changes and
// events.

#include "physics/car/read_controls.h"
#include "base/assert.h"
#include "physics/car/gearbox.h"

// Counters wrap at 256; a step of 128 or more is an old sample or another driver, not a shift.
static int32_t count_rise(uint8_t now, uint8_t seen) {
    uint8_t rise = (uint8_t)(now - seen);
    return rise < 128 ? rise : 0;
}

static void read_counters(physics_cars *cars, uint32_t slot, const apex_controls *controls) {
    physics_block *block = &cars->blocks[slot / PHYSICS_LANES];
    uint32_t lane = slot % PHYSICS_LANES;
    if (block->counters_known[lane]) {
        int32_t up = count_rise(controls->shift_up_count, block->shift_up_seen[lane]);
        int32_t down = count_rise(controls->shift_down_count, block->shift_down_seen[lane]);
        if (controls->gear == APEX_GEAR_SEQUENTIAL && up != down && !block->held[lane]) {
            int32_t highest = cars->types[block->type[lane]].gear_count;
            int32_t gear = block->gear[lane] + up - down;
            gear = gear > highest ? highest : gear;
            gear = gear < APEX_GEAR_REVERSE ? APEX_GEAR_REVERSE : gear;
            physics_gearbox_request(cars, slot, gear);
        }
        if (count_rise(controls->reset_count, block->reset_seen[lane]) > 0) {
            physics_event_raise(&cars->events, slot, APEX_CAR_RESET_WANTED, 0.0);
        }
    }
    block->shift_up_seen[lane] = controls->shift_up_count;
    block->shift_down_seen[lane] = controls->shift_down_count;
    block->reset_seen[lane] = controls->reset_count;
    block->counters_known[lane] = true;
}

static real strength(real has, uint8_t aids_off, uint32_t bit) {
    return aids_off & bit ? R(0.0) : has;
}

static void read_aids(physics_drive *drive, uint32_t lane, uint8_t off) {
    const physics_numbers *numbers = &drive->types[lane]->numbers;
    lanes_set(&drive->abs, lane, strength(numbers->abs, off, APEX_AID_ABS));
    lanes_set(&drive->traction_control, lane,
              strength(numbers->traction_control, off, APEX_AID_TRACTION));
    lanes_set(&drive->stability_control, lane,
              strength(numbers->stability_control, off, APEX_AID_STABILITY));
    lanes_set(&drive->steering_assist, lane,
              strength(numbers->steering_assist, off, APEX_AID_STEERING));
    lanes_set(&drive->launch_control, lane,
              strength(numbers->launch_control, off, APEX_AID_LAUNCH));
    lanes_set(&drive->has_automatic_clutch, lane,
              strength(numbers->has_automatic_clutch, off, APEX_AID_CLUTCH));
}

void physics_car_begin_tick(physics_cars *cars, uint32_t slot, const apex_controls *controls) {
    APEX_ASSERT(apex_pool_is_index_live(&cars->pool, slot));
    physics_drive *drive = &cars->drives[slot / PHYSICS_LANES];
    uint32_t lane = slot % PHYSICS_LANES;
    const real LEVEL = R(1.0) / R(255.0);
    int32_t steer = controls->steer < -APEX_STEER_MAX ? -APEX_STEER_MAX : controls->steer;
    lanes_set(&drive->steer, lane, (real)steer / (real)APEX_STEER_MAX);
    lanes_set(&drive->throttle, lane, (real)controls->throttle * LEVEL);
    lanes_set(&drive->brake, lane, (real)controls->brake * LEVEL);
    lanes_set(&drive->clutch, lane, (real)controls->clutch * LEVEL);
    lanes_set(&drive->handbrake, lane, (real)controls->handbrake * LEVEL);
    lanes_set(&drive->gear_asked, lane, (real)controls->gear);
    read_aids(drive, lane, controls->aids_off);
    read_counters(cars, slot, controls);
}
