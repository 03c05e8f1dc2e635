//! The answer of an edition to a query, and what decides.

use anyhow::Result;
use robotspec_cases::visible;
use robotspec_reference::explanation::Explanation;
use robotspec_reference::{DecidedBy, Decision, Edition, Reading, RobotsTxt, Ruling, WhichGroups};

use super::visible_error;
use crate::output::{BAD, FAINT, GOOD, OPEN, styled};

/// The answer of an edition.
pub(super) struct Ruled {
    pub(super) edition: Edition,
    pub(super) ruling: Ruling,
    /// The decision of the plainest reading.
    pub(super) decision: Decision,
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
        let style = match self.ruling {
            Ruling::Allow => GOOD,
            Ruling::Disallow => BAD,
            Ruling::Unspecified => OPEN,
        };
        styled(style, self.ruling)
    }

    /// Returns what decides, in a few words.
    pub(super) fn because(&self) -> String {
        if !self.questions.is_empty() {
            return styled(OPEN, format!("depends on {}", self.questions.join(", ")));
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
