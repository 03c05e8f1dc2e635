//! The arguments that select checks.

use std::borrow::Cow;
use std::collections::BTreeSet;

use anyhow::{Result, bail};
use clap::Args;
use clap::builder::PossibleValuesParser;
use robotspec_cases::{Check, Clause, Expected, Filter, Suite, checks, select_checks};
use robotspec_reference::Edition;

use crate::command::suites::load_or_built_in;
use crate::command::values::edition;

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

    /// Returns the only suites that have checks for these filters, if all filters name a suite. The others need not be
    /// read, which takes most of the time of a command about few checks.
    pub(super) fn suites(&self) -> Option<BTreeSet<&str>> {
        let all = self.only.iter().chain(&self.skip);
        (!self.only.is_empty()).then(|| all.map(suite_of).collect()).flatten()
    }

    /// Refuses a filter that matches no check of these suites, because it is probably misspelt.
    ///
    /// # Errors
    ///
    /// There is such a filter.
    pub(super) fn refuse_idle(&self, suites: &[Suite], with_variants: bool) -> Result<()> {
        let all = self.only.iter().chain(&self.skip);
        let rows = checks(suites, false);
        let mut idle = all.filter(|filter| !rows.iter().any(|row| filter.holds(row)));
        // A filter may match variants alone.
        let matches_variant = |filter: &Filter| {
            !select_checks(suites, true, &Edition::ALL, |check| filter.holds(check)).is_empty()
        };
        match idle.find(|filter| !with_variants || !matches_variant(filter)) {
            Some(filter @ Filter::Clause(glob)) if let Some(near) = Clause::nearest(glob.glob().glob()) => {
                bail!("`{filter}` matches no check; did you mean `clause:{}`?", near.id)
            }
            Some(filter) => bail!("`{filter}` matches no check; `robotspec cases list` lists all"),
            None => Ok(()),
        }
    }

    /// These filters, and in place of each kind that is not given, those of `others`.
    pub(super) fn or(&self, others: &Filters) -> Filters {
        let or =
            |own: &[Filter], other: &[Filter]| if own.is_empty() { other.to_vec() } else { own.to_vec() };
        Filters { only: or(&self.only, &others.only), skip: or(&self.skip, &others.skip) }
    }
}

/// Returns the suite that a filter names: the part of a glob of ids before its slash, where it is an id.
fn suite_of(filter: &Filter) -> Option<&str> {
    let Filter::Id(glob) = filter else { return None };
    let (suite, _) = glob.glob().glob().split_once('/')?;
    (!suite.contains(['*', '?', '[', '{', '\\'])).then_some(suite)
}

/// The answers that select rows.
const ANSWERS: [&str; 10] = [
    "allow",
    "disallow",
    "unspecified",
    "yes",
    "no",
    "full-allow",
    "full-disallow",
    "conditional",
    "valid",
    "not-valid",
];

/// The arguments that select checks to read them.
#[derive(Debug, Clone, Args)]
pub(super) struct Selection {
    #[command(flatten)]
    filters: Filters,

    /// Only this edition, of those that `robotspec editions` lists, and the checks that it has; repeatable
    #[arg(long, value_name = "EDITION", value_parser = edition(), hide_possible_values = true, help_heading = HEADING)]
    edition: Vec<Edition>,

    /// Only checks from which one of the editions expects this answer
    #[arg(long, value_name = "ANSWER", value_parser = PossibleValuesParser::new(ANSWERS), help_heading = HEADING)]
    expected: Option<String>,
}

impl Selection {
    /// Returns the selected checks, with the expectations of the selected editions, and the built-in suites that have them.
    ///
    /// # Errors
    ///
    /// A filter matches no check, or no check is selected.
    pub(super) fn select(&self, with_variants: bool) -> Result<(Vec<Check>, Cow<'static, [Suite]>)> {
        let suites = load_or_built_in(&[], self.filters.suites())?;
        self.filters.refuse_idle(&suites, with_variants)?;
        let editions = if self.edition.is_empty() { &Edition::ALL[..] } else { &self.edition };
        let mut checks = select_checks(&suites, with_variants, editions, |check| self.filters.hold(check));
        let is_expected =
            |expected: &Expected| self.expected.as_deref().is_none_or(|answer| is_answer(expected, answer));
        checks.retain(|check| check.expected.values().any(is_expected));
        if checks.is_empty() {
            bail!("no row is selected; `robotspec cases list` lists all");
        }
        Ok((checks, suites))
    }
}

/// Returns whether an expectation is one of [`ANSWERS`].
fn is_answer(expected: &Expected, answer: &str) -> bool {
    let text = expected.to_string();
    // `conditional` is followed by the paths.
    let word = text.split_once(" (").map_or(&*text, |(word, _)| word).replace(' ', "-");
    word == answer || (answer == "unspecified" && expected.is_unspecified())
}

#[cfg(test)]
#[path = "../../tests/unit/filters.rs"]
mod tests;
