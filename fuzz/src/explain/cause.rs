//! Proves the cause of a violation: an answer to a question that the edition does not admit.
//!
//! That an answer gives the verdict of the implementation for one query proves nothing: with two possible verdicts, many
//! answers do so by chance. An answer is named only after two tests.
//!
//! 1. *Removal*. Steps of the minimiser make queries for which the answer makes no difference and the edition requires the
//!    same as of the query. For all of them, the implementation gives this verdict.
//! 2. *Generalisation*. A reader that gives this answer, and the answers of the plainest reading to all other questions,
//!    agrees with the implementation on every further query about the question: on variations of the query, and on
//!    [probes](robotspec::inference) and variations of them, all of them or all about one spelling, such as one misspelling. On at least one probe and [`LEAST_AGREED`]
//!    further queries, its verdict differs from the verdict of the edition.
//!
//! Both tests take part in the time for one divergence. What is not proven by then is not named.

use std::collections::{BTreeMap, HashMap};

use robotspec::inference::{Evaluated, Probe, observable_answers, probes_of, simplest};
use robotspec::{Answer, Verdict};
use robotspec_cases::suite::built_in;
use robotspec_cases::{Expected, Query};
use robotspec_reference::question::TABLE;
use robotspec_reference::{Choice, Edition, Question, Reading, RobotsTxt, Ruling};

use super::vary::vary;
use crate::minimise::again::Examiner;
use crate::minimise::steps;
use crate::oracle::Oracle;
use crate::oracle::divergence::{Divergence, FindingKind};
use crate::send::ask;

/// On how many further queries the implementation and the reader agree against the edition.
const LEAST_AGREED: usize = 20;

/// How many variations of the query are made.
const VARIATIONS: usize = 24;

/// How many probes of a question, and variations of them, are considered.
const PROBE_QUERIES: usize = 48;

/// How many queries of each pass of the minimiser are considered, and sent, to remove what the question is about.
const CONSIDERED_PER_PASS: usize = 64;
const SENT_PER_PASS: usize = 12;

/// What does not depend on the finding: findings often have one cause.
#[derive(Debug, Default)]
pub(crate) struct Agreements {
    /// On how many probes of a question an implementation agrees with a reader against the edition.
    on_probes: HashMap<(Edition, Choice), usize>,
    /// The probes of a question, and variations of them, by what they are about.
    probes: HashMap<Question, BTreeMap<Option<String>, Vec<Query>>>,
}

/// Returns the cause of a minimal violation, if there is one that is proven.
pub(crate) fn find_cause(
    examiner: &mut Examiner,
    minimal: &Divergence,
    agreements: &mut Agreements,
) -> Option<Choice> {
    let Divergence { edition, kind: FindingKind::Violation, query, got, .. } = minimal else { return None };
    let (Query::Match { .. }, Ok(Answer::Match(got))) = (query, got) else { return None };
    let Oracle::Editions = examiner.oracle else { return None };
    let (edition, got) = (*edition, got.clone());
    explaining_answers(edition, query, &got).into_iter().find(|choice| {
        !examiner.deadline.is_over()
            && disappears_without(examiner, minimal, *choice)
            && generalises(examiner, minimal, *choice, agreements)
    })
}

/// Returns the answers that the edition does not admit and that give the verdict of the implementation.
fn explaining_answers(edition: Edition, query: &Query, got: &Verdict) -> Vec<Choice> {
    let plainest = Reading::plainest(edition);
    let Some(query) = Evaluated::of(query) else { return Vec::new() };
    let explains = |choice: &Choice| {
        let outcome = || query.outcome(&plainest.clone().with_mistake(*choice));
        !choice.question.row().answers(edition).contains(choice)
            && outcome().is_some_and(|expected| gives(&expected, got))
    };
    TABLE.iter().flat_map(|row| observable_answers(row.question)).copied().filter(explains).collect()
}

fn gives(expected: &Expected, got: &Verdict) -> bool {
    matches!(expected, Expected::Ruling(ruling) if Verdict::from(*ruling) == *got)
}

/// Returns the ruling of the edition, where it is definite even for readings that answer a question for each subject
/// separately.
fn definite(edition: Edition, query: &Query) -> Option<Ruling> {
    let Query::Match { robots, agent, url } = query else { return None };
    let ruling = RobotsTxt::parse(robots).ruling_in_detail(edition, agent, url).ok()?;
    (ruling != Ruling::Unspecified).then_some(ruling)
}

/// Returns whether the divergence disappears where the answer makes no difference.
fn disappears_without(examiner: &mut Examiner, minimal: &Divergence, choice: Choice) -> bool {
    let mut without = Vec::new();
    for queries in steps(&minimal.query) {
        let queries = queries.into_iter().take(CONSIDERED_PER_PASS);
        let further = make_all_further(examiner, minimal.edition, queries, choice);
        let is_without = |further: &Further| {
            further.required == Some(further.read) && Expected::Ruling(further.read) == minimal.expected
        };
        without.extend(further.into_iter().filter(is_without).take(SENT_PER_PASS));
    }
    !without.is_empty() && agrees(examiner, &without)
}

/// A further query about a question.
struct Further {
    query: Query,
    /// The ruling of the reader.
    read: Ruling,
    /// The ruling of the edition, where it is definite.
    required: Option<Ruling>,
}

impl Further {
    fn is_against_edition(&self) -> bool {
        self.required.is_some_and(|required| required != self.read)
    }
}

/// Returns whether the implementation agrees with a reader that gives the answer on further queries about the question.
fn generalises(
    examiner: &mut Examiner,
    minimal: &Divergence,
    choice: Choice,
    agreements: &mut Agreements,
) -> bool {
    let edition = minimal.edition;
    let of_probes = agreements.on_probes.get(&(edition, choice)).copied().unwrap_or_else(|| {
        let probes = agreements.probes.entry(choice.question).or_insert_with(|| vary_probes(choice.question));
        let agreed = agreement_on_probes(examiner, edition, choice, probes);
        if !examiner.deadline.is_over() {
            agreements.on_probes.insert((edition, choice), agreed);
        }
        agreed
    });
    if of_probes == 0 {
        return false;
    }
    let variations = (0..VARIATIONS).filter_map(|number| vary(&minimal.query, number));
    let mut variations = make_all_further(examiner, edition, variations, choice);
    // A variation that no longer shows the divergence says nothing about it.
    variations.retain(Further::is_against_edition);
    of_probes + variations.len() >= LEAST_AGREED && agrees(examiner, &variations)
}

/// Returns on how many probes of the question the implementation agrees with the reader against the edition. The probes are
/// taken together for each subject: an implementation may accept one misspelling and not another.
fn agreement_on_probes(
    examiner: &mut Examiner,
    edition: Edition,
    choice: Choice,
    probes: &BTreeMap<Option<String>, Vec<Query>>,
) -> usize {
    let mut agreed = 0;
    for queries in probes.values() {
        let further = make_all_further(examiner, edition, queries.iter().cloned(), choice);
        if agrees(examiner, &further) {
            agreed += further.iter().filter(|further| further.is_against_edition()).count();
        }
    }
    agreed
}

/// Returns the probes of a question that need no other answer, and variations of them, by their subjects.
fn vary_probes(question: Question) -> BTreeMap<Option<String>, Vec<Query>> {
    // Who compares escapes as they are written answers these alike, whatever they are about.
    let parts: &[Question] = match question {
        Question::Escapes => &[Question::NonAscii, Question::AsciiEscape],
        _ => &[],
    };
    let is_asked = |other: Question| other == question || parts.contains(&other);
    let mut probes: Vec<Probe> = built_in().map(|suites| probes_of(suites, is_asked)).unwrap_or_default();
    probes.retain(|probe| probe.given.is_empty());
    let probes = simplest(&probes);
    let subject = |probe: &Probe| probe.subject.clone().filter(|_| parts.is_empty());
    let varied = (0..PROBE_QUERIES.div_ceil(usize::max(probes.len(), 1))).flat_map(|round| {
        probes.iter().enumerate().filter_map(move |(place, probe)| match round {
            0 => Some((subject(probe), probe.query.clone())),
            _ => Some((subject(probe), vary(&probe.query, place + 5 * round)?)),
        })
    });
    let mut of_subjects: BTreeMap<Option<String>, Vec<Query>> = BTreeMap::new();
    varied
        .take(PROBE_QUERIES)
        .for_each(|(subject, query)| of_subjects.entry(subject).or_default().push(query));
    of_subjects
}

/// Returns the further queries that can be made of these, until the time is up.
fn make_all_further(
    examiner: &Examiner,
    edition: Edition,
    queries: impl Iterator<Item = Query>,
    choice: Choice,
) -> Vec<Further> {
    let queries = queries.take_while(|_| !examiner.deadline.is_over());
    queries.filter_map(|query| make_further(edition, query, choice)).collect()
}

/// Returns whether the implementation agrees with the reader on all queries before the time is up.
fn agrees(examiner: &mut Examiner, further: &[Further]) -> bool {
    let queries: Vec<Query> = further.iter().map(|further| further.query.clone()).collect();
    let Some(answers) = ask(examiner.endpoint, &queries, examiner.deadline) else { return false };
    let is_same = |(further, answer): (&Further, &Result<Answer, _>)| matches!(answer, Ok(Answer::Match(verdict)) if *verdict == Verdict::from(further.read));
    further.iter().zip(&answers).all(is_same)
}

/// Returns the query with the ruling of the reader, where no other admitted answer to another question changes it.
fn make_further(edition: Edition, query: Query, choice: Choice) -> Option<Further> {
    let reader = Reading::plainest(edition).with_mistake(choice);
    let evaluated = Evaluated::of(&query)?;
    let expected = evaluated.outcome(&reader)?;
    let others = |question: Question| match question == choice.question {
        true => &[][..],
        false => question.row().answers(edition),
    };
    let Expected::Ruling(read) = expected else { return None };
    if evaluated.unsettling(&reader, &expected, others).next().is_some() {
        return None;
    }
    let required = definite(edition, &query);
    Some(Further { query, read, required })
}
