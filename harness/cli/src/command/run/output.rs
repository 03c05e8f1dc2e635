//! The values of `--format` and `--schema`.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::command::reports::ReportTo;
use crate::report::Format;

/// The output of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Output {
    /// The report for a person at a terminal.
    Human,
    Report(Format),
}

impl Output {
    /// The name of the default.
    pub(super) const HUMAN: &str = "human";

    /// Reads an output.
    pub(super) fn parser() -> impl TypedValueParser<Value = Output> {
        let formats = Format::ALL.map(|format| PossibleValue::new(format.id()).help(format.help()));
        let values = std::iter::once(PossibleValue::new(Self::HUMAN).help("For people")).chain(formats);
        PossibleValuesParser::new(values).map(|name| name.parse().map_or(Output::Human, Output::Report))
    }

    /// Returns the report to standard output.
    pub(super) fn report(self) -> Option<ReportTo> {
        match self {
            Output::Human => None,
            Output::Report(format) => Some(ReportTo::stdout(format)),
        }
    }
}

/// Reads a format that has a JSON Schema.
pub(super) fn schema_parser() -> impl TypedValueParser<Value = Format> {
    let formats = Format::ALL.into_iter().filter(|format| format.schema().is_some());
    let values = formats.map(|format| PossibleValue::new(format.id()).help(format.help()));
    PossibleValuesParser::new(values).try_map(|name| name.parse::<Format>())
}
