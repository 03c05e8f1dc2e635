//! The lines of a file that do not do what they seem to, by the evaluation of an edition.
//!
//! Everything that a finding says is an outcome of the reference: what a line is in each reading, the groups, and rulings
//! about the names and paths that the file contains. Only the URLs that a line seems to be about are guessed, and the parsers on
//! each [side](Sides) of a question are those of recorded runs.

mod sides;
mod urls;

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;

use robotspec_reference::answer::{Acceptance, GroupChoice, LineBetween};
use robotspec_reference::bytes::{is_token_byte, trim};
use robotspec_reference::grammar::{Expected, LineStatus, check_lines, has_grammar};
use robotspec_reference::line_by_line::{records, tokens};
use robotspec_reference::question::typed::{AllowField, OtherRecordBetweenAgents, SameAgentGroups};
use robotspec_reference::scan::Parts;
use robotspec_reference::sitemap::is_absolute;
use robotspec_reference::{
    Edition, GroupLines, Line, Question, Reading, Record, RobotsTxt, RuleKind, Ruling, Token, Verdict,
    named_enum, nearest_field, split_lines,
};

pub use self::sides::Sides;
use self::sides::sides;
use self::urls::{Form, urls_of};
use crate::remark::{about_file, is_html};
use crate::sentences::list;
use crate::{brief, visible};

named_enum! {
    /// How much a line differs from what it seems to do.
    pub enum Severity: "severity" {
        /// It has no effect, or not the one that it seems to have.
        Error = "error",
        /// The edition does not specify its effect, or it has a further one.
        Warning = "warning",
        /// It has no effect, as others of its kind, or matches less or more than it may seem to.
        Note = "note",
    }
}

/// What lines of a file do, which is not what they seem to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// How serious it is.
    pub severity: Severity,
    /// The numbers of the lines, from 1. None where it is about the whole file.
    pub lines: Vec<usize>,
    /// What they do.
    pub message: String,
    /// An agent and a URL whose answer shows it.
    pub query: Option<(String, String)>,
    /// The question that the edition does not decide.
    pub question: Option<Question>,
    /// What parsers answer to rows about such lines.
    pub sides: Option<Sides>,
}

/// About the number of lines that are read and of rulings that are found for names and paths of one file: a large file
/// with many names would otherwise take minutes.
const MOST_STEPS: usize = 3_000_000;

/// The steps that a ruling and its explanation count as.
const RULING: usize = 20;
const EXPLANATION: usize = 10;
const UNDECIDED_LINE: usize = 20;

/// Returns the lines that do not do what they seem to.
pub fn lint(edition: Edition, file: &[u8]) -> Vec<Finding> {
    let robots = RobotsTxt::parse(file);
    let groups = robots.groups(&Reading::plainest(edition));
    let is_named =
        |name: &str| file.windows(name.len()).any(|text| text.eq_ignore_ascii_case(name.as_bytes()));
    let other = ["ExampleBot", "OtherBot", "UnnamedBot"].into_iter().find(|name| !is_named(name));
    let mut linter = Linter {
        edition,
        lines: split_lines(file).collect(),
        records: records(edition, file),
        robots: &robots,
        groups,
        other: other.unwrap_or("SomeOtherUnnamedBot"),
        findings: BTreeMap::new(),
        said: BTreeSet::new(),
        first_undecided_name: usize::MAX,
        reads_one_group: Question::SameAgentGroups.row().answers(edition)
            == [SameAgentGroups.choice(GroupChoice::FirstOnly)],
        steps: 0,
        evaluation: 0,
        consequences: BTreeMap::new(),
    };
    let undecided = linter.records.iter().filter(|records| records.len() > 1).count();
    let is_undecided_name =
        |of: &Vec<Record>| of.len() > 1 && of.iter().any(|one| matches!(one, Record::UserAgent(_)));
    let first = linter.records.iter().position(is_undecided_name);
    linter.first_undecided_name = first.map_or(usize::MAX, |place| place + 1);
    linter.evaluation = 100 + linter.lines.len() + UNDECIDED_LINE * undecided;
    if let Some(remark) = about_file(file) {
        let severity = if is_html(file) { Severity::Warning } else { Severity::Note };
        linter.say(severity, None, remark.to_owned());
    }
    // The lines of a page are no attempts at rules.
    if !is_html(file) || !linter.groups.is_empty() {
        linter.find_undecided();
        linter.find_shared();
        linter.find_odd_lines();
        linter.find_underived(file);
    }
    let mut findings: Vec<Finding> = linter.findings.into_values().collect();
    for finding in &mut findings {
        finding.lines.sort_unstable();
        finding.lines.dedup();
    }
    findings.sort_by_key(|finding| (finding.severity as u8, finding.lines.first().copied()));
    findings
}

/// A URL that a rule seems to be about.
struct AskedUrl {
    line: usize,
    kind: RuleKind,
    url: String,
    form: Form,
}

struct Linter<'f> {
    edition: Edition,
    lines: Vec<Line<'f>>,
    /// What each line is, in each reading.
    records: Vec<Vec<Record<'f>>>,
    robots: &'f RobotsTxt<'f>,
    /// The groups in the plainest reading.
    groups: Vec<GroupLines>,
    /// A crawler that the file does not name.
    other: &'static str,
    /// By what makes them one.
    findings: BTreeMap<String, Finding>,
    /// The lines that a finding is about.
    said: BTreeSet<usize>,
    /// The first line that is a user-agent line in some readings alone.
    first_undecided_name: usize,
    /// Whether a crawler follows one of several groups that name it.
    reads_one_group: bool,
    steps: usize,
    /// The steps that an evaluation of the file counts as.
    evaluation: usize,
    /// What follows for the crawlers of a group if a line of it is ignored, once that is known.
    consequences: BTreeMap<usize, String>,
}

impl<'f> Linter<'f> {
    /// Adds a finding, or its lines to the one with the same key.
    fn add(&mut self, key: String, finding: Finding) {
        self.said.extend(&finding.lines);
        match self.findings.entry(key) {
            Entry::Occupied(mut same) => same.get_mut().lines.extend(finding.lines),
            Entry::Vacant(none) => {
                none.insert(finding);
            }
        }
    }

    fn say(&mut self, severity: Severity, line: Option<usize>, message: String) {
        let lines = Vec::from_iter(line);
        self.add(
            message.clone(),
            Finding { severity, lines, message, query: None, question: None, sides: None },
        );
    }

    /// Returns the text of a line, or a part of it, as it is shown.
    fn quoted(text: &[u8]) -> String {
        format!("`{}`", brief(&visible(&String::from_utf8_lossy(trim(text)))))
    }

    fn records(&self, line: usize) -> &[Record<'f>] {
        &self.records[line - 1]
    }

    /// Returns the crawler that is meant by the value of a user-agent line.
    fn agent<'v>(&self, value: &'v [u8]) -> &'v str
    where
        'f: 'v,
    {
        let is_end = |byte: &u8| !is_token_byte(*byte) && !byte.is_ascii_digit();
        let word = &value[..value.iter().position(is_end).unwrap_or(value.len())];
        std::str::from_utf8(word).ok().filter(|word| !word.is_empty()).unwrap_or(self.other)
    }

    /// Returns the crawlers of a range of lines, and the rules, with the URLs that each seems to be about.
    fn queries(&self, range: Range<usize>) -> (Vec<&str>, Vec<AskedUrl>) {
        let (mut agents, mut urls): (Vec<&str>, Vec<_>) = (Vec::new(), Vec::new());
        let mut seen = HashSet::new();
        for line in range {
            for record in self.records(line) {
                let (kind, path) = match record {
                    Record::UserAgent(value) => {
                        let agent = self.agent(value);
                        if seen.insert(agent.to_ascii_lowercase()) {
                            agents.push(agent);
                        }
                        continue;
                    }
                    Record::Rule(kind, path) => (*kind, path),
                    Record::Extension(path) => (RuleKind::Disallow, path),
                    _ => continue,
                };
                urls.extend(urls_of(path).into_iter().map(|(url, form)| AskedUrl { line, kind, url, form }));
            }
        }
        (agents, urls)
    }

    /// Returns the lines of a group, up to the next. The first has the lines before it.
    fn range(&self, place: usize) -> Range<usize> {
        let start =
            |place: usize| self.groups.get(place).map_or(self.lines.len() + 1, |group| group.agents[0]);
        if place == 0 { 1..start(1) } else { start(place)..start(place + 1) }
    }

    /// Finds what readings of the edition answer differently, and URLs that a rule does not match although it looks so.
    fn find_undecided(&mut self) {
        for place in 0..self.groups.len().max(1) {
            let (agents, urls) = self.queries(self.range(place));
            let agents: Vec<String> = agents.into_iter().map(str::to_owned).collect();
            for agent in agents {
                self.steps += self.evaluation;
                if self.steps > MOST_STEPS {
                    break;
                }
                let rules = self.robots.for_agent(self.edition, &agent);
                for asked_url in &urls {
                    self.steps += RULING + self.evaluation / UNDECIDED_LINE / 8;
                    if self.steps > MOST_STEPS {
                        break;
                    }
                    if let Ok(ruling) = rules.ruling(&asked_url.url) {
                        self.find_ruled(asked_url, &agent, ruling);
                    }
                }
            }
        }
        if self.steps > MOST_STEPS {
            let message = "the file is so large that not every name and path in it was evaluated";
            self.say(Severity::Note, None, message.to_owned());
        }
    }

    /// Finds what the ruling about a URL shows of a rule that seems to be about it.
    fn find_ruled(&mut self, AskedUrl { line, kind, url, form }: &AskedUrl, agent: &str, ruling: Ruling) {
        let is_as_written = ruling.id() == kind.field();
        let (severity, key, what) = match form {
            Form::Plain | Form::PartOf(_) | Form::Unescaped if ruling == Ruling::Unspecified => {
                return self.find_question(*line, agent, url);
            }
            Form::PartOf(path) if !is_as_written => {
                let what = format!("{} is one path as a whole", Self::quoted(path.as_bytes()));
                (Severity::Error, format!("line {line}"), what)
            }
            Form::Plain if !is_as_written && self.reads_one_group => {
                let Some(first) = self.group_before(*line, agent) else { return };
                let what = format!("`{agent}` follows the group of line {first}, and not this one");
                (Severity::Error, format!("{agent} {first}"), what)
            }
            Form::SmallLetters if !is_as_written && ruling != Ruling::Unspecified => {
                (Severity::Note, "capitals".to_owned(), "a path is compared with its capitals".to_owned())
            }
            Form::Unescaped => {
                let what = if is_as_written {
                    "the escape of a letter is the letter"
                } else {
                    "the escape of a letter is not the letter"
                };
                (Severity::Note, "escapes".to_owned(), what.to_owned())
            }
            _ => return,
        };
        let message = format!("{what}; {} {ruling}", asked(agent, url));
        let query = Some((agent.to_owned(), url.clone()));
        self.add(key, Finding { severity, lines: vec![*line], message, query, question: None, sides: None });
    }

    /// Returns the line that names the group that a crawler follows, where that is not the group of a rule that names it.
    fn group_before(&self, rule: usize, agent: &str) -> Option<usize> {
        let place = self.groups.partition_point(|group| group.agents[0] < rule).checked_sub(1)?;
        let decision = self.robots.decide(&Reading::plainest(self.edition), agent, "/").ok()?;
        let followed = *decision.agent_lines.first()?;
        (followed < self.groups[place].agents[0]).then_some(followed)
    }

    /// Finds the question on which an unspecified ruling turns.
    fn find_question(&mut self, line: usize, agent: &str, url: &str) {
        self.steps += EXPLANATION * self.evaluation;
        let Ok(explanation) = self.robots.explain(self.edition, agent, url) else { return };
        let doubts = &explanation.doubts;
        let Some(doubt) = doubts.iter().find(|doubt| !doubt.lines.is_empty()).or(doubts.first()) else {
            return;
        };
        let sides = sides(doubt);
        let with = |verdict: Verdict| -> String {
            let answers = doubt.answers.iter().filter(|(_, other)| *other == verdict);
            let ids: Vec<String> = answers.map(|(choice, _)| format!("`{choice}`")).collect();
            format!("{verdict} ({})", ids.join(", "))
        };
        let parsers = sides.as_ref().map(|Sides { allow, disallow, date }| {
            format!("; in rows about such lines, {allow} parsers allow and {disallow} disallow ({date})")
        });
        let outcomes =
            [Verdict::Allow, Verdict::Disallow].map(with).join(" or ") + &parsers.unwrap_or_default();
        let asks = doubt.question.row().asks;
        let lines = if doubt.lines.is_empty() { vec![line] } else { doubt.lines.clone() };
        // One query shows it.
        let is_said = |said: &Finding| {
            said.question == Some(doubt.question) && lines.iter().all(|line| said.lines.contains(line))
        };
        if self.findings.values().any(is_said) {
            return;
        }
        let finding = Finding {
            severity: Severity::Warning,
            lines,
            message: format!("unspecified: {asks}; {} {outcomes}", asked(agent, url)),
            query: Some((agent.to_owned(), url.to_owned())),
            question: Some(doubt.question),
            sides,
        };
        self.add(format!("{} {outcomes}", doubt.question), finding);
    }

    /// Finds user-agent lines that share the rules of a later one because only other records stand between.
    fn find_shared(&mut self) {
        let ends = OtherRecordBetweenAgents.choice(LineBetween::EndsRun);
        let apart = self.robots.groups(&Reading::plainest(self.edition).supposing(ends));
        let is_undecided = ends.question.row().answers(self.edition).len() > 1;
        if is_undecided || apart == self.groups {
            return;
        }
        let alone: BTreeMap<usize, &GroupLines> =
            apart.iter().flat_map(|group| group.agents.iter().map(move |line| (*line, group))).collect();
        for group in self.groups.clone() {
            let Some(last) = group.agents.last() else { continue };
            let Some(rule) = group.rules.first() else { continue };
            for line in &group.agents {
                if alone
                    .get(line)
                    .is_some_and(|alone| !alone.agents.contains(last) && !alone.rules.contains(rule))
                {
                    let rule = format!("{} (line {rule})", Self::quoted(self.lines[rule - 1].text));
                    let if_name =
                        if self.said.contains(line) { " where the line names a crawler" } else { "" };
                    let between = format!("no rule stands between this user-agent line and line {last}");
                    let message = format!("{between}, only other records: {rule} is for both{if_name}");
                    self.say(Severity::Warning, Some(*line), message);
                }
            }
        }
    }

    /// Finds the other lines that have no effect, or not the one that they seem to have.
    fn find_odd_lines(&mut self) {
        let rules: BTreeSet<usize> = self.groups.iter().flat_map(|group| group.rules.clone()).collect();
        let sitemaps = self.robots.sitemaps(self.edition).into_iter();
        let sitemaps: BTreeSet<usize> = sitemaps.filter(|one| one.certain).map(|one| one.line).collect();
        for number in 1..=self.lines.len() {
            let Line { text, .. } = self.lines[number - 1];
            let parts = self.lines[number - 1].parts();
            let fate = if let Some(comment) = swallowed(&parts) {
                let rest = Self::quoted(&text[..text.len() - comment.len()]);
                Some((Severity::Error, format!("{} is a comment; the line is {rest}", Self::quoted(comment))))
            } else if self.said.contains(&number)
                || rules.contains(&number)
                    && !matches!(&self.records(number)[0], Record::Rule(_, path) if path.is_empty())
                || sitemaps.contains(&number)
            {
                None
            } else {
                self.fate(number, &parts)
            };
            if let Some((severity, message)) = fate {
                let consequence = if severity == Severity::Note { "" } else { self.consequence(number) };
                let message = message + consequence;
                self.say(severity, Some(number), message);
            }
        }
    }

    /// Returns what becomes of a line that is the same in every reading, and neither a rule of a group nor a sitemap.
    fn fate(&self, number: usize, parts: &Parts) -> Option<(Severity, String)> {
        let [record] = self.records(number) else { return None };
        let edition = self.edition;
        let error = |message: String| Some((Severity::Error, message));
        let place = self.groups.partition_point(|group| group.agents[0] < number);
        let group = place.checked_sub(1).map(|place| &self.groups[place]);
        match record {
            Record::Invalid => error("the line is ignored: no field and colon are at its start".to_owned()),
            Record::Other if parts.known_field().is_none() => {
                let field = Self::quoted(&parts.field).to_lowercase();
                match nearest_field(&String::from_utf8_lossy(&parts.field)) {
                    Some(known) => error(format!(
                        "the line is ignored: {edition} does not define the field {field} (did you mean `{known}`?)"
                    )),
                    None => {
                        let message =
                            format!("{edition} does not define the field {field}: the line is no rule");
                        Some((Severity::Note, message))
                    }
                }
            }
            Record::Other => error("the line is ignored".to_owned()),
            Record::Rule(_, path) if path.is_empty() => {
                let rules = &group.filter(|group| !group.rules.is_empty())?.rules;
                let of_group = format!("the rules of its group have effect ({})", list(rules));
                Some((Severity::Note, format!("without a path, the line has no effect; {of_group}")))
            }
            Record::Rule(RuleKind::Allow, _)
                if Reading::plainest(edition).choice(Question::AllowField)
                    == AllowField.choice(Acceptance::Ignore) =>
            {
                error(format!("the line is ignored: {edition} does not define the field `allow`"))
            }
            // In another reading, it may be in a group.
            Record::Rule(..) | Record::UsageRule(_) if self.first_undecided_name < number => None,
            Record::Rule(..) | Record::UsageRule(_) if group.is_none() => {
                error("the rule is ignored: there is no user-agent line before it".to_owned())
            }
            Record::Rule(..) => error(format!("the rule is ignored: {edition} counts it in no group")),
            Record::UserAgent(value) => self.about_name(value),
            Record::Sitemap(url) if !is_absolute(&String::from_utf8_lossy(url)) => {
                let message = "is not an absolute URL; the edition does not specify whether the line counts";
                Some((Severity::Warning, format!("{} {message}", Self::quoted(url))))
            }
            _ => None,
        }
    }

    /// Returns what the edition makes of a name that is no product token.
    fn about_name(&self, value: &[u8]) -> Option<(Severity, String)> {
        if value == b"*" || !value.is_empty() && value.iter().all(|byte| is_token_byte(*byte)) {
            return None;
        }
        let tokens = tokens(self.edition, value);
        let severity = match &tokens[..] {
            [Some(Token::Name(name))] if **name == *value => return None,
            [Some(Token::Name(_))] => Severity::Note,
            _ => Severity::Warning,
        };
        let readings = tokens.iter().map(|token| match token {
            Some(Token::Star) => "the name `*`".to_owned(),
            Some(Token::Name(name)) => format!("the name {}", Self::quoted(name)),
            Some(Token::Pattern(pattern)) => format!("the pattern {}", Self::quoted(pattern)),
            Some(Token::Empty) => "no name".to_owned(),
            None => "an ignored line".to_owned(),
        });
        let readings: Vec<String> = readings.collect();
        let name = if value.is_empty() { "an empty name".to_owned() } else { Self::quoted(value) };
        let readings = readings.join(", or ");
        Some((severity, format!("{name} is no product token: by {} it is {readings}", self.edition)))
    }

    /// Returns what follows for the crawlers of the group of a line, where no line of it is a rule in any reading.
    fn consequence(&mut self, line: usize) -> &str {
        let place = self.groups.partition_point(|group| group.agents[0] <= line);
        let Some(place) = place.checked_sub(1) else { return "" };
        if !self.consequences.contains_key(&place) {
            let group = &self.groups[place];
            let (agents, urls) = self.queries(group.agents[0]..self.range(place).end);
            let steps = self.steps + agents.len() * self.evaluation;
            let plainest = Reading::plainest(self.edition);
            let has_rule =
                |agent: &&str| !self.robots.decide(&plainest, agent, "/").is_ok_and(|one| one.rules == 0);
            let is_empty = urls.is_empty() && steps <= MOST_STEPS && !agents.iter().any(has_rule);
            let says = || format!("; nothing is disallowed for the crawlers of {}", list(&group.agents));
            let consequence = if is_empty { says() } else { String::new() };
            self.steps = steps;
            self.consequences.insert(place, consequence);
        }
        &self.consequences[&place]
    }

    /// Adds the other lines that the grammar does not derive.
    fn find_underived(&mut self, file: &[u8]) {
        if !has_grammar(self.edition) {
            return;
        }
        for line in check_lines(self.edition, file) {
            if let LineStatus::NotDerived(error) = &line.status
                && !matches!(error.expected, Expected::LineEnd | Expected::StartGroupLine)
                && !self.said.contains(&line.line)
            {
                let expected = error.expected.description();
                let message = format!(
                    "the grammar of {} does not derive the line: it requires {expected}",
                    self.edition
                );
                self.say(Severity::Note, Some(line.line), message);
            }
        }
    }
}

/// Returns a query, as the start of a sentence.
fn asked(agent: &str, url: &str) -> String {
    format!("the answer to `{}` for `{}` is", brief(&visible(url)), brief(&visible(agent)))
}

/// Returns the comment of a line that starts within a value, or contains a field.
fn swallowed<'f>(parts: &Parts<'f>) -> Option<&'f [u8]> {
    let comment = parts.comment?;
    let inner = split_lines(trim(comment.text.trim_ascii_start().strip_prefix(b"#")?)).next()?;
    parts.colon?;
    let is_within =
        !parts.value.is_empty() && parts.value.span().end == comment.start && !inner.text.is_empty();
    let is_path = parts.value.is_empty() && inner.text.starts_with(b"/");
    (is_within || is_path || inner.parts().known_field().is_some()).then_some(comment.text)
}
