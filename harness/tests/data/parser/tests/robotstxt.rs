//! The cases of RFC 9309 with a list of known failures.

mod mine;

robotspec::conformance!(mine::Mine, known_failures = "tests/known-failures.yaml");
