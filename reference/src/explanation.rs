//! The reasons for a ruling.

use std::collections::BTreeSet;

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

impl Explanation {
    /// Returns whether the ruling is unspecified because the readings exceed the bounds of the reference:
    /// [`MOST_READINGS`](crate::reading::MOST_READINGS), [`MOST_LIMITS`](crate::reading::MOST_LIMITS) and
    /// [`MOST_STEPS`](crate::reading::MOST_STEPS).
    pub fn exceeds_bounds(&self) -> bool {
        self.ruling == Ruling::Unspecified && self.doubts.is_empty()
    }
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

    /// Finds the lines that raise each question, which are those by which the answers differ in what decides, or else all; and
    /// its subjects.
    fn find_lines(
        &self,
        doubts: &mut [Doubt<Verdict>],
        raised: &BTreeSet<(Question, u32)>,
        edition: Edition,
        agent: &str,
        target: &Target,
    ) {
        for doubt in doubts {
            let plainest = Reading::plainest(edition);
            let supposed =
                doubt.supposing.iter().fold(plainest, |reading, &choice| reading.supposing(choice));
            let answers = doubt.answers.iter();
            let lines = |&(choice, _): &(Choice, Verdict)| {
                self.decide_target(&supposed.clone().supposing(choice), agent, target).lines()
            };
            let deciding: Vec<Vec<usize>> = answers.map(lines).collect();
            let of_question = raised.iter().filter(|(question, _)| *question == doubt.question);
            let raising: Vec<usize> = of_question.map(|(_, line)| *line as usize).collect();
            let is_different = |line: &usize| {
                deciding.iter().any(|lines| lines.contains(line) != deciding[0].contains(line))
            };
            let different: Vec<usize> = raising.iter().copied().filter(is_different).collect();
            doubt.subjects = self.subjects_of(&supposed, doubt.question, agent, target);
            doubt.lines = if different.is_empty() { raising } else { different };
        }
    }
}

impl AgentRules<'_> {
    /// Returns the same as [`RobotsTxt::explain`] for this agent.
    ///
    /// # Errors
    ///
    /// `url` is neither an absolute URL nor a path.
    pub fn explain(&self, url: &str) -> Result<Explanation, NotAUrl> {
        let target = Target::of(url)?;
        let (robots, edition, agent) = self.subject();
        let decide = |reading: &Reading| robots.decide_target(reading, agent, &target);
        let ruling = self.ruling(url)?;
        let (of_agent, first_steps) = self.readings_and_steps();
        let (outcomes, explorer) = of_agent.outcomes(&target);
        let plainest = Reading::plainest(edition);
        let (readings, steps) = (outcomes.len(), first_steps + explorer.steps());
        let mut doubts = match ruling {
            Ruling::Unspecified => doubts(&plainest, outcomes, |reading| decide(reading).verdict),
            Ruling::Allow | Ruling::Disallow => Vec::new(),
        };
        let mut raised = explorer.into_raised();
        raised.extend(&of_agent.raised);
        robots.find_lines(&mut doubts, &raised, edition, agent, &target);
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
