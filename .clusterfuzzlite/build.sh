#!/usr/bin/env bash
# Builds the fuzz targets that search for errors in robotspec itself into $OUT, with corpora and a dictionary.
# $SRC contains the repository as `robotspec`. The base image sets $SANITIZER. Without a sanitizer, stable Rust suffices.
set -euo pipefail
cd "$SRC/robotspec"

targets=(reference access cases_yaml protocol)

if [ "${SANITIZER:-none}" = none ]; then
    built=$(fuzz/targets/build --bins --features adapters)
else
    # The base image contains cargo-fuzz and the toolchain that sanitizers need.
    cargo fuzz build --fuzz-dir fuzz/targets --features adapters --release --sanitizer "$SANITIZER"
    built=$(cargo metadata --no-deps --format-version 1 | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
    built=$built/$(rustc -vV | sed -n 's/^host: //p')/release
fi

mkdir -p "$OUT"
for target in "${targets[@]}"; do
    cp "$built/$target" "$OUT/"
    corpus=$(mktemp -d)
    RUSTFLAGS='' fuzz/targets/seed "$target" "$corpus"
    if [ -n "$(ls -A "$corpus")" ]; then
        # The archive contains file names without folders, because the base image unpacks it so; -X omits times and owners.
        rm -f "$OUT/${target}_seed_corpus.zip"
        (cd "$corpus" && zip -q -X -r "$OUT/${target}_seed_corpus.zip" .)
    fi
    rm -r "$corpus"
    printf '[libfuzzer]\ntimeout = 5\n' >"$OUT/$target.options"
done
cp fuzz/targets/robots.dict "$OUT/reference.dict"
