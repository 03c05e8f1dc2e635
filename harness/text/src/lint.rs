//! The lines of a file that do not do what they seem to, by the evaluation of an edition.
//!
//! Everything that a finding says is an outcome of the reference: what a line is in each reading, the groups, and rulings
//! about the names and paths that the file contains. Only the URLs that a line seems to be about are guessed, and the parsers on
//! each [side](Sides) of a question are those of recorded runs.

mod odd_lines;
mod sides;
mod urls;

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;

use robotspec_reference::answer::{GroupChoice, LineBetween};
use robotspec_reference::bytes::{is_token_byte, trim};
use robotspec_reference::line_by_line::records;
use robotspec_reference::question::typed::{OtherRecordBetweenAgents, SameAgentGroups};
use robotspec_reference::{
    AgentRules, Edition, GroupLines, Line, Question, Reading, Record, RobotsTxt, RuleKind, Ruling, Verdict,
    named_enum, split_lines,
};

pub use self::sides::Sides;
use self::sides::sides;
use self::urls::{Form, urls_of};
use crate::remark::{about_file, is_html};
use crate::sentences::{counted, reasons};
use crate::{brief, visible, visible_bytes};

named_enum! {
    /// How much a line differs from what it seems to do.
    pub enum Severity: "severity" {
        Error = "error": "It has no effect, or not the one that it seems to have.",
        Warning = "warning": "The edition does not specify its effect, or it has a further one.",
        Note = "note": "It has no effect, as others of its kind, or matches less or more than it may seem \
            to.",
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

/// The steps of all rulings about names and paths of one file: a large file with many of them would otherwise take minutes.
const MOST_STEPS: usize = 10_000_000;

/// What a ruling counts as in addition to its own steps, and what a name and an undecided line count as.
const RULING: usize = 20;
const NAME: usize = 10;
const UNDECIDED_LINE: usize = 20;

/// The number of readings of an explanation that take as long as the rules of another crawler.
const READING: usize = 3;

/// Returns the lines that do not do what they seem to.
pub fn lint(edition: Edition, file: &[u8]) -> Vec<Finding> {
    let robots = RobotsTxt::parse(file);
    let groups = robots.groups(&Reading::plainest(edition));
    let is_named =
        |name: &str| file.windows(name.len()).any(|text| text.eq_ignore_ascii_case(name.as_bytes()));
    let other = ["ExampleBot", "OtherBot", "UnnamedBot"].into_iter().find(|name| !is_named(name));
    let records = records(edition, file);
    let steps_of_line = |of: &Vec<Record>| match of[..] {
        [Record::UserAgent(_)] => NAME,
        [_] => 1,
        _ => UNDECIDED_LINE,
    };
    let is_undecided_name =
        |of: &Vec<Record>| of.len() > 1 && of.iter().any(|one| matches!(one, Record::UserAgent(_)));
    let first = records.iter().position(is_undecided_name);
    let mut linter = Linter {
        edition,
        lines: split_lines(file).collect(),
        evaluation: 100 + records.iter().map(steps_of_line).sum::<usize>(),
        records,
        robots: &robots,
        groups,
        other: other.unwrap_or("SomeOtherUnnamedBot"),
        findings: BTreeMap::new(),
        said: BTreeMap::new(),
        first_undecided_name: first.map_or(usize::MAX, |place| place + 1),
        reads_one_group: Question::SameAgentGroups.row().answers(edition)
            == [SameAgentGroups.choice(GroupChoice::FirstOnly)],
        followed: HashMap::new(),
        steps: 0,
        consequences: BTreeMap::new(),
    };
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

/// What the edition says of a URL.
struct Ruled {
    ruling: Ruling,
    /// The finding about it that is not yet said, with its key, once that is needed.
    question: Option<Option<(String, Finding)>>,
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
    /// The lines that findings are about, each with their questions.
    said: BTreeMap<usize, BTreeSet<Option<Question>>>,
    /// The first line that is a user-agent line in some readings alone.
    first_undecided_name: usize,
    /// Whether a crawler follows one of several groups that name it.
    reads_one_group: bool,
    /// The line that names the group that a crawler follows in the plainest reading, once that is needed.
    followed: HashMap<String, Option<usize>>,
    steps: usize,
    /// The steps that an evaluation of the file counts as.
    evaluation: usize,
    /// What follows for the crawlers of a group if a line of it is ignored, once that is known.
    consequences: BTreeMap<usize, String>,
}

impl<'f> Linter<'f> {
    /// Adds a finding, or its lines to the one with the same key.
    fn add(&mut self, key: String, finding: Finding) {
        for line in &finding.lines {
            self.said.entry(*line).or_default().insert(finding.question);
        }
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
        format!("`{}`", brief(&visible_bytes(trim(text))))
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
                // A path may stand in many rules.
                let mut ruled: HashMap<&str, Option<Ruled>> = HashMap::new();
                for asked_url in &urls {
                    let ruled = ruled.entry(&asked_url.url).or_insert_with(|| {
                        let (ruling, steps) = rules.ruling_and_steps(&asked_url.url).ok()?;
                        self.steps += RULING + steps;
                        Some(Ruled { ruling, question: None })
                    });
                    if self.steps > MOST_STEPS {
                        break;
                    }
                    if let Some(ruled) = ruled {
                        self.find_ruled(asked_url, &agent, &rules, ruled);
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
    fn find_ruled(&mut self, asked_url: &AskedUrl, agent: &str, rules: &AgentRules, ruled: &mut Ruled) {
        let AskedUrl { line, kind, url, form } = asked_url;
        let ruling = ruled.ruling;
        let is_as_written = ruling.id() == kind.field();
        let (severity, key, what) = match form {
            Form::Plain | Form::PartOf(_) | Form::Unescaped if ruling == Ruling::Unspecified => {
                let found = ruled.question.get_or_insert_with(|| self.question_of(agent, url, rules));
                return match found.take() {
                    Some((key, finding)) if finding.lines.is_empty() => {
                        *found = Some((key.clone(), finding.clone()));
                        if !self.is_said(finding.question, &[*line]) {
                            self.add(key, Finding { lines: vec![*line], ..finding });
                        }
                    }
                    Some((key, finding)) => self.add(key, finding),
                    None => {}
                };
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
    fn group_before(&mut self, rule: usize, agent: &str) -> Option<usize> {
        let place = self.groups.partition_point(|group| group.agents[0] < rule).checked_sub(1)?;
        let followed = (*self.followed.entry(agent.to_owned()).or_insert_with(|| {
            let decision = self.robots.decide(&Reading::plainest(self.edition), agent, "/").ok()?;
            decision.agent_lines.first().copied()
        }))?;
        (followed < self.groups[place].agents[0]).then_some(followed)
    }

    /// Returns a finding about the question on which an unspecified ruling turns, with its key. It has no lines where it is
    /// about each rule for the URL.
    fn question_of(&mut self, agent: &str, url: &str, rules: &AgentRules) -> Option<(String, Finding)> {
        let mut explanation = rules.explain_without_subjects(url).ok()?;
        self.steps += explanation.steps + explanation.readings * self.evaluation / READING;
        let doubts = &mut explanation.doubts;
        let place = doubts.iter().position(|doubt| !doubt.lines.is_empty()).unwrap_or_default();
        let Some(doubt) = doubts.get_mut(place) else {
            let reason = reasons(&explanation).into_iter().next();
            self.say(Severity::Warning, None, reason.unwrap_or_default());
            return None;
        };
        let lines = doubt.lines.clone();
        if !lines.is_empty() && self.is_said(Some(doubt.question), &lines) {
            return None;
        }
        let supposed = doubt.supposed(self.edition);
        doubt.subjects = self.robots.subjects(&supposed, doubt.question, agent, url).unwrap_or_default();
        let sides = sides(doubt);
        let with = |verdict: Verdict| -> String {
            let answers = doubt.answers.iter().filter(|(_, other)| *other == verdict);
            let ids: Vec<String> = answers.map(|(choice, _)| format!("`{choice}`")).collect();
            format!("{verdict} ({})", ids.join(", "))
        };
        let parsers = sides.as_ref().map(|Sides { allow, disallow, date }| {
            let parsers = counted(*allow, "parser");
            format!("; in rows about such lines, {parsers} answered allow and {disallow} disallow ({date})")
        });
        let outcomes =
            [Verdict::Allow, Verdict::Disallow].map(with).join(" or ") + &parsers.unwrap_or_default();
        let asks = doubt.question.row().asks;
        let finding = Finding {
            severity: Severity::Warning,
            lines,
            message: format!("unspecified: {asks}; {} {outcomes}", asked(agent, url)),
            query: Some((agent.to_owned(), url.to_owned())),
            question: Some(doubt.question),
            sides,
        };
        Some((format!("{} {outcomes}", doubt.question), finding))
    }

    /// Returns whether one query shows the question in each of these lines.
    fn is_said(&self, question: Option<Question>, lines: &[usize]) -> bool {
        lines.iter().all(|line| self.said.get(line).is_some_and(|said| said.contains(&question)))
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
                        if self.said.contains_key(line) { " where the line names a crawler" } else { "" };
                    let between = format!("no rule stands between this user-agent line and line {last}");
                    let message = format!("{between}, only other records: {rule} is for both{if_name}");
                    self.say(Severity::Warning, Some(*line), message);
                }
            }
        }
    }
}

/// Returns a query, as the start of a sentence.
fn asked(agent: &str, url: &str) -> String {
    format!("the answer to `{}` for `{}` is", brief(&visible(url)), brief(&visible(agent)))
}
