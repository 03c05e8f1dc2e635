//! Imported expectations beside what the reference says.

use std::collections::HashMap;

use robotspec_reference::{Edition, RobotsTxt, Ruling};

use robotspec_cases::suite::{Expected, Request, Suite};

/// A row on which the reference and the imported expectation part.
#[derive(Debug)]
pub(crate) struct Parting {
    pub(crate) row: String,
    pub(crate) edition: Edition,
    /// What is imported, and what the reference says to it.
    pub(crate) expected: String,
    pub(crate) says: String,
}

/// How the expectations fare.
#[derive(Debug, Default)]
pub(crate) struct Comparison {
    /// How many answers there are: one for each row and edition.
    pub(crate) all: usize,
    /// Where the reference says the contrary, or cannot say anything.
    pub(crate) contradicted: Vec<Parting>,
    /// Where it finds the answer open.
    pub(crate) open: Vec<Parting>,
}

/// Compares the rows of a suite with what the reference says.
pub(super) fn compare(suite: &Suite) -> Comparison {
    let mut comparison = Comparison::default();
    for case in &suite.cases {
        let Some(Request::Match { robots, .. }) = case.rows.first().map(|row| &row.request) else { continue };
        let robots = RobotsTxt::parse(robots);
        let mut by_agent = HashMap::new();
        for row in &case.rows {
            let Request::Match { agent, url, .. } = &row.request else { continue };
            for (&edition, expected) in &row.expected {
                comparison.all += 1;
                let rules =
                    by_agent.entry((edition, agent)).or_insert_with(|| robots.for_agent(edition, agent));
                let ruling = rules.ruling(url);
                let parting = |says: String| Parting {
                    row: row.id.clone(),
                    edition,
                    expected: expected.to_string(),
                    says,
                };
                match ruling {
                    Ok(ruling) if Expected::Ruling(ruling) == *expected => {}
                    Ok(Ruling::Unspecified) => {
                        comparison.open.push(parting(Ruling::Unspecified.id().to_owned()));
                    }
                    Ok(ruling) => comparison.contradicted.push(parting(ruling.id().to_owned())),
                    Err(error) => comparison.contradicted.push(parting(error.to_string())),
                }
            }
        }
    }
    comparison
}
