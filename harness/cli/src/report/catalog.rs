//! The suites and checks that the ids in a record refer to.

use std::collections::HashMap;

use robotspec::checks_by_id;
use robotspec_cases::{Check, CheckId, Suite};

/// The suites and checks that the ids in a record refer to.
pub(crate) struct Catalog<'c> {
    pub(super) suites: &'c [Suite],
    checks: HashMap<&'c CheckId, &'c Check>,
}

impl<'c> Catalog<'c> {
    pub(crate) fn new(suites: &'c [Suite], checks: &'c [Check]) -> Self {
        Catalog { suites, checks: checks_by_id(checks) }
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
