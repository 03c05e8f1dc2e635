//! Batches of match queries about one file.

use std::sync::Arc;

use robotspec::Batch;
use robotspec_cases::Query;

/// An agent that a file names, where other names are of no interest.
pub(super) const AGENT: &str = "FooBot";

/// The origin of URLs. Rules do not depend on it.
pub(super) const ORIGIN: &str = "http://example.com";

/// Returns match queries about a file: may this agent fetch this URL? Without one, there is the plainest.
pub(super) fn match_batch(robots: &Arc<[u8]>, queries: impl IntoIterator<Item = (String, String)>) -> Batch {
    let query = |(agent, url)| Query::Match { robots: Arc::clone(robots), agent, url };
    let mut queries = queries.into_iter();
    let first = queries.next().unwrap_or_else(|| (AGENT.to_owned(), format!("{ORIGIN}/")));
    let mut batch = Batch::single(query(first));
    queries.for_each(|next| _ = batch.try_push(&query(next)));
    batch
}

/// Returns the match queries of a batch about another file.
pub(crate) fn with_robots(batch: &Batch, robots: &Arc<[u8]>) -> Batch {
    let queries = batch.match_queries();
    match_batch(robots, queries.iter().map(|query| (query.agent.to_owned(), query.url.to_owned())))
}
