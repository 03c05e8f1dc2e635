//! Probes: rows whose outcome depends on one question alone, as long as no other question matters. The reference finds
//! them: the outcome changes with the answer to the question, and with no other answer to a single other question.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use robotspec_cases::{Check, CheckId, Expected, ExpectedSitemaps, Query, Suite};
use robotspec_reference::question::{Row, TABLE};
use robotspec_reference::{Choice, Edition, Question, Reading};
use robotspec_text::visible_bytes;

use super::Evaluated;

/// A row that shows the answer of an implementation to one question.
#[derive(Debug, Clone)]
pub struct Probe {
    /// The row.
    pub row: CheckId,
    /// The question.
    pub question: Question,
    /// The spelling or character that the row is about, where an implementation may answer the question differently for
    /// each.
    pub subject: Option<String>,
    /// The answers to other questions, without which the row shows nothing.
    pub given: Vec<Choice>,
    /// The query.
    pub query: Query,
    /// The outcome under each answer.
    pub outcomes: Vec<(Choice, Expected)>,
}

/// Questions that the editions which usually judge decide alike, and that have no probes: what another answer does cannot
/// be kept apart from other mistakes.
const WITHOUT_PROBES: [Question; 15] = [
    Question::NonAsciiLine,
    Question::AllowField,
    Question::ContentUsage,
    Question::UsageValue,
    Question::UsageTypo,
    Question::UsageTie,
    Question::UsageLength,
    Question::UsageConflict,
    Question::HttpToken,
    Question::BlankLine,
    Question::AgentAfterRule,
    Question::EmptyDisallow,
    Question::EmptyAllow,
    Question::PathPortion,
    Question::UnsafeInRule,
];

/// Questions that the editions which usually judge decide alike, and whose other answers would change the outcome of many
/// probes, whatever their question.
const OF_MOST_PROBES: [Question; 8] = [
    Question::OtherLineEnd,
    Question::RuleCharacters,
    Question::MatchAnywhere,
    Question::StarAdded,
    Question::StarInPath,
    Question::DollarInPath,
    Question::Escapes,
    Question::FirstRule,
];

/// Questions whose other answers would change the outcome of many probes, and that few parsers answer so.
const RARE: [Question; 3] = [Question::ReservedByte, Question::StarIsShort, Question::ReplacedBytes];

/// Returns the questions whose answers cannot be kept apart from those to a question.
fn inseparable(question: Question) -> &'static [Question] {
    match question {
        Question::Bom => &[Question::OtherWhitespace, Question::Typo],
        // Such a character is ignored in a comment.
        Question::OtherLineEnd => &[Question::Comment],
        _ => &[],
    }
}

/// Returns the answers to a question that an implementation may give: those that an edition which usually judges
/// admits, or all where these editions decide the question alike.
fn plausible_answers(question: Question) -> &'static [Choice] {
    // In the order of the table of questions.
    static PLAUSIBLE: LazyLock<Vec<Vec<Choice>>> = LazyLock::new(|| {
        // Any larger limit is no single reading.
        let larger = Question::SizeLimit.choice("larger");
        let list = |row: &Row| {
            let answers = Edition::USUAL.into_iter().flat_map(|edition| row.answers(edition)).copied();
            let answers: BTreeSet<Choice> = answers.filter(|choice| Some(*choice) != larger).collect();
            match answers.len() {
                1 if !WITHOUT_PROBES.contains(&row.question) => row.question.choices().collect(),
                _ => answers.into_iter().collect(),
            }
        };
        TABLE.iter().map(list).collect()
    });
    &PLAUSIBLE[question as usize]
}

/// Returns the same, and the mistakes about the question that parsers often make.
pub fn observable_answers(question: Question) -> &'static [Choice] {
    static OBSERVABLE: LazyLock<Vec<Vec<Choice>>> = LazyLock::new(|| {
        let with_mistakes = |question| {
            let mistakes = Choice::mistakes().filter(|mistake| mistake.question == question);
            let answers = plausible_answers(question).iter().copied().chain(mistakes);
            answers.collect::<BTreeSet<_>>().into_iter().collect()
        };
        TABLE.iter().map(|row| with_mistakes(row.question)).collect()
    });
    &OBSERVABLE[question as usize]
}

/// A larger file takes long, in bytes: it is a probe for these questions alone.
const LARGE: usize = 64 << 10;
const ABOUT_SIZE: [Question; 2] = [Question::SizeLimit, Question::CutLine];

/// How many rows with large files are probes for a question.
const MOST_LARGE: usize = 4;

/// How many rows are probes for a question about one subject.
const MOST: usize = 8;

/// How many answers to other questions a probe may need.
const MOST_GIVEN: usize = 2;

/// Returns the probes of some questions among the rows of suites, in their order.
pub fn probes_of(suites: &[Suite], is_wanted: impl Fn(Question) -> bool) -> Vec<Probe> {
    let rows = suites.iter().flat_map(|suite| &suite.cases).flat_map(|case| &case.rows);
    let mut large: BTreeMap<Question, usize> = BTreeMap::new();
    rows.flat_map(|row| probes_of_row(row, &is_wanted, &mut large)).collect()
}

/// Returns the probes with the shortest files, and those that tell answers apart which shorter ones do not: the simpler a row,
/// the fewer other mistakes of an implementation matter.
pub fn simplest<'p>(probes: impl IntoIterator<Item = &'p Probe>) -> Vec<&'p Probe> {
    let mut probes = Vec::from_iter(probes);
    probes.sort_by_key(|probe| probe.query.file().map_or(0, |file| file.len()));
    let mut seen: BTreeMap<_, (usize, BTreeSet<(Choice, Choice)>)> = BTreeMap::new();
    probes.retain(|probe| {
        let key = (probe.question, &probe.subject, &probe.given);
        let (count, told_apart) = seen.entry(key).or_default();
        *count += 1;
        let known = told_apart.len();
        for (one, outcome) in &probe.outcomes {
            let others = probe.outcomes.iter().filter(|(_, other)| other != outcome);
            told_apart.extend(others.map(|(other, _)| (*one, *other)));
        }
        *count <= MOST || told_apart.len() > known
    });
    probes
}

/// Returns a row as a probe for each question that its outcome depends on alone. Where other questions make it unspecified as
/// well, it is a probe given certain answers to those.
fn probes_of_row(
    row: &Check,
    is_wanted: impl Fn(Question) -> bool,
    large: &mut BTreeMap<Question, usize>,
) -> Vec<Probe> {
    let is_large = row.query.file().is_some_and(|file| file.len() > LARGE);
    if is_large && !ABOUT_SIZE.into_iter().any(&is_wanted) {
        return Vec::new();
    }
    let Some(evaluated) = Evaluated::of(&row.query) else {
        return probes_of_stated(row).into_iter().filter(|probe| is_wanted(probe.question)).collect();
    };
    let mut probes: Vec<Probe> = Vec::new();
    let asked = evaluated.asked(&Reading::plainest(Edition::Rfc9309)).into_keys();
    let questions = asked.chain(row.questions.iter().copied()).filter(|question| is_wanted(*question));
    for question in questions.collect::<BTreeSet<_>>() {
        if is_large && (!ABOUT_SIZE.contains(&question) || large.get(&question) == Some(&MOST_LARGE)) {
            continue;
        }
        let is_open = row.questions.contains(&question);
        let most_given = match question {
            _ if is_open => MOST_GIVEN,
            // Some of their answers are about rules with a wildcard.
            Question::MatchAnywhere | Question::FirstRule => 1,
            // Or in a query.
            Question::ReservedByte => 1,
            Question::Escapes => 5,
            _ => 0,
        };
        let others = row.questions.iter().copied().filter(|other| *other != question);
        for base in readings_of_all(&others.collect::<Vec<_>>()) {
            let isolated = isolated_outcomes(&base, question, &evaluated, most_given);
            let Some((outcomes, given)) = isolated else { continue };
            let is_new = |probe: &Probe| probe.question != question || probe.given != given;
            if probes.iter().all(is_new) {
                // A mistake has subjects where a reading makes it.
                let readings = outcomes.iter().map(|(choice, _)| base.clone().supposing(*choice));
                let mut subjects = readings.map(|reading| evaluated.subjects(&reading, question));
                let subjects = subjects.find(|subjects| !subjects.is_empty()).unwrap_or_default();
                if subjects.len() > 1 {
                    continue;
                }
                let subject = subjects.first().map(|subject| visible_bytes(subject));
                let (row, query) = (row.id.clone(), row.query.clone());
                probes.push(Probe { row, question, subject, given, query, outcomes });
                *large.entry(question).or_default() += usize::from(is_large);
            }
        }
    }
    probes
}

/// Returns a row as a probe whose query has no outcome in a reading of the reference: where the row itself says what each
/// answer to its question gives.
fn probes_of_stated(row: &Check) -> Option<Probe> {
    let [question] = row.questions[..] else { return None };
    let outcomes = match (&row.query, row.expected.values().next()) {
        // No edition that usually judges has usage preferences.
        (Query::Usage { .. }, _) => return None,
        (_, Some(Expected::Sitemaps(expected))) => outcomes_of_open_sitemaps(question, expected),
        _ => row.reasons.gives.clone(),
    };
    let (row, query) = (row.id.clone(), row.query.clone());
    (!outcomes.is_empty()).then_some(Probe {
        row,
        question,
        subject: None,
        given: Vec::new(),
        query,
        outcomes,
    })
}

/// Returns the outcomes of the answers to the question whether a sitemap counts.
fn outcomes_of_open_sitemaps(question: Question, expected: &ExpectedSitemaps) -> Vec<(Choice, Expected)> {
    let outcome = |(answer, counts): (&str, bool)| {
        let optional = expected.optional.iter().filter(|_| counts);
        let required = expected.required.iter().chain(optional).cloned().collect();
        let sitemaps = ExpectedSitemaps { required, optional: Vec::new() };
        Some((question.choice(answer)?, Expected::Sitemaps(sitemaps)))
    };
    [("accept", true), ("ignore", false)].into_iter().map(outcome).collect::<Option<_>>().unwrap_or_default()
}

/// Returns the plainest reading of RFC 9309 with each combination of plausible answers to these questions, if they are few.
fn readings_of_all(questions: &[Question]) -> Vec<Reading> {
    let plainest = vec![Reading::plainest(Edition::Rfc9309)];
    if questions.len() > MOST_GIVEN {
        return Vec::new();
    }
    questions.iter().fold(plainest, |readings, &question| {
        let with = |reading: &Reading, answer: &Choice| reading.clone().supposing(*answer);
        let answers = |reading| plausible_answers(question).iter().map(move |answer| with(reading, answer));
        readings.iter().flat_map(answers).collect()
    })
}

/// The outcome of a query under each answer, and the answers to other questions without which an outcome changes.
type Isolated = (Vec<(Choice, Expected)>, Vec<Choice>);

/// Returns what a query shows about a question, given some answers of a reading to others. The result is `None` where all
/// outcomes are the same, and where more of these answers are needed: then other differences between implementations would
/// show, too.
fn isolated_outcomes(
    base: &Reading,
    question: Question,
    query: &Evaluated,
    most_given: usize,
) -> Option<Isolated> {
    let answers = observable_answers(question).iter();
    let outcomes = answers.map(|&choice| Some((choice, query.outcome(&base.clone().supposing(choice))?)));
    let outcomes: Vec<(Choice, Expected)> = outcomes.collect::<Option<_>>()?;
    outcomes.iter().find(|(_, other)| *other != outcomes[0].1)?;
    let others = |other: Question| {
        let is_apart = other == question
            || RARE.contains(&other)
            || inseparable(question).contains(&other)
            || OF_MOST_PROBES.contains(&other) && !OF_MOST_PROBES.contains(&question);
        match other {
            _ if is_apart => &[],
            // An agent in small letters changes the outcome of nearly every probe, as the length of the matched stretch
            // does where there is a wildcard, and a file that is ignored.
            Question::AgentCase | Question::LengthOf | Question::InvalidUtf8 => plausible_answers(other),
            other => observable_answers(other),
        }
    };
    let mut given = BTreeSet::new();
    for (choice, expected) in &outcomes {
        for other in query.unsettling(&base.clone().supposing(*choice), expected, others) {
            given.insert(other);
            if given.len() > most_given {
                return None;
            }
        }
    }
    Some((outcomes, given.into_iter().map(|other| base.choice(other)).collect()))
}
