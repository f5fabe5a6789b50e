/// The page in the log: its address, and the one to send to friends.
#pragma once

#include "content/content.h"
#include "site/site.h"

/// What friends have to know besides the address.
typedef struct page_passwords {
    bool are_shown; ///< in links, where a terminal is all that shows them
    uint32_t race_count;
    char of_races[APEX_SITE_RACES_MAX][APEX_NAME_BYTES]; ///< empty: none is asked for
} page_passwords;

/// @param port the one that it got
/// @param is_tls its address begins with https://
void announce_page(const apex_listen *listen, uint16_t port, bool is_tls,
                   const page_passwords *passwords);
