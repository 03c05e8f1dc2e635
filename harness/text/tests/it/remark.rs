//! Remarks about agents.

use robotspec_text::remark::about_agent;

const FILE: &[u8] = b"user-agent: archiver\nuser-agent: *\ndisallow: /\n";

#[test]
fn a_header_stands_for_the_token_that_the_file_names_or_that_looks_like_a_crawler() {
    for (agent, meant) in [
        ("Mozilla/5.0 (compatible; Googlebot/2.1)", "; did you mean `Googlebot`?"),
        ("Mozilla/5.0 (Archiver 3; like Googlebot)", "; did you mean `Archiver`?"),
        ("FooFetcher/1.0", "; did you mean `FooFetcher`?"),
        ("1.0", ""),
    ] {
        let remark = format!("the agent `{agent}` is no product token{meant}");
        assert_eq!(about_agent(agent, FILE), Some(remark));
    }
}

#[test]
fn only_what_is_no_product_token_has_a_remark() {
    assert_eq!(about_agent("Foo-Bot_x", FILE), None);
    for agent in ["", "*", "Foo Bot", "MJ12bot"] {
        assert!(
            about_agent(agent, FILE).is_some_and(|remark| remark.contains("no product token")),
            "{agent}"
        );
    }
}
