//! What is likely the one cause of many failures: each such mistake is told for what it is, and no other parser is
//! suspected of one.

use std::collections::{BTreeMap, BTreeSet};

use robotspec::event::{CheckFinished, Event};
use robotspec::implementation::Incident;
use robotspec::likely::{Answered, Cause, Likely, Mistake, likely_causes};
use robotspec::{Clause, Fault, Implementation, Info, KnownFailures, Plan, Query, Subject, Verdict, run};
use robotspec_cases::suite::{Check, built_in, checks};
use robotspec_reference::Edition;
use robotspec_test_support::faulty::{FaultyParser, Mistake as Faulty};

use crate::support::EDITION;

type Answers = Result<Vec<Verdict>, Fault>;

/// Says what the function says.
struct Does<F>(F);

impl<F: FnMut(&[u8], &[Query]) -> Answers> Implementation for Does<F> {
    fn info(&self) -> Info {
        Info::named("does")
    }

    fn check(&mut self, robots: &[u8], queries: &[Query]) -> Answers {
        (self.0)(robots, queries)
    }
}

/// A parser behind an adapter that hands over what the function makes of the file, the agent and the URL.
fn handed(
    hand: impl Fn(&[u8], &Query) -> Result<bool, String> + Send + 'static,
) -> Box<dyn Implementation + Send> {
    Box::new(Does(move |robots: &[u8], queries: &[Query]| {
        let verdict = |query: &Query| hand(robots, query).map_or_else(Verdict::Error, Verdict::from);
        Ok(queries.iter().map(verdict).collect())
    }))
}

/// Returns the answer of a sound parser.
fn sound(robots: &[u8], agent: &str, url: &str) -> bool {
    FaultyParser::sound().allows(robots, agent, url).expect("it accepts every file")
}

/// Returns the answer of a parser that matches the rules with the whole URL.
fn match_whole_url(robots: &[u8], agent: &str, url: &str) -> bool {
    let parser = FaultyParser::new(&[Faulty::MatchesWholeUrl]);
    parser.allows(robots, agent, url).expect("it accepts every file")
}

// ---- What is told of them ----

fn all_checks() -> Vec<Check> {
    checks(&built_in().expect("the suites are sound"), false)
}

/// What came of a run.
struct Came {
    checks: BTreeMap<String, Check>,
    finished: Vec<CheckFinished>,
    incidents: Vec<Incident>,
}

fn came(implementation: Box<dyn Implementation + Send>, editions: &[Edition]) -> Came {
    let subject = Subject { implementation, known: KnownFailures::default() };
    let plan = Plan {
        checks: all_checks(),
        editions: editions.to_vec(),
        lists_are_about: Some(editions.to_vec()),
        shard: None,
        jobs: 1,
    };
    let (mut finished, mut incidents) = (Vec::new(), Vec::new());
    run(&plan, vec![subject], &mut |event| match event {
        Event::CheckFinished(check) => finished.push(check.clone()),
        Event::Incident { incident, .. } => incidents.push(incident.clone()),
        _ => {}
    });
    let checks = plan.checks.into_iter().map(|check| (check.id.clone(), check)).collect();
    Came { checks, finished, incidents }
}

impl Came {
    /// What is likely, going by these checks alone.
    fn likely(&self, is_asked: impl Fn(&Check) -> bool) -> Vec<Likely> {
        let answers = self.finished.iter().filter_map(|finished| {
            let check = &self.checks[&finished.id];
            if is_asked(check) { Answered::new(check, finished) } else { None }
        });
        likely_causes(&answers.collect::<Vec<_>>(), &self.incidents)
    }
}

/// The causes of a mistake, in one edition and in all.
#[track_caller]
fn assert_told(make: impl Fn() -> Box<dyn Implementation + Send>, causes: &[Cause]) {
    for editions in [&[Edition::Rfc9309][..], &Edition::ALL] {
        let likely = came(make(), editions).likely(|_| true);
        let told: Vec<&Cause> = likely.iter().map(|likely| &likely.cause).collect();
        assert_eq!(told, causes.iter().collect::<Vec<_>>(), "{editions:?}");
        assert!(likely.iter().all(|likely| likely.evidence >= 5), "{likely:?}");
    }
}

#[test]
fn inverted_verdicts_are_told() {
    assert_told(|| handed(|robots, query| Ok(!sound(robots, &query.agent, &query.url))), &[Cause::Inverted]);
}

#[test]
fn one_answer_to_everything_is_told() {
    assert_told(|| handed(|_, _| Ok(true)), &[Cause::AllowsEverything]);
    assert_told(|| handed(|_, _| Ok(false)), &[Cause::DisallowsEverything]);
    let but_the_file = |query: &Query| query.url.ends_with("/robots.txt");
    assert_told(|| handed(move |_, query| Ok(but_the_file(query))), &[Cause::DisallowsEverything]);
    assert_told(|| handed(|_, query| Ok(sound(b"", &query.agent, &query.url))), &[Cause::AllowsEverything]);
}

#[test]
fn a_url_in_place_of_a_path_is_told() {
    assert_told(
        || handed(|robots, query| Ok(match_whole_url(robots, &query.agent, &query.url))),
        &[Cause::UrlForPath],
    );
}

#[test]
fn a_path_in_place_of_a_url_is_told() {
    // One that takes what stands behind the host finds nothing there.
    assert_told(
        || handed(|robots, query| Ok(sound(robots, &query.agent, "http://example.com"))),
        &[Cause::UrlIgnored],
    );
    let refused = "ValueError: not an absolute URL".to_owned();
    let refuses = || {
        let refused = refused.clone();
        handed(move |_, _| Err(refused.clone()))
    };
    assert_told(refuses, &[Cause::AlwaysFails]);
    let likely = came(refuses(), &[EDITION]).likely(|_| true);
    let told = "every check ends in failure, the first with error: ValueError: not an absolute URL";
    assert_eq!(likely[0].observed, told);
}

#[test]
fn an_agent_that_is_ignored_is_told() {
    for fixed in ["*", "FooBot"] {
        assert_told(
            || handed(move |robots, query| Ok(sound(robots, fixed, &query.url))),
            &[Cause::AgentIgnored],
        );
    }
}

#[test]
fn a_file_that_is_ignored_is_told() {
    let first = b"user-agent: *\nallow: /$\ndisallow: /f\ndisallow: /a\n";
    assert_told(|| handed(|_, query| Ok(sound(first, &query.agent, &query.url))), &[Cause::FileIgnored]);
}

#[test]
fn files_in_base64_that_are_not_decoded_are_told() {
    let as_if_empty = |robots: &[u8]| std::str::from_utf8(robots).map(str::to_owned).unwrap_or_default();
    assert_told(
        || handed(move |robots, query| Ok(sound(as_if_empty(robots).as_bytes(), &query.agent, &query.url))),
        &[Cause::Base64NotDecoded],
    );
    assert_told(
        || {
            handed(|robots, query| match std::str::from_utf8(robots) {
                Ok(_) => Ok(sound(robots, &query.agent, &query.url)),
                Err(_) => Err("KeyError: 'robots'".to_owned()),
            })
        },
        &[Cause::Base64NotDecoded],
    );
}

#[test]
fn two_mistakes_are_both_told() {
    assert_told(
        || {
            handed(|robots, query| {
                let robots = if std::str::from_utf8(robots).is_ok() { robots } else { b"" };
                Ok(sound(robots, "*", &query.url))
            })
        },
        &[Cause::AgentIgnored, Cause::Base64NotDecoded],
    );
}

#[test]
fn an_answer_for_the_first_check_alone_is_told() {
    let first = |robots: &[u8], queries: &[Query]| {
        let first = sound(robots, &queries[0].agent, &queries[0].url);
        Ok(vec![first.into(); queries.len()])
    };
    assert_told(|| Box::new(Does(first)), &[Cause::OneAnswerAFile]);
}

#[test]
fn an_agent_and_a_url_that_are_swapped_are_told() {
    let swapped = |robots: &[u8], query: &Query| Ok(sound(robots, &query.url, &query.agent));
    assert_told(|| handed(swapped), &[Cause::Swapped]);
    // Some parsers use a text that is not a URL as a path.
    assert_told(
        || handed(|robots, query| Ok(match_whole_url(robots, &query.url, &query.agent))),
        &[Cause::Swapped],
    );
    assert_told(
        || handed(|robots, query| Ok(match_whole_url(robots, &query.url, &format!("/{}", query.agent)))),
        &[Cause::Swapped],
    );
}

/// Whether the tests are to check the causes that a run of each single clause reports (see `.ci/long`).
fn is_long() -> bool {
    std::env::var_os("ROBOTSPEC_LONG").is_some()
}

/// Returns what is wrong with the reported mistakes: one of `mistakes` is missing, or a run of the checks of one kind
/// of clause, or in a long test of one clause, reports a mistake that is neither in `mistakes` nor in `may_report`.
fn find_wrong_causes(came: &Came, mistakes: &[Mistake], may_report: &[Mistake]) -> Result<(), String> {
    let causes = |mistakes: &[Mistake]| mistakes.iter().copied().map(Cause::Mistake).collect::<Vec<_>>();
    let reported: Vec<Cause> = came.likely(|_| true).into_iter().map(|likely| likely.cause).collect();
    if let Some(missing) = causes(mistakes).iter().find(|cause| !reported.contains(cause)) {
        return Err(format!("{missing:?} is not in {reported:?}"));
    }
    let admitted = causes(&[mistakes, may_report].concat());
    let kinds: BTreeSet<&str> = Clause::all().iter().map(|clause| &clause.id[..1]).collect();
    let clauses = Clause::all().iter().filter(|_| is_long()).map(|clause| &*clause.id);
    for filter in kinds.into_iter().chain(clauses).chain([""]) {
        let is_selected = |check: &Check| check.clauses.iter().any(|clause| clause.id.starts_with(filter));
        for likely in came.likely(is_selected) {
            if !admitted.contains(&likely.cause) {
                return Err(format!("the checks of {filter:?} report {likely:?}"));
            }
        }
    }
    Ok(())
}

/// The mistakes of a parser, and the causes that a run reports for it.
const PARSERS: &[(&[Faulty], &[Mistake])] = &[
    (&[], &[]),
    (&[Faulty::StarIsLiteral, Faulty::DollarIsLiteral], &[Mistake::StarIsLiteral, Mistake::DollarIsLiteral]),
    (&[Faulty::StarIsLiteral], &[Mistake::StarIsLiteral]),
    (&[Faulty::DollarIsLiteral], &[Mistake::DollarIsLiteral]),
    (&[Faulty::FirstMatch], &[Mistake::FirstMatch]),
    (&[Faulty::LastMatch], &[Mistake::LastMatch]),
    (&[Faulty::FirstGroupAlone], &[Mistake::FirstGroup]),
    (&[Faulty::LastGroupAlone], &[Mistake::LastGroup]),
    (&[Faulty::AgentPrefix], &[Mistake::AgentPrefix]),
    (&[Faulty::AgentSubstring], &[Mistake::AgentPrefix]),
    (&[Faulty::AgentCaseMatters], &[Mistake::AgentCase]),
    (&[Faulty::EscapesStay, Faulty::NonAsciiStays], &[Mistake::EscapesStay]),
    (&[Faulty::FieldCaseMatters], &[]),
    (&[Faulty::CommentIsValue], &[]),
    (&[Faulty::CrIsNoLineEnd], &[]),
    (&[Faulty::TieDisallows], &[Mistake::TieDisallows]),
    (&[Faulty::CrashesOnInvalidUtf8], &[]),
    (&[Faulty::NoAllow], &[Mistake::NoAllow]),
    (&[Faulty::NoStar], &[]),
    (&[Faulty::FirstMatch, Faulty::AgentCaseMatters], &[Mistake::FirstMatch, Mistake::AgentCase]),
    (SEVERAL, &[Mistake::StarIsLiteral, Mistake::DollarIsLiteral, Mistake::FirstMatch]),
];

/// The share of the failures that the last mistake causes is too small to report it with certainty.
const SEVERAL: &[Faulty] =
    &[Faulty::StarIsLiteral, Faulty::DollarIsLiteral, Faulty::FirstMatch, Faulty::FirstGroupAlone];

#[test]
fn a_run_reports_an_ordinary_mistake_and_no_other() {
    let mut wrong = Vec::new();
    for &(mistakes, causes) in PARSERS {
        for editions in [&[Edition::Rfc9309][..], &Edition::ALL] {
            let came = came(Box::new(FaultyParser::new(mistakes)), editions);
            let may_report: &[Mistake] = if mistakes == SEVERAL { &[Mistake::FirstGroup] } else { &[] };
            wrong.extend(
                find_wrong_causes(&came, causes, may_report).err().map(|wrong| (mistakes, editions, wrong)),
            );
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_run_reports_of_a_third_party_parser_only_mistakes_that_its_list_explains() {
    for name in robotspec_built_in::NAMES {
        let (causes, may_report): (&[Mistake], &[Mistake]) = match *name {
            "robots_txt" => (
                &[Mistake::StarIsLiteral, Mistake::FirstMatch, Mistake::EscapesStay],
                // It finds the name of a group anywhere in the name of the agent.
                &[Mistake::DollarIsLiteral, Mistake::AgentPrefix, Mistake::FirstGroup],
            ),
            _ => (&[], &[]),
        };
        for editions in [&[Edition::Rfc9309][..], &Edition::ALL] {
            let implementation = robotspec_built_in::find(name).expect("it is built in");
            assert_eq!(
                find_wrong_causes(&came(implementation, editions), causes, may_report),
                Ok(()),
                "{name}"
            );
        }
    }
}
