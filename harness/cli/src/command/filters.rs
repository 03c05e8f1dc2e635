//! Which checks a command is about.

use anyhow::{Result, bail};
use clap::Args;

use crate::command::run::CHECKS;
use robotspec_cases::clause::Clause;
use robotspec_cases::filter::Filter;
use robotspec_cases::suite::Check;

/// Which checks a command is about.
#[derive(Debug, Clone, Default, Args)]
pub(super) struct Filters {
    /// Only checks that fit `id:GLOB`, `clause:GLOB` or `kind:LETTER`, the letter that begins a clause's id;
    /// repeatable, one has to fit
    #[arg(long = "filter", value_name = "FILTER", help_heading = CHECKS)]
    pub(super) only: Vec<Filter>,

    /// No checks that fit this, written as for --filter; repeatable
    #[arg(long, value_name = "FILTER", help_heading = CHECKS)]
    pub(super) skip: Vec<Filter>,
}

impl Filters {
    /// Whether a check is one of them.
    pub(super) fn hold(&self, check: &Check) -> bool {
        let fits = |filters: &[Filter]| filters.iter().any(|filter| filter.holds(check));
        (self.only.is_empty() || fits(&self.only)) && !fits(&self.skip)
    }

    /// Refuses one that fits none of all checks: most likely it is misspelt.
    ///
    /// # Errors
    ///
    /// There is such a one.
    pub(super) fn refuse_idle(&self, checks: &[Check]) -> Result<()> {
        for filter in self.only.iter().chain(&self.skip) {
            if !checks.iter().any(|check| filter.holds(check)) {
                let hint = match filter {
                    Filter::Clause(glob) => Clause::nearest(glob.glob().glob())
                        .map(|near| format!("is `clause:{}` meant?", near.id))
                        .unwrap_or_default(),
                    _ => "`robotspec cases list` shows what there is".to_owned(),
                };
                bail!("`{filter}` fits no check; {hint}");
            }
        }
        Ok(())
    }

    /// These, and in place of each kind that is not given, those of others.
    pub(super) fn or(&self, others: &Filters) -> Filters {
        let or =
            |own: &[Filter], other: &[Filter]| if own.is_empty() { other.to_vec() } else { own.to_vec() };
        Filters { only: or(&self.only, &others.only), skip: or(&self.skip, &others.skip) }
    }
}
