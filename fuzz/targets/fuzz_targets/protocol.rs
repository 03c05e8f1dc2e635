//! Reads lines of a hostile adapter as the reply to each kind of request. There is an error, or as many answers as there
//! were queries, each of the kind of its query.
#![no_main]
#![forbid(unsafe_code)]

use libfuzzer_sys::fuzz_target;
use robotspec::external::{read_hello, read_reply};
use robotspec::{Answer, Batch};
use robotspec_cases::Query;

fuzz_target!(|line: &[u8]| {
    let _ = read_hello(line);
    let Ok(reply) = read_reply(line) else { return };
    for batch in batches() {
        let Ok(answers) = reply.clone().answers(&batch) else { continue };
        assert_eq!(answers.len(), batch.queries().len());
        for (query, answer) in batch.queries().iter().zip(&answers) {
            let is_of_same_kind = matches!(
                (query, answer),
                (Query::Match { .. }, Answer::Match(_))
                    | (Query::Sitemaps { .. }, Answer::Sitemaps(_))
                    | (Query::Scope { .. }, Answer::Scope(_))
                    | (Query::Grammar { .. }, Answer::Grammar(_))
            );
            assert!(is_of_same_kind, "{answer:?} to {query:?}");
        }
    }
});

fn batches() -> [Batch; 4] {
    let url = || "http://example.com/".to_owned();
    let query = Query::Match { robots: [].into(), agent: "FooBot".to_owned(), url: url() };
    let mut two_queries = Batch::single(query.clone());
    assert!(two_queries.try_push(&query));
    let robots_url = "http://example.com/robots.txt".to_owned();
    [
        two_queries,
        Batch::single(Query::Sitemaps { robots: [].into() }),
        Batch::single(Query::Scope { robots_url, url: url() }),
        Batch::single(Query::Grammar { text: [].into() }),
    ]
}
