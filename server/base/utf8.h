/// UTF-8, character by character.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// @return the length of the well-formed character that `text` begins with, 0 if it begins with
/// none. Overlong forms, surrogates and what lies past U+10FFFF are not well-formed (Unicode 15,
/// table 3-7). @param left at least 1.
size_t apex_utf8_length(const char *text, size_t left);

/// @return the number of the well-formed character of this length.
uint32_t apex_utf8_code(const char *character, size_t length);

/// @return whether this character is none that people see: a control (U+0000..001F, U+007F..009F),
/// on which a terminal may act; one that turns the direction of text round or ends a line; or one
/// that Unicode 15 lets a terminal leave out (Default_Ignorable_Code_Point), joiners among them, so
/// that two names look alike. @param length of the character, as apex_utf8_length says.
bool apex_utf8_is_hidden(const char *character, size_t length);
