//! The explanation of a finding, in the words of the clause.

use robotspec::Answer;
use robotspec::excerpt::{self, MARK};
use robotspec::sentences::reasons;
use robotspec_cases::{Clause, Query};
use robotspec_reference::{RobotsTxt, Ruling};

use crate::explain::finding::Finding;
use crate::oracle::kind::FindingKind;

/// The explanation of a finding, part by part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// The clause, and the section of the edition that contains it; for a time-out, that no edition is broken.
    pub clause: String,
    /// The query, with the deciding lines of the file marked.
    pub query: Vec<String>,
    /// What is expected, and the reasons.
    pub expected: Vec<String>,
    /// What the implementation did.
    pub got: Vec<String>,
}

impl Finding {
    /// Explains the finding.
    pub fn explain(&self) -> Explanation {
        let (deciding, mut expected) = self.find_reasons();
        expected.insert(0, self.describe_expected());
        Explanation {
            clause: self.explain_clause(),
            query: excerpt::query_lines(&self.query, |_| deciding.clone(), MARK),
            expected,
            got: self.explain_got(),
        }
    }

    fn explain_clause(&self) -> String {
        let Some(id) = self.class.clause else {
            return "No edition limits the time for an answer.".to_owned();
        };
        let clause = Clause::find(id);
        let section = clause.and_then(|clause| clause.section(self.edition)).unwrap_or_default();
        let statement = clause.map_or("", |clause| &clause.statement);
        format!("{statement} ({id}, {}: {section})", self.edition)
    }

    /// Returns the lines of the file that decide, and the reasons for what is expected.
    fn find_reasons(&self) -> (Vec<usize>, Vec<String>) {
        let Query::Match { robots, agent, url } = &self.query else { return Default::default() };
        if self.class.kind == FindingKind::Timeout {
            return Default::default();
        }
        let Ok(explanation) = RobotsTxt::parse(robots).explain(self.edition, agent, url) else {
            return Default::default();
        };
        let reasons = match self.class.kind {
            FindingKind::Disagreement => Vec::new(),
            // The edition does not specify the answer, but it requires the same answer for both forms.
            FindingKind::Relation if explanation.ruling == Ruling::Unspecified => Vec::new(),
            _ => reasons(&explanation),
        };
        (excerpt::deciding(&explanation.decision), reasons)
    }

    /// Returns what is expected.
    pub fn describe_expected(&self) -> String {
        if self.class.kind == FindingKind::Timeout {
            return "an answer within the time limit of the run".to_owned();
        }
        let (Some(relation), Query::Match { robots, agent, url }) = (self.class.relation, &self.query) else {
            return self.expected.to_string();
        };
        match RobotsTxt::parse(robots).ruling(self.edition, agent, url) {
            Ok(ruling @ (Ruling::Allow | Ruling::Disallow)) => {
                format!("{ruling} in both forms of the file ({relation})")
            }
            _ => format!("the same in both forms of the file ({relation})"),
        }
    }

    /// Returns what the implementation did.
    pub fn describe_got(&self) -> String {
        match &self.got {
            Ok(Answer::Alike { file, twin }) => {
                format!("{file} to this form, and {twin} to the other")
            }
            Ok(answer) => answer.to_string(),
            Err(fault) => fault.to_string(),
        }
    }

    fn explain_got(&self) -> Vec<String> {
        let mut lines = vec![self.describe_got()];
        if let Some(choice) = self.class.answers {
            let question = choice.question;
            let means = choice.observation().unwrap_or(question.row().asks);
            lines.push(format!("as if the answer to {question} were `{choice}`: {means}"));
        } else if self.class.is_unexplained() && matches!(self.query, Query::Match { .. }) {
            lines.push(
                "unexplained: no other answer to a single question is proven to be the cause".to_owned(),
            );
        }
        if let (Some(relation), Some(robots)) = (self.class.relation, self.query.file())
            && let Some(twin) = relation.rewrite(robots)
        {
            lines.push("The other form:".to_owned());
            lines.extend(excerpt::file_lines(&twin, &[], MARK));
        }
        lines
    }
}
