//! The cases of RFC 9309 without variants, with a list of known failures.

mod mine;

robotspec::conformance!(mine::Mine, variants = false, known_failures = "tests/known-failures.yaml");
