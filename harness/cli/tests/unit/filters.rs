//! Tests of the private parts of `src/command/filters.rs`.

use super::*;

fn suites(only: &[&str], skip: &[&str]) -> Option<String> {
    let parse = |texts: &[&str]| texts.iter().map(|text| text.parse().expect("a filter")).collect();
    let filters = Filters { only: parse(only), skip: parse(skip) };
    filters.suites().map(|suites| Vec::from_iter(suites).join(" "))
}

#[test]
fn only_the_suites_that_all_filters_name_are_read() {
    assert_eq!(suites(&["id:lines/a#b*"], &[]).as_deref(), Some("lines"));
    assert_eq!(suites(&["id:lines/*", "id:agents/b"], &["id:agents/c"]).as_deref(), Some("agents lines"));
    assert_eq!(suites(&["id:lines/*"], &["id:scope/b"]).as_deref(), Some("lines scope"));
    for (only, skip) in
        [("id:line*/a", "id:a/b"), ("clause:M-*", "id:a/b"), ("id:a/b", "kind:M"), ("id:a", "id:a/b")]
    {
        assert_eq!(suites(&[only], &[skip]), None, "{only} {skip}");
    }
    assert_eq!(suites(&[], &["id:lines/a"]), None);
}
