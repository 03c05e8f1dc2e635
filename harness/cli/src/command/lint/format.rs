//! The formats of `robotspec lint`.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::command::values::Format;

/// The format of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LintFormat {
    /// One of the formats of other commands.
    Usual(Format),
    /// The Static Analysis Results Interchange Format, version 2.1.0.
    Sarif,
}

/// Reads a format.
pub(super) fn parser() -> impl TypedValueParser<Value = LintFormat> {
    const SARIF: &str = "sarif";
    let values = [
        (Format::HUMAN, "For people"),
        ("jsonl", "One JSON object per line, for programs"),
        (SARIF, "SARIF 2.1.0, for the pages of code scanning; with the errors and notes of the grammar"),
    ];
    PossibleValuesParser::new(values.map(|(name, help)| PossibleValue::new(name).help(help))).map(|name| {
        match &*name {
            SARIF => LintFormat::Sarif,
            Format::HUMAN => LintFormat::Usual(Format::Human),
            _ => LintFormat::Usual(Format::Json),
        }
    })
}
