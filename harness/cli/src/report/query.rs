//! The query of a check as lines for the terminal, with marks at the lines of the file that decide.

use robotspec::excerpt::{MARK, deciding, query_lines};
use robotspec_cases::Query;
use robotspec_reference::explanation::Explanation;
use robotspec_reference::{Edition, RobotsTxt};

use crate::output::{OPEN, styled};

/// Returns the lines of a query. The marked lines decide in this edition.
pub(crate) fn lines(query: &Query, edition: Option<Edition>) -> Vec<String> {
    let deciding = |file: &[u8]| {
        let explanation = edition.and_then(|edition| explain(query, file, edition));
        explanation.map(|explanation| deciding(&explanation.decision)).unwrap_or_default()
    };
    query_lines(query, deciding, &styled(OPEN, MARK))
}

/// Returns the explanation of the ruling on a file of a query. The result is `None` where the query is not about an
/// agent and a URL.
pub(crate) fn explain(query: &Query, file: &[u8], edition: Edition) -> Option<Explanation> {
    let (Query::Match { agent, url, .. } | Query::Alike { agent, url, .. }) = query else { return None };
    RobotsTxt::parse(file).explain(edition, agent, url).ok()
}
