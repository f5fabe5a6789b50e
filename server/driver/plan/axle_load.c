// Each axle bears what its load allows: braking moves load forward and takes from the grip that
// holds the tail in a bend, and the engine brakes the driven wheels alone.
#include "driver/plan/axle_load.h"

#include <math.h>

static const double PRESSED_SHARE_MIN = 0.1; // over a crest

enum { HALVINGS = 10 };

// A banking below the left edge carries a bend to the left: it takes some of what the tyres would
// have to give and presses the car down. Angles are small enough to be their sines and tangents.
driver_load driver_axles_load(const driver_car *car, const driver_point *here, double speed_mps,
                              double bend_mps2) {
    double square = speed_mps * speed_mps;
    double pressed_mps2 = car->gravity_mps2 +
                          square * (car->downforce_n_per_mps2 / car->mass_kg + here->crest_per_m) -
                          bend_mps2 * here->banking_rad;
    return (driver_load){
        .pressed_mps2 = fmax(pressed_mps2, PRESSED_SHARE_MIN * car->gravity_mps2),
        .side_mps2 = bend_mps2 + car->gravity_mps2 * here->banking_rad,
        .friction = here->friction,
    };
}

// The tyres' grip is an ellipse of the forces along and across.
// @return share of the axle's grip that is used.
static double use_of(const driver_car *car, const driver_axle *axle, const driver_load *load,
                     double brake_mps2) {
    double moved_mps2 = (brake_mps2 + load->engine_mps2) * car->com_height_m / car->wheelbase_m;
    double pressed_mps2 = axle->weight_share * load->pressed_mps2 + axle->gains * moved_mps2;
    double along_mps2 = axle->brake_share * brake_mps2 + axle->drive_share * load->engine_mps2;
    double across_mps2 = axle->weight_share * load->side_mps2;
    double along = along_mps2 / axle->grip_long;
    double across = across_mps2 / axle->grip_lat;
    return sqrt(along * along + across * across) / fmax(load->friction * pressed_mps2, 1e-3);
}

double driver_axles_brake_mps2(const driver_car *car, const driver_load *load) {
    double low_mps2 = 0.0;
    double high_mps2 = car->brake_mps2_full;
    for (int i = 0; i < HALVINGS; i++) {
        double middle_mps2 = 0.5 * (low_mps2 + high_mps2);
        bool bears = use_of(car, &car->axles[0], load, middle_mps2) < 1.0 &&
                     use_of(car, &car->axles[1], load, middle_mps2) < 1.0;
        if (bears) {
            low_mps2 = middle_mps2;
        } else {
            high_mps2 = middle_mps2;
        }
    }
    return low_mps2;
}
