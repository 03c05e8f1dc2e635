//! The outcome of findings: lists of known failures, names of files, flaky divergences, and implementations that are left out.

use std::collections::HashSet;
use std::path::Path;
use std::sync::{Arc, Mutex};

use robotspec::{Edition, Fault, Info, KnownFailures, MatchQuery, Parser, Verdict};
use robotspec_cases::checks;
use robotspec_cases::suite::load;
use robotspec_fuzz::generate::rendered;
use robotspec_fuzz::{Finding, FindingKind, SearchPlan, Source};
use robotspec_test_support::faulty::{FaultyParser, Mistake};
use robotspec_text::document::plain_lines;

use crate::searches::{describe, make, plan, search_quietly};

#[test]
fn a_list_of_known_failures_has_the_findings_whose_rows_it_names() {
    let faulty = make(|| FaultyParser::new(&[Mistake::FirstMatch]));
    let report = search_quietly(plan(Edition::Rfc9309, 7, 2_000), faulty);
    let class = "violation O-longest FirstRule=first";
    let finding = report.findings.iter().find(|finding| finding.class.to_string() == class);
    let mut finding = finding.unwrap_or_else(|| panic!("{}", describe(&report.findings))).clone();
    let suite = load(Path::new("case.yaml"), &finding.case().expect("a case")).expect("a suite");
    let row = checks(&[suite], false)[0].id.to_string();
    assert_eq!(Some(row.clone()), finding.row().map(|row| row.to_string()));
    let is_known = |finding: &Finding, entry: &str| {
        let list = format!("known-failures: [{{reason: So., {entry}}}]");
        finding.is_known(&KnownFailures::read(Path::new("list.yaml"), &list).expect("a list"))
    };
    assert!(is_known(&finding, &format!("rows: [{row}]")));
    assert!(is_known(&finding, "rows: ['firstmatch-violation-o-longest-*']"));
    assert!(is_known(&finding, &format!("editions: [rfc9309], rows: [{row}]")));
    assert!(!is_known(&finding, &format!("editions: [google-2026], rows: [{row}]")));
    assert!(!is_known(&finding, "rows: ['firstmatch-violation-o-tie-*']"));
    finding.editions.push(Edition::Google2026);
    assert!(!is_known(&finding, &format!("editions: [rfc9309], rows: [{row}]")));
}

/// A parser whose answers a function gives.
struct Answering<F>(&'static str, F);

impl<F: FnMut(&[u8], &[MatchQuery]) -> Result<Vec<Verdict>, Fault>> Parser for Answering<F> {
    fn info(&self) -> Info {
        Info::named(self.0)
    }

    fn check(&mut self, robots: &[u8], queries: &[MatchQuery]) -> Result<Vec<Verdict>, Fault> {
        self.1(robots, queries)
    }
}

#[test]
fn only_answers_to_queries_with_a_definite_ruling_are_right_or_wrong() {
    // No reading of the first file is another one. The other two have misspelt fields, and the ruling is definite as long as
    // an implementation reads both alike.
    let [definite, open, alike] = ["allow: /\n", "dissallow: /\n", "dissallow: /\nalow: /\n"];
    let count = |rules: &str, got: Result<Verdict, Fault>| {
        let text = format!("a http://example.com/\n\nuser-agent: *\n{rules}");
        let source = Source::Given(rendered::read(text.as_bytes()).expect("a query"));
        let plan = SearchPlan { source, limit: None, ..plan(Edition::Rfc9309, 1, 1) };
        let parser = move || {
            let got = got.clone();
            Answering("x", move |_: &[u8], queries: &[MatchQuery]| Ok(vec![got.clone()?; queries.len()]))
        };
        let report = search_quietly(plan, make(parser));
        let accuracy = report.accuracy[&(Edition::Rfc9309, "x".to_owned())];
        [accuracy.queries, accuracy.wrong_queries, accuracy.unanswered]
    };
    assert_eq!(count(definite, Ok(Verdict::Allow)), [1, 0, 0]);
    assert_eq!(count(definite, Ok(Verdict::Disallow)), [1, 1, 0]);
    assert_eq!(count(alike, Ok(Verdict::Disallow)), [0, 0, 0]);
    assert_eq!(count(open, Ok(Verdict::Disallow)), [0, 0, 0]);
    assert_eq!(count(open, Ok(Verdict::Unspecified)), [0, 0, 0]);
    for fault in [Fault::Crash, Fault::Timeout, Fault::NotRun, Fault::Error] {
        assert_eq!(count(definite, Err(fault("x".into()))), [0, 0, 1]);
    }
    assert_eq!(count(definite, Ok(Verdict::Error("x".into()))), [0, 0, 1]);
}

/// Takes too long for files with so many `*` in a line, without that a test has to wait.
fn late(name: &'static str, stars: usize) -> impl Parser + Send {
    Answering(name, move |robots: &[u8], queries: &[MatchQuery]| {
        let has_many = |line: &[u8]| line.iter().filter(|byte| **byte == b'*').count() >= stars;
        if robots.split(|byte| matches!(byte, b'\r' | b'\n')).any(has_many) {
            return Err(Fault::Timeout("after a while".into()));
        }
        Ok(vec![Verdict::Error("not this one".into()); queries.len()])
    })
}

/// Gives the opposite verdict where a function says so, and is sound otherwise.
fn wrong(
    name: &'static str,
    mut is_wrong: impl FnMut(&[u8], &MatchQuery) -> bool + Send,
) -> impl Parser + Send {
    Answering(name, move |robots: &[u8], queries: &[MatchQuery]| {
        let mut verdicts = FaultyParser::sound().check(robots, queries)?;
        for (query, verdict) in queries.iter().zip(&mut verdicts) {
            if is_wrong(robots, query) {
                *verdict = if *verdict == Verdict::Allow { Verdict::Disallow } else { Verdict::Allow };
            }
        }
        Ok(verdicts)
    })
}

#[test]
fn a_time_out_names_no_clause_breaks_no_edition_and_is_no_case() {
    let editions = vec![Edition::Google2026, Edition::Rfc9309];
    let search = |editions: Vec<Edition>| {
        let report = search_quietly(
            SearchPlan { editions, ..plan(Edition::Rfc9309, 1, 400) },
            make(|| late("late", 1)),
        );
        let is_timeout = |finding: &&Finding| finding.class.kind == FindingKind::Timeout;
        let findings: Vec<Finding> = report.findings.iter().filter(is_timeout).cloned().collect();
        let [finding] = &findings[..] else { panic!("{}", describe(&report.findings)) };
        (finding.clone(), report.divergences[&finding.class])
    };
    let (finding, times) = search(editions);
    assert_eq!(finding.class.to_string(), "timeout");
    assert_eq!((finding.class.clause, &finding.editions[..]), (None, &[][..]));
    assert_eq!(finding.size().0, 2, "it is minimised: a group with a rule");
    let lines = plain_lines(&finding.explain(), 100);
    assert_eq!(lines[0], "No edition limits the time for an answer.");
    assert!(
        lines.iter().any(|line| line == "expected an answer within the time limit of the run"),
        "{lines:?}"
    );
    assert_eq!((finding.row(), finding.case()), (None, None));
    let list = "known-failures: [{reason: So., rows: ['*']}]";
    assert!(!finding.is_known(&KnownFailures::read(Path::new("list.yaml"), list).expect("a list")));
    assert_eq!(search(vec![Edition::Google2026]).1, times, "each counts once, however many editions judge");
}

#[test]
fn a_search_ends_when_no_implementation_is_left() {
    let report = search_quietly(plan(Edition::Rfc9309, 1, u64::MAX), make(|| late("late", 1)));
    assert_eq!(report.incomplete["late"], "it took too long 20 times");
    let late = report.findings.iter().filter(|finding| finding.class.kind == FindingKind::Timeout);
    assert!(late.count() > 0, "{}", describe(&report.findings));
}

#[test]
fn inputs_that_resemble_slow_ones_are_skipped_and_counted() {
    let report = search_quietly(plan(Edition::Rfc9309, 1, 4_000), make(|| late("exponential", 4)));
    // It was not late often enough to be left out.
    assert!(report.incomplete.is_empty(), "{:?}", report.incomplete);
    assert!(report.findings.iter().any(|finding| finding.class.kind == FindingKind::Timeout));
    assert!(report.skipped["exponential"] > 20, "{:?}", report.skipped);
}

#[test]
fn a_divergence_that_does_not_occur_again_is_flaky_and_no_finding() {
    // The searching and the examining endpoint have seen the same queries, as have two connections to a server.
    let seen = Arc::new(Mutex::new(HashSet::new()));
    let unsure = move || {
        let seen = Arc::clone(&seen);
        wrong("unsure", move |robots, query| {
            let asked = (robots.to_vec(), query.agent.to_owned(), query.url.to_owned());
            seen.lock().expect("no panic").insert(asked)
        })
    };
    let report = search_quietly(plan(Edition::Rfc9309, 1, 2_000), make(unsure));
    assert!(report.flaky["unsure"].count > 10, "{:?}", report.flaky);
    assert!(report.findings.is_empty(), "{}", describe(&report.findings));
}

#[test]
fn a_divergence_that_depends_on_earlier_queries_has_the_shortest_sequence() {
    type IsWrong = fn(calls: usize, last_agent: &str) -> bool;
    let sequence = |name, is_wrong: IsWrong| {
        let parser = move || {
            let (mut calls, mut last_agent) = (0, String::new());
            wrong(name, move |_, query| {
                calls += 1;
                let last_agent = std::mem::replace(&mut last_agent, query.agent.to_owned());
                is_wrong(calls, &last_agent)
            })
        };
        let report = search_quietly(plan(Edition::Rfc9309, 1, 8_000), make(parser));
        assert!(report.findings.is_empty(), "{}", describe(&report.findings));
        report.dependent.get(name).map(|dependent| dependent.queries.len())
    };
    assert_eq!(sequence("after-googlebot", |_, last_agent| last_agent.starts_with("Googlebot")), Some(2));
    assert_eq!(sequence("every-40th", |calls, _| calls.is_multiple_of(40)), Some(40));
    assert_eq!(sequence("sound", |_, _| false), None);
}

#[test]
fn names_of_files_of_findings_differ_where_the_names_of_implementations_do() {
    let slug = |name: &'static str| {
        let plan = SearchPlan { max_findings: Some(1), ..plan(Edition::Rfc9309, 7, 20_000) };
        let subjects = make(move || {
            let mut parser = FaultyParser::new(&[Mistake::FirstMatch]);
            Answering(name, move |robots: &[u8], queries: &[MatchQuery]| parser.check(robots, queries))
        });
        search_quietly(plan, subjects).findings.first().expect("a finding").slug()
    };
    let names = ["my-parser", "my_parser", "My-Parser", "my--parser", "-my-parser", "日本", "本日"];
    let slugs: HashSet<String> = names.into_iter().map(slug).collect();
    assert_eq!(slugs.len(), names.len(), "{slugs:?}");
    assert!(slugs.iter().all(|slug| slug.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')));
    assert!(slugs.iter().any(|slug| slug.starts_with("my-parser-violation-")), "{slugs:?}");
}

#[test]
fn one_error_is_one_finding_whatever_the_queries_are_about() {
    /// Ends with one error for each URL that has an escape, and is sound otherwise.
    fn without_decoder() -> impl Parser + Send {
        Answering("without a decoder", |robots: &[u8], queries: &[MatchQuery]| {
            let mut verdicts = FaultyParser::sound().check(robots, queries)?;
            for (query, verdict) in queries.iter().zip(&mut verdicts) {
                if query.url.contains('%') {
                    *verdict = Verdict::Error(format!("no decoder for {:?}", query.url).as_str().into());
                }
            }
            Ok(verdicts)
        })
    }
    let report = search_quietly(plan(Edition::Rfc9309, 1, 4_000), make(without_decoder));
    let [finding] = &report.findings[..] else { panic!("{}", describe(&report.findings)) };
    assert_eq!(finding.class.kind, FindingKind::Error);
    assert!(report.divergences[&finding.class] > 10, "{:?}", report.divergences);
}

#[test]
fn a_disagreement_shows_both_answers_and_the_ruling() {
    let against = make(FaultyParser::sound).pop();
    let plan = SearchPlan { against, ..plan(Edition::Rfc9309, 7, 2_000) };
    let report = search_quietly(plan, make(|| FaultyParser::new(&[Mistake::FirstMatch])));
    let about = |finding: &&Finding| finding.class.to_string() == "disagreement about O-longest";
    let finding = report.findings.iter().find(about);
    let finding = finding.unwrap_or_else(|| panic!("{}", describe(&report.findings)));
    let lines = plain_lines(&finding.explain(), 100).concat();
    let judge = finding.against.as_deref().expect("an implementation");
    for name in [&*finding.class.implementation, judge, "rfc9309"] {
        assert!(
            lines.contains(&format!("{name}: allow")) || lines.contains(&format!("{name}: disallow")),
            "{lines}"
        );
    }
}
