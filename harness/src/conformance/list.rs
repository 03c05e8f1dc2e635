//! The list of known failures of the tests.

use std::io::{Error, ErrorKind};
use std::path::Path;

use libtest_mimic::Failed;
use robotspec_cases::read::read_text;
use robotspec_cases::suite::built_in;
use robotspec_cases::{FileError, select_checks};
use robotspec_text::{visible, visible_path};

use super::{Conformance, subject};
use crate::event::{CheckFinished, Event};
use crate::known::{KnownFailures, Removed, update};
use crate::replace;
use crate::run::{Plan, run};

/// The environment variable with which the tests update the list.
pub(super) const UPDATE: &str = "ROBOTSPEC_UPDATE";

/// Its value with which even more than half of the list is removed.
const FORCE: &str = "force";

pub(super) fn is_to_be_updated() -> bool {
    std::env::var_os(UPDATE).is_some_and(|value| !value.is_empty() && value != "0")
}

pub(super) fn read(file: &Path) -> Result<KnownFailures, FileError> {
    let text = read_text(file).map_err(|error| {
        let missing = "the file does not exist; create it with the line `known-failures: []`, or remove `known_failures`";
        let is_missing = error.kind() == ErrorKind::NotFound;
        FileError::new(file, (0, 0), if is_missing { missing.to_owned() } else { error.to_string() })
    })?;
    KnownFailures::read(file, &text)
}

impl Conformance {
    /// Returns every check of the editions.
    fn plan(&self) -> Result<Plan, FileError> {
        let checks = select_checks(built_in()?, self.variants, &self.editions, |_| true);
        let editions = self.editions.clone();
        let (level, lists_are_about) = (self.level, Some(editions.clone()));
        Ok(Plan { checks, level, lists_are_about, shard: None, editions, jobs: 1 })
    }

    /// Fails where an entry of the list does not hold.
    pub(super) fn check_list(&self, known: KnownFailures) -> Result<(), Failed> {
        let mut stale = Vec::new();
        run(&self.plan()?, vec![subject(&self.make, known)], &mut |event| {
            if let Event::ImplementationFinished { stale_known_failures, .. } = event {
                stale.clone_from(stale_known_failures);
            }
        });
        if stale.is_empty() {
            return Ok(());
        }
        let stale = stale.iter().map(|entry| visible(entry)).collect::<Vec<_>>().join("\n");
        Err(format!("remove these entries from the list, or run the tests with {UPDATE}=1:\n{stale}").into())
    }

    /// Updates the list. Creates the file if it does not exist.
    pub(super) fn update(&self, file: &Path) -> Result<(), Failed> {
        let name = visible_path(file);
        let failed = |error: Error| format!("{name}: {error}");
        let read = || match read_text(file) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
            read => read.map_err(failed),
        };
        read()?;
        let mut finished: Vec<CheckFinished> = Vec::new();
        let plan = self.plan()?;
        eprintln!("{name}: running {} checks", plan.checks.len());
        run(&plan, vec![subject(&self.make, KnownFailures::default())], &mut |event| {
            if let Event::CheckFinished(check) = event {
                finished.push(check.clone());
                if finished.len().is_multiple_of(5000) {
                    eprintln!("{name}: {} of {} checks", finished.len(), plan.checks.len());
                }
            }
        });
        if let Some(check) = finished.iter().find(|check| check.has_not_run()) {
            return Err(format!("{} was not run, so the list is not changed", check.id).into());
        }
        // The tests may take minutes, in which the list is edited.
        let text = read()?;
        let updated = update(file, &text, &finished, &self.editions, None, |_| true)?;
        if updated.removes_most() && std::env::var_os(UPDATE).is_none_or(|value| value != FORCE) {
            let (removed, before) = (updated.removed.len(), updated.before);
            return Err(format!(
                "{removed} of {before} rows and variants would go, because their checks pass now; if this is right, set \
                 {UPDATE}={FORCE}"
            )
            .into());
        }
        if updated.text != text {
            if read()? != text {
                return Err(format!("{name} was changed at the same time; repeat the tests").into());
            }
            replace::write(file, &updated.text).map_err(failed)?;
        }
        eprintln!("{name}: {} added, {} removed", updated.added, updated.removed.len());
        for Removed { name, reason } in &updated.removed {
            eprintln!("  removed {}: {}", visible(name), visible(reason));
        }
        if updated.text.contains("reason: TODO") {
            eprintln!("replace each TODO with a reason: the tests refuse the list until then");
        }
        Ok(())
    }
}
