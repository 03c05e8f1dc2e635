//! Surveys: queries about real files, how often an edition leaves the answer open there and for which questions, and how
//! implementations answer.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use robotspec::{Answer, Batch, Endpoint, Verdict};
use robotspec_cases::Query;
use robotspec_reference::witness::{product_tokens, rule_paths};
use robotspec_reference::{Edition, Question, RobotsTxt, Ruling};

use crate::send::{answer_at, send_and_report};

/// The agent that no file names.
const UNNAMED: &str = "ExampleBot";

/// The number of names and of rules of a file about which there are queries.
const NAMES: usize = 3;
const RULES: usize = 10;

/// The site of the files.
const SITE: &str = "http://example.com";

/// A query about a file, and what an edition rules.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The number of the file.
    pub file: usize,
    /// The query.
    pub query: Query,
    /// The ruling.
    pub ruling: Ruling,
    /// The questions on which the answer depends, where the edition does not specify it.
    pub questions: Vec<Question>,
}

/// How often an edition specifies the answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rulings {
    /// Queries that it allows.
    pub allow: usize,
    /// Queries that it disallows.
    pub disallow: usize,
    /// Queries whose answer it does not specify.
    pub unspecified: usize,
    /// The files with such queries.
    pub unspecified_files: BTreeSet<usize>,
}

/// How often an answer depends on a question.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Open {
    /// The queries.
    pub queries: usize,
    /// Those that implementations answer differently.
    pub split: usize,
    /// The files.
    pub files: BTreeSet<usize>,
}

/// The answers of an implementation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answers {
    /// The verdict on each query; `None` where there is no verdict.
    pub verdicts: Vec<Option<Ruling>>,
}

/// How the answers of an implementation agree with an edition.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Agreement {
    /// The queries whose answer the edition specifies, and that have a verdict.
    pub judged: usize,
    /// Those with the other verdict.
    pub contradicted: usize,
    /// The files with such queries.
    pub files: BTreeSet<usize>,
    /// The queries without a verdict.
    pub without_verdict: usize,
    /// The place of the query with the smallest file of those with the other verdict.
    pub example: Option<usize>,
}

/// Returns the queries about a file: for some agents that it names and one that it does not, the root and a URL for each of
/// some rules.
pub fn queries(robots: &Arc<[u8]>) -> Vec<Query> {
    let names = product_tokens(robots);
    let urls: Vec<String> = rule_paths(robots).iter().map(|path| format!("{SITE}{path}")).collect();
    let agents = spread(unique(names), NAMES).into_iter().chain([UNNAMED.to_owned()]);
    let urls: Vec<String> = [format!("{SITE}/")].into_iter().chain(spread(unique(urls), RULES)).collect();
    let query = |agent: &str, url: &String| Query::Match {
        robots: Arc::clone(robots),
        agent: agent.to_owned(),
        url: url.clone(),
    };
    agents.flat_map(|agent| urls.iter().map(|url| query(&agent, url)).collect::<Vec<_>>()).collect()
}

/// Removes repetitions.
fn unique(texts: Vec<String>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    texts.into_iter().filter(|text| seen.insert(text.clone())).collect()
}

/// Returns some of the texts, from the whole list.
fn spread(texts: Vec<String>, count: usize) -> Vec<String> {
    let step = texts.len().div_ceil(count).max(1);
    texts.into_iter().step_by(step).collect()
}

/// Returns queries with the rulings of an edition.
pub fn ask(edition: Edition, file: usize, robots: &Arc<[u8]>) -> Vec<Asked> {
    let parsed = RobotsTxt::parse(robots);
    let asked = |query: Query| {
        let Query::Match { agent, url, .. } = &query else { return None };
        let explanation = parsed.explain(edition, agent, url).ok()?;
        let questions = explanation.doubts.iter().map(|doubt| doubt.question).collect();
        Some(Asked { file, query, ruling: explanation.ruling, questions })
    };
    queries(robots).into_iter().filter_map(asked).collect()
}

/// Sends the queries to an implementation. `answered` is called after each file.
pub fn answers(endpoint: &mut dyn Endpoint, asked: &[Asked], answered: &mut dyn FnMut()) -> Answers {
    let mut batches: Vec<Batch> = Vec::new();
    for Asked { query, .. } in asked {
        if !batches.last_mut().is_some_and(|batch| batch.try_push(query)) {
            batches.push(Batch::single(query.clone()));
        }
    }
    let replies = send_and_report(endpoint, &batches, answered);
    let verdicts = batches.iter().zip(&replies).flat_map(|(batch, reply)| {
        (0..batch.queries().len()).map(|place| match answer_at(reply, place) {
            Ok(Answer::Match(Verdict::Allow)) => Some(Ruling::Allow),
            Ok(Answer::Match(Verdict::Disallow)) => Some(Ruling::Disallow),
            _ => None,
        })
    });
    Answers { verdicts: verdicts.collect() }
}

/// Returns how often the edition specifies the answer.
pub fn rulings(asked: &[Asked]) -> Rulings {
    let mut rulings = Rulings::default();
    for Asked { file, ruling, .. } in asked {
        match ruling {
            Ruling::Allow => rulings.allow += 1,
            Ruling::Disallow => rulings.disallow += 1,
            Ruling::Unspecified => {
                rulings.unspecified += 1;
                rulings.unspecified_files.insert(*file);
            }
        }
    }
    rulings
}

/// Returns the questions on which answers depend.
pub fn open_questions(asked: &[Asked], implementations: &[Answers]) -> BTreeMap<Question, Open> {
    let mut open: BTreeMap<Question, Open> = BTreeMap::new();
    for (place, Asked { file, questions, .. }) in asked.iter().enumerate() {
        let verdicts: BTreeSet<Ruling> = implementations
            .iter()
            .filter_map(|answers| answers.verdicts.get(place).copied().flatten())
            .collect();
        for question in questions {
            let open = open.entry(*question).or_default();
            open.queries += 1;
            open.split += usize::from(verdicts.len() > 1);
            open.files.insert(*file);
        }
    }
    open
}

/// Returns how the answers of an implementation agree with the edition.
pub fn agreement(asked: &[Asked], answers: &Answers) -> Agreement {
    let mut agreement = Agreement::default();
    let size = |place: usize| asked[place].query.file().map_or(0, |file| file.len());
    for (place, (Asked { file, ruling, .. }, verdict)) in asked.iter().zip(&answers.verdicts).enumerate() {
        match (ruling, verdict) {
            (_, None) => agreement.without_verdict += 1,
            (Ruling::Unspecified, Some(_)) => {}
            (ruling, Some(verdict)) => {
                agreement.judged += 1;
                if ruling != verdict {
                    agreement.contradicted += 1;
                    agreement.files.insert(*file);
                    if agreement.example.is_none_or(|example| size(place) < size(example)) {
                        agreement.example = Some(place);
                    }
                }
            }
        }
    }
    agreement
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(file: &str) -> Vec<Asked> {
        ask(Edition::Rfc9309, 0, &Arc::from(file.as_bytes()))
    }

    fn described(asked: &[Asked]) -> Vec<String> {
        let describe = |asked: &Asked| match &asked.query {
            Query::Match { agent, url, .. } => format!("{agent} {url} {}", asked.ruling),
            query => query.kind().to_owned(),
        };
        asked.iter().map(describe).collect()
    }

    #[test]
    fn there_are_queries_about_the_names_and_rules_of_a_file() {
        let file = "User-agent: FooBot\nDisallow: /a*b$ # all\nAllow: /c\nAllow: /c\nDisallow:\n";
        assert_eq!(
            described(&asked(file)),
            [
                "FooBot http://example.com/ allow",
                "FooBot http://example.com/axb disallow",
                "FooBot http://example.com/c allow",
                "ExampleBot http://example.com/ allow",
                "ExampleBot http://example.com/axb allow",
                "ExampleBot http://example.com/c allow",
            ]
        );
    }

    #[test]
    fn open_questions_and_contradictions_are_counted() {
        let decided = asked("user-agent: *\ndisallow: /fish\n");
        // RFC 9309 does not say what a byte order mark is.
        let open = asked("\u{feff}user-agent: *\ndisallow: /fish\n");
        let verdicts = |ruling| Answers { verdicts: vec![Some(ruling), Some(ruling)] };
        let all = [verdicts(Ruling::Allow), verdicts(Ruling::Disallow)];

        assert_eq!(
            agreement(&decided, &all[0]),
            Agreement { judged: 2, contradicted: 1, files: [0].into(), without_verdict: 0, example: Some(1) }
        );
        assert_eq!(open_questions(&decided, &all), BTreeMap::new());

        assert_eq!((rulings(&open).allow, rulings(&open).unspecified), (1, 1));
        assert_eq!(agreement(&open, &all[0]).judged, 1);
        let counted = Open { queries: 1, split: 1, files: [0].into() };
        assert_eq!(open_questions(&open, &all), [(Question::Bom, counted)].into());
        assert_eq!(agreement(&open, &Answers { verdicts: vec![None, None] }).without_verdict, 2);
    }

    #[test]
    fn the_names_and_rules_come_from_the_whole_list() {
        let all = (0..100).map(|number| number.to_string()).collect();
        assert_eq!(spread(all, 3), ["0", "34", "68"]);
        assert!(spread(Vec::new(), 3).is_empty());
    }
}
