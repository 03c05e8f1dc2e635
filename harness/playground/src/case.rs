//! An input as a file of cases.

use robotspec_cases::suite::write::{put, written_file};
use robotspec_cases::{Clause, Level};
use robotspec_reference::explanation::Explanation;
use robotspec_reference::{Edition, Question, RobotsTxt, Ruling};
use serde_yaml::{Mapping, Value};

/// Cited where an explanation has no clause that requires anything.
const DEFAULT: &str = "M-prefix";

/// Returns a file with one case and one row. The case expects what the reference answers, and runs in each edition that has
/// the clauses that `edition` applies.
///
/// # Errors
///
/// The text is not a URL.
pub fn case(file: &[u8], agent: &str, url: &str, edition: Edition) -> Result<String, String> {
    let robots = RobotsTxt::parse(file);
    let explain = |edition| robots.explain(edition, agent, url).map_err(|error| error.to_string());
    let clauses = clauses(&explain(edition)?);
    let mut explanations = Vec::new();
    for edition in Edition::ALL.into_iter().filter(|edition| has_all(&clauses, *edition)) {
        explanations.push(explain(edition)?);
    }
    let is_required = |of: &Explanation| {
        of.ruling == Ruling::Unspecified || Clause::weakest_level(&clauses, of.edition) != Level::May
    };
    explanations.retain(is_required);
    let mut row = Mapping::new();
    put(&mut row, "id", "row");
    put(&mut row, "agent", agent);
    put(&mut row, "url", url);
    put(&mut row, "expect", expectation(&explanations));
    let questions = questions(&explanations);
    if !questions.is_empty() {
        put(&mut row, "question", questions);
    }
    let mut case = Mapping::new();
    put(&mut case, "id", "case");
    put(&mut case, "clauses", clauses.iter().map(|clause| clause.id.as_str()).collect::<Vec<_>>());
    put(&mut case, "editions", explanations.iter().map(|of| of.edition.id()).collect::<Vec<_>>());
    put(&mut case, "robots", written_file(file));
    put(&mut case, "rows", vec![Value::Mapping(row)]);
    let mut suite = Mapping::new();
    put(&mut suite, "suite", "playground");
    put(&mut suite, "title", "An input of the playground");
    put(&mut suite, "source", edition.title());
    put(&mut suite, "cases", vec![Value::Mapping(case)]);
    serde_yaml::to_string(&suite).map_err(|error| error.to_string())
}

/// Returns the clauses that an edition applies and that require something, the most specific first.
fn clauses(explanation: &Explanation) -> Vec<&'static Clause> {
    let applied = explanation.decision.clauses().into_iter().rev().filter_map(Clause::find);
    let is_required =
        |clause: &&Clause| clause.level(explanation.edition).is_some_and(|level| level != Level::May);
    let required: Vec<&Clause> = applied.filter(is_required).collect();
    if required.is_empty() { Clause::find(DEFAULT).into_iter().collect() } else { required }
}

fn has_all(clauses: &[&Clause], edition: Edition) -> bool {
    clauses.iter().all(|clause| clause.section(edition).is_some())
}

/// Returns one word where all editions agree, or else one for each edition.
fn expectation(explanations: &[Explanation]) -> Value {
    match explanations {
        [first, rest @ ..] if rest.iter().all(|other| other.ruling == first.ruling) => {
            Value::from(first.ruling.id())
        }
        _ => {
            let mut words = Mapping::new();
            for explanation in explanations {
                put(&mut words, explanation.edition.id(), explanation.ruling.id());
            }
            Value::Mapping(words)
        }
    }
}

/// Returns the ids of the questions that make a ruling unspecified.
fn questions(explanations: &[Explanation]) -> Vec<&'static str> {
    let doubts = explanations.iter().flat_map(|explanation| &explanation.doubts);
    let mut questions: Vec<Question> = doubts.map(|doubt| doubt.question).collect();
    questions.sort();
    questions.dedup();
    questions.into_iter().map(Question::id).collect()
}
