/// Quantities as people write them for a network: "5%", "80ms", "2Mbit".
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// "5%", "0.1%", up to 100%. @return false unless it is just that; so also below.
bool netsim_parse_share(const char *text, uint32_t *ppm);
/// "80ms", "1.5s", "250us", up to 60 s.
bool netsim_parse_duration(const char *text, uint64_t *us);
/// "64kbit", "2Mbit", "1Gbit" in a second, up to 10 Gbit.
bool netsim_parse_rate(const char *text, uint64_t *bytes_per_s);
