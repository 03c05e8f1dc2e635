//! Why an edition rules as it does.

use crate::edition::Edition;
use crate::group::WhichGroups;
use crate::precedence::Prevails;
use crate::question::{Answer, Question};
use crate::reading::Reading;
use crate::ruling::{DecidedBy, Decision, Outcome, RobotsTxt, Ruling, Verdict};
use crate::target::NotAUrl;

/// A ruling with its reasons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// The edition.
    pub edition: Edition,
    /// What it says.
    pub ruling: Ruling,
    /// How the plainest reading comes to its verdict. Where the ruling is
    /// definite, every other reading comes to the same.
    pub decision: Decision,
    /// The questions on which the verdict turns, where it is unspecified.
    pub doubts: Vec<Doubt>,
    /// How many different ways through the questions there are.
    pub readings: usize,
}

/// A question that the edition leaves open, and on which a verdict turns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doubt {
    /// The question.
    pub question: Question,
    /// The answers that differ from the plainest reading and have to be given
    /// first for this question to matter; mostly none.
    pub supposing: Vec<(Question, Answer)>,
    /// What each admitted answer leads to.
    pub answers: Vec<(Answer, Verdict)>,
}

impl RobotsTxt<'_> {
    /// What the edition says and why: may the agent fetch the URL?
    ///
    /// # Errors
    ///
    /// `url` is no URL.
    pub fn explain(&self, edition: Edition, agent: &str, url: &str) -> Result<Explanation, NotAUrl> {
        let rules = self.for_agent(edition, agent);
        let ruling = rules.ruling(url)?;
        let outcomes = rules.outcomes(url)?;
        let decision = self.decide(&Reading::plainest(edition), agent, url)?;
        let doubts = match ruling {
            Ruling::Unspecified => self.doubts(edition, agent, url, &outcomes)?,
            _ => Vec::new(),
        };
        Ok(Explanation { edition, ruling, decision, doubts, readings: outcomes.len() })
    }

    /// The questions that arise in reading the file for this agent and URL, of
    /// those that the edition leaves open, be they decisive or not.
    ///
    /// # Errors
    ///
    /// `url` is no URL.
    pub fn questions(&self, edition: Edition, agent: &str, url: &str) -> Result<Vec<Question>, NotAUrl> {
        let outcomes = self.for_agent(edition, agent).outcomes(url)?;
        let mut questions: Vec<Question> = outcomes.iter().flat_map(Outcome::questions).collect();
        questions.sort();
        questions.dedup();
        Ok(questions)
    }

    /// The questions that turn the verdict alone; or, where none does, the
    /// last of the fewest answers that turn it together.
    fn doubts(
        &self,
        edition: Edition,
        agent: &str,
        url: &str,
        outcomes: &[Outcome],
    ) -> Result<Vec<Doubt>, NotAUrl> {
        let plainest = Reading::plainest(edition);
        let mut asked: Vec<Question> = outcomes.iter().flat_map(Outcome::questions).collect();
        asked.sort();
        asked.dedup();
        let mut doubts = Vec::new();
        for question in asked {
            doubts.extend(self.doubt(question, &plainest, Vec::new(), agent, url)?);
        }
        if !doubts.is_empty() {
            return Ok(doubts);
        }
        let plain = self.decide(&plainest, agent, url)?.verdict;
        let unlike_plainest = |outcome: &Outcome| {
            let answers = outcome.choices.iter().copied();
            answers.filter(|&(question, answer)| plainest.answer(question) != answer).collect::<Vec<_>>()
        };
        let others = outcomes.iter().filter(|outcome| outcome.verdict != plain).map(unlike_plainest);
        let Some(fewest) = others.min_by_key(Vec::len) else { return Ok(doubts) };
        let mut reading = plainest;
        for (index, &(question, answer)) in fewest.iter().enumerate() {
            let supposing = fewest[..index].to_vec();
            if let Some(doubt) = self.doubt(question, &reading, supposing, agent, url)? {
                return Ok(vec![doubt]);
            }
            reading = reading.clone().with(question, answer).unwrap_or(reading);
        }
        Ok(doubts)
    }

    /// What each answer to one question leads to, where that differs.
    fn doubt(
        &self,
        question: Question,
        reading: &Reading,
        supposing: Vec<(Question, Answer)>,
        agent: &str,
        url: &str,
    ) -> Result<Option<Doubt>, NotAUrl> {
        let mut answers = Vec::new();
        for &answer in question.row().answers(reading.edition()) {
            if let Ok(reading) = reading.clone().with(question, answer) {
                answers.push((answer, self.decide(&reading, agent, url)?.verdict));
            }
        }
        let differs = answers.iter().any(|(_, verdict)| *verdict != answers[0].1);
        Ok(differs.then_some(Doubt { question, supposing, answers }))
    }
}

impl Outcome {
    fn questions(&self) -> impl Iterator<Item = Question> {
        self.choices.iter().map(|(question, _)| *question)
    }
}

impl Decision {
    /// The numbers of the lines that decided: those that name the agent, and
    /// those of the rules.
    pub fn lines(&self) -> Vec<usize> {
        let mut lines = self.agent_lines.clone();
        if let DecidedBy::Rule { rule, over, .. } = &self.by {
            lines.push(rule.line);
            lines.extend(over.iter().map(|rule| rule.line));
        }
        lines.sort_unstable();
        lines
    }

    /// The ids of the clauses that were applied.
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
                    Prevails::Wildcard => clauses.push("O-wildcard"),
                }
            }
        }
        clauses
    }
}
