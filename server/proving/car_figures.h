/// The list of a car's figures, measured or worked out on paper.
#pragma once

#include "proving/proving.h"

/// Figures of which only the car's wheels and axles are counted yet.
apex_car_figures proving_nothing_known(const apex_car_def *car);
