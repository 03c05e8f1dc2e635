#!/bin/bash -eu
# One build for both services.
exec "$SRC/robotspec/.clusterfuzzlite/build.sh"
