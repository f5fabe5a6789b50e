/// Sections by the points that they became.
#pragma once

#include "content/document/reader.h"

bool content_begin_sections(content_reader *reader, size_t points);
void content_note_section(content_reader *reader, size_t point, size_t section);
/// Says sections[i] in place of points[k], if the file has sections.
void content_name_sections(const content_reader *reader, apex_def_problem *problem);
