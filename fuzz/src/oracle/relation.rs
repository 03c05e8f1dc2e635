//! Relations: rewritings of a file that change no answer, in any reading of an edition.
//!
//! They need no reference: an implementation that answers differently for two files which mean the same breaks the
//! specification, even where the specification does not specify the answer.

use robotspec_cases::{Clause, Query, Variant};
use robotspec_reference::{Edition, RobotsTxt};

/// Returns whether an edition says that a variant of a file means the same.
pub(crate) fn holds_in(relation: Variant, edition: Edition) -> bool {
    Clause::find(relation.clause()).is_some_and(|clause| clause.section(edition).is_some())
}

/// Returns whether no reading of an edition answers a match query differently for the two forms of its file.
pub(crate) fn is_safe(relation: Variant, edition: Edition, query: &Query) -> bool {
    let Query::Match { robots, agent, url } = query else { return false };
    let Some(twin) = relation.rewrite(robots) else { return false };
    let (robots, twin) = (RobotsTxt::parse(robots), RobotsTxt::parse(&twin));
    robots.agrees_in_every_reading(&twin, edition, agent, url).unwrap_or(false)
}

/// Returns the query about the other form of its file. `None` where the file cannot be rewritten.
pub(crate) fn twin(relation: Variant, query: &Query) -> Option<Query> {
    query.with_robots(relation.rewrite(query.file()?)?)
}
