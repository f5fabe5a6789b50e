// Who has used most is remembered longest: from many houses nobody can make one forgotten that
// keeps at it.
#include "net/house_rates.h"

#include <stddef.h>

bool net_house_take(net_house_rates *rates, apex_house house, net_rate rate, uint64_t now_us) {
    size_t place = 0;
    for (size_t i = 0; i < NET_HOUSES; i++) {
        if (rates->at[i].bucket.used_until_us != 0 &&
            apex_house_is_same(rates->at[i].house, house)) {
            return net_bucket_take(&rates->at[i].bucket, rate, 1, now_us);
        }
        if (rates->at[i].bucket.used_until_us < rates->at[place].bucket.used_until_us) {
            place = i;
        }
    }
    rates->at[place].house = house;
    rates->at[place].bucket = (net_bucket){0};
    return net_bucket_take(&rates->at[place].bucket, rate, 1, now_us);
}
