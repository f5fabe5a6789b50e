#!/bin/sh
# Chromium without a graphics processor takes all the processors there are, and beside it servers have
# ticks to keep: its session, which is the driver's for it alone, weighs a third of theirs.
echo 5 2>/dev/null >/proc/self/autogroup
exec nice -n 5 "${CHROMIUM:-/usr/bin/chromium}" "$@"
