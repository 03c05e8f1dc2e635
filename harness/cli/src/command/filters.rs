//! The arguments that select checks.

use anyhow::{Result, bail};
use clap::Args;

use robotspec_cases::{Check, Clause, Filter};

/// The heading of arguments that select checks in help texts.
pub(super) const HEADING: &str = "Checks";

/// The arguments that select checks.
#[derive(Debug, Clone, Default, Args)]
pub(super) struct Filters {
    /// Only checks that match `id:GLOB`, `clause:GLOB`, `kind:LETTER`, where the letter is the first of
    /// a clause's id, or `minimal`: few rows that find most mistakes; repeatable, a check needs to match
    /// one
    #[arg(long = "filter", value_name = "FILTER", help_heading = HEADING)]
    pub(super) only: Vec<Filter>,

    /// No checks that match this, written as for --filter; repeatable
    #[arg(long, value_name = "FILTER", help_heading = HEADING)]
    pub(super) skip: Vec<Filter>,
}

impl Filters {
    /// Returns whether a check is selected.
    pub(super) fn hold(&self, check: &Check) -> bool {
        let matches_any = |filters: &[Filter]| filters.iter().any(|filter| filter.holds(check));
        (self.only.is_empty() || matches_any(&self.only)) && !matches_any(&self.skip)
    }

    /// Refuses a filter that matches none of all checks, because it is probably misspelt.
    ///
    /// # Errors
    ///
    /// There is such a filter.
    pub(super) fn refuse_idle(&self, checks: &[Check]) -> Result<()> {
        for filter in self.only.iter().chain(&self.skip) {
            if checks.iter().any(|check| filter.holds(check)) {
                continue;
            }
            let near = match filter {
                Filter::Clause(glob) => Clause::nearest(glob.glob().glob()),
                _ => None,
            };
            match near {
                Some(near) => bail!("`{filter}` matches no check; did you mean `clause:{}`?", near.id),
                None => bail!("`{filter}` matches no check; `robotspec cases list` lists all"),
            }
        }
        Ok(())
    }

    /// These filters, and in place of each kind that is not given, those of `others`.
    pub(super) fn or(&self, others: &Filters) -> Filters {
        let or =
            |own: &[Filter], other: &[Filter]| if own.is_empty() { other.to_vec() } else { own.to_vec() };
        Filters { only: or(&self.only, &others.only), skip: or(&self.skip, &others.skip) }
    }
}
