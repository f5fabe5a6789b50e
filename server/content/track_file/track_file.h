/// Track files.
#pragma once

#include <stdio.h>

#include "content/document/reader.h"
#include "content/track_file/track_draft.h"

bool content_read_track(content_reader *reader, apex_track_def *out);
void content_write_track(FILE *out);
content_track_file content_default_track_file(void);
