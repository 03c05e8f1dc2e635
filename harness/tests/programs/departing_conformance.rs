//! The conformance tests of a parser that ignores the case of paths, which departs only from recommendations, for the
//! tests of the option `level` of `conformance!`.

use robotspec_test_support::faulty::{FaultyParser, Mistake};

robotspec::conformance!(FaultyParser::new(&[Mistake::PathCaseIgnored]), level = Must, variants = false);
