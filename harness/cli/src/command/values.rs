//! Values of options.

use std::ffi::OsStr;
use std::fmt::Display;
use std::fs::File;
use std::io::Write;
use std::num::NonZeroU16;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::{Arg, Command};
use regex::bytes::{Regex, RegexBuilder};
use robotspec_cases::Level;
use robotspec_cases::read::{read, read_text};
use robotspec_reference::question::TABLE;
use robotspec_reference::{Edition, Question};
use robotspec_text::{visible, visible_path};

use crate::output;

/// How the result of a command is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// For people.
    Human,
    /// For programs: one JSON document or JSON Lines, depending on the command.
    Json,
}

impl Format {
    /// The name of the default.
    pub(super) const HUMAN: &str = "human";

    /// Reads the format of a command whose result for programs is one JSON document.
    pub(super) fn document() -> impl TypedValueParser<Value = Format> {
        Self::parser("json", "One JSON document, for programs")
    }

    /// Reads the format of a command whose result for programs is JSON Lines.
    pub(super) fn lines() -> impl TypedValueParser<Value = Format> {
        Self::parser("jsonl", "One JSON object per line, for programs")
    }

    fn parser(json: &'static str, help: &'static str) -> impl TypedValueParser<Value = Format> {
        let values = [(Self::HUMAN, "For people"), (json, help)];
        PossibleValuesParser::new(values.map(|(name, help)| PossibleValue::new(name).help(help)))
            .map(|name| if name == Self::HUMAN { Format::Human } else { Format::Json })
    }

    /// Returns the standard output of a command that writes this format.
    pub(super) fn stdout(self) -> Box<dyn Write> {
        match self {
            Format::Human => Box::new(output::stdout()),
            Format::Json => Box::new(output::for_programs()),
        }
    }
}

/// Reads the id of an edition.
pub(super) fn edition() -> impl TypedValueParser<Value = Edition> {
    PossibleValuesParser::new(editions()).try_map(|id| id.parse::<Edition>())
}

/// Reads the id of an edition, or `all`.
pub(super) fn edition_or_all() -> impl TypedValueParser<Value = Vec<Edition>> {
    const ALL: &str = "all";
    let values = editions().chain([PossibleValue::new(ALL).help("All editions")]);
    PossibleValuesParser::new(values).try_map(|id| match &*id {
        ALL => Ok(Edition::ALL.to_vec()),
        id => id.parse().map(|edition| vec![edition]),
    })
}

fn editions() -> impl Iterator<Item = PossibleValue> {
    Edition::ALL.into_iter().map(|edition| PossibleValue::new(edition.id()).help(edition.title()))
}

/// What the table of questions is read for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Topic {
    /// The answers of an edition.
    Edition(Edition),
    /// One question.
    Question(Question),
}

/// A parser of values of which help texts and shells show some or all.
#[derive(Clone)]
pub(super) struct Shown<P>(P, Vec<PossibleValue>);

impl<P: TypedValueParser> TypedValueParser for Shown<P> {
    type Value = P::Value;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<P::Value, clap::Error> {
        self.0.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.1.iter().cloned()))
    }
}

/// Reads any name of an implementation, because a configuration may define more than the built-in ones.
pub(super) fn implementation() -> impl TypedValueParser<Value = String> {
    let built_in = robotspec_built_in::names().into_iter().map(PossibleValue::new);
    Shown(StringValueParser::new(), built_in.collect())
}

/// Reads the id of an edition or of a question. The help text lists the editions.
pub(super) fn topic() -> impl TypedValueParser<Value = Topic> {
    let questions = TABLE.iter().map(|row| PossibleValue::new(row.question.id()).hide(true));
    Shown(StringValueParser::new().try_map(|id| read_topic(&id)), editions().chain(questions).collect())
}

fn read_topic(id: &str) -> Result<Topic, String> {
    let question = Question::from_id(id).map(Topic::Question);
    question.or_else(|| id.parse().ok().map(Topic::Edition)).ok_or_else(|| {
        let questions = TABLE.iter().map(|row| row.question.id());
        let ids = Edition::ALL.into_iter().map(Edition::id).chain(questions);
        let meant = nearest(ids, id).map(|id| format!("; did you mean `{id}`?")).unwrap_or_default();
        format!("`{}` is neither an edition nor a question{meant}", visible(id))
    })
}

/// The levels of failures that can fail a run, with their help texts. A permission fails nothing.
const LEVELS: [(Level, &str); 2] = [
    (Level::Must, "Only violations of what an edition requires fail the run"),
    (Level::Should, "Departures from what an edition recommends fail the run as well"),
];

/// Reads the weakest level of failures that fail a run.
pub(super) fn level() -> impl TypedValueParser<Value = Level> {
    let levels = LEVELS.map(|(level, help)| PossibleValue::new(level.id()).help(help));
    PossibleValuesParser::new(levels).try_map(|id| read_level(&id))
}

/// Reads the weakest level of failures that fail a run.
pub(super) fn read_level(text: &str) -> Result<Level, String> {
    let level = LEVELS.into_iter().map(|(level, _)| level).find(|level| level.id() == text);
    level.ok_or_else(|| format!("unknown level `{}`; available: must, should", visible(text)))
}

/// Reads a regular expression in which `^` and `$` match at the ends of a line.
pub(super) fn pattern(text: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(text).multi_line(true).crlf(true).build()
}

/// Reads a time limit in seconds.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| format!("`{}` is not a number of seconds", visible(text)))?;
    let limits = Duration::from_millis(1)..=Duration::from_secs(3600);
    let duration = Duration::try_from_secs_f64(seconds).ok();
    duration
        .filter(|duration| limits.contains(duration))
        .ok_or_else(|| "give between 0.001 and 3600 seconds".to_owned())
}

/// Returns a number, and what the unit after it stands for.
fn number_and_unit<T: FromStr + Copy>(text: &str, units: &[(&str, T)]) -> Option<(T, T)> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let (_, unit) = units.iter().find(|(name, _)| *name == &text[digits.len()..])?;
    digits.parse().ok().zip(Some(*unit))
}

/// Reads `90`, `60s`, `10m` or `2h`.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let units = [("ms", 0.001), ("", 1.0), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let seconds = number_and_unit(text, &units).map(|(number, unit): (f64, f64)| number * unit);
    let duration = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let duration = duration.filter(|duration| !duration.is_zero());
    duration.ok_or_else(|| format!("`{}` is not a duration; write `60s`, `10m` or `2h`", visible(text)))
}

/// Reads a number from 1 on.
pub(super) fn at_least_one() -> impl TypedValueParser<Value = NonZeroU16> {
    clap::value_parser!(u16).range(1..).try_map(NonZeroU16::try_from)
}

/// Reads a number of bytes: `65536`, `64K`, `512M` or `2G`, in powers of 1024.
pub(super) fn size(text: &str) -> Result<u64, String> {
    let units = [("", 1), ("K", 1 << 10), ("M", 1 << 20), ("G", 1 << 30)];
    let bytes = number_and_unit(text, &units).and_then(|(number, unit): (u64, u64)| number.checked_mul(unit));
    bytes.filter(|bytes| *bytes > 0).ok_or_else(|| {
        format!("`{}` is not a number of bytes; write `512M` or `2G`, in powers of 1024", visible(text))
    })
}

/// Sorts editions from the oldest on, each once.
pub(super) fn sorted(editions: &[Edition]) -> Vec<Edition> {
    Vec::from_iter(std::collections::BTreeSet::from_iter(editions.iter().copied()))
}

/// Reads a file, or standard input where the file is `-`.
///
/// # Errors
///
/// The file cannot be read, or is too large.
pub(super) fn read_file(file: &Path) -> Result<Vec<u8>> {
    let bytes = match file == Path::new("-") {
        true => read(std::io::stdin().lock()),
        false => File::open(file).and_then(read),
    };
    bytes.with_context(|| cannot_read(file))
}

/// Reads a text from a file.
///
/// # Errors
///
/// The file cannot be read, is too large, or is not UTF-8.
pub(super) fn read_text_file(file: &Path) -> Result<String> {
    read_text(file).with_context(|| cannot_read(file))
}

pub(super) fn cannot_read(file: &Path) -> String {
    format!("cannot read {}", visible_path(file))
}

/// Returns items in one line.
pub(super) fn joined(items: impl IntoIterator<Item = impl Display>) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(", ")
}

/// Returns the names of editions, or `all` in place of more than two if they are all `of` a number.
pub(super) fn names(editions: &[Edition], of: usize) -> String {
    match editions {
        [_, _, _, ..] if editions.len() == of && of == Edition::ALL.len() => "all editions".to_owned(),
        [_, _, _, ..] if editions.len() == of => format!("all {of} editions of the row"),
        _ => joined(editions),
    }
}

/// Returns the name that resembles a text most, if it resembles it much.
pub(super) fn nearest<'n>(names: impl IntoIterator<Item = &'n str>, text: &str) -> Option<&'n str> {
    let likeness = |name: &str| strsim::jaro_winkler(name, text);
    let nearest = names.into_iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)))?;
    (likeness(nearest) > 0.8).then_some(nearest)
}
