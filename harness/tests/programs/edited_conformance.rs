//! The conformance tests of a parser whose list of known failures is edited while they run.

use std::fs::File;
use std::io::Write;
use std::sync::Once;

use robotspec_test_support::faulty::{FaultyParser, Mistake};

fn parser() -> FaultyParser {
    static EDITED: Once = Once::new();
    EDITED.call_once(|| {
        let list = File::options().append(true).open("tests/known-failures.yaml");
        list.and_then(|mut list| list.write_all(b"# Written meanwhile.\n")).expect("the list");
    });
    FaultyParser::new(&[Mistake::PathCaseIgnored])
}

robotspec::conformance!(parser(), known_failures = "tests/known-failures.yaml", variants = false);
