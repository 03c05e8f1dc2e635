//! What is likely the one cause of many failures: each such mistake is told for what it is, and no other parser is
//! suspected of one.

use std::collections::{BTreeMap, BTreeSet};

use robotspec::event::{CheckFinished, Event};
use robotspec::implementation::Incident;
use robotspec::likely::{Answered, Cause, Likely, Mistake, likely_causes};
use robotspec_cases::suite::{Check, built_in, checks};
use robotspec::{Clause, Fault, Implementation, Info, KnownFailures, Plan, Query, Subject, Verdict, run};
use robotspec_built_in as builtin;
use robotspec_reference::Edition;

use crate::support::EDITION;

// ---- Parsers ----

/// A parser that is right on most, and where it goes wrong.
#[derive(Clone, Copy, Default)]
struct Parser {
    matches_whole_urls: bool,
    knows_no_wildcards: bool,
    takes_the_first_match: bool,
    takes_the_first_group: bool,
    finds_agents_anywhere: bool,
    minds_the_case_of_agents: bool,
    minds_the_case_of_fields: bool,
    leaves_comments_in: bool,
    ends_lines_at_line_feeds_alone: bool,
    disallows_in_a_tie: bool,
    refuses_other_than_utf8: bool,
    ignores_allow: bool,
    ignores_the_star_group: bool,
    takes_the_last_match: bool,
    takes_the_last_group: bool,
    takes_beginnings_for_agents: bool,
    leaves_escapes: bool,
    knows_no_stars: bool,
    knows_no_ends: bool,
}

#[derive(Default)]
struct Group {
    agents: Vec<String>,
    rules: Vec<(bool, String)>,
}

impl Parser {
    fn allowed(self, robots: &[u8], agent: &str, url: &str) -> Result<bool, String> {
        if self.refuses_other_than_utf8 {
            std::str::from_utf8(robots).map_err(|error| error.to_string())?;
        }
        let text = String::from_utf8_lossy(robots);
        let groups = self.groups(&text);
        let path = if self.matches_whole_urls { url } else { path_of(url) };
        if path == "/robots.txt" {
            return Ok(true);
        }
        let mut rules = self.rules(&groups, |name| self.is_name(name, agent));
        if rules.is_empty() && !self.ignores_the_star_group {
            rules = self.rules(&groups, |name| name == "*");
        }
        let mut fitting = rules.into_iter().filter(|(_, pattern)| self.fits(pattern, path));
        let decides = if self.takes_the_first_match {
            fitting.next()
        } else if self.takes_the_last_match {
            fitting.next_back()
        } else {
            fitting.max_by_key(|(allow, pattern)| (pattern.len(), *allow != self.disallows_in_a_tie))
        };
        Ok(decides.is_none_or(|(allow, _)| *allow))
    }

    fn groups(self, text: &str) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        let mut is_open = false;
        let is_end = |c| c == '\n' || (c == '\r' && !self.ends_lines_at_line_feeds_alone);
        for line in text.trim_start_matches('\u{feff}').split(is_end) {
            let line =
                if self.leaves_comments_in { line } else { line.split('#').next().unwrap_or_default() };
            let Some((field, value)) = line.split_once(':') else { continue };
            let value = value.trim();
            let field = field.trim();
            let field = if self.minds_the_case_of_fields { field.to_owned() } else { field.to_lowercase() };
            match field.as_str() {
                "user-agent" => {
                    if !is_open {
                        groups.push(Group::default());
                    }
                    is_open = true;
                    groups.last_mut().expect("open").agents.push(value.to_owned());
                }
                "allow" | "disallow" => {
                    is_open = false;
                    if let Some(group) = groups.last_mut().filter(|_| !value.is_empty())
                        && !(self.ignores_allow && field == "allow")
                    {
                        group.rules.push((field == "allow", value.to_owned()));
                    }
                }
                _ => {}
            }
        }
        groups
    }

    fn is_name(self, name: &str, agent: &str) -> bool {
        let (name, agent) = if self.minds_the_case_of_agents {
            (name.to_owned(), agent.to_owned())
        } else {
            (name.to_lowercase(), agent.to_lowercase())
        };
        name == agent
            || (self.finds_agents_anywhere && name != "*" && agent.contains(&name))
            || (self.takes_beginnings_for_agents && agent.starts_with(&name))
    }

    fn rules(self, groups: &[Group], is_named: impl Fn(&str) -> bool) -> Vec<&(bool, String)> {
        let named = groups.iter().filter(|group| group.agents.iter().any(|name| is_named(name)));
        let mut named: Vec<&Group> = named.collect();
        if self.takes_the_last_group {
            named = named.pop().into_iter().collect();
        }
        named
            .into_iter()
            .take(if self.takes_the_first_group { 1 } else { usize::MAX })
            .flat_map(|group| &group.rules)
            .collect()
    }

    fn fits(self, pattern: &str, path: &str) -> bool {
        let is_anchored = pattern.ends_with('$') && !self.knows_no_wildcards && !self.knows_no_ends;
        let pattern = if is_anchored { &pattern[..pattern.len() - 1] } else { pattern };
        let has_stars = !self.knows_no_wildcards && !self.knows_no_stars;
        let (pattern, path) = match self.leaves_escapes {
            true => (pattern.to_owned(), path.to_owned()),
            false => (one_form(pattern), one_form(path)),
        };
        let stars: &[char] = if has_stars { &['*'] } else { &[] };
        let mut parts = pattern.split(stars);
        let Some(mut rest) = path.strip_prefix(parts.next().unwrap_or_default()) else { return false };
        let parts: Vec<&str> = parts.collect();
        for (place, part) in parts.iter().enumerate() {
            if is_anchored && place + 1 == parts.len() {
                return rest.ends_with(part);
            }
            let Some(start) = rest.find(part) else { return false };
            rest = &rest[start + part.len()..];
        }
        !is_anchored || rest.is_empty()
    }
}

/// A path with nothing escaped that need not be, and all that must.
fn one_form(path: &str) -> String {
    let mut form = String::new();
    let mut octets = path.bytes().peekable();
    while let Some(octet) = octets.next() {
        if octet == b'%' {
            let digits: String = octets.clone().take(2).map(char::from).collect();
            match u8::from_str_radix(&digits, 16) {
                Ok(of) if of.is_ascii_alphanumeric() || b"-._~".contains(&of) => form.push(char::from(of)),
                Ok(of) => form.push_str(&format!("%{of:02X}")),
                Err(_) => {
                    form.push('%');
                    continue;
                }
            }
            octets.nth(1);
        } else if octet.is_ascii() {
            form.push(char::from(octet));
        } else {
            form.push_str(&format!("%{octet:02X}"));
        }
    }
    form
}

fn path_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = rest.find(['/', '?', '#']).map_or("/", |start| &rest[start..]);
    path.split('#').next().unwrap_or_default()
}

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

fn sound(robots: &[u8], agent: &str, url: &str) -> bool {
    Parser::default().allowed(robots, agent, url).expect("it refuses nothing")
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
    let parser = Parser { matches_whole_urls: true, ..Parser::default() };
    assert_told(
        || handed(move |robots, query| parser.allowed(robots, &query.agent, &query.url)),
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
    // Others make a path of what is no URL.
    let as_path = Parser { matches_whole_urls: true, ..Parser::default() };
    assert_told(
        || handed(move |robots, query| as_path.allowed(robots, &query.url, &query.agent)),
        &[Cause::Swapped],
    );
    assert_told(
        || handed(move |robots, query| as_path.allowed(robots, &query.url, &format!("/{}", query.agent))),
        &[Cause::Swapped],
    );
}

/// Each of these is told, and whatever a filter leaves, no others but these and the ones that are made besides.
#[track_caller]
fn assert_suspected(name: &str, came: &Came, mistakes: &[Mistake], besides: &[Mistake]) {
    let causes = |mistakes: &[Mistake]| mistakes.iter().copied().map(Cause::Mistake).collect::<Vec<_>>();
    let told: Vec<Cause> = came.likely(|_| true).into_iter().map(|likely| likely.cause).collect();
    assert!(causes(mistakes).iter().all(|cause| told.contains(cause)), "{name}: {told:?}");
    let made = causes(&[mistakes, besides].concat());
    let kinds: BTreeSet<&str> = Clause::all().iter().map(|clause| &clause.id[..1]).collect();
    let clauses = Clause::all().iter().map(|clause| &*clause.id);
    for filter in kinds.into_iter().chain(clauses).chain([""]) {
        let fits = |check: &Check| check.clauses.iter().any(|clause| clause.id.starts_with(filter));
        for likely in came.likely(fits) {
            assert!(made.contains(&likely.cause), "{name}, {filter}: {likely:?}");
        }
    }
}

#[test]
fn an_ordinary_mistake_is_told_and_no_other() {
    let sound = Parser::default();
    let parsers = [
        ("sound", sound, &[][..]),
        (
            "no wildcards",
            Parser { knows_no_wildcards: true, ..sound },
            &[Mistake::StarIsLiteral, Mistake::DollarIsLiteral],
        ),
        ("no stars", Parser { knows_no_stars: true, ..sound }, &[Mistake::StarIsLiteral]),
        ("no ends", Parser { knows_no_ends: true, ..sound }, &[Mistake::DollarIsLiteral]),
        ("first match", Parser { takes_the_first_match: true, ..sound }, &[Mistake::FirstMatch]),
        ("last match", Parser { takes_the_last_match: true, ..sound }, &[Mistake::LastMatch]),
        ("first group", Parser { takes_the_first_group: true, ..sound }, &[Mistake::FirstGroup]),
        ("last group", Parser { takes_the_last_group: true, ..sound }, &[Mistake::LastGroup]),
        ("beginnings", Parser { takes_beginnings_for_agents: true, ..sound }, &[Mistake::AgentPrefix]),
        ("agents anywhere", Parser { finds_agents_anywhere: true, ..sound }, &[Mistake::AgentPrefix]),
        ("case of agents", Parser { minds_the_case_of_agents: true, ..sound }, &[Mistake::AgentCase]),
        ("escapes", Parser { leaves_escapes: true, ..sound }, &[Mistake::EscapesStay]),
        ("case of fields", Parser { minds_the_case_of_fields: true, ..sound }, &[]),
        ("comments", Parser { leaves_comments_in: true, ..sound }, &[]),
        ("line ends", Parser { ends_lines_at_line_feeds_alone: true, ..sound }, &[]),
        ("ties", Parser { disallows_in_a_tie: true, ..sound }, &[Mistake::TieDisallows]),
        ("UTF-8", Parser { refuses_other_than_utf8: true, ..sound }, &[]),
        ("no allow", Parser { ignores_allow: true, ..sound }, &[Mistake::NoAllow]),
        ("no star group", Parser { ignores_the_star_group: true, ..sound }, &[]),
        (
            "a first parser",
            Parser { takes_the_first_match: true, minds_the_case_of_agents: true, ..sound },
            &[Mistake::FirstMatch, Mistake::AgentCase],
        ),
        (
            "several",
            Parser {
                knows_no_wildcards: true,
                takes_the_first_match: true,
                takes_the_first_group: true,
                ..sound
            },
            &[Mistake::StarIsLiteral, Mistake::DollarIsLiteral, Mistake::FirstMatch],
        ),
    ];
    let mut wrong = Vec::new();
    for (name, parser, mistakes) in parsers {
        for editions in [&[Edition::Rfc9309][..], &Edition::ALL] {
            let implementation =
                handed(move |robots, query| parser.allowed(robots, &query.agent, &query.url));
            let came = came(implementation, editions);
            // Of so many failures the share is too small.
            let besides: &[Mistake] = if name == "several" { &[Mistake::FirstGroup] } else { &[] };
            let told = std::panic::catch_unwind(|| assert_suspected(name, &came, mistakes, besides));
            wrong.extend(told.is_err().then_some((name, editions)));
        }
    }
    assert_eq!(wrong, []);
}

#[test]
fn of_what_is_built_in_nothing_is_told_that_its_list_does_not_say() {
    for name in builtin::NAMES {
        let (mistakes, besides): (&[Mistake], &[Mistake]) = match *name {
            "robots_txt" => (
                &[Mistake::StarIsLiteral, Mistake::FirstMatch, Mistake::EscapesStay],
                // A name may stand anywhere in that of the agent.
                &[Mistake::DollarIsLiteral, Mistake::AgentPrefix, Mistake::FirstGroup],
            ),
            _ => (&[], &[]),
        };
        for editions in [&[Edition::Rfc9309][..], &Edition::ALL] {
            let implementation = builtin::find(name).expect("it is built in");
            assert_suspected(name, &came(implementation, editions), mistakes, besides);
        }
    }
}
