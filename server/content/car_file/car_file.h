/// Car files.
#pragma once

#include <stdio.h>

#include "content/document/reader.h"

/// Either may be NULL.
bool content_read_car(content_reader *reader, apex_car_def *out, apex_car_published *published);
void content_write_car(FILE *out);
