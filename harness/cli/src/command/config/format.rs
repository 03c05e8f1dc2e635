//! The format of `robotspec.toml`. Values that are texts are read as on the command line.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::num::{NonZeroU16, NonZeroU64};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use regex::bytes::Regex;
use robotspec_built_in::BuiltIn;
use robotspec_cases::{FileError, Filter, Level};
use robotspec_fuzz::Limit;
use robotspec_reference::Edition;
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use crate::command::filters::Filters;
use crate::command::implementation::{Implementation, ImplementationKind, Limits, unknown_implementation};
use crate::command::reports::ReportTo;
use crate::command::values::{duration, pattern, read_level, seconds, size};
use crate::report::Format;

/// A configuration.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(in crate::command) struct Config {
    /// The file that was read.
    #[serde(skip)]
    pub(in crate::command) file: Option<PathBuf>,
    /// Whether the command line names the file.
    #[serde(skip)]
    pub(super) is_named: bool,
    pub(in crate::command) editions: Vec<Edition>,
    #[serde(deserialize_with = "level")]
    pub(in crate::command) level: Option<Level>,
    #[serde(deserialize_with = "filters")]
    filters: Vec<Filter>,
    #[serde(deserialize_with = "filters")]
    skip: Vec<Filter>,
    pub(in crate::command) google_specific: Option<bool>,
    pub(in crate::command) variants: Option<bool>,
    pub(in crate::command) jobs: Option<NonZeroU16>,
    #[serde(deserialize_with = "timeout")]
    timeout: Option<Duration>,
    max_failures: Option<NonZeroU16>,
    #[serde(deserialize_with = "memory_limit")]
    memory_limit: Option<u64>,
    #[serde(deserialize_with = "reports")]
    pub(in crate::command) reports: Vec<ReportTo>,
    /// The tables from which the implementations are made.
    implementation: Vec<Spanned<ImplementationTable>>,
    #[serde(skip)]
    pub(in crate::command) implementations: Vec<Implementation>,
    pub(in crate::command) fuzz: FuzzConfig,
}

/// The configuration of `robotspec fuzz`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(in crate::command) struct FuzzConfig {
    pub(in crate::command) known_failures: Option<PathBuf>,
    pub(in crate::command) out: Option<PathBuf>,
    #[serde(deserialize_with = "time")]
    time: Option<Duration>,
    runs: Option<Spanned<NonZeroU64>>,
    pub(in crate::command) seed: Option<u64>,
}

/// An implementation: one of `builtin`, `adapter`, `exec` and `crawler`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct ImplementationTable {
    name: Option<String>,
    #[serde(deserialize_with = "built_in")]
    builtin: Option<&'static BuiltIn>,
    adapter: Option<String>,
    exec: Option<String>,
    crawler: Option<String>,
    allow_exit: Vec<i32>,
    disallow_exit: Vec<i32>,
    #[serde(deserialize_with = "output_pattern")]
    allow_pattern: Option<Regex>,
    #[serde(deserialize_with = "output_pattern")]
    disallow_pattern: Option<Regex>,
    known_failures: Option<PathBuf>,
    #[serde(deserialize_with = "timeout")]
    timeout: Option<Duration>,
    jobs: Option<NonZeroU16>,
    max_failures: Option<NonZeroU16>,
    #[serde(deserialize_with = "memory_limit")]
    memory_limit: Option<u64>,
}

impl Config {
    pub(in crate::command) fn filters(&self) -> Filters {
        Filters { only: self.filters.clone(), skip: self.skip.clone() }
    }
}

impl FuzzConfig {
    pub(in crate::command) fn limit(&self) -> Option<Limit> {
        self.runs.as_ref().map(|runs| Limit::Runs(runs.get_ref().get())).or(self.time.map(Limit::Time))
    }
}

/// A filter in an array. The error of a newtype has the place of the element.
#[derive(Deserialize)]
struct FilterFormat(#[serde(deserialize_with = "filter")] Filter);

fn filter<'de, D: Deserializer<'de>>(text: D) -> Result<Filter, D::Error> {
    String::deserialize(text)?.parse().map_err(D::Error::custom)
}

fn filters<'de, D: Deserializer<'de>>(texts: D) -> Result<Vec<Filter>, D::Error> {
    Ok(Vec::<FilterFormat>::deserialize(texts)?.into_iter().map(|FilterFormat(filter)| filter).collect())
}

/// Declares functions that read a text as the command line does.
macro_rules! read_texts {
    ($($name:ident: $Value:ty = $read:expr,)+) => {$(
        fn $name<'de, D: Deserializer<'de>>(text: D) -> Result<Option<$Value>, D::Error> {
            $read(&String::deserialize(text)?).map(Some).map_err(D::Error::custom)
        }
    )+};
}

read_texts! {
    level: Level = read_level,
    time: Duration = duration,
    memory_limit: u64 = size,
    output_pattern: Regex = pattern,
    built_in: &'static BuiltIn = find_built_in,
}

fn find_built_in(name: &str) -> Result<&'static BuiltIn, String> {
    robotspec_built_in::find(name).ok_or_else(|| unknown_implementation(name, []))
}

fn timeout<'de, D: Deserializer<'de>>(number: D) -> Result<Option<Duration>, D::Error> {
    seconds(&f64::deserialize(number)?.to_string()).map(Some).map_err(D::Error::custom)
}

fn reports<'de, D: Deserializer<'de>>(table: D) -> Result<Vec<ReportTo>, D::Error> {
    let reports = BTreeMap::<Format, PathBuf>::deserialize(table)?;
    Ok(reports.into_iter().map(|(format, file)| ReportTo { format, file }).collect())
}

/// Reads a configuration.
///
/// # Errors
///
/// The text is not a configuration.
pub(super) fn read_config(file: &Path, text: &str) -> Result<Config, FileError> {
    // A byte order mark has no column in an editor.
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let source = Source { file, text };
    let mut config: Config = toml::from_str(text)
        .map_err(|error| source.error(error.span().unwrap_or_default(), error.message()))?;
    let fuzz = &mut config.fuzz;
    if let (Some(_), Some(runs)) = (&fuzz.time, &fuzz.runs) {
        return Err(source.error(runs.span(), "give either `time` or `runs`, not both"));
    }
    let reports = config.reports.iter_mut().map(|report| &mut report.file);
    for path in reports.chain(&mut fuzz.known_failures).chain(&mut fuzz.out) {
        *path = source.resolve(path);
    }
    config.implementations = source.implementations(&config)?;
    Ok(config)
}

/// Returns whether a configuration has nothing but comments.
pub(super) fn is_empty(text: &str) -> bool {
    let mut lines = text.trim_start_matches('\u{FEFF}').lines().map(str::trim_start);
    lines.all(|line| line.is_empty() || line.starts_with('#'))
}

struct Source<'s> {
    file: &'s Path,
    text: &'s str,
}

impl Source<'_> {
    fn error(&self, span: Range<usize>, message: impl Display) -> FileError {
        let before = self.text.get(..span.start).unwrap_or(self.text);
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        let place = (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1);
        FileError::new(self.file, place, message.to_string().lines().collect::<Vec<_>>().join("; "))
    }

    /// Returns a path of the file, which is relative to the folder of the file.
    fn resolve(&self, path: &Path) -> PathBuf {
        if path == Path::new("-") {
            return path.to_owned();
        }
        self.file.parent().unwrap_or(Path::new("")).join(path)
    }

    fn implementations(&self, config: &Config) -> Result<Vec<Implementation>, FileError> {
        let Config { timeout, jobs, max_failures, memory_limit, .. } = *config;
        let defaults = Limits { timeout, jobs, max_failures, memory_limit };
        let mut implementations: Vec<Implementation> = Vec::new();
        for entry in &config.implementation {
            let (span, table) = (entry.span(), entry.get_ref());
            let kind = table.kind().map_err(|message| self.error(span.clone(), message))?;
            if let Some(name) = &table.name {
                let is_own_name = matches!(kind, ImplementationKind::BuiltIn(own) if own.name == name);
                let other = match implementations.iter().any(|other| other.name.as_ref() == Some(name)) {
                    true => Some("another"),
                    false if is_own_name => None,
                    false => robotspec_built_in::find(name).map(|_| "a built-in"),
                };
                if let Some(other) = other {
                    let message =
                        format!("{other} implementation has the name `{name}`; choose a different name");
                    return Err(self.error(span, message));
                }
            }
            let ImplementationTable { timeout, jobs, max_failures, memory_limit, .. } = *table;
            let limits = Limits { timeout, jobs, max_failures, memory_limit };
            implementations.push(Implementation {
                kind,
                name: table.name.clone(),
                known_failures: table.known_failures.as_deref().map(|file| self.resolve(file)),
                limits: limits.or(defaults),
            });
        }
        Ok(implementations)
    }
}

impl ImplementationTable {
    fn kind(&self) -> Result<ImplementationKind, &'static str> {
        let has_exits = !self.allow_exit.is_empty() || !self.disallow_exit.is_empty();
        let patterns = (&self.allow_pattern, &self.disallow_pattern);
        let kind = match (self.builtin, &self.adapter, &self.exec, &self.crawler) {
            (None, None, Some(command), None) => {
                let patterns = match patterns {
                    (None, None) => None,
                    (Some(allow), Some(disallow)) if !has_exits => Some((allow.clone(), disallow.clone())),
                    _ => {
                        return Err(
                            "give either exit statuses, or both `allow-pattern` and `disallow-pattern`",
                        );
                    }
                };
                let (allow, disallow) = (&self.allow_exit, &self.disallow_exit);
                return Ok(ImplementationKind::exec(command.clone(), patterns, allow, disallow));
            }
            (Some(_), None, None, None) if self.known_failures.is_some() => {
                return Err("a built-in implementation has its own list; remove `known-failures`");
            }
            (Some(built_in), None, None, None) => ImplementationKind::BuiltIn(built_in),
            (None, Some(command), None, None) => ImplementationKind::Adapter(command.clone()),
            (None, None, None, Some(command)) => ImplementationKind::Crawler(command.clone()),
            _ => return Err("give an implementation one of `builtin`, `adapter`, `exec` and `crawler`"),
        };
        match (has_exits, patterns) {
            (false, (None, None)) => Ok(kind),
            _ => Err("exit statuses and patterns belong to an `exec`; remove them"),
        }
    }
}
