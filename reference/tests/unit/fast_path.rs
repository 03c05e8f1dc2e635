//! Tests of the private parts of `src/fast/path.rs`.

use super::*;

fn may_match(pattern: &[u8], path: &[u8]) -> bool {
    let (of_path, _) = Sieve::of_path(path);
    let may_match = of_path.may_match(Sieve::of_pattern(pattern).0);
    assert!(!(may_match && of_path.starts_otherwise(pattern)), "{pattern:?} {path:?}");
    may_match
}

#[test]
fn a_sieve_stops_paths_that_start_otherwise_or_lack_a_byte() {
    for (pattern, path) in [
        (&b"/ab"[..], &b"/a"[..]),
        (b"/a//b", b"/b//b"),
        (b"/a", b"/b//a"),
        (b"http://example.com/", b"/a"),
        (b"/*z", b"/a"),
    ] {
        assert!(!may_match(pattern, path), "{pattern:?} {path:?}");
    }
}
