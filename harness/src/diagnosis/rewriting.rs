//! Forms of a file that a parser reads otherwise, although they mean the same: line ends, white space, comments.

use std::collections::{BTreeSet, HashSet};

use robotspec_cases::{CheckId, Variant};

use super::{AnsweredCheck, Likely};
use crate::cause::Evidence;

/// The forms of lines. What other variants change is what a rule or a group means, for which there are mistakes.
const OF_LINES: [Variant; 8] = [
    Variant::Crlf,
    Variant::Cr,
    Variant::NoFinalNewline,
    Variant::Bom,
    Variant::CapitalFields,
    Variant::Spaced,
    Variant::Commented,
    Variant::BlankLines,
];

/// The number of failures, and of cases that they must come from.
const FAILURES: usize = 10;
const CASES: usize = 5;

/// One of this number of disallowed rows must fail at least: rules that are not read allow everything.
const SHARE: usize = 3;

/// Returns the variants in which rows fail that are right as they are written.
pub(super) fn rewritings(answers: &[AnsweredCheck]) -> Vec<Likely> {
    let written = answers.iter().filter(|answered| answered.check.id.variant.is_none() && !answered.fails);
    let right: HashSet<&CheckId> = written.map(|answered| &answered.check.id).collect();
    let likely = |variant: Variant| {
        let rows: Vec<&AnsweredCheck> = answers
            .iter()
            .filter(|answered| answered.check.id.variant == Some(variant) && answered.expected == Some(false))
            .filter(|answered| right.contains(&answered.check.id.as_written()))
            .collect();
        let failing: Vec<_> = rows.iter().filter(|answered| answered.fails).collect();
        let cases: BTreeSet<_> = failing.iter().map(|answered| answered.case()).collect();
        let is_likely =
            failing.len() >= FAILURES && cases.len() >= CASES && failing.len() * SHARE >= rows.len();
        is_likely.then(|| Likely::new(variant, failing.len(), Evidence::FailingRow))
    };
    OF_LINES.into_iter().filter_map(likely).collect()
}
