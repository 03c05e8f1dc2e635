//! What reports state in addition to a record: the suites and checks that its ids refer to, its origin and its history.

use std::collections::HashMap;

use robotspec::checks_by_id;
use robotspec_cases::{Check, CheckId, Suite};

use crate::report::history::Summary;
use crate::report::origin::Origin;

/// The suites and checks that the ids in a record refer to, and where the record comes from.
pub(crate) struct Catalog<'c> {
    pub(super) suites: &'c [Suite],
    checks: HashMap<&'c CheckId, &'c Check>,
    /// Where the results come from.
    pub(super) origin: Origin,
    /// Earlier runs and this one, the oldest first. It is empty if no history is kept.
    pub(super) history: Vec<Summary>,
}

impl<'c> Catalog<'c> {
    pub(crate) fn new(suites: &'c [Suite], checks: &'c [Check], origin: Origin) -> Self {
        Catalog { suites, checks: checks_by_id(checks), origin, history: Vec::new() }
    }

    /// Adds the history of the runs.
    pub(crate) fn with_history(self, history: Vec<Summary>) -> Self {
        Catalog { history, ..self }
    }

    /// Returns the check with this id.
    pub(crate) fn find(&self, id: &CheckId) -> Option<&'c Check> {
        self.checks.get(id).copied()
    }

    /// Returns the checks by their ids.
    pub(crate) fn checks(&self) -> &HashMap<&'c CheckId, &'c Check> {
        &self.checks
    }
}
