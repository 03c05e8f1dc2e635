//! Proves the cause of a violation: an answer to a question that the edition does not admit.
//!
//! That an answer gives the verdict of the implementation for one query proves nothing: with two possible verdicts, many
//! answers do so by chance. An answer is named only after two tests.
//!
//! 1. *Removal*. Steps of the minimiser make queries for which the answer makes no difference and the edition requires the
//!    same as of the query. For most of them, the implementation gives this verdict.
//! 2. *Generalisation*. A reader that gives this answer, and the answers of the plainest reading to all other questions,
//!    agrees with the implementation on further queries about the question: on all variations of the query, and on all but a few
//!    [probes](robotspec::inference) and variations of them, or of those about one spelling, such as one misspelling. On at
//!    least one probe and [`LEAST_AGREED`] further queries, its verdict differs from the verdict of the edition.
//!
//! An implementation may have several mistakes: what is proven of it is a part of each later reader. Where a query also depends
//! on a question that the edition leaves open, each answer is tried.
//!
//! Both tests take part in the time for one divergence. What is not proven by then is not named.

use std::collections::{BTreeMap, HashMap};

use robotspec::event::Status;
use robotspec::inference::{Evaluated, Probe, observable_answers, probes_of, simplest};

use robotspec::{Answer, Fault, status};
use robotspec_cases::suite::built_in;
use robotspec_cases::{Expected, Query};
use robotspec_reference::answer::EscapeMeaning;
use robotspec_reference::question::{TABLE, typed};
use robotspec_reference::{Choice, Edition, Question, Reading};

use super::vary::vary;
use crate::minimise::again::Examiner;
use crate::minimise::steps;
use crate::oracle::divergence::{Divergence, FindingKind};
use crate::oracle::expectation::expect;
use crate::oracle::known::Known;
use crate::oracle::{Oracle, is_certain};
use crate::send::ask;

/// On how many further queries the implementation and the reader agree against the edition.
const LEAST_AGREED: usize = 20;

/// One probe in how many may show another mistake of the implementation.
const MOST_OTHERS: usize = 8;

/// How many variations of the query are made.
const VARIATIONS: usize = 32;

/// How many probes of a question, and variations of them, are considered.
const PROBE_QUERIES: usize = 48;

/// How many queries of each pass of the minimiser are considered, and sent, to remove what the question is about.
const CONSIDERED_PER_PASS: usize = 64;
const SENT_PER_PASS: usize = 12;

/// What is known of an implementation, and of probes: findings often have one cause.
#[derive(Debug, Default)]
pub(crate) struct Agreements {
    pub(crate) known: Known,
    /// How the implementation agrees with a reader on the probes of a question.
    on_probes: HashMap<(Edition, Choice), Agreement>,
    /// The probes that show an answer to a question.
    probes: HashMap<Choice, Vec<Probe>>,
}

/// How an implementation agrees with a reader on probes.
#[derive(Debug, Clone, Copy, Default)]
struct Agreement {
    /// On how many it agrees against the edition.
    against_edition: usize,
    /// On how many it does not agree: they may show another mistake.
    others: usize,
}

/// Two readings: with an answer that is a mistake, and without it.
struct Mistaken {
    choice: Choice,
    with: Reading,
    without: Reading,
}

impl Mistaken {
    /// A mistake next to those that are proven of the implementation, and to an answer to an open question.
    fn new(edition: Edition, choice: Choice, open: Option<Choice>, known: &Known) -> Self {
        let without =
            open.into_iter().fold(known.reading(edition, Some(choice.question)), Reading::supposing);
        let with = without.clone().with_mistake(choice);
        Mistaken { choice, with, without }
    }

    /// Returns whether the answer gives what the implementation gives, and the reading without it does not.
    fn explains(&self, query: &Evaluated, got: &Result<Answer, Fault>) -> bool {
        let gives = |reading| query.outcome(reading).map(|outcome| status(&outcome, got) == Status::Pass);
        gives(&self.with) == Some(true) && gives(&self.without) == Some(false)
    }
}

/// Returns the cause of a minimal violation, if there is one that is proven.
pub(crate) fn find_cause(
    examiner: &mut Examiner,
    minimal: &Divergence,
    agreements: &mut Agreements,
) -> Option<Choice> {
    let Divergence { edition, kind: FindingKind::Violation, got: Ok(_), .. } = minimal else {
        return None;
    };
    let Oracle::Editions = examiner.oracle else { return None };
    if let Some(mistake) = agreements.known.explains(minimal, true) {
        return Some(mistake);
    }
    let is_proven = |examiner: &mut Examiner, agreements: &mut Agreements, mistaken: &Mistaken| {
        !examiner.deadline.is_over()
            && disappears_without(examiner, minimal, mistaken)
            && generalises(examiner, minimal, mistaken, agreements)
    };
    // An open question makes the readings many, and is needed by few.
    let found = [false, true].into_iter().find_map(|with_open| {
        let likely = explanations(minimal, &agreements.known, with_open);
        let first = likely.iter().find(|mistaken| is_proven(examiner, agreements, mistaken))?.choice;
        // Of the answers to one question, the implementation gives the one with which it agrees most.
        let alike = likely.into_iter().filter(|other| other.choice.question == first.question);
        let proven = alike.filter(|other| other.choice == first || is_proven(examiner, agreements, other));
        let proven: Vec<Choice> = proven.map(|other| other.choice).collect();
        proven
            .into_iter()
            .min_by_key(|choice| agreements.on_probes.get(&(*edition, *choice)).map(|on| on.others))
    });
    let cause = (*edition, found?);
    if !agreements.known.mistakes.contains(&cause) {
        agreements.known.mistakes.push(cause);
        // The readers are others from now on.
        agreements.on_probes.clear();
    }
    Some(cause.1)
}

/// Returns the answers that the edition does not admit and that give what the implementation gives: alone, or together with
/// an admitted answer to a question of the query that the edition leaves open.
fn explanations(minimal: &Divergence, known: &Known, with_open: bool) -> Vec<Mistaken> {
    let Some(query) = Evaluated::of(&minimal.query) else { return Vec::new() };
    let edition = minimal.edition;
    let mistaken = mistakes(edition).flat_map(|choice| {
        let alone = Mistaken::new(edition, choice, None, known);
        if !with_open {
            return vec![alone];
        }
        let open = known.open(&query, &alone.with);
        open.map(|open| Mistaken::new(edition, choice, Some(open), known)).collect()
    });
    mistaken.filter(|mistaken| mistaken.explains(&query, &minimal.got)).collect()
}

/// Returns the answers to questions that implementations give by mistake in an edition.
fn mistakes(edition: Edition) -> impl Iterator<Item = Choice> {
    let observable = TABLE.iter().flat_map(|row| observable_answers(row.question)).copied();
    observable.filter(move |choice| !choice.question.row().answers(edition).contains(choice))
}

/// Returns what the edition requires, even of readings that answer a question for each subject separately.
fn definite(edition: Edition, query: &Query) -> Option<Expected> {
    let expected = expect(edition, query);
    (!expected.is_unspecified() && is_certain(edition, query, &expected)).then_some(expected)
}

/// Returns whether the divergence disappears where the answer makes no difference.
fn disappears_without(examiner: &mut Examiner, minimal: &Divergence, mistaken: &Mistaken) -> bool {
    let mut without = Vec::new();
    for queries in steps(&minimal.query) {
        let queries = queries.into_iter().take(CONSIDERED_PER_PASS);
        let further = make_all_further(examiner, queries, mistaken);
        let is_without = |further: &Further| {
            !further.shows_mistake
                && further.required.as_ref() == Some(&further.read)
                && further.read == minimal.expected
        };
        without.extend(further.into_iter().filter(is_without).take(SENT_PER_PASS));
    }
    // Another mistake may show in some of them.
    agreeing(examiner, &without).is_some_and(|agreeing| 2 * agreeing > without.len())
}

/// A further query about a question.
struct Further {
    query: Query,
    /// The outcome of the reader.
    read: Expected,
    /// Whether it differs from the outcome without the mistake.
    shows_mistake: bool,
    /// What the edition requires, where it is definite.
    required: Option<Expected>,
}

impl Further {
    fn is_against_edition(&self) -> bool {
        self.shows_mistake && self.required.as_ref().is_some_and(|required| *required != self.read)
    }
}

/// Returns whether the implementation agrees with a reader that gives the answer on further queries about the question.
fn generalises(
    examiner: &mut Examiner,
    minimal: &Divergence,
    mistaken: &Mistaken,
    agreements: &mut Agreements,
) -> bool {
    let (edition, choice) = (minimal.edition, mistaken.choice);
    let of_probes = agreements.on_probes.get(&(edition, choice)).copied().unwrap_or_else(|| {
        let reader = Mistaken::new(edition, choice, None, &agreements.known);
        let is_asked = |other: Question| other == choice.question || parts(choice).contains(&other);
        let find = || built_in().map(|suites| probes_of(suites, is_asked)).unwrap_or_default();
        let probes = agreements.probes.entry(choice).or_insert_with(find);
        let mut tried = [false, true].into_iter().map(|with_others| {
            agreement_on_probes(examiner, &reader, &vary_probes(probes, edition, choice, with_others))
        });
        let agreed = tried.find(|agreed| agreed.against_edition > 0).unwrap_or_default();
        if !examiner.deadline.is_over() {
            agreements.on_probes.insert((edition, choice), agreed);
        }
        agreed
    });
    if of_probes.against_edition == 0 {
        return false;
    }
    let variations = (0..VARIATIONS).filter_map(|number| vary(&minimal.query, number));
    let mut variations = make_all_further(examiner, variations, mistaken);
    // A variation that no longer shows the divergence says nothing about it.
    variations.retain(Further::is_against_edition);
    of_probes.against_edition + variations.len() >= LEAST_AGREED
        && agreeing(examiner, &variations) == Some(variations.len())
}

/// Returns how the implementation agrees with the reader on probes of the question. The probes are taken together for each
/// subject: an implementation may accept one misspelling and not another.
fn agreement_on_probes(
    examiner: &mut Examiner,
    reader: &Mistaken,
    probes: &BTreeMap<Option<String>, Vec<Query>>,
) -> Agreement {
    let mut agreed = Agreement::default();
    let mut subjects = 0;
    for queries in probes.values() {
        let further = make_all_further(examiner, queries.iter().cloned(), reader);
        let (against, others): (Vec<Further>, Vec<Further>) =
            further.into_iter().partition(Further::is_against_edition);
        let [against, others] = [against, others].map(|further| {
            let agreeing = agreeing(examiner, &further).unwrap_or_default();
            (agreeing, further.len() - agreeing)
        });
        if [against, others].iter().all(|(agreeing, others)| MOST_OTHERS * others <= agreeing + others) {
            agreed.against_edition += against.0;
            agreed.others += against.1 + others.1;
            subjects += usize::from(against.0 > 0);
        }
    }
    // Encoders escape several characters. One alone has a meaning of its own: `+` is a space, and parameters start at `;`.
    if reader.choice.question == Question::ReservedByte && subjects < 2 {
        Agreement::default()
    } else {
        agreed
    }
}

/// The questions whose probes show an answer to another question. Who compares escapes as they are written answers these
/// alike, whatever they are about.
fn parts(choice: Choice) -> &'static [Question] {
    match choice == typed::Escapes.choice(EscapeMeaning::Written) {
        true => &[Question::NonAscii, Question::AsciiEscape],
        false => &[],
    }
}

/// Returns the probes of a question, and variations of them, by their subjects: those that need no other answer, or all.
/// Another mistake of the implementation matters for the others.
fn vary_probes(
    probes: &[Probe],
    edition: Edition,
    choice: Choice,
    with_others: bool,
) -> BTreeMap<Option<String>, Vec<Query>> {
    let (question, parts) = (choice.question, parts(choice));
    let is_against_edition = |probe: &&Probe| {
        let outcome = probe.outcomes.iter().find(|(other, _)| *other == choice).map(|(_, outcome)| outcome);
        definite(edition, &probe.query).is_some_and(|required| outcome != Some(&required))
    };
    let with_others = with_others && parts.is_empty();
    let probes = probes.iter().filter(|probe| with_others || probe.given.is_empty());
    let (against, others): (Vec<&Probe>, Vec<&Probe>) = probes.partition(is_against_edition);
    // The simplest have one operator of expressions, and a parser may know that alone.
    let against = if question == Question::RuleCharacters { against } else { simplest(against) };
    let probes: Vec<&Probe> = against.into_iter().chain(simplest(others)).collect();
    let subject = |probe: &Probe| probe.subject.clone().filter(|_| parts.is_empty());
    let varied = (0..PROBE_QUERIES.div_ceil(usize::max(probes.len(), 1))).flat_map(|round| {
        probes.iter().enumerate().filter_map(move |(place, probe)| match round {
            0 => Some((subject(probe), probe.query.clone())),
            _ => Some((subject(probe), vary(&probe.query, place + 5 * round)?)),
        })
    });
    let mut of_subjects: BTreeMap<Option<String>, Vec<Query>> = BTreeMap::new();
    varied
        .take(usize::max(PROBE_QUERIES, probes.len()))
        .for_each(|(subject, query)| of_subjects.entry(subject).or_default().push(query));
    of_subjects
}

/// Returns the further queries that can be made of these, until the time is up.
fn make_all_further(
    examiner: &Examiner,
    queries: impl Iterator<Item = Query>,
    mistaken: &Mistaken,
) -> Vec<Further> {
    let queries = queries.take_while(|_| !examiner.deadline.is_over());
    queries.filter_map(|query| make_further(query, mistaken)).collect()
}

/// Returns on how many queries the implementation agrees with the reader, unless the time is up before.
fn agreeing(examiner: &mut Examiner, further: &[Further]) -> Option<usize> {
    let queries: Vec<Query> = further.iter().map(|further| further.query.clone()).collect();
    let answers = ask(examiner.endpoint, &queries, examiner.deadline)?;
    let agrees = |(further, answer): &(&Further, &_)| status(&further.read, answer) == Status::Pass;
    Some(further.iter().zip(&answers).filter(agrees).count())
}

/// Returns the query with the outcome of the reader, where no other admitted answer to another question changes it.
fn make_further(query: Query, mistaken: &Mistaken) -> Option<Further> {
    let Mistaken { choice, with, without } = mistaken;
    let evaluated = Evaluated::of(&query)?;
    let read = evaluated.outcome(with)?;
    let plainest = Reading::plainest(with.edition());
    let others = |question: Question| match question == choice.question
        || without.choice(question) != plainest.choice(question)
    {
        true => &[][..],
        false => question.row().answers(with.edition()),
    };
    if evaluated.unsettling(with, &read, others).next().is_some() {
        return None;
    }
    let shows_mistake = evaluated.outcome(without)? != read;
    let required = definite(with.edition(), &query);
    Some(Further { query, read, shows_mistake, required })
}
