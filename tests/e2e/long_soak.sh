#!/usr/bin/env bash
# soak.sh for half an hour, or as long as APEX_SOAK_SECONDS says.
export APEX_SOAK_SECONDS="${APEX_SOAK_SECONDS:-1800}"
exec "$(dirname "${BASH_SOURCE[0]}")/soak.sh"
