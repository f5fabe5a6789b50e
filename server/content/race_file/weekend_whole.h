/// The check of a race file's weekend as a whole.
#pragma once

#include "content/document/reader.h"

bool content_check_weekend(content_reader *reader, const apex_race_file *file);
