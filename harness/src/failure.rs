//! A failure of a check as a part of a document: the answers, the query with the lines that decide, and the reasons.

use robotspec_cases::{Check, CheckId, Expected, Query};
use robotspec_reference::explanation::Explanation;
use robotspec_reference::{Edition, RobotsTxt, Ruling};
use robotspec_text::document::Tone::{self, Bad, Faint, Good};
use robotspec_text::document::{Block, Line};
use robotspec_text::excerpt::{cut, deciding, file_lines};
use robotspec_text::sentences::reasons;
use robotspec_text::{brief, visible, visible_lines};

use crate::answer::Answer;
use crate::event::{Judgement, Status};
use crate::judge::status;

/// The number of characters that are shown of a reason.
const REASON_SHOWN: usize = 240;

/// Returns a failure: its id, the differences in some editions, the query, and the reasons of the first edition.
pub fn failure(
    depth: u8,
    id: &CheckId,
    judged: &[(Edition, &Judgement)],
    check: Option<&Check>,
) -> Vec<Block> {
    let mut blocks = vec![Block::Item(depth, Line::default().value(Bad, id.to_string()))];
    blocks.extend(differences(depth + 1, judged, check, true));
    if let (Some(check), Some((edition, _))) = (check, judged.first()) {
        blocks.push(query(depth + 1, &check.query, Some(*edition)));
        blocks.extend(because(depth + 1, &check.query, *edition));
    }
    blocks
}

/// Returns what editions expected of a check and what they got, with the place in the text where it is wanted and known.
pub fn differences(
    depth: u8,
    judged: &[(Edition, &Judgement)],
    check: Option<&Check>,
    has_place: bool,
) -> Vec<Block> {
    let mut blocks = Vec::new();
    for (edition, judgement) in judged {
        let got = visible_lines(&judgement.describe_got());
        let (first, more) = got.split_once('\n').unwrap_or((&got, ""));
        let contrary = check.and_then(|check| contrary_ruling(check, *edition, &judgement.expected));
        let expects = if is_of_user(check, contrary) { ": the file expects" } else { " expected" };
        let mut line = Line::from(format!("{edition}{expects} "));
        line = line.value(Good, brief(&judgement.expected.to_string()));
        line = line.text(if judgement.is_departure() { " (should), got " } else { ", got " });
        line = line.value(Bad, brief(first));
        if let Some(ruling) = contrary {
            line = line.text("; the reference answers ").value(Tone::Strong, ruling.to_string());
        }
        if let Some(place) = check.filter(|_| has_place).and_then(|check| place(check, *edition, judgement)) {
            line = line.toned(Faint, format!("  ({place})"));
        }
        blocks.push(Block::Item(depth, line));
        if !more.is_empty() {
            blocks.push(Block::Lines(depth + 1, more.lines().map(brief).collect()));
        }
    }
    blocks
}

/// Returns whether a user wrote the expectation of a check. The rows of the project cite the clause from which their
/// expectation comes.
fn is_of_user(check: Option<&Check>, contrary: Option<Ruling>) -> bool {
    contrary.is_some() || check.is_some_and(|check| check.clauses.is_empty())
}

/// Returns the place in the text of an edition that a judgement is about.
fn place(check: &Check, edition: Edition, judgement: &Judgement) -> Option<String> {
    let clause = check.clauses.first().filter(|_| judgement.status != Status::Flaky)?;
    let broken = check.broken_clause(edition).filter(|_| clause.level(edition) != Some(judgement.level));
    match broken.and_then(|broken| Some(format!("{}: {}", broken.id, broken.section(edition)?))) {
        None => clause.section(edition).map(str::to_owned),
        place => place,
    }
}

/// Returns a query, with marks at the lines that decide in an edition.
pub fn query(depth: u8, query: &Query, edition: Option<Edition>) -> Block {
    let deciding = |file: &[u8]| {
        let explanation = edition.and_then(|edition| explain(query, file, edition));
        explanation.map(|explanation| deciding(&explanation.decision)).unwrap_or_default()
    };
    Block::Lines(depth, query_lines(query, deciding))
}

/// Returns the reasons of the ruling of an edition.
fn because(depth: u8, query: &Query, edition: Edition) -> Vec<Block> {
    let Query::Match { robots, .. } = query else { return Vec::new() };
    let reasons = explain(query, robots, edition).iter().flat_map(reasons).collect::<Vec<_>>();
    let line =
        |reason: &String| Line::default().toned(Faint, format!("{edition}: {}", cut(reason, REASON_SHOWN)));
    reasons.iter().map(|reason| Block::Item(depth, line(reason))).collect()
}

/// Returns the explanation of the ruling on a file of a query. The result is `None` where the query is not about an
/// agent and a URL.
pub fn explain(query: &Query, file: &[u8], edition: Edition) -> Option<Explanation> {
    let (Query::Match { agent, url, .. } | Query::Alike { agent, url, .. }) = query else { return None };
    RobotsTxt::parse(file).explain(edition, agent, url).ok()
}

/// Returns the ruling of the reference on a check, where the check expects another one. The authors of suites write
/// expectations without asking it.
pub fn contrary_ruling(check: &Check, edition: Edition, expected: &Expected) -> Option<Ruling> {
    let Query::Match { robots, agent, url } = &check.query else { return None };
    let ruling = RobotsTxt::parse(robots).ruling(edition, agent, url).ok()?;
    let is_contrary = status(expected, &Ok(Answer::Match(ruling.into()))) != Status::Pass;
    (is_contrary && !expected.is_unspecified()).then_some(ruling)
}

/// Returns a failure in a line: the difference in an edition, and what the query is about.
pub fn in_a_line(check: &Check, edition: Edition, judgement: &Judgement) -> String {
    let contrary = contrary_ruling(check, edition, &judgement.expected);
    let mut difference = judgement.describe_difference();
    if is_of_user(Some(check), contrary) {
        difference = difference.replacen("expected", "the file expects", 1);
    }
    let answers = contrary.map(|ruling| format!("; the reference answers {ruling}")).unwrap_or_default();
    let about = match &check.query {
        Query::Match { agent, url, .. }
        | Query::Alike { agent, url, .. }
        | Query::Usage { agent, url, .. } => format!("  ({}, {})", brief(agent), brief(url)),
        Query::Scope { url, .. } => format!("  ({})", brief(url)),
        Query::Sitemaps { .. } | Query::Access { .. } | Query::Grammar { .. } => String::new(),
    };
    format!("{}: {}{answers}{about}", check.id, brief(difference.lines().next().unwrap_or_default()))
}

/// Returns a query as lines for a person: its parts, and its files with line numbers and marks at the lines of each
/// file that decide.
fn query_lines(query: &Query, deciding: impl Fn(&[u8]) -> Vec<usize>) -> Vec<String> {
    let value = |text: &str| visible(&brief(text));
    let agent_and_url =
        |agent: &str, url: &str| vec![format!("agent {}", value(agent)), format!("url   {}", value(url))];
    match query {
        Query::Match { robots, agent, url } | Query::Usage { robots, agent, url } => {
            [agent_and_url(agent, url), file_lines(robots, &deciding(robots))].concat()
        }
        Query::Alike { robots, twin, agent, url } => {
            let heading = |text: &str| vec![text.to_owned()];
            [
                agent_and_url(agent, url),
                heading("the file"),
                file_lines(robots, &deciding(robots)),
                heading("its twin, which means the same"),
                file_lines(twin, &deciding(twin)),
            ]
            .concat()
        }
        Query::Sitemaps { robots } => file_lines(robots, &[]),
        Query::Scope { robots_url, url } => {
            vec![format!("robots.txt {}", value(robots_url)), format!("url        {}", value(url))]
        }
        Query::Access { visits, agent, paths } => {
            let about = [format!("agent {agent}"), format!("paths {}", paths.join(" "))];
            let lines = about.into_iter().chain(visits.iter().map(ToString::to_string));
            lines.map(|line| value(&line)).collect()
        }
        Query::Grammar { text } => file_lines(text, &[]),
    }
}
