//! The results of `robotspec lint` as SARIF: the Static Analysis Results Interchange Format, version 2.1.0.

use std::path::Path;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use robotspec_cases::visible;
use robotspec_reference::advice::{Advice, AdviceKind};
use robotspec_reference::grammar::{CheckedLine, LineStatus};
use robotspec_reference::nearest_field;
use serde_json::{Value, json};

use crate::profiles::Profiles;

/// The schema of the version.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// What is percent-encoded in a URI reference: all but slashes and unreserved characters (RFC 3986, 2.3).
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The rules about lines that the grammar does not derive, or whose field it does not specify.
const NOT_DERIVED: (&str, &str) = ("not-derived", "The grammar does not derive the line.");
const UNSPECIFIED_FIELD: (&str, &str) =
    ("unspecified-field", "The grammar does not specify the field of the line.");

/// Returns the results as a log: the lines that the grammar does not derive or specify, then the advice.
pub(super) fn log<'l>(
    file: &Path,
    lines: impl Iterator<Item = CheckedLine<'l>>,
    advice: &[Advice],
    recorded: &Profiles,
) -> Value {
    let uri = uri(file);
    let of_lines = lines.filter_map(|line| of_line(&uri, &line));
    let results: Vec<Value> =
        of_lines.chain(advice.iter().map(|advice| of_advice(&uri, advice, recorded))).collect();
    let kinds = AdviceKind::ALL.into_iter().map(|kind| (kind.id(), kind.statement()));
    let rules = [NOT_DERIVED, UNSPECIFIED_FIELD].into_iter().chain(kinds);
    let rules = rules.map(|(id, statement)| json!({ "id": id, "shortDescription": { "text": statement } }));
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {
                "driver": {
                    "name": "robotspec",
                    "version": env!("CARGO_PKG_VERSION"),
                    "informationUri": env!("CARGO_PKG_REPOSITORY"),
                    "rules": rules.collect::<Vec<_>>(),
                },
            },
            "columnKind": "utf16CodeUnits",
            "results": results,
        }],
    })
}

/// Returns the path of a file as a URI reference; a URL is one. Standard input has no path.
fn uri(file: &Path) -> String {
    if file == Path::new("-") {
        return "robots.txt".to_owned();
    }
    if file.starts_with("http:") || file.starts_with("https:") {
        return file.to_string_lossy().into_owned();
    }
    let path = file.to_string_lossy().replace('\\', "/");
    let encoded = utf8_percent_encode(&path, ESCAPED).to_string();
    if path.starts_with('/') { format!("file://{encoded}") } else { encoded }
}

fn location(uri: &str, line: usize) -> Value {
    json!({ "physicalLocation": { "artifactLocation": { "uri": uri }, "region": { "startLine": line } } })
}

fn result(uri: &str, rule: &str, level: &str, line: usize, message: &str) -> Value {
    json!({
        "ruleId": rule,
        "level": level,
        "message": { "text": visible(message) },
        "locations": [location(uri, line)],
    })
}

fn of_line(uri: &str, line: &CheckedLine) -> Option<Value> {
    match &line.status {
        LineStatus::Derived(_) => None,
        LineStatus::NotDerived(error) => {
            let message = format!("column {}: expected {}", error.column, error.expected);
            Some(result(uri, NOT_DERIVED.0, "error", line.line, &message))
        }
        LineStatus::Additional(field) => {
            let message = format!("the grammar does not specify the field `{field}`");
            Some(match nearest_field(field) {
                Some(known) => {
                    let message = format!("{message}; did you mean `{known}`?");
                    result(uri, UNSPECIFIED_FIELD.0, "warning", line.line, &message)
                }
                None => result(uri, UNSPECIFIED_FIELD.0, "note", line.line, &message),
            })
        }
    }
}

fn of_advice(uri: &str, advice: &Advice, recorded: &Profiles) -> Value {
    let answers = advice.question().and_then(|question| recorded.answers(question));
    // The pages of code scanning show the message alone.
    let message = match &answers {
        Some(answers) => format!("{advice}; {answers}"),
        None => advice.to_string(),
    };
    let mut value = result(uri, advice.meaning.kind().id(), advice.severity.id(), advice.line, &message);
    if let (Some(question), Some(answers)) = (advice.question(), &answers) {
        value["properties"] = json!({ "question": question.id(), "recorded": answers.as_json() });
    }
    if let Some(line) = advice.other_line {
        value["relatedLocations"] = json!([location(uri, line)]);
    }
    value
}
