//! Lines of a hostile adapter, as the reply to each kind of request. An error or an answer, and an answer has as
//! many verdicts as there were checks.
#![no_main]
#![forbid(unsafe_code)]

use libfuzzer_sys::fuzz_target;
use robotspec::Query;
use robotspec::fuzz::wire;
use robotspec::implementation::{Answer, BatchRequest};

fuzz_target!(|line: &[u8]| {
    let _ = wire::hello(line);
    for request in requests() {
        let Ok((_, Ok(answer))) = wire::reply(&request, line) else { continue };
        match (request, answer) {
            (BatchRequest::Match { queries, .. }, Answer::Verdicts(verdicts)) => {
                assert_eq!(verdicts.len(), queries.len());
            }
            (BatchRequest::Fetch { urls, .. }, Answer::Verdicts(verdicts)) => {
                assert_eq!(verdicts.len(), urls.len());
            }
            (BatchRequest::Sitemaps { .. }, Answer::Sitemaps(_))
            | (BatchRequest::Scope { .. }, Answer::Governs(_)) => {}
            (request, answer) => panic!("{answer:?} is no answer to {request:?}"),
        }
    }
});

fn requests() -> [BatchRequest; 5] {
    let url = || "http://example.com/".to_owned();
    let query = || Query { agent: "FooBot".to_owned(), url: url() };
    [
        BatchRequest::Match { robots: [].into(), queries: vec![query(), query()] },
        BatchRequest::Sitemaps { robots: [].into() },
        BatchRequest::Scope { robots_url: "http://example.com/robots.txt".to_owned(), url: url() },
        BatchRequest::Fetch { agent: "FooBot".to_owned(), urls: vec![url()], now: None, timeout_ms: 1 },
        BatchRequest::Grammar { text: [].into() },
    ]
}
