//! The format of `robotspec.toml`.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU16;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use regex::bytes::Regex;
use robotspec_cases::{FileError, Level};
use robotspec_fuzz::Limit;
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use super::{Config, FuzzConfig, UnknownImplementation};
use crate::command::filters::Filters;
use crate::command::implementation::{Implementation, ImplementationKind, Limits};
use crate::command::reports::ReportTo;
use crate::command::values::{duration, pattern, read_level, seconds, size};
use crate::report::Format;

/// The whole file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct ConfigFormat {
    editions: Vec<Spanned<String>>,
    level: Option<Spanned<String>>,
    filters: Vec<Spanned<String>>,
    skip: Vec<Spanned<String>>,
    google_specific: bool,
    variants: bool,
    jobs: Option<NonZeroU16>,
    timeout: Option<Spanned<f64>>,
    max_failures: Option<NonZeroU16>,
    memory_limit: Option<Spanned<String>>,
    reports: BTreeMap<Format, PathBuf>,
    implementation: Vec<Spanned<ImplementationFormat>>,
    fuzz: FuzzFormat,
}

impl Default for ConfigFormat {
    fn default() -> Self {
        ConfigFormat {
            editions: Vec::new(),
            level: None,
            filters: Vec::new(),
            skip: Vec::new(),
            google_specific: true,
            variants: true,
            jobs: None,
            timeout: None,
            max_failures: None,
            memory_limit: None,
            reports: BTreeMap::new(),
            implementation: Vec::new(),
            fuzz: FuzzFormat::default(),
        }
    }
}

/// The table `fuzz`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct FuzzFormat {
    known_failures: Option<PathBuf>,
    out: Option<PathBuf>,
    time: Option<Spanned<String>>,
    runs: Option<Spanned<u64>>,
    seed: Option<u64>,
}

/// An implementation: one of `builtin`, `adapter`, `exec` and `crawler`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct ImplementationFormat {
    name: Option<String>,
    builtin: Option<Spanned<String>>,
    adapter: Option<String>,
    exec: Option<String>,
    crawler: Option<String>,
    #[serde(default)]
    allow_exit: Vec<i32>,
    #[serde(default)]
    disallow_exit: Vec<i32>,
    allow_pattern: Option<Pattern>,
    disallow_pattern: Option<Pattern>,
    known_failures: Option<PathBuf>,
    timeout: Option<Spanned<f64>>,
    jobs: Option<NonZeroU16>,
    max_failures: Option<NonZeroU16>,
    memory_limit: Option<Spanned<String>>,
}

#[derive(Debug)]
struct Pattern(Regex);

impl<'de> Deserialize<'de> for Pattern {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        pattern(&text).map(Pattern).map_err(serde::de::Error::custom)
    }
}

/// Reads a configuration.
///
/// # Errors
///
/// The text is not a configuration.
pub(super) fn read(file: &Path, text: &str) -> Result<Config, FileError> {
    // A byte order mark has no column in an editor.
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let source = Source { file, text };
    let format: ConfigFormat = toml::from_str(text)
        .map_err(|error| source.error(error.span().unwrap_or_default(), error.message()))?;
    let reports = format.reports.iter();
    Ok(Config {
        file: None,
        is_named: false,
        implementations: source.implementations(&format)?,
        editions: source.parsed(&format.editions)?,
        level: source.level(format.level.as_ref())?,
        filters: Filters { only: source.parsed(&format.filters)?, skip: source.parsed(&format.skip)? },
        google_specific: format.google_specific,
        variants: format.variants,
        jobs: format.jobs.map(From::from),
        reports: reports.map(|(&format, path)| ReportTo { format, file: source.resolve(path) }).collect(),
        fuzz: source.fuzz(&format.fuzz)?,
    })
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
    fn error(&self, span: Range<usize>, message: impl fmt::Display) -> FileError {
        let before = self.text.get(..span.start).unwrap_or(self.text);
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        FileError {
            file: self.file.to_owned(),
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            message: message.to_string().lines().collect::<Vec<_>>().join("; "),
        }
    }

    /// Returns a path of the file, which is relative to the folder of the file.
    fn resolve(&self, path: &Path) -> PathBuf {
        if path == Path::new("-") {
            return path.to_owned();
        }
        self.file.parent().unwrap_or(Path::new("")).join(path)
    }

    fn parsed<T: FromStr<Err: fmt::Display>>(&self, texts: &[Spanned<String>]) -> Result<Vec<T>, FileError> {
        let parse = |text: &Spanned<String>| {
            text.get_ref().parse().map_err(|error: T::Err| self.error(text.span(), error))
        };
        texts.iter().map(parse).collect()
    }

    fn level(&self, level: Option<&Spanned<String>>) -> Result<Option<Level>, FileError> {
        let read = |level: &Spanned<String>| {
            read_level(level.get_ref()).map_err(|error| self.error(level.span(), error))
        };
        level.map(read).transpose()
    }

    fn limits(
        &self,
        timeout: &Option<Spanned<f64>>,
        jobs: Option<NonZeroU16>,
        max_failures: Option<NonZeroU16>,
        memory_limit: &Option<Spanned<String>>,
    ) -> Result<Limits, FileError> {
        let read = |given: &Spanned<f64>| {
            seconds(&given.get_ref().to_string()).map_err(|error| self.error(given.span(), error))
        };
        let timeout = timeout.as_ref().map(read).transpose()?;
        let read =
            |given: &Spanned<String>| size(given.get_ref()).map_err(|error| self.error(given.span(), error));
        let memory = memory_limit.as_ref().map(read).transpose()?;
        Ok(Limits { timeout, jobs: jobs.map(From::from), max_failures: max_failures.map(From::from), memory })
    }

    fn fuzz(&self, format: &FuzzFormat) -> Result<FuzzConfig, FileError> {
        let limit = match (&format.time, &format.runs) {
            (Some(_), Some(runs)) => {
                return Err(self.error(runs.span(), "give either `time` or `runs`, not both"));
            }
            (Some(time), None) => {
                let read = duration(time.get_ref()).map_err(|error| self.error(time.span(), error))?;
                Some(Limit::Time(read))
            }
            (None, runs) => runs.as_ref().map(|runs| Limit::Runs(*runs.get_ref())),
        };
        let resolve = |path: &Option<PathBuf>| path.as_deref().map(|path| self.resolve(path));
        Ok(FuzzConfig {
            known_failures: resolve(&format.known_failures),
            out: resolve(&format.out),
            limit,
            seed: format.seed,
        })
    }

    fn implementations(&self, format: &ConfigFormat) -> Result<Vec<Implementation>, FileError> {
        let defaults =
            self.limits(&format.timeout, format.jobs, format.max_failures, &format.memory_limit)?;
        let mut implementations: Vec<Implementation> = Vec::new();
        for entry in &format.implementation {
            let implementation = self.implementation(entry, defaults)?;
            if let Some(name) = &implementation.name {
                let is_own_name =
                    matches!(implementation.kind, ImplementationKind::BuiltIn(own) if own.name == name);
                let other = match implementations.iter().any(|other| other.name.as_ref() == Some(name)) {
                    true => Some("another"),
                    false if is_own_name => None,
                    false => robotspec_built_in::find(name).map(|_| "a built-in"),
                };
                if let Some(other) = other {
                    let message =
                        format!("{other} implementation has the name `{name}`; choose a different name");
                    return Err(self.error(entry.span(), message));
                }
            }
            implementations.push(implementation);
        }
        Ok(implementations)
    }

    fn implementation(
        &self,
        entry: &Spanned<ImplementationFormat>,
        defaults: Limits,
    ) -> Result<Implementation, FileError> {
        let format = entry.get_ref();
        let limits = self.limits(&format.timeout, format.jobs, format.max_failures, &format.memory_limit)?;
        Ok(Implementation {
            kind: self.kind(entry)?,
            name: format.name.clone(),
            known_failures: format.known_failures.as_deref().map(|file| self.resolve(file)),
            limits: limits.or(defaults),
        })
    }

    fn kind(&self, entry: &Spanned<ImplementationFormat>) -> Result<ImplementationKind, FileError> {
        let format = entry.get_ref();
        let wrong = |message: &str| Err(self.error(entry.span(), message));
        let has_exits = !format.allow_exit.is_empty() || !format.disallow_exit.is_empty();
        let patterns = match (&format.allow_pattern, &format.disallow_pattern) {
            (Some(Pattern(allow)), Some(Pattern(disallow))) if !has_exits => {
                Some((allow.clone(), disallow.clone()))
            }
            (None, None) => None,
            _ if format.exec.is_none() => None,
            _ => return wrong("give either exit statuses, or both `allow-pattern` and `disallow-pattern`"),
        };
        let has_pattern = format.allow_pattern.is_some() || format.disallow_pattern.is_some();
        let kind = match (&format.builtin, &format.adapter, &format.exec, &format.crawler) {
            (Some(name), None, None, None) => ImplementationKind::BuiltIn(self.built_in(name)?),
            (None, Some(command), None, None) => ImplementationKind::Adapter(command.clone()),
            (None, None, Some(command), None) => {
                ImplementationKind::exec(command.clone(), patterns, &format.allow_exit, &format.disallow_exit)
            }
            (None, None, None, Some(command)) => ImplementationKind::Crawler(command.clone()),
            _ => return wrong("give an implementation one of `builtin`, `adapter`, `exec` and `crawler`"),
        };
        if matches!(kind, ImplementationKind::BuiltIn(_)) && format.known_failures.is_some() {
            return wrong("a built-in implementation has its own list; remove `known-failures`");
        }
        if format.exec.is_none() && (has_exits || has_pattern) {
            return wrong("exit statuses and patterns belong to an `exec`; remove them");
        }
        Ok(kind)
    }

    fn built_in(&self, name: &Spanned<String>) -> Result<&'static robotspec_built_in::BuiltIn, FileError> {
        robotspec_built_in::find(name.get_ref()).ok_or_else(|| {
            let available = robotspec_built_in::names().into_iter().map(str::to_owned).collect();
            let unknown = UnknownImplementation { name: name.get_ref().clone(), available };
            self.error(name.span(), unknown)
        })
    }
}
