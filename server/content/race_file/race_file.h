/// Race files.
#pragma once

#include <stdio.h>

#include "content/document/reader.h"

bool content_read_race(content_reader *reader, apex_race_file *out);
void content_write_race(FILE *out);
