//! The explanation of a finding, in the words of the clause.

use robotspec::Answer;
use robotspec::failure::{explain, query};
use robotspec_cases::{Clause, Query};
use robotspec_reference::{RobotsTxt, Ruling};
use robotspec_text::brief;
use robotspec_text::document::Tone::{Bad, Faint, Good};
use robotspec_text::document::{Block, Line, Tone};
use robotspec_text::excerpt::file_lines;
use robotspec_text::sentences::reasons;

use crate::explain::finding::Finding;
use crate::oracle::divergence::FindingKind;
use crate::oracle::expectation::expect;

impl Finding {
    /// Explains the finding: the clause, the query with the deciding lines of the file marked, what is expected and why, and
    /// what the implementation did.
    pub fn explain(&self) -> Vec<Block> {
        if let (FindingKind::Disagreement, Some(against)) = (self.class.kind, &self.against) {
            return self.explain_disagreement(against);
        }
        let edition = (self.class.kind != FindingKind::Timeout).then_some(self.edition);
        let expected = Line::from("expected ").value(Good, brief(&self.describe_expected()));
        let got = Line::from("got      ").value(Bad, brief(&self.describe_got()));
        let mut blocks = vec![
            Block::Paragraph(self.explain_clause().into()),
            query(1, &self.query, edition),
            Block::Item(0, expected),
        ];
        let note = |text: String| Block::Item(2, Line::default().toned(Faint, brief(&text)));
        blocks.extend(self.reasons().into_iter().map(note));
        blocks.push(Block::Item(0, got));
        if let Some(choice) = self.class.answers {
            let question = choice.question;
            let means = choice.observation().unwrap_or(question.row().asks);
            blocks.push(note(format!("as if the answer to {question} were `{choice}`: {means}")));
        } else if self.class.is_unexplained() && matches!(self.query, Query::Match { .. }) {
            blocks.push(note(
                "unexplained: no other answer to a single question is proven to be the cause".to_owned(),
            ));
        }
        if let (Some(relation), Some(robots)) = (self.class.relation, self.query.file())
            && let Some(twin) = relation.rewrite(robots)
        {
            blocks.push(note("The other form:".to_owned()));
            blocks.push(Block::Lines(2, file_lines(&twin, &[])));
        }
        blocks
    }

    /// Shows the answers of both implementations, and the ruling of the edition, which may be neither.
    fn explain_disagreement(&self, against: &str) -> Vec<Block> {
        let answer = |name: &str, tone: Tone, answer: String| {
            Block::Item(0, Line::from(format!("{name}: ")).value(tone, brief(&answer)))
        };
        let ruling = expect(self.edition, &self.query).to_string();
        vec![
            Block::Paragraph("Two implementations answer a query differently.".into()),
            query(1, &self.query, Some(self.edition)),
            answer(&self.class.implementation, Bad, self.describe_got()),
            answer(against, Bad, self.expected.to_string()),
            answer(self.edition.id(), Good, ruling),
        ]
    }

    /// Returns the clause, and the section of the edition that contains it; for a time-out, that no edition is broken.
    fn explain_clause(&self) -> String {
        let Some(id) = self.class.clause else {
            return "No edition limits the time for an answer.".to_owned();
        };
        let clause = Clause::find(id);
        let section = clause.and_then(|clause| clause.section(self.edition)).unwrap_or_default();
        let statement = clause.map_or("", |clause| &clause.statement);
        format!("{statement} ({id}, {}: {section})", self.edition)
    }

    /// Returns the reasons for what is expected.
    pub fn reasons(&self) -> Vec<String> {
        let Query::Match { robots, .. } = &self.query else { return Vec::new() };
        let Some(explanation) = explain(&self.query, robots, self.edition) else { return Vec::new() };
        match self.class.kind {
            FindingKind::Timeout | FindingKind::Disagreement => Vec::new(),
            // The edition does not specify the answer, but it requires the same answer for both forms.
            FindingKind::Relation if explanation.ruling == Ruling::Unspecified => Vec::new(),
            _ => reasons(&explanation),
        }
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
}
