//! What editions and implementations answer to the same queries, and which of them contradict each other.

use std::io::Write;

use anstyle::Style;
use anyhow::Result;
use robotspec::event::Status;
use robotspec::{Answer, Batch, BatchAnswer, Endpoint, Fault, Info, Verdict, status};
use robotspec_cases::reasons::Reasons;
use robotspec_cases::suite::absolute_url;
use robotspec_cases::{Expected, Query};
use robotspec_reference::explanation::Explanation;
use robotspec_reference::{DecidedBy, Decision, Edition, Reading, RobotsTxt, Ruling, WhichGroups};
use robotspec_text::visible;
use serde_json::{Value, json};

use super::explanation::{self, visible_error};
use crate::command::exit::{FAILED, INCOMPLETE, OK};
use crate::command::values::joined;
use crate::output::{BAD, FAINT, GOOD, OPEN, STRONG, full_name, styled, table};

/// A query with the answers of the editions.
struct Compared {
    agent: String,
    /// The URL as the user wrote it.
    url: String,
    ruled: Vec<Ruled>,
}

/// The answers of editions and implementations to some queries.
pub(super) struct Comparison {
    rows: Vec<Compared>,
    /// Implementations and their answers, in the order of the queries.
    answerers: Vec<(Info, BatchAnswer)>,
}

impl Comparison {
    /// Returns the answers of the editions about a file, for each agent and URL.
    ///
    /// # Errors
    ///
    /// A URL is not one.
    pub(super) fn new(
        robots: &RobotsTxt,
        agents: &[String],
        urls: &[String],
        editions: &[Edition],
        explains: bool,
    ) -> Result<Self> {
        let mut rows = Vec::new();
        for (agent, url) in agents.iter().flat_map(|agent| urls.iter().map(move |url| (agent, url))) {
            let rule = |&edition: &Edition| Ruled::new(robots, edition, agent, &absolute_url(url), explains);
            let ruled = editions.iter().map(rule).collect::<Result<_>>()?;
            rows.push(Compared { agent: agent.clone(), url: url.clone(), ruled });
        }
        Ok(Comparison { rows, answerers: Vec::new() })
    }

    /// Sends the queries, which are about one file, to an implementation, and adds its answers.
    pub(super) fn add(&mut self, endpoint: &mut dyn Endpoint, queries: &[Query]) {
        let answers = robotspec::send(endpoint, &Batch::group(queries)).concat();
        self.answerers.push((endpoint.info(), answers));
        endpoint.finish();
    }

    /// Returns the answer of each implementation to the query of a row, with the editions that it contradicts.
    fn answers(&self, place: usize) -> impl Iterator<Item = (&Info, &Result<Answer, Fault>, Vec<Edition>)> {
        self.answerers.iter().filter_map(move |(info, answers)| {
            let got = answers.get(place)?;
            let is_contradicted = |ruled: &&Ruled| {
                is_verdict(got) && status(&Expected::Ruling(ruled.ruling), got) == Status::Fail
            };
            let contradicted = self.rows[place].ruled.iter().filter(is_contradicted);
            Some((info, got, contradicted.map(|ruled| ruled.edition).collect()))
        })
    }

    /// Returns the exit code of the command.
    pub(super) fn exit_code(&self) -> u8 {
        let all = || (0..self.rows.len()).flat_map(|place| self.answers(place));
        if all().any(|(_, _, contradicted)| !contradicted.is_empty()) {
            FAILED
        } else if all().any(|(_, got, _)| !is_verdict(got)) {
            INCOMPLETE
        } else {
            OK
        }
    }

    /// Writes the table, then the explanations.
    pub(super) fn write(&self, out: &mut dyn Write) -> Result<()> {
        let mut cells: Vec<[String; 3]> = Vec::new();
        for (place, row) in self.rows.iter().enumerate() {
            let query = format!("{} {}", visible(&row.agent), visible(&row.url));
            cells.push([styled(STRONG, query), String::new(), String::new()]);
            for ruled in &row.ruled {
                let answer = ruled.answer();
                cells.push([format!("  {}", ruled.edition), answer, ruled.because()]);
            }
            for (info, got, contradicted) in self.answers(place) {
                let contradicts = match &contradicted[..] {
                    [] => String::new(),
                    editions => styled(BAD, format!("contradicts {}", joined(editions))),
                };
                cells.push([format!("  {}", full_name(info)), describe_got(got), contradicts]);
            }
        }
        writeln!(out, "{}", table(["answer of", "answer", "because"], cells, 0..0))?;
        for row in &self.rows {
            for Ruled { edition, explanation, .. } in &row.ruled {
                let Some(explanation) = explanation else { continue };
                let heading = format!("{} {} in {edition}", visible(&row.agent), visible(&row.url));
                writeln!(out, "\n{}", styled(STRONG, heading))?;
                for line in explanation::lines(explanation) {
                    writeln!(out, "  {line}")?;
                }
            }
        }
        if !self.answerers.is_empty() {
            let contradicting =
                |place: &usize| self.answers(*place).any(|(_, _, editions)| !editions.is_empty());
            let count = (0..self.rows.len()).filter(contradicting).count();
            let style = if count == 0 { GOOD } else { BAD };
            let all = self.rows.len();
            let queries = if all == 1 { "query" } else { "queries" };
            let summary = format!("an implementation contradicts an edition in {count} of {all} {queries}");
            writeln!(out, "\n{}", styled(style, summary))?;
        }
        Ok(())
    }

    /// Returns all answers as JSON.
    pub(super) fn as_json(&self) -> Value {
        let edition = |ruled: &Ruled| {
            let mut value = ruled.as_json();
            value["lines"] = json!(ruled.decision.lines());
            value["questions"] = json!(ruled.questions);
            value
        };
        let implementation = |(info, got, contradicts): (&Info, &Result<Answer, Fault>, Vec<Edition>)| {
            let mut value = json!({ "name": info.name, "contradicts": contradicts });
            if let Some(version) = &info.version {
                value["version"] = json!(version);
            }
            match got {
                Ok(Answer::Match(verdict)) => value["answer"] = json!(verdict),
                Ok(Answer::Decided { verdict, line }) => {
                    value["answer"] = json!(verdict);
                    value["line"] = json!(line);
                }
                Ok(answer) => value["fault"] = json!(answer.to_string()),
                Err(fault) => value["fault"] = json!(fault.to_string()),
            }
            value
        };
        let rows = self.rows.iter().enumerate().map(|(place, row)| {
            json!({
                "agent": row.agent,
                "url": row.url,
                "editions": row.ruled.iter().map(edition).collect::<Vec<_>>(),
                "implementations": self.answers(place).map(implementation).collect::<Vec<_>>(),
            })
        });
        json!({ "queries": rows.collect::<Vec<_>>() })
    }
}

/// Returns what an implementation answered, in colour.
fn describe_got(got: &Result<Answer, Fault>) -> String {
    match got {
        Ok(answer) => styled(style(answer.verdict()), visible(&answer.to_string())),
        Err(fault) => styled(OPEN, visible(&fault.to_string())),
    }
}

fn style(verdict: Option<&Verdict>) -> Style {
    match verdict {
        Some(Verdict::Allow) => GOOD,
        Some(Verdict::Disallow) => BAD,
        _ => OPEN,
    }
}

/// Returns whether an implementation says allow, disallow or unspecified.
fn is_verdict(got: &Result<Answer, Fault>) -> bool {
    let verdict = got.as_ref().ok().and_then(Answer::verdict);
    matches!(verdict, Some(Verdict::Allow | Verdict::Disallow | Verdict::Unspecified))
}

/// The answer of an edition.
pub(super) struct Ruled {
    edition: Edition,
    pub(super) ruling: Ruling,
    /// The decision of the plainest reading.
    decision: Decision,
    /// The questions on which the answer depends.
    pub(super) questions: Vec<&'static str>,
    /// The explanation, where it is wanted.
    pub(super) explanation: Option<Explanation>,
}

impl Ruled {
    /// Returns the answer of an edition, with an explanation if `explains`.
    ///
    /// # Errors
    ///
    /// The URL is not one.
    pub(super) fn new(
        robots: &RobotsTxt,
        edition: Edition,
        agent: &str,
        url: &str,
        explains: bool,
    ) -> Result<Self> {
        let ruling = robots.ruling(edition, agent, url).map_err(visible_error)?;
        let decision = robots.decide(&Reading::plainest(edition), agent, url).map_err(visible_error)?;
        // The reasons of a definite ruling cost time, so that they are found only where they are shown.
        let explanation = match explains || ruling == Ruling::Unspecified {
            true => Some(robots.explain(edition, agent, url).map_err(visible_error)?),
            false => None,
        };
        let doubts = explanation.iter().flat_map(|explanation| &explanation.doubts);
        let questions = doubts.map(|doubt| doubt.question.id()).collect();
        Ok(Ruled { edition, ruling, decision, questions, explanation: explanation.filter(|_| explains) })
    }

    /// Returns the answer in colour.
    pub(super) fn answer(&self) -> String {
        styled(style(Some(&self.ruling.into())), self.ruling)
    }

    /// Returns the answer as JSON, with the explanation if there is one.
    pub(super) fn as_json(&self) -> Value {
        let mut value = json!({ "edition": self.edition, "ruling": self.ruling });
        if let Some(explanation) = &self.explanation {
            value["explanation"] = json!(Reasons::of(explanation));
        }
        value
    }

    /// Returns what an unspecified answer depends on.
    pub(super) fn depends_on(&self) -> String {
        match &self.questions[..] {
            [] => "depends on more readings than the reference evaluates".to_owned(),
            questions => format!("depends on {}", joined(questions)),
        }
    }

    /// Returns what decides, in a few words.
    fn because(&self) -> String {
        if self.ruling == Ruling::Unspecified {
            return styled(OPEN, self.depends_on());
        }
        let because = match (&self.decision.by, self.decision.groups) {
            (DecidedBy::Rule { rule, .. }, _) => {
                format!("line {}: {}: {}", rule.line, rule.kind.field(), visible(&rule.path))
            }
            (DecidedBy::RobotsTxtItself, _) => "the URL of the robots.txt itself".to_owned(),
            (DecidedBy::Default, WhichGroups::None) => "no group applies".to_owned(),
            (DecidedBy::Default, _) if self.decision.rules == 0 => "its group has no rule".to_owned(),
            (DecidedBy::Default, _) => "no rule matches".to_owned(),
        };
        styled(FAINT, because)
    }
}
