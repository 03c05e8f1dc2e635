//! `robotspec.toml`: what `robotspec run` does in a project, and other commands with its implementations.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use regex::bytes::Regex;
use robotspec_reference::Edition;
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use crate::command::filters::Filters;
use crate::command::implementations::{Implementations, duration, pattern, seconds};
use crate::command::output;
use crate::command::reports::ReportTo;
use crate::command::subjects::Subjects;
use crate::report::Format;
use robotspec_cases::yaml::FileError;
use robotspec_fuzz::{Limit, Make};

/// Where a configuration is looked for.
const FILE: &str = "robotspec.toml";

/// Where a command finds its configuration.
#[derive(Debug, Args)]
pub(super) struct ConfigArgument {
    /// What to run, and how [default: robotspec.toml of the current folder, if it is there]
    #[arg(long = "config", value_name = "FILE")]
    pub(super) file: Option<PathBuf>,
}

/// What a configuration says.
#[derive(Debug)]
pub(super) struct Config {
    file: PathBuf,
    /// One for each implementation; none where it names none.
    pub(super) subjects: Vec<Subjects>,
    pub(super) editions: Vec<Edition>,
    pub(super) filters: Filters,
    pub(super) google_specific: bool,
    pub(super) variants: bool,
    pub(super) jobs: Option<u16>,
    pub(super) reports: Vec<ReportTo>,
    pub(super) fuzz: FuzzConfig,
}

/// What `robotspec fuzz` does.
#[derive(Debug, Default)]
pub(super) struct FuzzConfig {
    pub(super) known: Option<PathBuf>,
    pub(super) out: Option<PathBuf>,
    pub(super) limit: Option<Limit>,
    pub(super) seed: Option<u64>,
}

impl Config {
    /// Reads the file that is given, or else the one of the current folder, if
    /// there is one.
    ///
    /// # Errors
    ///
    /// It cannot be read, or is no configuration.
    pub(super) fn find(given: &ConfigArgument) -> Result<Self> {
        let given = given.file.as_deref();
        let file = given.unwrap_or(Path::new(FILE));
        if given.is_none() && !file.exists() {
            return Ok(Config::read(file, "")?);
        }
        let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        Ok(Config::read(file, &text)?)
    }

    fn read(file: &Path, text: &str) -> Result<Self, FileError> {
        let source = Source { file, text };
        let format: ConfigFormat = toml::from_str(text)
            .map_err(|error| source.error(error.span().unwrap_or_default(), error.message()))?;
        let timeout =
            |seconds: Option<&Spanned<f64>>| seconds.map(|seconds| source.timeout(seconds)).transpose();
        let default_timeout = timeout(format.timeout.as_ref())?;
        let mut subjects = Vec::new();
        for entry in &format.implementation {
            let mut subject = source.subject(entry)?;
            let own = timeout(entry.get_ref().timeout.as_ref())?;
            subject.implementations.timeout = own.or(default_timeout);
            subject.implementations.jobs = entry.get_ref().jobs.or(format.jobs).map(From::from);
            if let Some(name) = &subject.name {
                let is_taken = |other: &Subjects| other.name.as_ref() == Some(name);
                let is_built_in = robotspec_built_in::NAMES.contains(&name.as_str());
                if subjects.iter().any(is_taken)
                    || is_built_in && subject.implementations.names != [name.as_str()]
                {
                    let message =
                        format!("another implementation is called `{name}`; give this one a name of its own");
                    return Err(source.error(entry.span(), &message));
                }
            }
            subjects.push(subject);
        }
        let fuzz = source.fuzz(&format.fuzz)?;
        let reports = format.reports.into_iter();
        Ok(Config {
            file: file.to_owned(),
            subjects,
            fuzz,
            editions: source.parsed(&format.editions)?,
            filters: Filters { only: source.parsed(&format.filters)?, skip: source.parsed(&format.skip)? },
            google_specific: format.google_specific,
            variants: format.variants,
            jobs: format.jobs.map(From::from),
            reports: reports.map(|(format, path)| ReportTo { format, file: source.beside(&path) }).collect(),
        })
    }
}

impl Config {
    /// The implementations that a command is about: those that its command line names, and where it names none, those
    /// of the configuration. None where neither does.
    ///
    /// # Errors
    ///
    /// A name is neither in the configuration nor built in.
    pub(super) fn subjects(&self, given: &Subjects) -> Result<Vec<Subjects>> {
        let with_limits = |subjects: &Subjects| {
            let mut subjects = subjects.clone();
            subjects.implementations.override_with(&given.implementations);
            subjects
        };
        if given.is_empty() {
            return Ok(self.subjects.iter().map(with_limits).collect());
        }
        let mut named = Vec::new();
        let mut others = given.clone();
        others.implementations.names.clear();
        for name in &given.implementations.names {
            match self.named(name) {
                Some(subjects) => named.push(with_limits(subjects)),
                None if robotspec_built_in::NAMES.contains(&name.as_str()) => {
                    others.implementations.names.push(name.clone());
                }
                None => bail!(self.unknown(name)),
            }
        }
        if !others.is_empty() {
            named.push(others);
        }
        Ok(named)
    }

    /// The one that it calls so.
    pub(super) fn named(&self, name: &str) -> Option<&Subjects> {
        self.subjects.iter().find(|subjects| subjects.name.as_deref() == Some(name))
    }

    fn unknown(&self, name: &str) -> String {
        let own = self.subjects.iter().filter_map(|subjects| subjects.name.as_deref());
        let names: Vec<&str> = own.chain(robotspec_built_in::NAMES.iter().copied()).collect();
        let likeness = |known: &&&str| strsim::jaro_winkler(known, name);
        let near = names.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
        let near = near.filter(|near| likeness(near) > 0.8);
        let near = near.map(|near| format!("; is `{near}` meant?")).unwrap_or_default();
        format!(
            "there is no implementation `{name}`, but {}{near}\nname another in robotspec.toml, or give its command with --adapter or --exec",
            names.join(", ")
        )
    }

    /// How commands that only ask, and let no crawler loose, make the implementations. None where neither the
    /// command line nor the configuration names one.
    ///
    /// # Errors
    ///
    /// There is no such name, a command is no list of words, or there is nothing but crawlers.
    pub(super) fn makes(&self, given: &Implementations) -> Result<Option<Vec<Make>>> {
        let chosen = self.subjects(&given.clone().into())?;
        let mut makes = Vec::new();
        for subjects in &chosen {
            if let Some(crawler) = subjects.crawler.first() {
                let name = subjects.name.as_ref().unwrap_or(crawler);
                output::warning(&format!(
                    "{name} is a crawler, which only `robotspec run` can judge: left out"
                ));
            }
            makes.extend(subjects.named_makes()?);
        }
        if makes.is_empty() && !chosen.is_empty() {
            bail!("{} has nothing but crawlers; name an implementation", self.file.display());
        }
        Ok((!makes.is_empty()).then_some(makes))
    }
}

/// The file as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct ConfigFormat {
    editions: Vec<Spanned<String>>,
    filters: Vec<Spanned<String>>,
    skip: Vec<Spanned<String>>,
    google_specific: bool,
    variants: bool,
    jobs: Option<std::num::NonZeroU16>,
    timeout: Option<Spanned<f64>>,
    reports: BTreeMap<Format, PathBuf>,
    implementation: Vec<Spanned<ImplementationFormat>>,
    fuzz: FuzzFormat,
}

/// What `robotspec fuzz` does.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct FuzzFormat {
    known: Option<PathBuf>,
    out: Option<PathBuf>,
    time: Option<Spanned<String>>,
    runs: Option<Spanned<u64>>,
    seed: Option<u64>,
}

impl Default for ConfigFormat {
    fn default() -> Self {
        ConfigFormat {
            editions: Vec::new(),
            filters: Vec::new(),
            skip: Vec::new(),
            google_specific: true,
            variants: true,
            jobs: None,
            timeout: None,
            reports: BTreeMap::new(),
            implementation: Vec::new(),
            fuzz: FuzzFormat::default(),
        }
    }
}

/// An implementation. It has one of `builtin`, `adapter`, `exec`, `crawler`.
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
    jobs: Option<std::num::NonZeroU16>,
}

#[derive(Debug)]
struct Pattern(Regex);

impl<'de> Deserialize<'de> for Pattern {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        pattern(&text).map(Pattern).map_err(serde::de::Error::custom)
    }
}

impl<'de> Deserialize<'de> for Format {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        ReportTo::format(&text).map_err(serde::de::Error::custom)
    }
}

struct Source<'s> {
    file: &'s Path,
    text: &'s str,
}

impl Source<'_> {
    fn error(&self, span: Range<usize>, message: &str) -> FileError {
        let before = self.text.get(..span.start).unwrap_or(self.text);
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        FileError {
            file: self.file.to_owned(),
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            message: message.lines().collect::<Vec<_>>().join("; "),
        }
    }

    /// A path as the file means it: relative to itself.
    fn beside(&self, path: &Path) -> PathBuf {
        if path == Path::new("-") {
            return path.to_owned();
        }
        self.file.parent().unwrap_or(Path::new("")).join(path)
    }

    fn parsed<T: FromStr<Err: fmt::Display>>(&self, texts: &[Spanned<String>]) -> Result<Vec<T>, FileError> {
        let parse = |text: &Spanned<String>| {
            text.get_ref().parse().map_err(|error: T::Err| self.error(text.span(), &error.to_string()))
        };
        texts.iter().map(parse).collect()
    }

    fn timeout(&self, written: &Spanned<f64>) -> Result<Duration, FileError> {
        seconds(&written.get_ref().to_string()).map_err(|message| self.error(written.span(), &message))
    }

    fn fuzz(&self, format: &FuzzFormat) -> Result<FuzzConfig, FileError> {
        let limit = match (&format.time, &format.runs) {
            (Some(_), Some(runs)) => {
                return Err(self.error(runs.span(), "give either `time` or `runs`, not both"));
            }
            (Some(time), None) => {
                let read = duration(time.get_ref()).map_err(|message| self.error(time.span(), &message))?;
                Some(Limit::Time(read))
            }
            (None, runs) => runs.as_ref().map(|runs| Limit::Runs(*runs.get_ref())),
        };
        let beside = |path: &Option<PathBuf>| path.as_deref().map(|path| self.beside(path));
        Ok(FuzzConfig { known: beside(&format.known), out: beside(&format.out), limit, seed: format.seed })
    }

    fn subject(&self, entry: &Spanned<ImplementationFormat>) -> Result<Subjects, FileError> {
        let wrong = |message: &str| Err(self.error(entry.span(), message));
        let format = entry.get_ref();
        let ways = [
            format.builtin.is_some(),
            format.adapter.is_some(),
            format.exec.is_some(),
            format.crawler.is_some(),
        ];
        if ways.into_iter().filter(|&given| given).count() != 1 {
            return wrong("give an implementation one of `builtin`, `adapter`, `exec` and `crawler`");
        }
        if let Some(name) = &format.builtin
            && !robotspec_built_in::NAMES.contains(&name.get_ref().as_str())
        {
            let names = robotspec_built_in::NAMES.join(", ");
            let message = format!("there is no built-in implementation `{}`, but {names}", name.get_ref());
            return Err(self.error(name.span(), &message));
        }
        if format.builtin.is_some() && format.known_failures.is_some() {
            return wrong(
                "what is built in has its list of known failures inside; take `known-failures` away",
            );
        }
        let has_exits = !format.allow_exit.is_empty() || !format.disallow_exit.is_empty();
        let patterns = (format.allow_pattern.is_some(), format.disallow_pattern.is_some());
        if format.exec.is_none() && (has_exits || patterns != (false, false)) {
            return wrong("exit statuses and patterns say what the end of an `exec` means; this is none");
        }
        if patterns.0 != patterns.1 || (patterns.0 && has_exits) {
            return wrong("give either exit statuses, or both `allow-pattern` and `disallow-pattern`");
        }
        let pattern = |pattern: &Option<Pattern>| pattern.as_ref().map(|Pattern(regex)| regex.clone());
        Ok(Subjects {
            implementations: Implementations {
                names: format.builtin.iter().map(|name| name.get_ref().clone()).collect(),
                adapter: format.adapter.iter().cloned().collect(),
                exec: format.exec.iter().cloned().collect(),
                allow_exit: format.allow_exit.clone(),
                disallow_exit: format.disallow_exit.clone(),
                allow_pattern: pattern(&format.allow_pattern),
                disallow_pattern: pattern(&format.disallow_pattern),
                timeout: None,
                jobs: None,
                is_apart: false,
            },
            crawler: format.crawler.iter().cloned().collect(),
            known_failures: format.known_failures.as_deref().map(|file| self.beside(file)),
            name: format.name.clone(),
        })
    }
}
