//! What reports state in addition to a record: the suites and checks that its ids refer to, and its origin.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};
use std::{env, fs};

use robotspec::event::{CheckFinished, LikelyCause};
use robotspec::{ImplementationRecord, checks_by_id};
use robotspec_cases::export::Export;
use robotspec_cases::{Check, CheckId, Suite, checks};
use serde_json::Value;
use time::UtcDateTime;
use time::format_description::well_known::Rfc3339;

/// The suites and checks that the ids in a record refer to, and where the record comes from.
#[derive(Default)]
pub(crate) struct Catalog<'c> {
    pub(super) suites: &'c [Suite],
    /// The checks by their ids.
    pub(crate) checks: HashMap<&'c CheckId, &'c Check>,
    /// Where the results come from.
    pub(super) origin: Origin,
    /// The arguments of `robotspec run` for each implementation, which run it again. They are empty if they are unknown.
    pub(crate) again: Vec<String>,
    /// The link from the Markdown report to the page, if the same command writes both.
    pub(crate) page: Option<String>,
    /// What a search in real files found, for the page: its date, and counts of right and wrong answers.
    pub(crate) real_files: Option<Value>,
    /// The rows, once they are needed.
    rows: OnceLock<Export>,
}

impl<'c> Catalog<'c> {
    pub(crate) fn new(suites: &'c [Suite], checks: &'c [Check], origin: Origin) -> Self {
        Catalog { suites, checks: checks_by_id(checks), origin, ..Catalog::default() }
    }

    /// Returns the file and the line of a check, if its suite was read from a file.
    pub(super) fn place(&self, id: &CheckId) -> Option<(&'c Path, usize)> {
        let suite = self.suites.iter().find(|suite| suite.id == id.suite)?;
        let file = suite.file.as_deref()?;
        let (case, row) = (id.case_name(), id.as_written());
        let rows = &suite.cases.iter().find(|other| other.name == case)?.rows;
        Some((file, rows.iter().find(|other| other.id == row)?.line?))
    }

    /// Returns the arguments of `robotspec run` that run the implementation at this place again, if they are known.
    pub(crate) fn again(&self, place: usize) -> Option<&str> {
        self.again.get(place).map(String::as_str)
    }

    /// Returns the check with this id.
    pub(crate) fn find(&self, id: &CheckId) -> Option<&'c Check> {
        self.checks.get(id).copied()
    }

    /// Returns the rows with the reasons for their rulings, which takes about a second at the first time.
    pub(crate) fn rows(&self) -> &Export {
        self.rows.get_or_init(|| {
            let mut rows = checks(self.suites, false);
            rows.retain(|row| self.checks.contains_key(&row.id));
            Export::new(self.suites, &rows)
        })
    }

    /// Returns the first likely cause of an implementation that explains a failure.
    pub(super) fn cause_of<'r>(
        &self,
        failure: &CheckFinished,
        record: &'r ImplementationRecord,
    ) -> Option<&'r LikelyCause> {
        let check = self.find(&failure.id)?;
        record.likely_causes.iter().find(|likely| likely.explains(check, failure, record))
    }
}

/// Environment variables with the commit that a CI job tests: those of GitHub and of GitLab.
const COMMIT_VARIABLES: [&str; 2] = ["GITHUB_SHA", "CI_COMMIT_SHA"];

/// Where a report comes from.
#[derive(Debug, Clone, Default)]
pub(crate) struct Origin {
    /// When the results were written, in UTC, such as `2026-11-23T08:05:00Z`.
    pub(crate) date: String,
    /// The commit of the tested project, where it is known.
    pub(crate) commit: Option<String>,
    /// The command that made the report.
    pub(crate) command: String,
}

impl Origin {
    /// Returns the origin of a report about events in files. Their date is that of the file that was changed last; without
    /// files, it is now.
    pub(crate) fn of_files(files: &[PathBuf], commit: Option<&str>) -> Self {
        let changed = files.iter().filter_map(|file| fs::metadata(file).ok()?.modified().ok());
        let date = changed.max().unwrap_or_else(SystemTime::now);
        let variables = || COMMIT_VARIABLES.iter().filter_map(|name| env::var(name).ok());
        let commit = commit.map(str::to_owned).or_else(|| variables().find(|commit| !commit.is_empty()));
        // https://reproducible-builds.org/specs/source-date-epoch/
        let fixed = env::var("SOURCE_DATE_EPOCH").ok().and_then(|seconds| seconds.parse().ok());
        let since = || date.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64);
        let date =
            UtcDateTime::from_unix_timestamp(fixed.unwrap_or_else(since)).unwrap_or(UtcDateTime::UNIX_EPOCH);
        let date = date.format(&Rfc3339).unwrap_or_default();
        let words = env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
        let command = shell_words::join(["robotspec".to_owned()].into_iter().chain(words));
        Origin { date, commit, command }
    }
}
