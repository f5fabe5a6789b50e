// A replica's validator: whether what was captured agrees with itself.
#pragma once

#include "replicate/captured_cars.h"
#include "replicate/rivals.h"

// @return what is wrong, as a sentence; NULL: nothing
const char *replica_validate(const captured_cars *cars, const running_order *order);
