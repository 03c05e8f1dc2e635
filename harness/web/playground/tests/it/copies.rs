//! The copies of an input: a file of cases, and Markdown.

use std::path::Path;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag};
use robotspec_cases::Expected;
use robotspec_cases::suite::load;
use robotspec_playground::request::Request;
use robotspec_reference::{Edition, RobotsTxt};
use serde_json::json;

use crate::{ask, match_rows, response};

/// The size of the largest file of which the case is read again, in bytes. Larger ones would take minutes.
const LARGEST: usize = 4096;

#[test]
fn the_case_of_every_row_is_loaded_as_it_was_and_the_reference_passes_it() {
    for row in match_rows().iter().filter(|row| row.robots.len() <= LARGEST && row.url.len() <= LARGEST) {
        let expecting = &row.check.expected;
        let is_rfc = expecting.contains_key(&Edition::Rfc9309);
        let edition = if is_rfc { Edition::Rfc9309 } else { *expecting.keys().next().expect("an edition") };
        let request = Request::Case { agent: row.agent.clone(), url: row.url.clone(), edition };
        let written = response(&request, &row.robots);
        let text = written["text"].as_str().expect("a text");
        let suite = load(Path::new("case.yaml"), text)
            .unwrap_or_else(|error| panic!("{} in {edition}: {error}\n{text}", row.check.id));
        let loaded = &suite.cases[0].rows[0];
        assert_eq!(loaded.query, row.check.query, "{text}");
        assert!(loaded.expected.contains_key(&edition), "{} in {edition}: {text}", row.check.id);
        let robots = RobotsTxt::parse(&row.robots);
        for (&edition, expected) in &loaded.expected {
            let ruling = robots.ruling(edition, &row.agent, &row.url).expect("a URL");
            assert_eq!(*expected, Expected::Ruling(ruling), "{text}");
        }
    }
}

const HOSTILE: &str =
    "user-agent: *\n```\n<script>alert(1)</script>\n# heading\n@someone #1\ndisallow: /`*<img src=x>|\n";

#[test]
fn no_text_of_an_input_is_markup_in_the_issue() {
    let request = Request::Issue {
        agent: "<b>`Foo`</b>\n# x".to_owned(),
        url: "/`*<img src=x>|@someone".to_owned(),
        link: Some("https://example.com/playground.html#file=abc-_&agent=a%2Fb&url=%2F".to_owned()),
    };
    let written = response(&request, HOSTILE.as_bytes());
    let text = written["text"].as_str().expect("a text");
    let mut links = Vec::new();
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Html(html) | Event::InlineHtml(html) => panic!("{html} in {text}"),
            Event::Start(Tag::Heading { .. } | Tag::Image { .. }) => {
                panic!("a heading or an image in {text}")
            }
            Event::Start(Tag::Link { dest_url, .. }) => links.push(dest_url.to_string()),
            Event::Start(Tag::CodeBlock(kind)) => {
                assert!(matches!(kind, CodeBlockKind::Fenced(language) if &*language == "text"), "{text}");
            }
            _ => {}
        }
    }
    assert_eq!(links, ["https://example.com/playground.html#file=abc-_&agent=a%2Fb&url=%2F"]);
}

#[test]
fn an_address_with_markup_is_left_out_of_the_issue() {
    for link in ["https://example.com/) <b>", "javascript:alert(1)", "https://example.com/\n# x"] {
        let request =
            Request::Issue { agent: "a".to_owned(), url: "/".to_owned(), link: Some(link.to_owned()) };
        let written = response(&request, b"user-agent: *\n")["text"].to_string();
        assert!(!written.contains("playground"), "{written}");
    }
}

#[test]
fn a_text_that_is_not_a_url_has_no_copy() {
    let (agent, url) = ("a".to_owned(), "not a URL".to_owned());
    let case = Request::Case { agent: agent.clone(), url: url.clone(), edition: Edition::Rfc9309 };
    for request in [case, Request::Issue { agent, url, link: None }] {
        let written = response(&request, b"");
        assert!(written["error"].is_string() && written.get("text").is_none(), "{written}");
    }
    assert_eq!(json!(null), ask(b"", "", &[], 0)["error"]);
}
