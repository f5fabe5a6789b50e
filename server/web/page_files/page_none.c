// No page: stands in for its files where the build has none. A file of its own, so that tests can
// bring some.
#include "web/page_files/page_assets.h"

#ifdef WEB_NO_PAGE
const web_asset web_assets[] = {{"", "", "", NULL, 0}};
const size_t web_asset_count = 0;
#endif
