//! Tests of the private parts of `src/external/crawler.rs`.

use super::*;

#[test]
fn a_crawler_is_not_to_blame_where_the_server_stopped() {
    // The test program exists, and ends whatever its arguments are.
    let this = std::env::current_exe().expect("the path of the test program");
    let command = shell_words::join([&*this.to_string_lossy(), "--list", "{url}"]);
    let crawler = Crawler::new(&command, Duration::from_secs(60), 1).expect("a command");
    let visit = TimedVisit { at: 0, site_answers: true, visit: Visit::default() };
    let server = MockServer::start(&visit.visit).expect("the server starts");
    let paths = ["/open".to_owned()];
    crawler.crawl(&server, &visit, "FooBot", &paths).expect("the site is available");
    server.stop();
    let why = "the scenario could not be played: the mock server came to an end";
    assert_eq!(crawler.crawl(&server, &visit, "FooBot", &paths), Err(Fault::NotRun(why.into())));
}
