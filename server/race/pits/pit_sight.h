// What is seen of cars in the pits: one against the lane and its box, and those near it.
#pragma once

#include "race/card.h"
#include "race/field/field.h"
#include "race/pits/pit.h"

// How far before his box a driver looks whether it is taken, m.
#define RACE_PIT_LOOK_M 60.0

// Way since the lane's entry, negative before it, of a place on the lap.
double race_pit_since_m(const apex_track *track, const apex_track_pits *lane, double s_m);
// Whether a place is off the road, on the lane between its lines or on the boxes: somebody who is
// set down there begins in the pits.
bool race_pit_holds(const apex_track *track, const apex_track_pits *lane,
                    const apex_track_place *at);

// @param cards by slot; the pit of this slot's says where he was in the last tick and which box is
// his. All but since_m is left out for who is on the road and far from the lane. @param now_us of
// the session's clock, at the end of this tick
race_pit_sight race_pit_see(const race_field *field, const apex_track_pits *lane,
                            const race_card *cards, uint32_t slot, uint64_t now_us);

// A car as a stop would find it now.
race_pit_need race_pit_need_of(const race_field *field, uint32_t slot);

// The nearest car behind one that moves out of its box, which moves along the lane itself.
typedef struct race_pit_follower {
    double behind_m; // from middle to middle; infinite: nobody within 150 m
    double speed_mps;
} race_pit_follower;

race_pit_follower race_pit_behind(const race_field *field, const race_card *cards, uint32_t slot);
