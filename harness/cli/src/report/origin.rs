//! Where a report comes from: the date of the run, the commit that was tested, and the command.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use robotspec::Date;

/// Environment variables with the commit that a CI job tests: those of GitHub and of GitLab.
const COMMIT_VARIABLES: [&str; 2] = ["GITHUB_SHA", "CI_COMMIT_SHA"];

/// Where a report comes from.
#[derive(Debug, Clone, Default)]
pub(crate) struct Origin {
    /// When the results were written.
    pub(crate) date: Date,
    /// The commit of the tested project, where it is known.
    pub(crate) commit: Option<String>,
    /// The command that made the report.
    pub(crate) command: String,
}

impl Origin {
    /// Returns the origin of a report about results that this process made.
    pub(crate) fn of_this_run() -> Self {
        Origin::new(SystemTime::now(), None)
    }

    /// Returns the origin of a report about events in files. Their date is that of the file that was changed last.
    pub(crate) fn of_files(files: &[PathBuf], commit: Option<&str>) -> Self {
        let changed = files.iter().filter_map(|file| fs::metadata(file).ok()?.modified().ok());
        Origin::new(changed.max().unwrap_or_else(SystemTime::now), commit)
    }

    fn new(date: SystemTime, commit: Option<&str>) -> Self {
        let variables = || COMMIT_VARIABLES.iter().filter_map(|name| env::var(name).ok());
        let commit = commit.map(str::to_owned).or_else(|| variables().find(|commit| !commit.is_empty()));
        // https://reproducible-builds.org/specs/source-date-epoch/
        let fixed = env::var("SOURCE_DATE_EPOCH").ok().and_then(|seconds| seconds.parse().ok());
        let since = date.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let words = env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
        let command = shell_words::join(["robotspec".to_owned()].into_iter().chain(words));
        Origin { date: Date(fixed.unwrap_or(since)), commit, command }
    }
}
