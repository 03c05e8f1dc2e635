//! The editions that give the same answer for the same reasons.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

use robotspec_cases::reasons::Reasons;
use robotspec_cases::{Clause, Level};
use robotspec_reference::explanation::Explanation;
use robotspec_reference::{Edition, NotAUrl, RobotsTxt, Ruling};
use serde::Serialize;

use crate::place::{Places, ShownLine};

/// Editions with the same answer and the same reasons.
#[derive(Debug, Clone, Serialize)]
pub struct Group {
    /// The editions, oldest first.
    pub editions: Vec<Edition>,
    /// The answer.
    pub ruling: Ruling,
    /// The reasons of the first of them. The clauses of the others may differ.
    pub reasons: Reasons,
    /// The lines that decide in the plainest reading.
    pub lines: Vec<ShownLine>,
    /// For each of the editions, the clauses that it applies.
    pub citations: BTreeMap<Edition, Vec<Citation>>,
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
        let (ruling, reasons) = (explanation.ruling, Reasons::of(&explanation));
        let citations = citations(&explanation);
        let is_same = |group: &&mut Group| {
            let clauses = group.reasons.clauses.clone();
            group.ruling == ruling && group.reasons == Reasons { clauses, ..reasons.clone() }
        };
        match groups.iter_mut().find(is_same) {
            Some(group) => {
                group.editions.push(edition);
                group.citations.insert(edition, citations);
            }
            None => groups.push(Group {
                editions: vec![edition],
                ruling,
                lines: reasons.lines.iter().filter_map(|line| places.shown(*line)).collect(),
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

/// Returns the clauses of the edition that the plainest reading applies, and then those that the questions are about.
fn citations(explanation: &Explanation) -> Vec<Citation> {
    let applied = explanation.decision.clauses().into_iter();
    let asked = explanation.doubts.iter().flat_map(|doubt| doubt.question.row().clauses.iter().copied());
    let mut cited = HashSet::new();
    let clauses = applied.chain(asked).filter_map(Clause::find).filter(|clause| cited.insert(&clause.id));
    let citation = |clause: &'static Clause| {
        Some(Citation {
            clause: &clause.id,
            statement: &clause.statement,
            section: clause.section(explanation.edition)?,
            quote: clause.quotes.get(&explanation.edition).map(String::as_str),
            level: clause.level(explanation.edition),
        })
    };
    clauses.filter_map(citation).collect()
}
