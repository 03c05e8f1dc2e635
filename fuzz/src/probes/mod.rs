//! Probes: queries whose answer shows how an implementation answers one question, and nothing else.
//!
//! A probe is made from a [seed](seeds) or from a row of the cases. The probes of a question differ in the names of
//! agents, in paths, and in the lines around those that the question is about. The reference checks each probe: the
//! outcome changes with the answer to the question, and with no other answer to a single other question.

mod isolate;
mod layout;
mod seed;
mod seeds;
mod vary;
mod words;

use std::sync::LazyLock;

use robotspec_cases::{Expected, Query, Suite};
use robotspec_reference::question::TABLE;
use robotspec_reference::{Choice, Edition, Question, Reading};

pub(crate) use isolate::Evaluated;
pub(crate) use vary::vary;

use isolate::{isolated_outcomes, others};
use seed::Seed;

/// A query that shows the answer of an implementation to one question.
#[derive(Debug, Clone)]
pub struct Probe {
    /// The question.
    pub question: Question,
    /// The spelling or character that the probe is about, where an implementation may answer the question differently for
    /// each.
    pub subject: Option<&'static str>,
    /// The answers to other questions, without which the probe shows nothing.
    pub given: Vec<Choice>,
    /// The query.
    pub query: Query,
    /// The outcome under each answer.
    pub outcomes: Vec<(Choice, Expected)>,
}

/// Questions that the editions which usually judge decide alike, and that have no probes: what another answer does cannot
/// be kept apart from other mistakes.
const WITHOUT_PROBES: [Question; 13] = [
    Question::NonAsciiLine,
    Question::AllowField,
    Question::ContentUsage,
    Question::UsageValue,
    Question::UsageTypo,
    Question::UsageTie,
    Question::HttpToken,
    Question::BlankLine,
    Question::AgentAfterRule,
    Question::EmptyDisallow,
    Question::EmptyAllow,
    Question::PathPortion,
    Question::UnsafeInRule,
];

/// Questions that the editions which usually judge decide alike, and whose other answers would change the outcome of nearly
/// every probe.
const OF_MOST_PROBES: [Question; 4] =
    [Question::StarInPath, Question::DollarInPath, Question::Escapes, Question::FirstRule];

/// Returns the answers to a question that an implementation may give: those that an edition which usually judges
/// admits, or all where these editions decide the question alike.
pub(crate) fn plausible_answers(question: Question) -> &'static [Choice] {
    // In the order of the table of questions.
    static PLAUSIBLE: LazyLock<Vec<Vec<Choice>>> =
        LazyLock::new(|| TABLE.iter().map(|row| list_plausible_answers(row.question)).collect());
    &PLAUSIBLE[question as usize]
}

fn list_plausible_answers(question: Question) -> Vec<Choice> {
    let answers = Edition::USUAL.into_iter().flat_map(|edition| question.row().answers(edition));
    // Any larger limit is no single reading.
    let larger = Question::SizeLimit.choice("larger");
    let mut answers: Vec<Choice> = answers.copied().filter(|choice| Some(*choice) != larger).collect();
    answers.sort();
    answers.dedup();
    match answers.len() {
        1 if !WITHOUT_PROBES.contains(&question) => question.choices().collect(),
        _ => answers,
    }
}

/// Returns the same, and the mistakes about the question that parsers often make.
pub(crate) fn observable_answers(question: Question) -> Vec<Choice> {
    let mut answers = plausible_answers(question).to_vec();
    let is_other = |mistake: &Choice| mistake.question == question && !answers.contains(mistake);
    let mistakes: Vec<Choice> = Choice::mistakes().filter(is_other).collect();
    answers.extend(mistakes);
    answers.sort();
    answers
}

/// How many probes are made from a subject of a seed, and from a row of the cases.
const PER_SEED: usize = 5;

/// How many probes of a question are made from rows of the cases.
const MOST_FROM_ROWS: usize = 20;

/// Returns the probes of every question, in the order of the questions.
pub fn find_probes(suites: &[Suite]) -> Vec<Probe> {
    TABLE.iter().flat_map(|row| probes_of(row.question, suites)).collect()
}

/// Returns the probes of a question.
fn probes_of(question: Question, suites: &[Suite]) -> Vec<Probe> {
    let mut probes = probes_from_seeds(question, |_| PER_SEED);
    // The rows do not say which subject they are about.
    if probes.iter().all(|probe| probe.subject.is_none()) {
        probes.extend(probes_from_rows(question, suites));
    }
    probes
}

/// Returns the probes of a question that are made from seeds, so many from each subject of a seed.
fn probes_from_seeds(question: Question, per_subject: impl Fn(&Seed) -> usize) -> Vec<Probe> {
    let of_question = seeds::SEEDS.iter().enumerate().filter(|(_, seed)| seed.question == question);
    of_question.flat_map(|(place, seed)| probes_from_seed(seed, place, per_subject(seed))).collect()
}

/// Returns many probes of a question that need no other answer. They are made from seeds alone.
pub(crate) fn many_probes(question: Question) -> Vec<Probe> {
    const PER_SEED: usize = 24;
    let mut probes = probes_from_seeds(question, |seed| PER_SEED.div_ceil(seed.subjects.len()));
    probes.retain(|probe| probe.given.is_empty());
    probes
}

fn probes_from_seed(seed: &Seed, place: usize, count: usize) -> Vec<Probe> {
    let base = base(seed.given_choices());
    let mut probes = Vec::new();
    for (index, (subject, text)) in seed.subjects.iter().enumerate() {
        // Other numbers for each seed, so that its probes do not have the words of another seed.
        let first = 7 * place + 3 * index;
        let numbers = first..first + 4 * count;
        let made = numbers.filter_map(|number| {
            let query = seed.query(text, number);
            let outcomes = match seed.given_outcomes(number) {
                Some(given) if !given.is_empty() => confirmed(&base, seed, &query, given)?,
                _ => isolated_outcomes(&base, seed.question, &query, &apart(seed))?,
            };
            let subject = Some(*subject).filter(|subject| !subject.is_empty());
            let Seed { question, .. } = *seed;
            Some(Probe { question, subject, given: seed.given_choices(), query, outcomes })
        });
        probes.extend(made.take(count));
    }
    probes
}

/// Returns the questions that the isolation of a seed leaves out.
fn apart(seed: &Seed) -> Vec<Question> {
    seed.apart.iter().copied().chain(seed.given_choices().into_iter().map(|choice| choice.question)).collect()
}

/// The plainest reading of RFC 9309, with other answers.
fn base(given: Vec<Choice>) -> Reading {
    given.into_iter().fold(Reading::plainest(Edition::Rfc9309), Reading::supposing)
}

/// Returns the outcomes that a seed states, where the reference confirms that of its own answer and no other question
/// matters for it.
fn confirmed(
    base: &Reading,
    seed: &Seed,
    query: &Query,
    outcomes: Vec<(Choice, Expected)>,
) -> Option<Vec<(Choice, Expected)>> {
    let Some(evaluated @ Evaluated::Match { .. }) = Evaluated::of(query) else { return Some(outcomes) };
    let (_, expected) = outcomes.iter().find(|(choice, _)| base.choice(seed.question) == *choice)?;
    let apart = [&[seed.question][..], &apart(seed)].concat();
    let is_confirmed = evaluated.outcome(base).as_ref() == Some(expected)
        && evaluated.is_settled(base, expected, |question| others(question, &apart));
    is_confirmed.then_some(outcomes)
}

fn probes_from_rows(question: Question, suites: &[Suite]) -> Vec<Probe> {
    let rows = suites.iter().flat_map(|suite| &suite.cases).flat_map(|case| &case.rows);
    let rows = rows.filter(|row| row.questions == [question]);
    let made = rows.enumerate().flat_map(|(place, row)| {
        let of_row =
            |query: Query, outcomes| Probe { question, subject: None, given: Vec::new(), query, outcomes };
        match &row.query {
            Query::Match { .. } => {
                let varied = (0..PER_SEED).filter_map(|number| vary(&row.query, place + 5 * number));
                let queries = std::iter::once(row.query.clone()).chain(varied);
                let probe = |query: Query| {
                    Some(of_row(query.clone(), isolated_outcomes(&base(Vec::new()), question, &query, &[])?))
                };
                queries.filter_map(probe).take(PER_SEED).collect()
            }
            // No edition that usually judges has usage preferences.
            Query::Usage { .. } => Vec::new(),
            _ if row.reasons.gives.is_empty() => Vec::new(),
            query => vec![of_row(query.clone(), row.reasons.gives.clone())],
        }
    });
    made.take(MOST_FROM_ROWS).collect()
}

#[cfg(test)]
mod tests;
