// Cars of a snapshot, compared.

#pragma once

#include "proto/proto.h"

// Field by field: what pads the structure is nobody's.
bool wire_cars_equal(const apex_wire_car *a, const apex_wire_car *b);
