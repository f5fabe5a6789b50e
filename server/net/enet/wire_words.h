// Numbers as ENet puts them on the wire: the high byte first.
#pragma once

#include <stdint.h>

static inline void net_put_u16(uint8_t *at, uint32_t value) {
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

static inline void net_put_u32(uint8_t *at, uint32_t value) {
    net_put_u16(at, value >> 16);
    net_put_u16(at + 2, value & 0xFFFF);
}

static inline uint16_t net_read_u16(const uint8_t *at) {
    return (uint16_t)(at[0] << 8 | at[1]);
}
