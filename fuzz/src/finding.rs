//! Findings: minimised divergences, and the classes that they belong to.

use std::fmt;

use robotspec::{Answer, Verdict};
use robotspec_cases::{Clause, Expected, Query, answers_to};
use robotspec_reference::question::TABLE;
use robotspec_reference::{Choice, Edition, Question, Reading, RobotsTxt, Ruling};

use crate::divergence::{Divergence, Observed};
use crate::feature::features;
use crate::kind::Kind;
use crate::relation::Relation;

/// What the divergences of one finding have in common.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Class {
    /// The name of the implementation.
    pub implementation: String,
    /// How the implementation diverges.
    pub kind: Kind,
    /// The relation that does not hold; only of the kind `relation`.
    pub relation: Option<Relation>,
    /// The clause that the implementation breaks, or that the query is about.
    pub clause: &'static str,
    /// An answer to a question that the edition does not admit and that explains the divergence.
    pub answers: Option<Choice>,
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind, self.clause)?;
        if let Some(relation) = self.relation {
            write!(f, " {relation}")?;
        }
        if let Some(choice) = self.answers {
            write!(f, " {}={choice}", choice.question)?;
        }
        Ok(())
    }
}

impl Class {
    /// Returns the class of a minimal divergence.
    pub(crate) fn new(implementation: &str, divergence: &Divergence) -> Class {
        let Divergence { edition, kind, relation, query, .. } = divergence;
        let clause = match relation {
            Some(relation) => relation.clause(),
            None => features(*edition, query).clause(*edition),
        };
        let mut answers = explaining_answers(divergence);
        answers.retain(|choice| is_about(choice.question, clause));
        Class {
            implementation: implementation.to_owned(),
            kind: *kind,
            relation: *relation,
            clause,
            answers: answers.first().copied(),
        }
    }

    /// Reads the name of a class as it is displayed: `violation M-star`.
    ///
    /// # Errors
    ///
    /// The text is not the name of a class.
    pub(crate) fn read(implementation: &str, name: &str) -> Result<Class, BadClass> {
        let mut words = name.split(' ');
        let mut next = || words.next().unwrap_or_default();
        let kind: Kind = next().parse().map_err(BadClass::Kind)?;
        let id = next();
        let clause = Clause::find(id).ok_or_else(|| BadClass::Clause(id.to_owned()))?;
        let relation = match kind {
            Kind::Relation => Some(Relation::from_id(next()).ok_or(BadClass::Relation)?),
            _ => None,
        };
        let answers = match words.next() {
            Some(word) => Some(read_answer(word).ok_or_else(|| BadClass::Answer(word.to_owned()))?),
            None => None,
        };
        let implementation = implementation.to_owned();
        Ok(Class { implementation, kind, relation, clause: &clause.id, answers })
    }
}

/// Reads `Question=answer`.
fn read_answer(word: &str) -> Option<Choice> {
    let (question, answer) = word.split_once('=')?;
    Question::from_id(question)?.choice(answer)
}

/// Why a text is not the name of a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum BadClass {
    /// The first word is not a kind.
    Kind(robotspec_reference::named::UnknownName),
    /// The second word is not a clause.
    Clause(String),
    /// The third word is not a relation.
    Relation,
    /// The last word is not an answer to a question.
    Answer(String),
}

impl fmt::Display for BadClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadClass::Kind(unknown) => unknown.fmt(f),
            BadClass::Clause(id) => {
                write!(f, "unknown clause `{id}`")?;
                Clause::nearest(id).map_or(Ok(()), |near| write!(f, "; did you mean `{}`?", near.id))
            }
            BadClass::Relation => {
                let relations: Vec<&str> = Relation::all().map(Relation::id).collect();
                write!(f, "write the relation after the clause: {}", relations.join(", "))
            }
            BadClass::Answer(word) => write!(f, "`{word}` is not `QUESTION=ANSWER`"),
        }
    }
}

/// Returns the answers to questions that the edition does not admit, and under each of which the verdict of the
/// implementation would be right.
fn explaining_answers(divergence: &Divergence) -> Vec<Choice> {
    let Divergence { edition, kind: Kind::Violation, query, got, .. } = divergence else { return Vec::new() };
    let (Query::Match { robots, agent, url }, Observed::Answer(Ok(Answer::Match(got)))) = (query, got) else {
        return Vec::new();
    };
    let robots = RobotsTxt::parse(robots);
    let explains = |choice: &Choice| {
        let decision = robots.decide(&Reading::plainest(*edition).supposing(*choice), agent, url);
        decision.is_ok_and(|decision| Verdict::from(Ruling::from(decision.verdict)) == *got)
    };
    let is_admitted = |choice: &Choice| choice.question.row().answers(*edition).contains(choice);
    let answers = TABLE.iter().flat_map(|row| answers_to(row.question));
    answers.filter(|choice| !is_admitted(choice) && explains(choice)).collect()
}

/// Returns whether a clause decides a question.
fn is_about(question: Question, clause: &str) -> bool {
    use Question::*;
    let clauses: &[&str] = match question {
        Typo | FieldPrefix => &["L-typo", "L-unknown"],
        MissingColon => &["L-record", "L-valid-only"],
        Bom => &["L-bom"],
        SizeLimit => &["L-size", "L-size-minimum"],
        AgentCase => &["A-case"],
        AgentSuffix => &["A-suffix"],
        AgentMatch => &["A-specific"],
        SameAgentGroups | StarGroups => &["G-merge"],
        OtherRecordBetweenAgents => &["G-nongroup", "L-unknown", "L-valid-only"],
        BlankBetweenAgents => &["G-blank"],
        AdsBotStar => &["A-adsbot"],
        LeadingSlash | LeadingStar => &["M-root", "M-first-octet"],
        AsciiEscape | ReservedEscape => &["M-percent"],
        EscapedSpecial => &["M-literal"],
        RobotsTxtItself => &["M-robots-txt"],
        WildcardPrecedence => &["O-wildcard", "O-longest", "M-star", "M-dollar"],
        EqualLength => &["O-tie"],
        _ => &[],
    };
    clauses.contains(&clause)
}

/// A minimised divergence.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The class of the finding.
    pub class: Class,
    /// The edition in which the finding was minimised.
    pub edition: Edition,
    /// The judging editions that the finding breaks.
    pub editions: Vec<Edition>,
    /// The smallest query that shows the finding.
    pub query: Query,
    /// What is expected.
    pub expected: Expected,
    /// What the implementation did.
    pub got: Observed,
    /// The number of checks after which the finding was found.
    pub after: u64,
    /// The first query that showed the finding.
    pub first_seen: Query,
}

impl Finding {
    pub(crate) fn new(
        class: Class,
        minimal: Divergence,
        editions: Vec<Edition>,
        after: u64,
        first_seen: Query,
    ) -> Finding {
        let Divergence { edition, query, expected, got, .. } = minimal;
        Finding { class, edition, editions, query, expected, got, after, first_seen }
    }

    /// Returns the size of the file, in lines and bytes; zero without a file.
    pub fn size(&self) -> (usize, usize) {
        let file = self.query.file().map_or(&[][..], |file| file);
        (robotspec_reference::split_lines(file).count(), file.len())
    }
}
