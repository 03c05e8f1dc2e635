//! A test for a changed copy of the crate `robotxt`: no row distinguishes it from the original.
//!
//! `.ci/long mutants` copies this file into the copy. It measures what the rows find, without the reference.

use std::panic::catch_unwind;

use robotspec_cases::suite::built_in;
use robotspec_cases::{Query, checks};
use url::Url;

/// Returns the answers of one of the two crates to a query, in words. A panic is an answer, too.
macro_rules! answers {
    ($robotxt:ident, $query:expr) => {{
        let query: &Query = $query;
        let answers = || match query {
            Query::Match { robots, agent, url } => {
                let robots = $robotxt::Robots::parse(robots, agent);
                Url::parse(url).map_or(String::new(), |url| robots.is_url_allowed(&url).to_string())
            }
            Query::Sitemaps { robots } => {
                let robots = $robotxt::Robots::parse(robots, "*");
                robots.sitemaps().iter().map(Url::as_str).collect::<Vec<_>>().join(" ")
            }
            _ => String::new(),
        };
        catch_unwind(answers).unwrap_or_else(|_| "a panic".to_owned())
    }};
}

#[test]
fn no_row_distinguishes_it_from_the_original() {
    for check in checks(&built_in().expect("valid suites"), true) {
        let (original, copy) = (answers!(original, &check.query), answers!(robotxt, &check.query));
        assert_eq!(original, copy, "{}", check.id);
    }
}
