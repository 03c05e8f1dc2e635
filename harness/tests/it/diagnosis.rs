//! The likely cause of many failures: a run reports each cause where a parser or an adapter has it, and nowhere else.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, LazyLock};

use robotspec::event::{CheckFinished, LikelyCause};
use robotspec::{
    BoxedEndpoint, Clause, Edition, Fault, ImplementationRecord, InProcess, Info, MatchQuery, Parser, Plan,
    RunRecord, Subject, Verdict, checks_by_id, describe_other_rows, diagnose, run,
};
use robotspec_cases::suite::built_in;
use robotspec_cases::{Check, CheckId, Expected, Level, Query, checks, minimal_rows};
use robotspec_reference::Ruling;
use robotspec_test_support::extent::{is_long, rows};
use robotspec_test_support::faulty::{FaultyParser, Mistake};
use robotspec_test_support::subtle::{self, SubtleParser};

use crate::support::{EDITION, LONG, check_of, in_process};

type Answers = Result<Vec<Verdict>, Fault>;

/// A parser that answers with the result of a function.
#[derive(Clone)]
struct Function<F>(F);

impl<F: FnMut(&[u8], &[MatchQuery]) -> Answers> Parser for Function<F> {
    fn info(&self) -> Info {
        Info::named("function")
    }

    fn check(&mut self, robots: &[u8], queries: &[MatchQuery]) -> Answers {
        (self.0)(robots, queries)
    }
}

/// Makes a parser behind an adapter that answers each query with the result of a function.
fn adapted(
    answer: impl Fn(&[u8], &MatchQuery) -> Result<bool, String> + Clone + Send + 'static,
) -> impl Parser + Clone + Send {
    Function(move |robots: &[u8], queries: &[MatchQuery]| {
        let verdict = |query: &MatchQuery| {
            answer(robots, query).map_or_else(|error| Verdict::Error(error.into()), Verdict::from)
        };
        Ok(queries.iter().map(verdict).collect())
    })
}

/// Returns the answer of a sound parser.
fn sound(robots: &[u8], agent: &str, url: &str) -> bool {
    FaultyParser::sound().allows(robots, agent, url).expect("it accepts every file")
}

/// Returns the answer of a parser that matches the rules with the whole URL.
fn match_whole_url(robots: &[u8], agent: &str, url: &str) -> bool {
    let parser = FaultyParser::new(&[Mistake::MatchesWholeUrl]);
    parser.allows(robots, agent, url).expect("it accepts every file")
}

/// The record of a run of all rows.
struct Ran {
    checks: Vec<Check>,
    record: ImplementationRecord,
}

fn run_all(parser: impl Parser + Clone + Send + 'static, editions: &[Edition]) -> Ran {
    let make = move || -> BoxedEndpoint {
        let parser = parser.clone();
        Box::new(in_process(move || parser.clone()))
    };
    run_subject(Subject::new(make), editions)
}

fn run_subject(subject: Subject, editions: &[Edition]) -> Ran {
    // Long files show no cause that others do not show.
    static CHECKS: LazyLock<Vec<Check>> = LazyLock::new(rows);
    run_checks(subject, CHECKS.clone(), editions)
}

fn run_checks(subject: Subject, checks: Vec<Check>, editions: &[Edition]) -> Ran {
    let plan = Plan {
        checks,
        editions: editions.to_vec(),
        level: Level::Should,
        lists_are_about: Some(editions.to_vec()),
        shard: None,
        jobs: 1,
    };
    let mut record = RunRecord::default();
    run(&plan, vec![subject], &mut |event| record.take(event));
    Ran { checks: plan.checks, record: record.implementations.remove(0) }
}

impl Ran {
    /// Returns the causes that only these checks show.
    fn causes(&self, is_selected: impl Fn(&Check) -> bool) -> Vec<LikelyCause> {
        let by_id: HashMap<&CheckId, &Check> = checks_by_id(&self.checks);
        let mut record = self.record.clone();
        record.checks.retain(|check| is_selected(by_id[&check.id]));
        diagnose(&record, &by_id)
    }
}

fn names(causes: &[LikelyCause]) -> Vec<String> {
    causes.iter().map(|likely| likely.cause.to_string()).collect()
}

/// The editions of the runs of a test: one edition, and all editions in a long test or at every sixth place.
fn plans(place: usize) -> &'static [&'static [Edition]] {
    match place % 6 {
        _ if is_long() => &[&[EDITION], &Edition::ALL],
        0 => &[&Edition::ALL],
        _ => &[&[EDITION]],
    }
}

/// Asserts the causes that a run reports.
#[track_caller]
fn assert_causes(parser: impl Parser + Clone + Send + 'static, causes: &[&str]) {
    for editions in plans(causes.len()) {
        let reported = run_all(parser.clone(), editions).causes(|_| true);
        assert_eq!(names(&reported), causes, "{editions:?}");
        assert!(reported.iter().all(|likely| likely.evidence >= 5), "{reported:?}");
    }
}

#[test]
fn a_run_reports_inverted_verdicts() {
    assert_causes(adapted(|robots, query| Ok(!sound(robots, query.agent, query.url))), &["inverted"]);
}

#[test]
fn a_run_reports_the_same_answer_to_everything() {
    assert_causes(adapted(|_, _| Ok(true)), &["allows-everything"]);
    assert_causes(adapted(|_, _| Ok(false)), &["disallows-everything"]);
    let allows_robots_txt = |_: &[u8], query: &MatchQuery| Ok(query.url.ends_with("/robots.txt"));
    assert_causes(adapted(allows_robots_txt), &["disallows-everything"]);
    let ignores_file = |_: &[u8], query: &MatchQuery| Ok(sound(b"", query.agent, query.url));
    assert_causes(adapted(ignores_file), &["allows-everything"]);
}

fn is_minimal(check: &Check) -> bool {
    minimal_rows().contains(&*check.id.to_string())
}

#[test]
fn few_rows_show_what_hides_all_other_causes() {
    let assert_few_show = |ran: Ran, expected: &[&str]| {
        assert_eq!(names(&ran.causes(is_minimal)), expected);
        assert_eq!(names(&ran.causes(|check| &*check.id.suite == "path-values")), expected);
    };
    assert_few_show(run_all(adapted(|_, _| Ok(true)), &[EDITION]), &["allows-everything"]);
    assert_few_show(run_all(adapted(|_, _| Ok(false)), &[EDITION]), &["disallows-everything"]);
    let inverted = adapted(|robots, query| Ok(!sound(robots, query.agent, query.url)));
    assert_few_show(run_all(inverted, &[EDITION]), &["inverted"]);
    assert_few_show(
        run_all(adapted(|robots, query| Ok(sound(robots, query.agent, query.url))), &[EDITION]),
        &[],
    );
    let swapped = run_all(adapted(|robots, query| Ok(sound(robots, query.url, query.agent))), &[EDITION]);
    let is_of_a_few_suites = |check: &Check| ["agents", "groups", "path-values"].contains(&&*check.id.suite);
    assert_eq!(names(&swapped.causes(is_of_a_few_suites)), ["swapped"]);
    assert_few_show(swapped, &["swapped"]);
    let after_slash = |robots: &[u8], query: &MatchQuery| {
        Ok(match_whole_url(robots, query.url, &format!("/{}", query.agent)))
    };
    assert_few_show(run_all(adapted(after_slash), &[EDITION]), &["swapped"]);
    // No rule such as `/fish` matches the name of an agent: the advice of this cause names the order, too.
    let as_path = |robots: &[u8], query: &MatchQuery| Ok(match_whole_url(robots, query.url, query.agent));
    assert_few_show(run_all(adapted(as_path), &[EDITION]), &["allows-everything"]);
}

#[test]
fn few_rows_of_a_parser_with_one_mistake_do_not_show_a_mistake_of_an_adapter() {
    let suites = built_in().expect("valid suites");
    let few = ["path-values", "groups", "agents", "useful-rules"];
    let names_of_suites: Vec<String> = suites.iter().map(|suite| suite.id.to_string()).collect();
    let is_run = |id: &str| id != "size" && (is_long() || few.contains(&id));
    let names_of_suites: Vec<String> = names_of_suites.into_iter().filter(|id| is_run(id)).collect();
    let mut rows = checks(suites, false);
    rows.retain(|check| is_minimal(check) || names_of_suites.iter().any(|name| **name == *check.id.suite));
    let faulty = Mistake::ALL.iter().filter(|(mistake, _)| *mistake != Mistake::MatchesWholeUrl);
    let faulty = faulty.map(|&(mistake, _)| {
        let subject = Subject::new(move || Box::new(in_process(move || FaultyParser::new(&[mistake]))));
        (format!("{mistake:?}"), subject)
    });
    let subtle = subtle::mistakes().into_iter().map(|subtle| {
        let subject = Subject::new(move || Box::new(in_process(move || SubtleParser::new(subtle))));
        (subtle.name.to_owned(), subject)
    });
    let step = if is_long() { 1 } else { 16 };
    let mut wrong = Vec::new();
    for (mistake, subject) in faulty.chain(subtle).step_by(step) {
        let ran = run_checks(subject, rows.clone(), &[EDITION]);
        let mut look = |place: &str, is_selected: &dyn Fn(&Check) -> bool| {
            let causes = names(&ran.causes(is_selected));
            let causes = causes.iter().filter(|cause| ["swapped", "url-for-path"].contains(&&***cause));
            wrong.extend(causes.map(|cause| format!("{mistake}: the rows of {place} show {cause}")));
        };
        look("the minimal set", &is_minimal);
        names_of_suites.iter().for_each(|name| look(name, &|check| *check.id.suite == **name));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_run_reports_a_form_of_files_that_is_read_otherwise() {
    let causes = |parser: Box<dyn Fn(&str) -> String + Send + Sync>| -> Vec<String> {
        let parser = Arc::new(parser);
        let adapted = adapted(move |robots, query| {
            let robots = std::str::from_utf8(robots).map(&*parser);
            Ok(robots.is_ok_and(|robots| sound(robots.as_bytes(), query.agent, query.url)))
        });
        let mut suites = built_in().expect("valid suites").to_vec();
        suites.retain(|suite| ["agents", "groups", "path-values"].contains(&&*suite.id));
        let subject = Subject::new(move || {
            let adapted = adapted.clone();
            Box::new(in_process(move || adapted.clone()))
        });
        names(&run_checks(subject, checks(&suites, true), &[EDITION]).causes(|_| true))
    };
    let splits_at_lf_only = |robots: &str| match robots.contains('\n') {
        true => robots.to_owned(),
        false => String::new(),
    };
    assert_eq!(causes(Box::new(splits_at_lf_only)), ["cr"]);
    let keeps_space_before_colon = |robots: &str| robots.replace(" \t:", "-");
    assert_eq!(causes(Box::new(keeps_space_before_colon)), ["spaced"]);
    assert_eq!(causes(Box::new(str::to_owned)), [""; 0]);
}

#[test]
fn a_run_reports_a_url_in_place_of_a_path() {
    assert_causes(
        adapted(|robots, query| Ok(match_whole_url(robots, query.agent, query.url))),
        &["url-for-path"],
    );
    // Some parsers add a slash to what does not start with one. The rules `/` and `/*.php` then match.
    assert_causes(
        adapted(|robots, query| Ok(sound(robots, query.agent, &format!("http://example.com/{}", query.url)))),
        &["url-for-path"],
    );
}

#[test]
fn a_run_reports_a_path_in_place_of_a_url() {
    // A parser that looks for the path after the host finds none.
    assert_causes(
        adapted(|robots, query| Ok(sound(robots, query.agent, "http://example.com"))),
        &["url-ignored"],
    );
    let refuses = adapted(|_, _| Err("ValueError: not an absolute URL".to_owned()));
    assert_causes(refuses.clone(), &["always-fails"]);
    let observed = run_all(refuses, &[EDITION]).causes(|_| true).remove(0).observed;
    assert!(observed.contains("ValueError: not an absolute URL"), "{observed}");
}

#[test]
fn a_run_reports_an_agent_that_is_ignored() {
    for fixed in ["*", "FooBot"] {
        assert_causes(adapted(move |robots, query| Ok(sound(robots, fixed, query.url))), &["agent-ignored"]);
    }
}

#[test]
fn a_cause_claims_only_the_rows_that_fail_for_it_alone() {
    let ignores_agent = |mistakes: &[Mistake]| {
        let parser = FaultyParser::new(mistakes);
        run_all(
            adapted(move |robots, query| {
                Ok(parser.allows(robots, "*", query.url).expect("it accepts every file"))
            }),
            &[EDITION],
        )
    };
    let alone = ignores_agent(&[]);
    let with_others = ignores_agent(&[Mistake::CommentIsValue, Mistake::NoAllow, Mistake::StarIsLiteral]);
    let other_rows = |ran: &Ran| {
        let by_id = checks_by_id(&ran.checks);
        let causes = diagnose(&ran.record, &by_id);
        assert_eq!(names(&causes), ["agent-ignored"]);
        describe_other_rows(&causes, &ran.record, &by_id)
    };
    let by_id = checks_by_id(&with_others.checks);
    let cause = diagnose(&with_others.record, &by_id).remove(0);
    let mut claimed = 0;
    for finished in with_others.record.failures() {
        if cause.explains(by_id[&finished.id], finished, &with_others.record) {
            let same = alone.record.find(&finished.id).expect("the same checks");
            assert_eq!(same.editions, finished.editions, "{}", finished.id);
            claimed += 1;
        }
    }
    let failing = with_others.record.failures().count();
    assert!(claimed > 100 && failing > claimed + 100, "{claimed} of {failing}");
    let others = format!("at least {} rows fail for other reasons", failing - claimed);
    assert_eq!((other_rows(&with_others), other_rows(&alone)), (Some(others), None));
}

#[test]
fn a_constant_verdict_explains_every_failure_of_a_long_file_too() {
    let query = Query::Match {
        robots: [&b"user-agent: *\ndisallow: /\n"[..], &vec![b'#'; 70_000]].concat().into(),
        agent: "FooBot".to_owned(),
        url: "http://example.com/".to_owned(),
    };
    let mut checks = rows();
    checks.push(check_of("long/file#row", query, Expected::Ruling(Ruling::Disallow)));
    let subject = || -> BoxedEndpoint { Box::new(in_process(|| adapted(|_, _| Ok(true)))) };
    let ran = run_checks(Subject::new(subject), checks, &[EDITION]);
    let by_id = checks_by_id(&ran.checks);
    let cause = diagnose(&ran.record, &by_id).remove(0);
    let unexplained = |finished: &&CheckFinished| !cause.explains(by_id[&finished.id], finished, &ran.record);
    let of_matches = |finished: &&CheckFinished| matches!(by_id[&finished.id].query, Query::Match { .. });
    assert!(
        ran.record.find(&"long/file#row".parse().expect("an id")).is_some_and(CheckFinished::has_failure)
    );
    assert_eq!(ran.record.failures().filter(of_matches).filter(unexplained).count(), 0);
}

#[test]
fn a_run_reports_a_file_that_is_ignored() {
    let first = b"user-agent: *\nallow: /$\ndisallow: /f\ndisallow: /a\n";
    assert_causes(adapted(|_, query| Ok(sound(first, query.agent, query.url))), &["file-ignored"]);
}

#[test]
fn a_run_reports_files_in_base64_that_are_not_decoded() {
    let empty_unless_utf8 =
        |robots: &[u8]| std::str::from_utf8(robots).map(str::to_owned).unwrap_or_default();
    assert_causes(
        adapted(move |robots, query| Ok(sound(empty_unless_utf8(robots).as_bytes(), query.agent, query.url))),
        &["base64-not-decoded"],
    );
    assert_causes(
        adapted(|robots, query| match std::str::from_utf8(robots) {
            Ok(_) => Ok(sound(robots, query.agent, query.url)),
            Err(_) => Err("KeyError: 'robots'".to_owned()),
        }),
        &["base64-not-decoded"],
    );
    let error_of_the_library = adapted(|robots, query| match std::str::from_utf8(robots) {
        Ok(_) => Ok(sound(robots, query.agent, query.url)),
        Err(_) => Err("TypeError: 'NoneType' object is not iterable".to_owned()),
    });
    assert_causes(error_of_the_library, &[]);
}

#[test]
fn a_run_reports_two_mistakes_of_an_adapter() {
    assert_causes(
        adapted(|robots, query| {
            let robots = if std::str::from_utf8(robots).is_ok() { robots } else { b"" };
            Ok(sound(robots, "*", query.url))
        }),
        &["agent-ignored", "base64-not-decoded"],
    );
}

#[test]
fn a_run_reports_that_all_checks_of_a_file_get_the_answer_of_the_first() {
    let answer_first = |robots: &[u8], queries: &[MatchQuery]| {
        let first = sound(robots, queries[0].agent, queries[0].url);
        Ok(vec![first.into(); queries.len()])
    };
    assert_causes(Function(answer_first), &["one-answer-a-file"]);
}

#[test]
fn a_run_reports_that_agent_and_url_are_swapped() {
    assert_causes(adapted(|robots, query| Ok(sound(robots, query.url, query.agent))), &["swapped"]);
    // Some parsers use a text that is not a URL as a path.
    assert_causes(adapted(|robots, query| Ok(match_whole_url(robots, query.url, query.agent))), &["swapped"]);
    assert_causes(
        adapted(|robots, query| Ok(match_whole_url(robots, query.url, &format!("/{}", query.agent)))),
        &["swapped"],
    );
}

/// Returns what is wrong with the reported causes: one of `causes` is missing, or some checks show a cause that is
/// neither in `causes` nor in `admitted`. These are all checks or, of every sixth parser, those of one kind of clause;
/// in a long test, they are those of one clause too.
fn find_wrong_causes(place: usize, ran: &Ran, causes: &[&str], admitted: &[&str]) -> Result<(), String> {
    let reported = names(&ran.causes(|_| true));
    if let Some(missing) = causes.iter().find(|cause| !reported.iter().any(|other| other == *cause)) {
        return Err(format!("{missing} is not in {reported:?}"));
    }
    let mut kinds: BTreeSet<&str> = Clause::all().iter().map(|clause| &clause.id[..1]).collect();
    kinds.retain(|_| is_long() || place.is_multiple_of(6));
    let clauses = Clause::all().iter().filter(|_| is_long()).map(|clause| &*clause.id);
    for filter in kinds.into_iter().chain(clauses).chain([""]) {
        let is_selected = |check: &Check| check.clauses.iter().any(|clause| clause.id.starts_with(filter));
        for cause in names(&ran.causes(is_selected)) {
            if !causes.contains(&&*cause) && !admitted.contains(&&*cause) {
                return Err(format!("the checks of `{filter}` show {cause}"));
            }
        }
    }
    Ok(())
}

/// The mistakes of a parser, and the causes that a run reports for it.
const PARSERS: &[(&[Mistake], &[&str])] = &[
    (&[], &[]),
    (&[Mistake::StarIsLiteral, Mistake::DollarIsLiteral], &["StarInPath=literal", "DollarInPath=literal"]),
    (&[Mistake::StarIsLiteral], &["StarInPath=literal"]),
    (&[Mistake::DollarIsLiteral], &["DollarInPath=literal"]),
    (&[Mistake::FirstMatch], &["FirstRule=first"]),
    (&[Mistake::LastMatch], &["FirstRule=last"]),
    (&[Mistake::AllowAlwaysWins], &["FirstRule=any-allow"]),
    (&[Mistake::DisallowAlwaysWins], &["FirstRule=any-disallow"]),
    (&[Mistake::FirstGroupAlone], &["SameAgentGroups=first-only"]),
    (&[Mistake::LastGroupAlone], &["SameAgentGroups=last-only"]),
    (&[Mistake::AgentPrefix], &["AgentMatch=any-prefix"]),
    (&[Mistake::AgentSubstring], &["AgentMatch=part-of"]),
    (&[Mistake::AgentCaseMatters], &["AgentCase=sensitive"]),
    (&[Mistake::EscapesStay, Mistake::NonAsciiStays], &["Escapes=written"]),
    (&[Mistake::FieldCaseMatters], &[]),
    (&[Mistake::CommentIsValue], &["Comment=keep"]),
    (&[Mistake::CrIsNoLineEnd], &["OtherLineEnd=line-feed"]),
    (&[Mistake::TieDisallows], &["EqualLength=disallow"]),
    (&[Mistake::CrashesOnInvalidUtf8], &[]),
    (&[Mistake::NoAllow], &["FirstRule=any-disallow"]),
    (&[Mistake::NoStar], &[]),
    (&[Mistake::AgentIsLowered], &["AgentCase=agent-in-small-letters"]),
    (&[Mistake::IgnoresQuery], &["PathPortion=without-query"]),
    (&[Mistake::StarIsAdded], &["StarAdded=yes"]),
    (&[Mistake::ExtensionsForbid], &["KnownExtension=accept"]),
    (&[Mistake::ShortestMatch], &["FirstRule=shortest"]),
    (&[Mistake::DecodesSlash], &["EscapedSlash=equal"]),
    (&[Mistake::UnicodeEndsLine], &["OtherLineEnd=yes"]),
    (&[Mistake::RuleIsExpression], &["RuleCharacters=expression"]),
    (&[Mistake::MatchesAnywhere], &["MatchAnywhere=yes"]),
    (&[Mistake::LengthOfMatch], &["LengthOf=matched"]),
    (&[Mistake::FirstMatch, Mistake::AgentCaseMatters], &["FirstRule=first", "AgentCase=sensitive"]),
    (SEVERAL, &["StarInPath=literal", "DollarInPath=literal", "FirstRule=first"]),
];

/// The share of the failures that the last mistake causes is too small to report it with certainty.
const SEVERAL: &[Mistake] =
    &[Mistake::StarIsLiteral, Mistake::DollarIsLiteral, Mistake::FirstMatch, Mistake::FirstGroupAlone];

#[test]
fn a_run_reports_a_mistake_of_a_parser_and_no_other() {
    let mut wrong = Vec::new();
    for (place, &(mistakes, causes)) in PARSERS.iter().enumerate() {
        for &editions in plans(place) {
            let ran = run_all(FaultyParser::new(mistakes), editions);
            let admitted: &[&str] = if mistakes == SEVERAL { &["SameAgentGroups=first-only"] } else { &[] };
            let found = find_wrong_causes(place, &ran, causes, admitted);
            wrong.extend(found.err().map(|wrong| (mistakes, editions, wrong)));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_run_reports_only_mistakes_that_the_list_of_a_third_party_parser_explains() {
    for (place, implementation) in robotspec_built_in::ALL.iter().enumerate() {
        let (causes, admitted): (&[&str], &[&str]) = match implementation.name {
            "robots_txt" => (
                &["StarInPath=literal", "FirstRule=first", "Escapes=written"],
                // It finds the name of a group anywhere in the name of the agent.
                &["DollarInPath=literal", "AgentMatch=part-of", "SameAgentGroups=first-only"],
            ),
            _ => (&[], &[]),
        };
        for editions in plans(place) {
            let make = implementation.make;
            let connect = move |edition| InProcess::new(move || make(edition), LONG);
            let subject = match implementation.depends_on_edition {
                true => Subject::by_edition(move |edition| Box::new(connect(edition))),
                false => Subject::new(move || Box::new(connect(EDITION))),
            };
            let ran = run_subject(subject, editions);
            assert_eq!(find_wrong_causes(place, &ran, causes, admitted), Ok(()), "{}", implementation.name);
        }
    }
}
