/// UTF-8, character by character.
#pragma once

#include <stdbool.h>
#include <stddef.h>

/// @return the length of the well-formed character that `text` begins with, 0 if it begins with
/// none. Overlong forms, surrogates and what lies past U+10FFFF are not well-formed (Unicode 15,
/// table 3-7). @param left at least 1.
size_t apex_utf8_length(const char *text, size_t left);

/// @return whether this character is one of U+0000..001F, U+007F and U+0080..009F: a terminal may
/// act on them. @param length of the character, as apex_utf8_length says.
bool apex_utf8_is_control(const char *character, size_t length);
