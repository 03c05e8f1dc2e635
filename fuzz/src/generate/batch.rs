//! Batches of match queries about one file.

use std::sync::Arc;

use robotspec::Batch;
use robotspec_cases::Query;

/// Returns a batch of match queries about a file: may this agent fetch this URL? `None` without a query.
pub(crate) fn match_batch<'q>(
    robots: &Arc<[u8]>,
    queries: impl IntoIterator<Item = (&'q str, &'q str)>,
) -> Option<Batch> {
    let mut queries = queries.into_iter().map(|(agent, url)| Query::Match {
        robots: Arc::clone(robots),
        agent: agent.to_owned(),
        url: url.to_owned(),
    });
    let mut batch = Batch::single(queries.next()?);
    for query in queries {
        batch.try_push(&query);
    }
    Some(batch)
}

/// Returns the match queries of a batch about another file.
pub(crate) fn with_robots(batch: &Batch, robots: &Arc<[u8]>) -> Option<Batch> {
    match_batch(robots, batch.match_queries().iter().map(|query| (query.agent, query.url)))
}
