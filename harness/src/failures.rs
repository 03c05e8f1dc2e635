//! The specification as a single assertion, for the tests of a parser in Rust.

use std::fmt;

use robotspec_reference::Edition;

use crate::event::Event;
use crate::implementation::Implementation;
use crate::known::KnownFailures;
use crate::run::{Plan, Subject, run};
use crate::suite::{built_in, checks};
use crate::yaml::FileError;

/// What an implementation gets wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failures {
    failures: Vec<String>,
    checks: usize,
}

/// Puts every check to an implementation, and tells what it gets wrong in
/// these editions.
///
/// ```
/// use robotspec::{Edition, Fault, Implementation, Info, Query, Verdict};
///
/// struct Sloppy;
///
/// impl Implementation for Sloppy {
///     fn info(&self) -> Info {
///         Info::named("sloppy")
///     }
///     fn check(&mut self, _robots: &[u8], queries: &[Query]) -> Result<Vec<Verdict>, Fault> {
///         Ok(queries.iter().map(|_| Verdict::Allow).collect())
///     }
/// }
///
/// let failures = robotspec::failures(Sloppy, &[Edition::Rfc9309])?;
/// assert!(!failures.is_empty());
/// # Ok::<(), robotspec::FileError>(())
/// ```
///
/// # Errors
///
/// A suite inside this crate is broken.
pub fn failures(
    implementation: impl Implementation + Send + 'static,
    editions: &[Edition],
) -> Result<Failures, FileError> {
    let mut checks = checks(&built_in()?, true);
    checks.retain(|check| editions.iter().any(|edition| check.expected.contains_key(edition)));
    let plan = Plan { checks, editions: editions.to_vec(), is_whole: false, jobs: 1 };
    let subject = Subject { implementation: Box::new(implementation), known: KnownFailures::default() };
    let mut failures = Vec::new();
    run(&plan, vec![subject], &mut |event| {
        let Event::CheckFinished(check) = event else { return };
        for (edition, judged) in check.editions.iter().filter(|(_, judged)| judged.status.is_failure()) {
            let (id, clause) = (&check.id, &check.clause);
            let edition = edition.0;
            failures.push(format!(
                "{id} ({clause} in {edition}): expected {}, got {}",
                judged.expected, judged.got
            ));
        }
    });
    Ok(Failures { failures, checks: plan.checks.len() })
}

impl Failures {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.failures.is_empty()
    }
}

/// How many failures are told before the rest is only counted.
const SHOWN: usize = 30;

impl fmt::Display for Failures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} failures in {} checks", self.failures.len(), self.checks)?;
        for failure in self.failures.iter().take(SHOWN) {
            writeln!(f, "  {failure}")?;
        }
        if self.failures.len() > SHOWN {
            writeln!(f, "  … and {} more", self.failures.len() - SHOWN)?;
        }
        Ok(())
    }
}
