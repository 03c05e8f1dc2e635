//! The causes that findings name: of parsers that are wrong in a known respect.

use std::collections::BTreeSet;

use robotspec::{Edition, Fault, Info, MatchQuery, Parser, Verdict};
use robotspec_cases::Query;
use robotspec_fuzz::{Finding, FindingKind, Report, SearchPlan, clauses_in_play};
use robotspec_reference::{Governs, Question, Reading, RobotsTxt, Ruling, split_lines};
use robotspec_text::document::plain_lines;

use crate::searches::{describe, make, plan, search_quietly};

/// Answers to questions, by their names.
type Answers = &'static [(Question, &'static str)];

/// A reader of the reference that gives other answers to some questions, after it has rewritten the file.
#[derive(Clone)]
struct FaultyReader {
    answers: Answers,
    rewrite: fn(&[u8]) -> Vec<u8>,
}

impl FaultyReader {
    fn reading(&self) -> Reading {
        let choices = self.answers.iter().filter_map(|(question, answer)| question.choice(answer));
        choices.fold(Reading::plainest(Edition::Rfc9309), Reading::supposing)
    }
}

impl Parser for FaultyReader {
    fn info(&self) -> Info {
        Info::named("faulty reader")
    }

    fn check(&mut self, robots: &[u8], queries: &[MatchQuery]) -> Result<Vec<Verdict>, Fault> {
        let reading = self.reading();
        let robots = (self.rewrite)(robots);
        let robots = RobotsTxt::parse(&robots);
        let verdict = |query: &MatchQuery| match robots.decide(&reading, query.agent, query.url) {
            Ok(decision) => Verdict::from(Ruling::from(decision.verdict)),
            Err(error) => Verdict::Error(error.to_string().into()),
        };
        Ok(queries.iter().map(verdict).collect())
    }

    fn scope(&mut self, robots_url: &str, url: &str) -> Result<Governs, Fault> {
        let governs = robotspec_reference::governs(&self.reading(), robots_url, url);
        Ok(governs.map_or(Governs::Unspecified, Governs::from))
    }
}

fn search(answers: Answers, rewrite: fn(&[u8]) -> Vec<u8>) -> Report {
    search_in(Edition::Rfc9309, answers, rewrite)
}

fn search_in(edition: Edition, answers: Answers, rewrite: fn(&[u8]) -> Vec<u8>) -> Report {
    let subjects = || make(move || FaultyReader { answers, rewrite });
    let search = |checks| search_quietly(SearchPlan { jobs: 2, ..plan(edition, 1, checks) }, subjects());
    // Most mistakes show soon.
    let found = [4_000, 10_000].into_iter().map(search).find(|report| !report.findings.is_empty());
    found.unwrap_or_else(|| search(30_000))
}

/// Returns the violations of a report, without those that relations show.
fn violations(report: &Report) -> Vec<&Finding> {
    let violations: Vec<&Finding> =
        report.findings.iter().filter(|finding| finding.class.kind == FindingKind::Violation).collect();
    assert!(!violations.is_empty(), "nothing was found");
    violations
}

fn cause(finding: &Finding) -> Option<String> {
    finding.class.answers.map(|choice| format!("{}={choice}", choice.question))
}

/// Asserts that a finding names this cause under this clause, and that no finding names another cause.
fn assert_only_cause(report: &Report, clause: &str, name: &str) {
    let violations = violations(report);
    let causes: Vec<String> = violations.iter().filter_map(|finding| cause(finding)).collect();
    assert!(causes.iter().any(|cause| cause == name), "{name}:\n{}", describe(&report.findings));
    assert!(causes.iter().all(|cause| cause == name), "{causes:?}:\n{}", describe(&report.findings));
    let mut named = violations.iter().filter(|finding| finding.class.answers.is_some());
    assert!(named.all(|finding| finding.class.clause == Some(clause)), "{}", describe(&report.findings));
}

/// Asserts that no finding names a cause, and that each has the clause of the last step by which the reference decides.
fn assert_unexplained(report: &Report) {
    let causes: Vec<String> = violations(report).iter().filter_map(|finding| cause(finding)).collect();
    assert!(causes.is_empty(), "{causes:?}:\n{}", describe(&report.findings));
    for finding in violations(report) {
        let Query::Match { robots, agent, url } = &finding.query else { continue };
        let explanation = RobotsTxt::parse(robots).explain(finding.edition, agent, url).expect("a URL");
        assert_eq!(explanation.decision.clauses().last().copied(), finding.class.clause, "{}", finding.class);
        assert!(
            plain_lines(&finding.explain(), 100).iter().any(|line| line.contains("unexplained: ")),
            "{}",
            finding.class
        );
    }
}

#[test]
fn a_reader_with_one_wrong_answer_is_named_by_it() {
    use Question::*;
    let readers: [(Answers, &str, &str); 32] = [
        (&[(AgentMatch, "any-prefix")], "A-one", "AgentMatch=any-prefix"),
        (&[(AgentMatch, "hyphen-prefix")], "A-one", "AgentMatch=hyphen-prefix"),
        (&[(EqualLength, "disallow")], "O-tie", "EqualLength=disallow"),
        (&[(SameAgentGroups, "first-only")], "G-merge", "SameAgentGroups=first-only"),
        (&[(EscapedSpecial, "different")], "M-literal", "EscapedSpecial=different"),
        // Answers that no edition admits, or none since 1996.
        (&[(FirstRule, "last")], "O-longest", "FirstRule=last"),
        (&[(FirstRule, "any-allow")], "O-longest", "FirstRule=any-allow"),
        (&[(StarInPath, "literal")], "M-star", "StarInPath=literal"),
        (&[(Escapes, "written")], "M-percent", "Escapes=written"),
        (&[(RuleCharacters, "expression")], "M-prefix", "RuleCharacters=expression"),
        (&[(AgentMatch, "part-of")], "A-one", "AgentMatch=part-of"),
        (&[(Comment, "keep")], "L-comment", "Comment=keep"),
        (&[(EqualLength, "first"), (Equivalent, "first")], "O-tie", "EqualLength=first"),
        (&[(EqualLength, "last"), (Equivalent, "last")], "O-tie", "EqualLength=last"),
        (&[(FirstRule, "first-wildcard")], "O-longest", "FirstRule=first-wildcard"),
        (&[(MatchAnywhere, "with-wildcard")], "M-first-octet", "MatchAnywhere=with-wildcard"),
        (&[(PathPortion, "without-empty-query")], "M-query", "PathPortion=without-empty-query"),
        (&[(PathPortion, "without-empty-parts")], "M-query", "PathPortion=without-empty-parts"),
        (&[(DollarInPath, "either")], "M-dollar", "DollarInPath=either"),
        (&[(EscapedSpecial, "wildcard")], "M-literal", "EscapedSpecial=wildcard"),
        (&[(DoubleSlash, "host")], "M-prefix", "DoubleSlash=host"),
        (&[(DefaultPort, "different")], "S-default-port", "DefaultPort=different"),
        (&[(RootPath, "different")], "M-prefix", "RootPath=different"),
        (&[(RootPath, "different-with-query")], "M-prefix", "RootPath=different-with-query"),
        (&[(OtherLineEnd, "line-feed")], "L-eol", "OtherLineEnd=line-feed"),
        (&[(InvalidUtf8, "ignore-file")], "L-encoding", "InvalidUtf8=ignore-file"),
        (&[(StarIsShort, "yes")], "A-one", "StarIsShort=yes"),
        (&[(Escapes, "written-in-query")], "M-percent", "Escapes=written-in-query"),
        (&[(ReplacedBytes, "yes")], "M-non-ascii", "ReplacedBytes=yes"),
        (&[(ReservedByte, "different-in-query")], "M-prefix", "ReservedByte=different-in-query"),
        (&[(ReservedByte, "different-in-path")], "M-prefix", "ReservedByte=different-in-path"),
        (&[(DoubleSlash, "drop-in-url")], "M-prefix", "DoubleSlash=drop-in-url"),
    ];
    for (answers, clause, name) in readers {
        assert_only_cause(&search(answers, <[u8]>::to_vec), clause, name);
    }
}

/// A mistake hides others until it is known. What it leaves open is no further mistake.
#[test]
fn each_of_several_mistakes_is_named() {
    use Question::*;
    let open = [(MissingColon, "accept"), (Typo, "accept"), (TrailingStarCounts, "yes")];
    let mistakes = [
        (AgentMatch, "any-prefix"),
        (StarIsShort, "yes"),
        (OtherLineEnd, "yes"),
        (DollarInPath, "either"),
        (OtherRecordBetweenAgents, "ends-run"),
    ];
    let answers: Answers = Vec::from_iter(open.into_iter().chain(mistakes)).leak();
    let subjects = make(move || FaultyReader { answers, rewrite: <[u8]>::to_vec });
    let report = search_quietly(SearchPlan { jobs: 2, ..plan(Edition::Rfc9309, 1, 20_000) }, subjects);
    let named: BTreeSet<String> = violations(&report).iter().filter_map(|finding| cause(finding)).collect();
    let names = mistakes.map(|(question, answer)| format!("{question}={answer}"));
    assert_eq!(named, BTreeSet::from(names), "{}", describe(&report.findings));
}

/// Small digits in the URL are a single mistake, whichever clauses decide about the escapes.
#[test]
fn capital_digits_in_rules_alone_are_one_class() {
    let report = search(&[(Question::HexCase, "rule-in-capitals")], <[u8]>::to_vec);
    assert_only_cause(&report, "M-percent", "HexCase=rule-in-capitals");
    assert!(
        violations(&report).iter().all(|finding| cause(finding).is_some()),
        "{}",
        describe(&report.findings)
    );
}

#[test]
fn admitted_answers_next_to_a_wrong_one_are_not_named() {
    use Question::*;
    let answers = &[(AgentMatch, "any-prefix"), (Bom, "keep"), (AgentSuffix, "keep"), (AgentOther, "ignore")];
    assert_only_cause(&search(answers, <[u8]>::to_vec), "A-one", "AgentMatch=any-prefix");
}

#[test]
fn the_robots_txt_itself_is_named_whatever_lines_are_read_as_rules() {
    use Question::*;
    let answers = &[(RobotsTxtItself, "by-rules"), (Typo, "accept"), (MissingColon, "accept")];
    let report = search(answers, <[u8]>::to_vec);
    assert_only_cause(&report, "M-robots-txt", "RobotsTxtItself=by-rules");
    for finding in violations(&report) {
        let in_play = clauses_in_play(finding.edition, &finding.query);
        assert!(
            !in_play.contains(&"L-typo") && !in_play.contains(&"L-valid-only"),
            "{in_play:?}: {:?}",
            finding.query
        );
    }
}

#[test]
fn an_agent_that_must_be_named_in_full_is_not_a_matter_of_a_bom_or_a_suffix() {
    // In google-2021, the group `a` also names the crawler `a-b`.
    let report = search_in(Edition::Google2021, &[(Question::AgentMatch, "equal")], <[u8]>::to_vec);
    let causes: Vec<String> = violations(&report).iter().filter_map(|finding| cause(finding)).collect();
    for cause in &causes {
        assert!(!cause.starts_with("Bom") && !cause.starts_with("AgentSuffix"), "{causes:?}");
    }
}

#[test]
fn a_parser_that_cuts_lines_has_no_single_wrong_answer() {
    fn cut_lines(robots: &[u8]) -> Vec<u8> {
        const LENGTH: usize = 30;
        let cut =
            |line: robotspec_reference::Line| [&line.text[..line.text.len().min(LENGTH)], line.end].concat();
        split_lines(robots).flat_map(cut).collect()
    }
    assert_unexplained(&search(&[], cut_lines));
}

/// Most of what it does with `?` is what an expression does.
#[test]
fn a_parser_with_one_further_wildcard_has_no_single_wrong_answer() {
    fn with_stars(robots: &[u8]) -> Vec<u8> {
        robots.iter().map(|byte| if *byte == b'?' { b'*' } else { *byte }).collect()
    }
    assert_unexplained(&search(&[], with_stars));
}

/// Encoders escape more than one character.
#[test]
fn a_parser_for_which_a_plus_is_a_space_has_no_single_wrong_answer() {
    fn with_spaces(robots: &[u8]) -> Vec<u8> {
        robots.split(|&byte| byte == b'+').collect::<Vec<_>>().join(&b"%20"[..])
    }
    assert_unexplained(&search(&[], with_spaces));
}

/// It agrees with a reader that disallows where rules have equal lengths on all queries about such rules.
#[test]
fn a_parser_that_disallows_everything_has_no_single_wrong_answer() {
    assert_unexplained(&search(&[], |_| b"user-agent: *\ndisallow: /\n".to_vec()));
}

#[test]
fn an_escaped_dollar_after_a_star_is_not_a_leading_star() {
    /// Drops the rules that contain a star and an escaped dollar.
    fn drop_rules(robots: &[u8]) -> Vec<u8> {
        let has = |line: &[u8], text: &[u8]| line.windows(text.len()).any(|window| window == text);
        let lines = split_lines(robots).filter(|line| !(has(line.text, b"*") && has(line.text, b"%24")));
        lines.flat_map(|line| [line.text, line.end].concat()).collect()
    }
    assert_eq!(drop_rules(b"allow: *a\rdisallow: *%24\nallow: /%24"), b"allow: *a\rallow: /%24");
    assert_unexplained(&search(&[], drop_rules));
}
