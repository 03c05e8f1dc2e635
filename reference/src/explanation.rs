//! The reasons for a ruling.

use crate::doubt::{Doubt, doubts, questions};
use crate::edition::Edition;
use crate::fast::AgentRules;
use crate::group::WhichGroups;
use crate::path::Target;
use crate::precedence::Prevails;
use crate::question::{Choice, Question};
use crate::reading::Reading;
use crate::ruling::{DecidedBy, Decision, RobotsTxt, Ruling, Verdict};
use crate::target::NotAUrl;

/// A ruling with its reasons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// The edition.
    pub edition: Edition,
    /// The ruling of the edition.
    pub ruling: Ruling,
    /// The decision of the plainest reading. Where the ruling is definite, every other reading has the same verdict.
    pub decision: Decision,
    /// The questions that the verdict depends on, where the ruling is unspecified. There are none where the readings exceed
    /// the bounds of the reference before they differ.
    pub doubts: Vec<Doubt<Verdict>>,
    /// The number of different combinations of answers.
    pub readings: usize,
    /// The number of steps that the readings took, for a caller that bounds those of many explanations together.
    pub steps: usize,
}

impl RobotsTxt<'_> {
    /// Returns whether the agent may fetch the URL, and why.
    ///
    /// # Errors
    ///
    /// `url` is neither an absolute URL nor a path.
    pub fn explain(&self, edition: Edition, agent: &str, url: &str) -> Result<Explanation, NotAUrl> {
        self.for_agent(edition, agent).explain(url)
    }
}

impl AgentRules<'_> {
    /// Returns the same as [`RobotsTxt::explain`] for this agent.
    ///
    /// # Errors
    ///
    /// `url` is neither an absolute URL nor a path.
    pub fn explain(&self, url: &str) -> Result<Explanation, NotAUrl> {
        let mut explanation = self.explain_without_subjects(url)?;
        for doubt in &mut explanation.doubts {
            let supposed = doubt.supposed(self.edition);
            doubt.subjects = self.robots.subjects(&supposed, doubt.question, &self.agent, url)?;
        }
        Ok(explanation)
    }

    /// Returns the same without the [subjects](Doubt::subjects) of the questions, for which the file is read several times.
    ///
    /// # Errors
    ///
    /// `url` is neither an absolute URL nor a path.
    pub fn explain_without_subjects(&self, url: &str) -> Result<Explanation, NotAUrl> {
        let target = Target::of(url)?;
        let edition = self.edition;
        let decide = |reading: &Reading| self.decide(reading, &target);
        let ruling = self.ruling(url)?;
        let is_first = self.readings.get().is_none();
        let of_agent = self.readings();
        // Most of the steps to find them are lines, each of which is read in a fraction of the time of another step.
        let first_steps = if is_first { of_agent.steps / 3 } else { 0 };
        let (outcomes, explorer) = of_agent.outcomes(&target);
        let plainest = Reading::plainest(edition);
        let (readings, steps) = (outcomes.len(), first_steps + explorer.steps());
        let mut doubts = match ruling {
            Ruling::Unspecified => doubts(&plainest, outcomes, |reading| decide(reading).verdict),
            Ruling::Allow | Ruling::Disallow => Vec::new(),
        };
        let mut raised = explorer.into_raised();
        raised.extend(&of_agent.raised);
        // The lines that raise a question are those by which the answers differ in what decides, or else all.
        for doubt in &mut doubts {
            let supposed = doubt.supposed(edition);
            let lines = |&(choice, _): &(Choice, _)| decide(&supposed.clone().supposing(choice)).lines();
            let deciding: Vec<Vec<usize>> = doubt.answers.iter().map(lines).collect();
            let of_question = raised.iter().filter(|(question, _)| *question == doubt.question);
            let raising: Vec<usize> = of_question.map(|(_, line)| *line as usize).collect();
            let decides = |lines: &Vec<usize>, line: &usize| lines.binary_search(line).is_ok();
            let is_different = |line: &usize| {
                deciding.iter().any(|lines| decides(lines, line) != decides(&deciding[0], line))
            };
            let different: Vec<usize> = raising.iter().copied().filter(is_different).collect();
            doubt.lines = if different.is_empty() { raising } else { different };
        }
        Ok(Explanation { edition, ruling, decision: decide(&plainest), doubts, readings, steps })
    }

    /// Returns the questions that the edition does not decide and that the file raises for this agent and a URL, whether or
    /// not they change the verdict.
    ///
    /// # Errors
    ///
    /// `url` is neither an absolute URL nor a path.
    pub fn questions(&self, url: &str) -> Result<Vec<Question>, NotAUrl> {
        let (outcomes, _) = self.readings().outcomes(&Target::of(url)?);
        Ok(questions(outcomes.iter().map(|(choices, _)| choices)))
    }
}

impl Decision {
    /// Returns the numbers of the lines that decide: the lines that name the agent, and the lines of the rules.
    pub fn lines(&self) -> Vec<usize> {
        let mut lines = self.agent_lines.clone();
        if let DecidedBy::Rule { rule, over, .. } = &self.by {
            lines.push(rule.line);
            lines.extend(over.iter().map(|rule| rule.line));
        }
        lines.sort_unstable();
        lines
    }

    /// Returns the ids of the applied clauses.
    pub fn clauses(&self) -> Vec<&'static str> {
        let mut clauses = match self.groups {
            WhichGroups::None => vec!["A-none"],
            WhichGroups::Star => vec!["A-star"],
            WhichGroups::Named if self.rules == 0 => vec!["A-one", "G-empty-last"],
            WhichGroups::Named => vec!["A-one"],
        };
        if self.agent_lines.len() > 1 {
            clauses.push("G-merge");
        }
        match &self.by {
            DecidedBy::Default if self.rules > 0 => clauses.push("M-default"),
            DecidedBy::Default => {}
            DecidedBy::RobotsTxtItself => clauses.push("M-robots-txt"),
            DecidedBy::Rule { rule, why, .. } => {
                clauses.push("M-prefix");
                if rule.path.contains('*') {
                    clauses.push("M-star");
                }
                if rule.path.ends_with('$') {
                    clauses.push("M-dollar");
                }
                match why {
                    Prevails::Alone => {}
                    Prevails::Longest => clauses.push("O-longest"),
                    Prevails::EqualLength => clauses.push("O-tie"),
                    Prevails::First => clauses.push("O-first"),
                    Prevails::Extension => clauses.push("L-unknown"),
                    Prevails::Wildcard => clauses.push("O-wildcard"),
                }
            }
        }
        clauses
    }
}
