#!/usr/bin/env bash
# Builds the fuzz targets that look for faults of ours into $OUT, with corpora and dictionary.
# $SRC holds the repository as `robotspec`. $SANITIZER is what the base image wants; without one, stable Rust will do.
set -euo pipefail
cd "$SRC/robotspec"

targets=(reference access cases_yaml protocol)

if [ "${SANITIZER:-none}" = none ]; then
    built=$(fuzz/build --bins)
else
    # The base image brings cargo-fuzz and the toolchain that sanitizers need.
    cargo fuzz build --release --sanitizer "$SANITIZER"
    built=$(cargo metadata --no-deps --format-version 1 | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
    built=$built/$(rustc -vV | sed -n 's/^host: //p')/release
fi

mkdir -p "$OUT"
for target in "${targets[@]}"; do
    cp "$built/$target" "$OUT/"
    corpus=$(mktemp -d)
    RUSTFLAGS='' fuzz/seed "$target" "$corpus"
    if [ -n "$(ls -A "$corpus")" ]; then
        # Names alone, as the base image unpacks them; -X leaves times and owners out.
        rm -f "$OUT/${target}_seed_corpus.zip"
        (cd "$corpus" && zip -q -X -r "$OUT/${target}_seed_corpus.zip" .)
    fi
    rm -r "$corpus"
    printf '[libfuzzer]\ntimeout = 5\n' >"$OUT/$target.options"
done
cp fuzz/robots.dict "$OUT/reference.dict"
