//! Why an edition answers as it does, where a row says so.
//!
//! An implementation gives an answer and no reasons, so this is for the
//! reference alone: an explanation can be wrong where its ruling is right.

use std::collections::BTreeMap;

use robotspec_reference::grammar::{Expected as Wanted, LineStatus, Production, SyntaxError};
use robotspec_reference::{Answer, Edition, Question};

use crate::clause::Clause;
use crate::suite::Expected;
use crate::suite::format::{DecidedByFormat, LineFormat};

/// The reasons that a row states, for all its editions.
#[derive(Debug, Clone, Default)]
pub struct Reasons {
    /// What each answer to the row's question gives, where the row is unspecified.
    pub gives: Vec<(Answer, Expected)>,
    /// What decides, where it is definite.
    pub decided_by: Option<Deciding>,
    /// What the grammar makes of each line.
    pub lines: Option<Vec<LineStatus>>,
}

/// What decides in the plainest reading.
#[derive(Debug, Clone)]
pub struct Deciding {
    /// The numbers of the lines, from 1, in order.
    pub lines: Vec<usize>,
    /// The clauses that are applied.
    pub clauses: Vec<&'static Clause>,
    /// In how many ways the text can be read here, where the row says it.
    pub readings: Option<usize>,
}

/// Why reasons are none: the part that is wrong, below theirs, and the mend.
type Result<T> = std::result::Result<T, (String, String)>;

fn wrong<T>(part: impl Into<String>, message: impl Into<String>) -> Result<T> {
    Err((part.into(), message.into()))
}

/// What each answer to a question gives: every answer that is admitted where
/// the row is unspecified, and no other.
pub fn gives<T: Clone>(
    written: &BTreeMap<String, T>,
    questions: &[Question],
    expected: &BTreeMap<Edition, Expected>,
    outcome: impl Fn(T) -> Expected,
) -> Result<Vec<(Answer, Expected)>> {
    let [question] = questions else {
        return wrong("", "it tells what the answers to one question give; name one `question`");
    };
    let open = expected.iter().filter(|(_, expected)| expected.is_unspecified());
    let mut admitted: Vec<Answer> =
        open.flat_map(|(&edition, _)| question.row().answers(edition)).copied().collect();
    admitted.sort();
    admitted.dedup();
    if let Some(name) = written.keys().find(|name| admitted.iter().all(|answer| answer.id() != **name)) {
        let answers: Vec<_> = admitted.iter().map(|answer| answer.id()).collect();
        return wrong(
            format!(".{name}"),
            format!("`{name}` is no answer to {question} here; the answers are {}", answers.join(", ")),
        );
    }
    let mut given = Vec::new();
    for answer in admitted {
        let Some(value) = written.get(answer.id()) else {
            return wrong("", format!("nothing is said of the answer `{answer}` to {question}; add it"));
        };
        let value = outcome(value.clone());
        if value.is_unspecified() {
            return wrong(format!(".{answer}"), "one answer gives one verdict; it is not unspecified");
        }
        given.push((answer, value));
    }
    if given.iter().all(|(_, value)| *value == given[0].1) {
        return wrong("", "every answer gives the same, so nothing turns on the question");
    }
    Ok(given)
}

/// What decides: lines in order, and clauses that there are.
pub fn deciding(written: &DecidedByFormat, expected: &BTreeMap<Edition, Expected>) -> Result<Deciding> {
    if expected.values().all(Expected::is_unspecified) {
        return wrong("", "nothing decides where all is unspecified; say what each answer `gives`");
    }
    if !written.lines.is_sorted() || written.lines.first() == Some(&0) {
        return wrong(".lines", "give the numbers of lines, from 1 on, in their order");
    }
    let mut clauses = Vec::new();
    for (index, id) in written.clauses.iter().enumerate() {
        let Some(clause) = Clause::find(id) else {
            let message = format!("there is no clause `{id}`; see cases/clauses.yaml");
            return wrong(format!(".clauses[{index}]"), message);
        };
        clauses.push(clause);
    }
    Ok(Deciding { lines: written.lines.clone(), clauses, readings: written.readings })
}

/// What the grammar makes of a line.
pub fn line_status(written: &LineFormat) -> Result<LineStatus> {
    Ok(match written {
        LineFormat::Derived(name) => {
            let Some(production) = Production::ALL.into_iter().find(|production| production.id() == name)
            else {
                let known = Production::ALL.map(Production::id).join(", ");
                return wrong("", format!("no line is derived by `{name}`, but by {known}"));
            };
            LineStatus::Derived(production)
        }
        LineFormat::Additional(line) => LineStatus::Additional(line.additional.clone()),
        LineFormat::NotDerived(line) => {
            let Some(expected) = Wanted::ALL.into_iter().find(|wanted| wanted.id() == line.expected) else {
                let known = Wanted::ALL.map(Wanted::id).join(", ");
                return wrong(".expected", format!("`{}` is not one of {known}", line.expected));
            };
            LineStatus::NotDerived(SyntaxError { column: line.column, expected })
        }
    })
}
