//! The data of a page, from what was answered and the suite inside this program.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use robotspec_reference::Edition;
use robotspec_reference::question::TABLE;

use crate::report::html::data::{
    self, CaseData, Counts, Data, Difference, ImplementationData, Parted, RowData, SuiteData,
};
use crate::report::html::file::{ShownFile, shown};
use crate::report::html::intern::Interner;
use crate::report::html::readings::{TellingRow, inferred, telling};
use crate::report::html::results::{Answers, ByEdition, EDITIONS, Results, Verdict};
use crate::report::html::why::{self, Parsed, Why, place_of_clause};
use robotspec::event::Status;
use robotspec::implementation::Incident;
use robotspec_cases::difference::{same, shows};
use robotspec_cases::suite::bytes::escaped;
use robotspec_cases::suite::{Case, Check, Request, Row, Suite, Variant, checks};

/// How much is shown of a file that another is compared with, in octets.
const TWIN_SHOWN: usize = 4 << 10;

/// A row of the suite, with all that it belongs to.
type Found<'s> = (usize, &'s Case, &'s Row);

/// The data of a page.
pub(super) fn data(mut results: Results, suites: &[Suite]) -> Data {
    let found = rows_by_id(suites);
    let order = order(&results, suites);
    let place: HashMap<u32, u32> = (0..).zip(&order).map(|(place, &row)| (row, place)).collect();
    let mut rows = Rows::new();
    for &row in &order {
        rows.add(row, &mut results, &found);
    }
    let mut questions = data::questions();
    for telling in &rows.telling {
        questions[telling.question as usize].rows.extend(place.get(&telling.row));
    }
    let implementations = results.implementations.iter();
    let implementations =
        implementations.map(|answers| implementation(answers, &results, &rows, &order, &place));
    let implementations = implementations.collect();
    let files = rows.files(&mut results.texts);
    Data {
        editions: data::editions(|edition| results.editions.contains(&edition)),
        statuses: data::statuses(),
        kinds: data::kinds(),
        clauses: data::clauses(),
        questions,
        variants: data::variants(),
        differences: differences(&checks(suites, false), &|id| place.get(&results.rows.find(id)?).copied()),
        suites: suites
            .iter()
            .map(|suite| SuiteData { title: suite.title.clone(), source: suite.source.clone() })
            .collect(),
        cases: rows.cases,
        files,
        rows: rows.rows,
        expected: rows.expected,
        reasons: rows.reasons,
        why: rows.why,
        outcomes: results.outcomes,
        implementations,
        texts: results.texts,
    }
}

fn rows_by_id(suites: &[Suite]) -> HashMap<&str, Found<'_>> {
    let cases =
        suites.iter().enumerate().flat_map(|(suite, of)| of.cases.iter().map(move |case| (suite, case)));
    cases.flat_map(|(suite, case)| case.rows.iter().map(move |row| (&*row.id, (suite, case, row)))).collect()
}

/// The rows that were answered: those of the suite in its order, then others
/// as they came.
fn order(results: &Results, suites: &[Suite]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..).zip(results.rows.list()).map(|(place, _)| place).collect();
    let rank: HashMap<&str, usize> = suites
        .iter()
        .flat_map(|suite| &suite.cases)
        .flat_map(|case| &case.rows)
        .zip(0..)
        .map(|(row, rank)| (&*row.id, rank))
        .collect();
    order.sort_by_key(|&row| {
        results.rows.get(row).and_then(|id| rank.get(id.as_str())).copied().unwrap_or(usize::MAX)
    });
    order
}

/// The rows of a page, with what they share.
struct Rows<'s> {
    rows: Vec<RowData>,
    cases: Vec<CaseData>,
    case_places: HashMap<&'s str, usize>,
    /// The files by their octets, with the lines that decide.
    file_places: HashMap<&'s [u8], usize>,
    file_list: Vec<(&'s [u8], BTreeSet<usize>)>,
    parsed: Parsed<'s>,
    expected: Interner<ByEdition<u32>>,
    reasons: Interner<ByEdition<u32>>,
    why: Interner<Why>,
    telling: Vec<TellingRow>,
}

impl<'s> Rows<'s> {
    fn new() -> Self {
        Rows {
            rows: Vec::new(),
            cases: Vec::new(),
            case_places: HashMap::new(),
            file_places: HashMap::new(),
            file_list: Vec::new(),
            parsed: Parsed::new(),
            expected: Interner::default(),
            reasons: Interner::default(),
            why: Interner::default(),
            telling: Vec::new(),
        }
    }

    fn add(&mut self, row: u32, results: &mut Results, found: &HashMap<&str, Found<'s>>) {
        let id = results.rows.get(row).cloned().unwrap_or_default();
        let clause = results.clauses[row as usize];
        let expected = self.expected.place(results.expected[row as usize]);
        let Some(&(suite, case, of_suite)) = found.get(&*id) else {
            // Somebody else's row: what was asked is not told in the events.
            let none = self.reasons.place([None; EDITIONS]);
            self.rows.push(RowData(None, id, clause, "", None, Vec::new(), expected, none));
            return;
        };
        let case_place = self.case(suite, case);
        let why = why::why(of_suite, &mut self.parsed, &mut results.texts);
        let file = file_of(&of_suite.request).map(|file| self.file(file, &why));
        let mut reasons: ByEdition<u32> = [None; EDITIONS];
        for (reason, why) in reasons.iter_mut().zip(why) {
            *reason = why.map(|why| self.why.place(why));
        }
        let reasons = self.reasons.place(reasons);
        let (kind, facts) = facts(&of_suite.request);
        let facts = facts.into_iter().map(|(label, text)| (label, results.texts.text(&text))).collect();
        let suffix = id[case.id.len()..].to_owned();
        self.rows.push(RowData(Some(case_place), suffix, clause, kind, file, facts, expected, reasons));
        self.telling.extend(telling(row, of_suite));
    }

    fn case(&mut self, suite: usize, case: &'s Case) -> usize {
        *self.case_places.entry(&case.id).or_insert_with(|| {
            self.cases.push(CaseData {
                id: case.id.clone(),
                suite,
                about: case.about.clone(),
                clauses: case.clauses.iter().filter_map(|clause| place_of_clause(&clause.id)).collect(),
                google: case.google_specific,
            });
            self.cases.len() - 1
        })
    }

    fn file(&mut self, file: &'s Arc<[u8]>, why: &ByEdition<Why>) -> usize {
        let place = *self.file_places.entry(file).or_insert_with(|| {
            self.file_list.push((file, BTreeSet::new()));
            self.file_list.len() - 1
        });
        self.file_list[place].1.extend(why::lines(why));
        place
    }

    fn files(&self, texts: &mut Interner<String>) -> Vec<ShownFile> {
        self.file_list.iter().map(|(file, deciding)| shown(file, deciding, texts)).collect()
    }
}

fn file_of(request: &Request) -> Option<&Arc<[u8]>> {
    match request {
        Request::Match { robots, .. } | Request::Alike { robots, .. } | Request::Sitemaps { robots } => {
            Some(robots)
        }
        Request::Grammar { text } => Some(text),
        Request::Scope { .. } | Request::Access { .. } => None,
    }
}

/// What kind of request it is, and what is asked, part by part.
fn facts(request: &Request) -> (&'static str, Vec<(&'static str, String)>) {
    match request {
        Request::Match { agent, url, .. } => ("match", vec![("agent", agent.clone()), ("URL", url.clone())]),
        Request::Alike { twin, agent, url, .. } => {
            let twin = escaped(&twin[..twin.len().min(TWIN_SHOWN)]);
            ("alike", vec![("agent", agent.clone()), ("URL", url.clone()), ("the other file", twin)])
        }
        Request::Scope { robots_url, url } => {
            ("scope", vec![("robots.txt", robots_url.clone()), ("URL", url.clone())])
        }
        Request::Sitemaps { .. } => ("sitemaps", Vec::new()),
        Request::Access { visits, agent, paths } => {
            let mut facts: Vec<_> = visits.iter().map(|visit| ("the server", visit.to_string())).collect();
            facts.push(("agent", agent.clone()));
            facts.push(("paths", paths.join(" ")));
            ("access", facts)
        }
        Request::Grammar { .. } => ("grammar", Vec::new()),
    }
}

fn implementation(
    answers: &Answers,
    results: &Results,
    rows: &Rows<'_>,
    order: &[u32],
    place: &HashMap<u32, u32>,
) -> ImplementationData {
    let outcome = |row: &u32| answers.rows.get(row).map_or(-1, |&outcome| i64::from(outcome));
    let mut readings = inferred(&rows.telling, answers, results);
    readings.iter_mut().for_each(|inferred| inferred.renumber(place));
    let (rewritten, parted) = rewritten(answers, results, place);
    ImplementationData {
        name: answers.info.name.clone(),
        version: answers.info.version.clone(),
        language: answers.info.language.clone(),
        homepage: answers.info.homepage.clone(),
        built_in: robotspec_built_in::NAMES.contains(&&*answers.info.name),
        finished: answers.are_all(),
        incidents: incidents(&answers.incidents),
        likely: answers.likely.clone(),
        stale: answers.stale.clone(),
        rows: order.iter().map(outcome).collect(),
        rewritten,
        parted,
        readings,
    }
}

/// What it makes of the files that were rewritten.
fn rewritten(answers: &Answers, results: &Results, place: &HashMap<u32, u32>) -> (Vec<Counts>, Vec<Parted>) {
    let mut counts = vec![[(0, 0); EDITIONS]; Variant::ALL.len()];
    let mut parted = Vec::new();
    let has_passed = |verdict: &Verdict| verdict.0 == Status::Pass as u8;
    for (&(row, variant), &outcome) in &answers.variants {
        let as_written = answers.rows.get(&row).and_then(|&outcome| results.outcomes.get(outcome));
        let (Some(as_written), Some(rewritten)) = (as_written, results.outcomes.get(outcome)) else {
            continue;
        };
        let Some(variant) = Variant::ALL.iter().position(|&other| other == variant) else { continue };
        let mut is_same = true;
        for (column, (before, after)) in as_written.iter().zip(rewritten).enumerate() {
            let (Some(before), Some(after)) = (before, after) else { continue };
            is_same &= (before.0, before.1) == (after.0, after.1);
            if has_passed(before) {
                counts[variant][column].0 += 1;
                counts[variant][column].1 += usize::from(has_passed(after));
            }
        }
        if !is_same {
            parted.extend(place.get(&row).map(|&row| (row, variant, outcome)));
        }
    }
    (counts, parted)
}

/// What happened to it; the same once, with how often it came.
fn incidents(incidents: &[Incident]) -> Vec<String> {
    let mut told: Vec<(String, usize)> = Vec::new();
    for incident in incidents {
        let text = match incident {
            Incident::Restarted { reason } => format!("started again after {reason}"),
            Incident::GaveUp { reason } => format!("could not be run: {reason}"),
            Incident::BadExit { status } => format!("bad exit: {status}"),
        };
        match told.iter_mut().find(|(other, _)| *other == text) {
            Some((_, times)) => *times += 1,
            None => told.push((text, 1)),
        }
    }
    let times =
        |(text, times): (String, usize)| if times == 1 { text } else { format!("{text} ({times} times)") };
    told.into_iter().map(times).collect()
}

/// Where each two editions part.
fn differences(checks: &[Check], place: &dyn Fn(&str) -> Option<u32>) -> Vec<Difference> {
    let differing: Vec<&Check> = checks
        .iter()
        .filter(|check| check.expected.values().collect::<Vec<_>>().windows(2).any(|pair| pair[0] != pair[1]))
        .collect();
    let mut differences = Vec::new();
    for (a, &edition) in Edition::ALL.iter().enumerate() {
        for (b, &other) in Edition::ALL.iter().enumerate().skip(a + 1) {
            let asked = TABLE.iter().filter(|row| !same(row, edition, other));
            let shown = |row| differing.iter().find(|check| shows(check, row, edition, other));
            let questions =
                asked.map(|row| (row.question as usize, shown(row).and_then(|check| place(&check.id))));
            differences.push(Difference { a, b, questions: questions.collect() });
        }
    }
    differences
}
