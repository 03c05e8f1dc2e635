//! The editions that give the same answer for the same reasons.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use robotspec_cases::{Clause, Level};
use robotspec_reference::explanation::Explanation;
use robotspec_reference::{Doubt, Edition, NotAUrl, RobotsTxt, Ruling, Verdict};
use robotspec_text::sentences::sentences;
use serde::Serialize;

use crate::place::{Places, ShownLine};

/// Editions with the same answer and the same reasons.
#[derive(Debug, Clone, Serialize)]
pub struct Group {
    /// The editions, oldest first.
    pub editions: Vec<Edition>,
    /// The answer with its reasons.
    #[serde(flatten)]
    pub reasons: Reasons,
    /// For each of the editions, the clauses that it applies.
    pub citations: BTreeMap<Edition, Vec<Citation>>,
}

/// A ruling and its reasons.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reasons {
    /// The ruling.
    pub ruling: Ruling,
    /// The lines that decide in the plainest reading.
    pub lines: Vec<ShownLine>,
    /// How the plainest reading comes to its verdict.
    pub sentences: Vec<String>,
    /// The questions that the ruling depends on, where it is unspecified.
    pub doubts: Vec<ShownDoubt>,
}

/// A question that an edition does not decide, and the result of each answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ShownDoubt {
    /// The id of the question.
    pub question: &'static str,
    /// What the question is about.
    pub asks: &'static str,
    /// The places in the text.
    pub because: &'static str,
    /// The answers to other questions that are supposed, such as `FirstRule=last`.
    pub supposing: Vec<String>,
    /// The admitted answers.
    pub answers: Vec<ShownAnswer>,
}

/// An answer to a question, and its result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ShownAnswer {
    /// The id of the answer.
    pub answer: &'static str,
    /// What the answer means: a sentence.
    pub meaning: &'static str,
    /// The result.
    pub ruling: Ruling,
}

/// A clause that an edition applies.
#[derive(Debug, Clone, Serialize)]
pub struct Citation {
    /// The id of the clause.
    pub clause: &'static str,
    /// What the clause states.
    pub statement: &'static str,
    /// The section of the edition.
    pub section: &'static str,
    /// The words of the edition, where they may be quoted.
    pub quote: Option<&'static str>,
    /// How strongly the edition requires it.
    pub level: Option<Level>,
}

/// Returns the answers of all editions, grouped. The group with RFC 9309 is first, the others follow from new to
/// old.
///
/// # Errors
///
/// `url` is neither an absolute URL nor a path.
pub fn groups(
    robots: &RobotsTxt<'_>,
    places: &Places<'_>,
    agent: &str,
    url: &str,
) -> Result<Vec<Group>, NotAUrl> {
    let mut groups: Vec<Group> = Vec::new();
    for edition in Edition::ALL {
        let explanation = robots.explain(edition, agent, url)?;
        let reasons = Reasons::new(&explanation, places);
        let citations = citations(&explanation);
        match groups.iter_mut().find(|group| group.reasons == reasons) {
            Some(group) => {
                group.editions.push(edition);
                group.citations.insert(edition, citations);
            }
            None => groups.push(Group {
                editions: vec![edition],
                reasons,
                citations: BTreeMap::from([(edition, citations)]),
            }),
        }
    }
    groups.sort_by_key(|group| {
        (!group.editions.contains(&Edition::Rfc9309), Reverse(group.editions.last().copied()))
    });
    Ok(groups)
}

impl Reasons {
    fn new(explanation: &Explanation, places: &Places<'_>) -> Reasons {
        Reasons {
            ruling: explanation.ruling,
            lines: explanation.decision.lines().into_iter().filter_map(|line| places.shown(line)).collect(),
            sentences: sentences(&explanation.decision),
            doubts: explanation.doubts.iter().map(ShownDoubt::new).collect(),
        }
    }
}

impl ShownDoubt {
    fn new(doubt: &Doubt<Verdict>) -> ShownDoubt {
        let row = doubt.question.row();
        let answer = |(choice, verdict): &(robotspec_reference::Choice, Verdict)| ShownAnswer {
            answer: choice.id(),
            meaning: choice.meaning(),
            ruling: Ruling::from(*verdict),
        };
        ShownDoubt {
            question: doubt.question.id(),
            asks: row.asks,
            because: row.because,
            supposing: doubt.supposing.iter().map(|choice| choice.name()).collect(),
            answers: doubt.answers.iter().map(answer).collect(),
        }
    }
}

/// Returns the clauses of the edition that the plainest reading applies, and then those that the questions are about.
fn citations(explanation: &Explanation) -> Vec<Citation> {
    let applied = explanation.decision.clauses().into_iter();
    let asked = explanation.doubts.iter().flat_map(|doubt| doubt.question.row().clauses.iter().copied());
    let mut cited: Vec<Citation> = Vec::new();
    for clause in applied.chain(asked).filter_map(Clause::find) {
        let is_new = cited.iter().all(|citation| citation.clause != clause.id);
        if let Some(section) = clause.section(explanation.edition)
            && is_new
        {
            cited.push(Citation {
                clause: &clause.id,
                statement: &clause.statement,
                section,
                quote: clause.quotes.get(&explanation.edition).map(String::as_str),
                level: clause.level(explanation.edition),
            });
        }
    }
    cited
}
