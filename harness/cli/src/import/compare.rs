//! Compares imported expectations with the reference.

use robotspec_reference::{Edition, RobotsTxt, Ruling};

use robotspec_cases::{CheckId, Expected, Query, Suite};

/// An expectation that the reference does not confirm.
#[derive(Debug)]
pub(crate) struct Difference {
    pub(crate) row: CheckId,
    pub(crate) edition: Edition,
    pub(crate) expected: Expected,
    /// The ruling of the reference, or the reason why it does not rule.
    pub(crate) reference: String,
}

/// The expectations that the reference does not confirm, by kind.
#[derive(Debug, Default)]
pub(crate) struct Comparison {
    /// The number of expectations: one for each row and edition.
    pub(crate) all: usize,
    /// The reference gives the opposite ruling.
    pub(crate) contradicted: Vec<Difference>,
    /// The edition does not specify the outcome.
    pub(crate) unspecified: Vec<Difference>,
    /// The specification does not apply, because the URL is not an absolute URL.
    pub(crate) inapplicable: Vec<Difference>,
}

/// Compares the rows of a suite with the reference.
pub(super) fn compare(suite: &Suite) -> Comparison {
    let mut comparison = Comparison::default();
    for case in &suite.cases {
        let Some(Query::Match { robots, .. }) = case.rows.first().map(|row| &row.query) else { continue };
        let robots = RobotsTxt::parse(robots);
        for row in &case.rows {
            let Query::Match { agent, url, .. } = &row.query else { continue };
            for (&edition, expected) in &row.expected {
                comparison.all += 1;
                let ruling = robots.ruling(edition, agent, url);
                let (kind, reference) = match ruling {
                    Ok(ruling) if Expected::Ruling(ruling) == *expected => continue,
                    Ok(Ruling::Unspecified) => (&mut comparison.unspecified, Ruling::Unspecified.to_string()),
                    Ok(ruling) => (&mut comparison.contradicted, ruling.to_string()),
                    Err(error) => (&mut comparison.inapplicable, error.to_string()),
                };
                let expected = expected.clone();
                kind.push(Difference { row: row.id.clone(), edition, expected, reference });
            }
        }
    }
    comparison
}
