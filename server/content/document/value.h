/// Single values of a document, and numbers as text.
#pragma once

#include "content/document/reader.h"

#define CONTENT_RADIANS_PER_DEGREE 0.017453292519943295
#define CONTENT_KMPH_PER_MPS       3.6

/// Of the whole text, in any locale; false if it says anything but one decimal number.
bool content_number(const char *text, double *out);
bool content_read_real(content_reader *reader, const yaml_node_t *node, const double range[2],
                       double *out);
bool content_read_whole(content_reader *reader, const yaml_node_t *node, const uint64_t range[2],
                        uint64_t *out);
bool content_read_flag(content_reader *reader, const yaml_node_t *node, bool *out);
/// Any one-line text of valid UTF-8 that fits.
bool content_read_text(content_reader *reader, const yaml_node_t *node, char *out, size_t bytes);
/// Letters a-z, digits and '-'.
bool content_read_name(content_reader *reader, const yaml_node_t *node, char *out, size_t bytes);
bool content_read_choice(content_reader *reader, const yaml_node_t *node,
                         const char *const choices[], int *out);
/// Shortest text that reads back as the same number.
void content_print_real(double value, char room[32]);
/// Shortest km/h that read back as the same m/s.
void content_print_kmph(double value_mps, char room[32]);
/// Shortest degrees that read back as the same radians, or the nearest there are.
void content_print_degrees(double value_rad, char room[32]);
