//! Proves the cause of a violation: an answer to a question that the edition does not admit.
//!
//! That an answer gives the verdict of the implementation for one query proves nothing: with two possible verdicts, many
//! answers do so by chance. An answer is named only after two tests.
//!
//! 1. *Removal*. Steps of the minimiser make queries for which the answer makes no difference. For none of them does the
//!    implementation diverge in the same way, and for one of them it gives the verdict that was expected of the query.
//! 2. *Generalisation*. A reader that gives this answer, and the answers of the plainest reading to all other questions,
//!    agrees with the implementation on every further query about the question: on variations of the query, and on
//!    [probes](robotspec::inference) and variations of them, all of them or all about one spelling, such as one misspelling. On at least one probe and [`LEAST_AGREED`]
//!    further queries, its verdict differs from the verdict of the edition.
//!
//! Both tests take part in the time for one divergence. What is not proven by then is not named.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

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
use crate::oracle::divergence::Divergence;
use crate::oracle::divergence::FindingKind;
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

/// How an implementation agrees with the reader that gives an answer on probes for the question.
#[derive(Debug, Clone, Copy)]
struct Agreement {
    is_complete: bool,
    /// On how many probes the verdict of the reader differs from the verdict of the edition.
    against_edition: usize,
}

/// The agreement of an implementation with readers. Findings often have one cause, and its probes are the same.
#[derive(Debug, Default)]
pub(crate) struct Agreements(HashMap<(Edition, Choice), Agreement>);

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
            && disappears_without(examiner, minimal, *choice) == Some(true)
            && generalises(examiner, minimal, *choice, agreements) == Some(true)
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

/// Returns whether the divergence disappears where the answer makes no difference. `None` where the time is up.
fn disappears_without(examiner: &mut Examiner, minimal: &Divergence, choice: Choice) -> Option<bool> {
    let Divergence { edition, query, expected, got, .. } = minimal;
    let reader = Reading::plainest(*edition).with_mistake(choice);
    let mut without: Vec<(Query, Ruling)> = Vec::new();
    for queries in steps(query) {
        let mut sent = 0;
        for simpler in queries.into_iter().take(CONSIDERED_PER_PASS) {
            if examiner.deadline.is_over() {
                return None;
            }
            let Some(ruling) = definite(*edition, &simpler) else { continue };
            let read = Evaluated::of(&simpler).and_then(|query| query.outcome(&reader));
            if read == Some(Expected::Ruling(ruling)) && sent < SENT_PER_PASS {
                sent += 1;
                without.push((simpler, ruling));
            }
        }
    }
    let queries: Vec<Query> = without.iter().map(|(query, _)| query.clone()).collect();
    let answers = ask(examiner.endpoint, &queries, examiner.deadline)?;
    let of_direction: Vec<_> = without
        .iter()
        .zip(answers)
        .filter(|((_, ruling), _)| Expected::Ruling(*ruling) == *expected)
        .collect();
    let remains = of_direction.iter().any(|(_, answer)| answer == got);
    let is_right = |((_, ruling), answer): &(&(Query, Ruling), Result<Answer, _>)| matches!(answer, Ok(Answer::Match(verdict)) if *verdict == Verdict::from(*ruling));
    Some(!remains && of_direction.iter().any(is_right))
}

/// A further query about a question.
struct Further {
    query: Query,
    /// The verdict of the reader.
    verdict: Verdict,
    /// Whether the edition requires another verdict.
    is_against_edition: bool,
}

/// Returns whether the implementation agrees with a reader that gives the answer on further queries about the question.
/// `None` where the time is up.
fn generalises(
    examiner: &mut Examiner,
    minimal: &Divergence,
    choice: Choice,
    agreements: &mut Agreements,
) -> Option<bool> {
    let edition = minimal.edition;
    let of_probes = match agreements.0.get(&(edition, choice)) {
        Some(known) => *known,
        None => {
            let made = agreement_on_probes(examiner, edition, choice)?;
            agreements.0.insert((edition, choice), made);
            made
        }
    };
    if !of_probes.is_complete || of_probes.against_edition == 0 {
        return Some(false);
    }
    let variations = (0..VARIATIONS).filter_map(|number| vary(&minimal.query, number));
    let mut variations = make_all_further(examiner, edition, variations, choice)?;
    // A variation that no longer shows the divergence says nothing about it.
    variations.retain(|variation| variation.is_against_edition);
    if of_probes.against_edition + variations.len() < LEAST_AGREED {
        return Some(false);
    }
    Some(agreement(examiner, variations)?.is_complete)
}

/// Returns how the implementation agrees with the reader on the probes of the question, taken together for each subject:
/// an implementation may accept one misspelling and not another. `None` where the time is up.
fn agreement_on_probes(examiner: &mut Examiner, edition: Edition, choice: Choice) -> Option<Agreement> {
    let mut of_subjects: BTreeMap<Option<&str>, Vec<Query>> = BTreeMap::new();
    for (subject, query) in vary_probes(choice.question) {
        of_subjects.entry(subject).or_default().push(query);
    }
    let mut all = Agreement { is_complete: false, against_edition: 0 };
    for queries in of_subjects.into_values() {
        let further = make_all_further(examiner, edition, queries.into_iter(), choice)?;
        let of_subject = agreement(examiner, further)?;
        if of_subject.is_complete {
            all.is_complete = true;
            all.against_edition += of_subject.against_edition;
        }
    }
    Some(all)
}

/// Returns the probes of a question that need no other answer, and variations of them, each with its subject.
fn vary_probes(question: Question) -> Vec<(Option<&'static str>, Query)> {
    static PROBES: LazyLock<Vec<Probe>> = LazyLock::new(|| built_in().map(probes_of).unwrap_or_default());
    // Who compares escapes as they are written answers these alike, whatever they are about.
    let parts: &[Question] = match question {
        Question::Escapes => &[Question::NonAscii, Question::AsciiEscape],
        _ => &[],
    };
    let is_asked = |probe: &&Probe| {
        probe.given.is_empty() && (probe.question == question || parts.contains(&probe.question))
    };
    let probes: Vec<&Probe> = simplest(PROBES.iter().filter(is_asked));
    let subject = |probe: &'static Probe| probe.subject.as_deref().filter(|_| parts.is_empty());
    let varied = (0..PROBE_QUERIES.div_ceil(usize::max(probes.len(), 1))).flat_map(|round| {
        probes.iter().enumerate().filter_map(move |(place, probe)| match round {
            0 => Some((subject(probe), probe.query.clone())),
            _ => Some((subject(probe), vary(&probe.query, place + 5 * round)?)),
        })
    });
    varied.take(PROBE_QUERIES).collect()
}

/// Returns the further queries that can be made of these. `None` where the time is up.
fn make_all_further(
    examiner: &Examiner,
    edition: Edition,
    queries: impl Iterator<Item = Query>,
    choice: Choice,
) -> Option<Vec<Further>> {
    let mut further = Vec::new();
    for query in queries {
        if examiner.deadline.is_over() {
            return None;
        }
        further.extend(make_further(edition, query, choice));
    }
    Some(further)
}

/// Returns how the implementation agrees with the reader. `None` where the time is up.
fn agreement(examiner: &mut Examiner, further: Vec<Further>) -> Option<Agreement> {
    let queries: Vec<Query> = further.iter().map(|further| further.query.clone()).collect();
    let answers = ask(examiner.endpoint, &queries, examiner.deadline)?;
    let agrees = |(further, answer): (&Further, &Result<Answer, _>)| matches!(answer, Ok(Answer::Match(verdict)) if *verdict == further.verdict);
    Some(Agreement {
        is_complete: further.iter().zip(&answers).all(agrees),
        against_edition: further.iter().filter(|further| further.is_against_edition).count(),
    })
}

/// Returns the query with the verdict of the reader, where no other admitted answer to another question changes it.
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
    let is_against_edition = definite(edition, &query).is_some_and(|ruling| ruling != read);
    Some(Further { query, verdict: Verdict::from(read), is_against_edition })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use robotspec::{Fault, InProcess, Info, MatchQuery, Parser};

    use super::*;
    use crate::deadline::Deadline;

    /// Disallows everything, or reads rules of equal length the wrong way.
    struct Wrong {
        disallows_everything: bool,
    }

    impl Parser for Wrong {
        fn info(&self) -> Info {
            Info::named("wrong")
        }

        fn check(&mut self, robots: &[u8], queries: &[MatchQuery]) -> Result<Vec<Verdict>, Fault> {
            let tie = Question::EqualLength.choice("disallow");
            let reading = tie.into_iter().fold(Reading::plainest(Edition::Rfc9309), Reading::supposing);
            let robots = RobotsTxt::parse(robots);
            let verdict = |query: &MatchQuery| match robots.decide(&reading, query.agent, query.url) {
                Ok(decision) if !self.disallows_everything => Verdict::from(Ruling::from(decision.verdict)),
                _ => Verdict::Disallow,
            };
            Ok(queries.iter().map(verdict).collect())
        }
    }

    /// Returns the cause of the divergence on two rules of equal length.
    fn cause_of_tie(disallows_everything: bool, is_stopped: bool) -> Option<&'static str> {
        let mut endpoint =
            InProcess::new(move || Box::new(Wrong { disallows_everything }), Duration::from_secs(60));
        let is_stopped = move || is_stopped;
        let mut examiner = Examiner {
            endpoint: &mut endpoint,
            oracle: &mut Oracle::Editions,
            deadline: Deadline::at_stop(&is_stopped),
        };
        let divergence = Divergence {
            edition: Edition::Rfc9309,
            kind: FindingKind::Violation,
            relation: None,
            query: Query::Match {
                robots: b"user-agent: a\nallow: /a\ndisallow: /a\n"[..].into(),
                agent: "a".to_owned(),
                url: "http://example.com/a".to_owned(),
            },
            expected: Expected::Ruling(Ruling::Allow),
            got: Ok(Answer::Match(Verdict::Disallow)),
        };
        let cause = find_cause(&mut examiner, &divergence, &mut Agreements::default())?;
        assert_eq!(cause.question, Question::EqualLength);
        Some(cause.id())
    }

    #[test]
    fn an_answer_is_the_cause_only_where_the_failure_disappears_without_it() {
        assert_eq!(cause_of_tie(false, false), Some("disallow"));
        // It agrees with the reader on all queries about rules of equal length, and fails without them, too.
        assert_eq!(cause_of_tie(true, false), None);
    }

    #[test]
    fn nothing_is_proven_after_the_deadline() {
        assert_eq!(cause_of_tie(false, true), None);
    }
}
