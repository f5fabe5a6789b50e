/// Keys of car files.
#pragma once

#include "content/fields/table.h"

extern const content_table content_car_table; ///< of content_car_file
