//! The conformance tests of a parser whose name and messages a terminal would obey, for the tests of the output of
//! `conformance!`.

use robotspec::{Fault, Info, MatchQuery, Parser, Verdict};
use robotspec_test_support::hostile;

struct Hostile;

impl Parser for Hostile {
    fn info(&self) -> Info {
        Info::named(hostile::TEXT)
    }

    fn check(&mut self, _: &[u8], queries: &[MatchQuery]) -> Result<Vec<Verdict>, Fault> {
        Ok(queries.iter().map(|_| Verdict::Error(hostile::TEXT.into())).collect())
    }
}

robotspec::conformance!(Hostile, variants = false);
