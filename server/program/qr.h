/// An address as a picture that telephones read.
#pragma once

#include <stdbool.h>
#include <stdio.h>

/// Draws a QR code of half blocks, dark on light whatever the terminal's colours are.
/// @return false if nothing was drawn: built without libqrencode, or the text is too long.
bool qr_draw(const char *text, FILE *out);
/// @return whether a stream is a terminal that shows colours and blocks.
bool qr_fits(FILE *out);
