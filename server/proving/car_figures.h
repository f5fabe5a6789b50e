/// What the figures that are measured and those that are worked out on paper share.
#pragma once

#include "proving/proving.h"

/// Figures of which only the car's wheels and axles are counted yet.
apex_car_figures proving_nothing_known(const apex_car_def *car);
