//! The fuzzer: it never accuses a sound parser, and it finds a mistake against every clause that can be tested.
//!
//! `ROBOTSPEC_LONG=1` searches with more checks, more seeds and for every mistake (see `.ci/long`).

#![allow(clippy::print_stdout)] // a table of the time of each search

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::reading::RandomReading;
use robotspec::event::Event;
use robotspec::{
    Answer, BoxedEndpoint, Clause, Edition, InProcess, Parser, Reference, Subject, Verdict, ask,
};
use robotspec_cases::suite::load;
use robotspec_cases::{Expected, Level, Query, checks};
use robotspec_fuzz::generate::Shares;
use robotspec_fuzz::generate::rendered;
use robotspec_fuzz::{
    Finding, FindingKind, Guided, Limit, Make, Progress, Report, SearchPlan, Source, clauses_in_play, fuzz,
};
use robotspec_reference::{RobotsTxt, split_lines};
use robotspec_test_support::extent::is_long;
use robotspec_test_support::faulty::{FaultyParser, Mistake};
use robotspec_text::document::plain_lines;

/// The usual shares, with more of the rare inputs.
const SHARES: Shares =
    Shares { scope: 60, sitemaps: 60, access: 60, large: 3, limits: 20, confusions: 20, ..Shares::NONE };

pub(crate) fn plan(edition: Edition, seed: u64, runs: u64) -> SearchPlan {
    SearchPlan {
        editions: vec![edition],
        source: Source::Generated(SHARES),
        seed,
        limit: Some(Limit::Runs(runs)),
        // A search has the same findings on a busy machine.
        time_for_divergence: Duration::from_secs(600),
        max_findings: None,
        jobs: 1,
        against: None,
    }
}

/// A time limit that no parser of these tests reaches unless it hangs.
pub(crate) const TIME_LIMIT: Duration = Duration::from_secs(60);

pub(crate) fn in_process<P: Parser + Send + 'static>(make: impl Fn() -> P + Send + 'static) -> InProcess {
    InProcess::new(move || Box::new(make()), TIME_LIMIT)
}

pub(crate) fn make<P: Parser + Send + 'static>(
    make: impl Fn() -> P + Clone + Send + Sync + 'static,
) -> Vec<Make> {
    vec![Box::new(move || Box::new(in_process(make.clone())))]
}

pub(crate) fn search_quietly(plan: impl Into<Arc<SearchPlan>>, subjects: Vec<Make>) -> Report {
    fuzz(&plan.into(), &subjects.into(), &|| false, &mut |_| {})
}

pub(crate) fn describe(findings: &[Finding]) -> String {
    let describe = |finding: &Finding| {
        let explanation = plain_lines(&finding.explain(), 200).join("\n");
        format!("{}: {}\n{explanation}", finding.class.implementation, finding.class)
    };
    findings.iter().map(describe).collect::<Vec<_>>().join("\n")
}

/// The number of checks of a parser that a search must not accuse.
fn checks_of_sound_parsers() -> u64 {
    if is_long() { 600_000 } else { 5_000 }
}

#[test]
fn a_search_never_accuses_a_sound_parser() {
    let checks = 2 * checks_of_sound_parsers();
    let report = search_quietly(plan(Edition::Rfc9309, 1, checks), make(FaultyParser::sound));
    assert!(report.checks >= checks);
    assert!(report.findings.is_empty(), "{}", describe(&report.findings));
}

#[test]
fn a_search_never_accuses_an_admitted_reading() {
    let readings = if is_long() { 6 } else { 2 };
    for edition in Edition::ALL {
        for seed in 0..readings {
            let subjects = make(move || RandomReading::new(seed, edition));
            let report = search_quietly(plan(edition, seed, checks_of_sound_parsers() / readings), subjects);
            assert!(report.findings.is_empty(), "in {edition}:\n{}", describe(&report.findings));
        }
    }
}

#[test]
fn inputs_of_another_fuzzer_lead_to_the_same_findings() {
    let subjects = make(|| FaultyParser::new(&[Mistake::FirstMatch]));
    let plan = plan(Edition::Rfc9309, 1, 1);
    let mut guided = Guided::new(&plan, &subjects);
    let input = |path: &str| {
        let text = format!("a http://example.com{path}\n\nuser-agent: *\nallow: /\ndisallow: /b\n");
        rendered::read(text.as_bytes()).expect("a query")
    };
    let [right, wrong, again] = ["/a", "/b", "/bb"].map(|path| guided.judge(input(path)));
    assert_eq!(wrong, again);
    assert_ne!(right, wrong);
    let mut found = Vec::new();
    guided.examine(&mut |finding| found.push(finding.clone()));
    guided.examine(&mut |_| panic!("everything is examined"));
    let [finding] = &found[..] else { panic!("{}", describe(&found)) };
    drop(guided);
    let plan = SearchPlan { source: Source::Given(input("/b")), limit: None, ..plan };
    let report = search_quietly(plan, subjects);
    assert_eq!((report.inputs, report.findings.len()), (1, 1));
    assert_eq!(report.findings[0].class, finding.class);
    assert_eq!(report.findings[0].query, finding.query);
}

#[test]
fn each_file_is_sent_once() {
    let file = |number| Arc::from(format!("user-agent: *\ndisallow: /{number}\n").into_bytes());
    let source = Source::Files((0..100).map(file).collect());
    let plan = SearchPlan { source, limit: None, jobs: 2, ..plan(Edition::Rfc9309, 1, 1) };
    let report = search_quietly(plan, make(FaultyParser::sound));
    assert_eq!(report.inputs, 100);
}

/// Searches until the mistake is found.
fn search_for(mistake: Mistake, clause: &str, seed: u64) -> (Report, Duration) {
    const MOST_CHECKS: u64 = 300_000;
    // A redirect to a path that a rule disallows is rare among all inputs.
    let is_about_access = clause.starts_with("H-");
    let shares = if is_about_access && !is_long() { Shares { access: 1000, ..SHARES } } else { SHARES };
    let source = Source::Generated(shares);
    let plan = SearchPlan { max_findings: Some(1), source, ..plan(Edition::Rfc9309, seed, MOST_CHECKS) };
    let subjects = make(move || FaultyParser::new(&[mistake]));
    let started = Instant::now();
    let report = search_quietly(plan, subjects);
    (report, started.elapsed())
}

#[test]
fn a_search_finds_minimises_and_writes_every_mistake() {
    let mut missed = Vec::new();
    let mut slid: Vec<Mistake> = Vec::new();
    let mut sizes: Vec<(usize, usize)> = Vec::new();
    let seeds = if is_long() { 1..=5 } else { 1..=1 };
    // RFC 9309 2.3.1.3 permits a crawler to stay away after a client error ("MAY access"), and 2.2.4 to read no sitemaps.
    // It leaves open what a record of an extension does.
    let is_required = |mistake: &&(Mistake, &str)| {
        !["H-4xx", "S-sitemap"].contains(&mistake.1) && mistake.0 != Mistake::ExtensionsForbid
    };
    let mistakes = Mistake::ALL.iter().filter(is_required).step_by(if is_long() { 1 } else { 5 });
    for (&(mistake, clause), seed) in
        mistakes.flat_map(|mistake| seeds.clone().map(move |seed| (mistake, seed)))
    {
        let (report, elapsed) = search_for(mistake, clause, seed);
        assert!(Clause::find(clause).is_some(), "{clause}");
        let Some(finding) = report.findings.first() else {
            missed.push(format!("{mistake:?} ({clause}) with seed {seed}"));
            continue;
        };
        println!(
            "{mistake:<32?} {clause:<16} {:>8} checks {elapsed:>8.1?}  {}",
            report.checks, finding.class
        );
        if matches!(finding.query, Query::Match { .. }) {
            sizes.push(finding.size());
        }
        assert_certain(mistake, finding);
        assert_valid_case(mistake, finding);
        assert_minimal(mistake, finding);
        if !is_about_first_seen(finding) {
            println!("  slid from {:?}", clauses_in_play(finding.edition, &finding.first_seen));
            slid.push(mistake);
        }
    }
    assert_eq!(slid, [], "the minimiser arrived at another divergence");
    assert!(missed.is_empty(), "{} missed: {missed:?}", missed.len());
    let median = |mut sizes: Vec<usize>| {
        sizes.sort_unstable();
        sizes[sizes.len() / 2]
    };
    let lines = median(sizes.iter().map(|(lines, _)| *lines).collect());
    let bytes = median(sizes.iter().map(|(_, bytes)| *bytes).collect());
    println!("median of the minimised files: {lines} lines, {bytes} bytes");
    assert!(lines <= 3 && bytes <= 40, "{lines} lines, {bytes} bytes");
}

/// Asserts that the text requires the expected outcome, whichever misspellings a parser reads as a field.
fn assert_certain(mistake: Mistake, finding: &Finding) {
    let (Query::Match { robots, agent, url }, Expected::Ruling(expected)) =
        (&finding.query, &finding.expected)
    else {
        return;
    };
    if let FindingKind::Relation = finding.class.kind {
        // Both answers are the parser's: the ruling says which one is right, unless it is unspecified.
        let ruling = RobotsTxt::parse(robots).ruling(finding.edition, agent, url).expect("a URL");
        let is_unspecified = ruling == robotspec_reference::Ruling::Unspecified;
        let word = if is_unspecified { "the same".to_owned() } else { ruling.to_string() };
        assert!(
            finding.describe_expected().starts_with(&word),
            "{mistake:?}: {}",
            finding.describe_expected()
        );
    }
    if finding.class.kind == FindingKind::Violation {
        let ruling = RobotsTxt::parse(robots).ruling_in_detail(finding.edition, agent, url);
        assert_eq!(ruling, Ok(*expected), "{mistake:?}:\n{}", describe(std::slice::from_ref(finding)));
    }
}

/// Asserts that the written case fails for the parser and passes for the reference.
fn assert_valid_case(mistake: Mistake, finding: &Finding) {
    let case = finding
        .case()
        .unwrap_or_else(|| panic!("{mistake:?} has no case:\n{}", describe(std::slice::from_ref(finding))));
    let suite = load(Path::new("finding.yaml"), &case).unwrap_or_else(|error| panic!("{error}\n{case}"));
    let plan = robotspec::Plan {
        checks: checks(&[suite], true),
        editions: vec![Edition::Rfc9309],
        level: Level::Should,
        lists_are_about: None,
        shard: None,
        jobs: 1,
    };
    let count_failures = |make: Box<dyn Fn() -> BoxedEndpoint + Send>| {
        let mut judged = 0;
        let outcome = robotspec::run(&plan, vec![Subject::new(make)], &mut |event| {
            judged += usize::from(matches!(event, Event::CheckFinished(_)));
        });
        assert!(judged > 0, "{mistake:?}: nothing was judged\n{case}");
        outcome.totals.new_failures()
    };
    assert_eq!(
        count_failures(Box::new(|| Box::new(in_process(|| Reference::new(Edition::Rfc9309))))),
        0,
        "{mistake:?}: the reference fails\n{case}"
    );
    assert!(
        count_failures(Box::new(move || Box::new(in_process(move || FaultyParser::new(&[mistake]))))) > 0,
        "{mistake:?} passes\n{case}"
    );
}

/// Returns whether the clause of the minimised input is in play in the input that was seen first.
fn is_about_first_seen(finding: &Finding) -> bool {
    finding.class.kind == FindingKind::Relation
        || clauses_in_play(finding.edition, &finding.query)
            .first()
            .is_none_or(|clause| clauses_in_play(finding.edition, &finding.first_seen).contains(clause))
}

/// Asserts that without any one line the divergence does not show.
fn assert_minimal(mistake: Mistake, finding: &Finding) {
    let Query::Match { robots, agent, url } = &finding.query else { return };
    if finding.class.kind != FindingKind::Violation || robots.len() > 10_000 {
        return;
    }
    for line in split_lines(robots) {
        let end = robots[line.start..]
            .iter()
            .position(|&byte| byte == b'\n')
            .map_or(robots.len(), |at| line.start + at + 1);
        let shorter = [&robots[..line.start], &robots[end..]].concat();
        let query = Query::Match { robots: shorter.into(), agent: agent.clone(), url: url.clone() };
        let got = ask(&mut in_process(move || FaultyParser::new(&[mistake])), &query);
        let expected = ask(&mut Reference::new(finding.edition), &query);
        let still_shows =
            expected != Ok(Answer::Match(Verdict::Unspecified)) && expected != got && finding.got == got;
        let is_of_class = clauses_in_play(finding.edition, &query).first()
            == clauses_in_play(finding.edition, &finding.query).first();
        assert!(
            !(still_shows && is_of_class),
            "{mistake:?}: a line is superfluous in\n{}",
            describe(std::slice::from_ref(finding))
        );
    }
}

#[test]
fn a_seed_has_the_same_findings_for_any_number_of_jobs() {
    let subjects = || make(|| FaultyParser::new(&[Mistake::FirstMatch]));
    let search = |jobs: usize| {
        let report = search_quietly(SearchPlan { jobs, ..plan(Edition::Rfc9309, 7, 2_000) }, subjects());
        let findings: Vec<_> = report
            .findings
            .iter()
            .map(|finding| (finding.class.clone(), finding.query.clone(), finding.after))
            .collect();
        (report.checks, findings, report.divergences)
    };
    let alone = search(1);
    assert!(!alone.1.is_empty());
    assert_eq!(search(3), alone);
    let other_seed = search_quietly(plan(Edition::Rfc9309, 8, 2_000), subjects());
    assert_ne!(other_seed.divergences, alone.2);
}

#[test]
fn the_generator_reaches_every_question_of_matching() {
    // The start of a search is tallied most: several short ones show more than a long one.
    let (seeds, checks) = if is_long() { (3..15, 40_000) } else { (3..9, 12_000) };
    // The texts of 1994 and 1996 admit answers that never matter there: they have no wildcards, or no allow rules.
    for edition in Edition::USUAL.into_iter().step_by(if is_long() { 1 } else { 3 }) {
        let mut reached = BTreeSet::new();
        let [mut sampled, mut matched, mut in_conflict] = [0, 0, 0];
        for seed in seeds.clone() {
            let plan = SearchPlan { jobs: 2, ..plan(edition, seed, checks) };
            let tally = search_quietly(plan, make(FaultyParser::sound)).tally;
            sampled += tally.sampled;
            matched += tally.matched;
            in_conflict += tally.in_conflict;
            reached.extend(tally.questions.into_keys());
        }
        let share = |count: u64| count as f64 / sampled as f64;
        assert!(share(matched) > 0.5, "a rule matched in {:.2} only", share(matched));
        assert!(share(in_conflict) > 0.1, "rules conflicted in {:.2} only", share(in_conflict));
        let unreached: Vec<&str> = robotspec_reference::question::TABLE
            .iter()
            .filter(|row| {
                row.question < robotspec_reference::Question::IdnHost && row.answers(edition).len() > 1
            })
            .filter(|row| !reached.contains(&row.question))
            .map(|row| row.question.id())
            .collect();
        // Only files of 500,000 bytes raise the first two, and few are generated. In google-2026, every answer to the
        // third has the same outcome. A URL is generated as a crawler requests it, without a `%` that starts no escape.
        // No Kelvin sign is generated, mark-up with a record seldom stands in a group that counts, and seldom has a query a
        // delimiter that is escaped on one side only. In RFC 9309 two tokens name a crawler only where a text before a `*` is
        // one.
        let mut rare = vec![
            "SizeLimit",
            "CutLine",
            "LeadingSlash",
            "BrokenEscape",
            "AgentFold",
            "Markup",
            "QueryEscape",
        ];
        rare.extend((edition == Edition::Rfc9309).then_some("AgentPrecedence"));
        let unreached: Vec<_> = unreached.iter().filter(|question| !rare.contains(question)).collect();
        assert!(unreached.is_empty(), "{edition}: {unreached:?}");
    }
}

#[test]
fn another_implementation_can_take_the_place_of_the_reference() {
    let plan =
        Arc::new(SearchPlan { against: make(FaultyParser::sound).pop(), ..plan(Edition::Rfc9309, 1, 8_000) });
    let same = search_quietly(Arc::clone(&plan), make(FaultyParser::sound));
    assert!(same.findings.is_empty(), "{}", describe(&same.findings));
    let other = search_quietly(plan, make(|| FaultyParser::new(&[Mistake::TieDisallows])));
    assert!(
        other.findings.iter().any(|finding| finding.class.kind == FindingKind::Disagreement),
        "{}",
        describe(&other.findings)
    );
}

#[test]
fn a_run_can_be_stopped() {
    let stop = AtomicBool::new(false);
    let limit = Some(Limit::Time(Duration::from_secs(3600)));
    let plan = SearchPlan { limit, ..plan(Edition::Rfc9309, 1, 0) };
    let report = fuzz(
        &plan.into(),
        &make(FaultyParser::sound).into(),
        &|| stop.load(Ordering::Relaxed),
        &mut |progress| {
            if let Progress::Checked(report) = progress
                && report.checks > 5_000
            {
                stop.store(true, Ordering::Relaxed);
            }
        },
    );
    assert!(report.checks > 5_000);
}
