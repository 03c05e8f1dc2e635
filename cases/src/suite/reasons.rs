//! The reasons that a row states for its expectations.
//!
//! An implementation reports an answer but no reasons, so these test the explanations of the reference only, which can
//! be wrong although the ruling is right.

use robotspec_reference::Choice;
use robotspec_reference::grammar::LineStatus;

use crate::clause::Clause;
use crate::expected::Expected;

/// The reasons that a row states, for all its editions.
#[derive(Debug, Clone, Default)]
pub struct Reasons {
    /// The result of each answer to the question of the row, where the row is unspecified.
    pub gives: Vec<(Choice, Expected)>,
    /// What decides, where the row is definite.
    pub decided_by: Option<Deciding>,
    /// The status of each line in the grammar.
    pub lines: Option<Vec<LineStatus>>,
}

/// What decides in the plainest reading.
#[derive(Debug, Clone)]
pub struct Deciding {
    /// The numbers of the lines, from 1, in order.
    pub lines: Vec<usize>,
    /// The clauses that apply.
    pub clauses: Vec<&'static Clause>,
    /// The number of readings that the reference has to distinguish, where the row states it.
    pub readings: Option<usize>,
}
