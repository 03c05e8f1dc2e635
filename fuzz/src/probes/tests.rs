use std::collections::BTreeSet;

use robotspec_cases::Query;
use robotspec_cases::suite::built_in;
use robotspec_reference::Question;
use robotspec_reference::Question::*;
use robotspec_reference::question::TABLE;

use super::{Probe, find_probes, plausible_answers, seeds, vary};

/// How many probes of a question differ from each other in agent, path and file.
const LEAST: usize = 5;

/// Returns whether a question is about access, and so in the last chapters of the table. A probe is a history of visits, so
/// that only rows of the cases are probes, and a question has as many as there are rows.
fn is_about_access(question: Question) -> bool {
    question >= HopsBeyondFive
}

/// Questions whose probes cannot differ in one respect, with the reason.
const SAME_URL: &[(Question, &str)] = &[
    (RobotsTxtItself, "the question is about a single path"),
    (RobotsTxtNamed, "the question is about a single path"),
];

/// Questions whose probes cannot have other agents, with the reason.
const SAME_AGENTS: &[(Question, &str)] = &[(GooglebotMatch, "the question is about the crawlers of a table")];

fn count<T: Ord>(probes: &[&Probe], part: impl Fn(&Query) -> Option<T>) -> usize {
    probes.iter().filter_map(|probe| part(&probe.query)).collect::<BTreeSet<T>>().len()
}

#[test]
fn every_question_has_probes_that_differ_in_agent_path_and_file() {
    let probes = find_probes(built_in().expect("suites"));
    let mut missing = Vec::new();
    for row in TABLE {
        let question = row.question;
        if is_about_access(question) || plausible_answers(question).len() < 2 {
            continue;
        }
        let of_question: Vec<&Probe> = probes.iter().filter(|probe| probe.question == question).collect();
        let agents = count(&of_question, |query| match query {
            Query::Match { agent, .. } => Some(agent.clone()),
            Query::Scope { url, .. } => Some(url.clone()),
            Query::Sitemaps { robots } => Some(String::from_utf8_lossy(robots).into_owned()),
            _ => None,
        });
        let urls = count(&of_question, |query| match query {
            Query::Match { url, .. } | Query::Scope { url, .. } => Some(url.clone()),
            Query::Sitemaps { robots } => Some(String::from_utf8_lossy(robots).into_owned()),
            _ => None,
        });
        let files = count(&of_question, |query| match query {
            Query::Match { robots, .. } | Query::Sitemaps { robots } => Some(robots.clone()),
            Query::Scope { url, .. } => Some(url.as_bytes().into()),
            _ => None,
        });
        let urls = if SAME_URL.iter().any(|(same, _)| *same == question) { LEAST } else { urls };
        let agents = if SAME_AGENTS.iter().any(|(same, _)| *same == question) { LEAST } else { agents };
        if agents < LEAST || urls < LEAST || files < LEAST {
            missing.push(format!(
                "{question}: {} probes, with {agents} agents, {urls} URLs and {files} files",
                of_question.len()
            ));
        }
    }
    assert!(
        missing.is_empty(),
        "add a seed to fuzz/src/probes/seeds.rs for each of these questions:\n{}",
        missing.join("\n")
    );
}

#[test]
fn every_subject_of_every_seed_gives_probes() {
    let without: Vec<String> = seeds::SEEDS
        .iter()
        .enumerate()
        .flat_map(|(place, seed)| {
            seed.subjects.iter().filter_map(move |(name, _)| {
                let probes = super::probes_from_seed(seed, place, 5);
                let subject = Some(*name).filter(|name| !name.is_empty());
                let count = probes.iter().filter(|probe| probe.subject == subject).count();
                (count < 2).then(|| format!("{count} of seed {place} about {} {name:?}", seed.question))
            })
        })
        .collect();
    assert!(without.is_empty(), "{}", without.join("\n"));
}

#[test]
fn the_answers_that_the_reference_evaluates_are_told_apart() {
    // These answers have the same outcome for every file that raises no other question.
    let alike = [("GooglebotMatch", "hyphen-prefix", "any-prefix")];
    let probes = find_probes(built_in().expect("suites"));
    let mut merged = Vec::new();
    for row in TABLE.iter().filter(|row| !is_about_access(row.question)) {
        let choices = plausible_answers(row.question);
        for (index, one) in choices.iter().enumerate() {
            for other in &choices[index + 1..] {
                let of_question = probes.iter().filter(|probe| probe.question == row.question);
                let outcome = |probe: &Probe, choice| {
                    probe.outcomes.iter().find(|(of, _)| *of == choice).map(|(_, outcome)| outcome.clone())
                };
                let mut shown = of_question.filter(|probe| outcome(probe, *one) != outcome(probe, *other));
                let names = (row.question.id(), one.id(), other.id());
                if shown.next().is_none() && !alike.contains(&names) {
                    merged.push(names);
                }
            }
        }
    }
    assert_eq!(merged, []);
}

#[test]
fn a_variation_differs_in_names_paths_and_file() {
    let query = Query::Match {
        robots: b"user-agent: a\nuser-agent: A/1\nuser-agent: *\ndisallow: /a%2A\n"[..].into(),
        agent: "a-b".to_owned(),
        url: "http://example.com/a*?".to_owned(),
    };
    let varied: Vec<Query> = (0..8).map(|number| vary(&query, number).expect("a match query")).collect();
    let Query::Match { robots, agent, url } = &varied[0] else { panic!("{:?}", varied[0]) };
    assert_eq!(
        (&*String::from_utf8_lossy(robots), &**agent, &**url),
        (
            "user-agent: quillbot\nuser-agent: Quillbot/1\nuser-agent: *\ndisallow: /soil/a%2A\n",
            "quillbot-b",
            "http://example.com/soil/a*?"
        )
    );
    let Query::Match { robots, url, .. } = &varied[3] else { panic!("{:?}", varied[3]) };
    assert!(String::from_utf8_lossy(robots).contains("disallow: /e%2A\n"), "{robots:?}");
    assert_eq!(url, "http://example.com/e*?");
    for (index, one) in varied.iter().enumerate() {
        assert!(varied[index + 1..].iter().all(|other| one != other));
    }
}
