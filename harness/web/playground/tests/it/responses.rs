//! The answers with their reasons.

use robotspec_cases::Expected;
use robotspec_playground::request::Request;
use robotspec_playground::respond;
use robotspec_reference::{Edition, RobotsTxt};
use serde_json::{Value, json};

use crate::{ask, match_rows, response};

const AGENT: &str = "FooBot";

#[test]
fn every_row_has_the_ruling_and_the_lines_of_each_edition() {
    for row in match_rows() {
        let answer = ask(&row.robots, &row.agent, &[&row.url], 0);
        let robots = RobotsTxt::parse(&row.robots);
        let groups = answer["groups"].as_array().expect("groups");
        for (edition, ruling) in Edition::ALL.iter().zip(answer["urls"][0].as_array().expect("rulings")) {
            let id = &row.check.id;
            if let Some(Expected::Ruling(expected)) = row.check.expected.get(edition) {
                assert_eq!(*ruling, json!(expected), "{id} in {edition}");
            }
            let is_of =
                |group: &&Value| group["editions"].as_array().expect("editions").contains(&json!(edition));
            let found: Vec<&Value> = groups.iter().filter(is_of).collect();
            let [group] = found[..] else { panic!("{id}: {edition} is in {} groups", found.len()) };
            assert_eq!(group["ruling"], *ruling, "{id} in {edition}");
            let explanation = robots.explain(*edition, &row.agent, &row.url).expect("a URL");
            let lines = group["lines"].as_array().expect("lines").iter();
            let lines: Vec<u64> = lines.map(|line| line["line"].as_u64().expect("a number")).collect();
            let expected: Vec<u64> = explanation.decision.lines().iter().map(|&line| line as u64).collect();
            assert_eq!(lines, expected, "{id} in {edition}");
            let questions = group["reasons"]["questions"].as_array().map_or(0, Vec::len);
            assert_eq!(questions, explanation.doubts.len(), "{id} in {edition}");
        }
    }
}

#[test]
fn several_urls_have_the_rulings_that_each_has_alone() {
    let file = b"user-agent: *\nallow: /page\ndisallow: /*.htm\ndisallow: /private\n";
    let urls = ["/page.htm", "/private", "not a URL", "/fish"];
    for selected in 0..urls.len() {
        let all = ask(file, AGENT, &urls, selected);
        for (place, url) in urls.iter().enumerate() {
            assert_eq!(all["urls"][place], ask(file, AGENT, &[url], 0)["urls"][0], "{url}");
        }
        assert_eq!(all["groups"], ask(file, AGENT, &urls[selected..=selected], 0)["groups"]);
    }
    assert_eq!(ask(file, AGENT, &urls, 2)["groups"], json!([]));
    let error = ask(file, AGENT, &urls, 0)["urls"][2]["error"].clone();
    assert!(error.as_str().is_some_and(|error| error.contains("not a URL")), "{error}");
}

#[test]
fn an_unspecified_ruling_has_its_question_and_what_each_answer_gives() {
    let answer = ask(b"user-agent: *\nallow: /page\ndisallow: /*.htm\n", AGENT, &["/page.htm"], 0);
    let groups = answer["groups"].as_array().expect("groups");
    assert_eq!(groups[0]["editions"], json!(["rfc9309", "google-2026", "rfc9309-aipref"]));
    let unspecified = groups.iter().find(|group| group["ruling"] == "unspecified").expect("a group");
    let open = &unspecified["reasons"]["questions"][0];
    assert_eq!(open["question"], "WildcardPrecedence");
    let rulings =
        open["answers"].as_array().expect("answers").iter().map(|answer| &answer["gives"]["ruling"]);
    let rulings: Vec<_> = rulings.collect();
    assert!(rulings.contains(&&json!("allow")) && rulings.contains(&&json!("disallow")), "{rulings:?}");
    let quote = &groups[0]["citations"]["rfc9309"][0]["quote"];
    assert!(quote.as_str().is_some_and(|words| words.contains("MUST")), "{quote}");
}

#[test]
fn an_odd_agent_and_an_odd_file_have_remarks() {
    let file = b"<!DOCTYPE html>\n";
    let remarks = ask(file, "FooBot/2.1", &["/"], 0)["remarks"].to_string();
    let findings = response(&Request::Lint { edition: Edition::Rfc9309 }, file)["findings"].to_string();
    assert!(remarks.contains("product token") && findings.contains("HTML page"), "{remarks}{findings}");
    assert_eq!(ask(b"user-agent: *\n", AGENT, &["/"], 0)["remarks"], json!([]));
}

#[test]
fn a_wrong_request_has_an_error() {
    for request in [&b""[..], b"{}\n", b"{\"op\":\"answer\"}\n", b"\xff\n", b"{\"op\":\"nothing\"}\n"] {
        let response: Value = serde_json::from_slice(&respond(request)).expect("JSON");
        assert!(response["error"].is_string(), "{response}");
    }
}

#[test]
fn a_line_after_a_carriage_return_is_in_the_row_of_the_line_before() {
    let rows = |file: &[u8]| {
        let answer = ask(file, AGENT, &[], 0);
        (answer["lines"].clone(), answer["firstLines"].clone())
    };
    assert_eq!(rows(b"a\r\nb\rc\n\nd"), (json!(5), json!([1, 2, 4, 5])));
    assert_eq!(rows(b"a\r\nb\n"), (json!(2), json!(null)));
    let found = response(&Request::Lint { edition: Edition::Rfc9309 }, b"user-agent: *\rno field\n");
    assert_eq!(found["findings"][0]["lines"][0]["row"], 0, "{found}");
}

#[test]
fn a_line_is_shown_up_to_a_length_and_with_escapes() {
    const SHOWN: usize = 200;
    let file = [&b"user-agent: *\n\xff\t"[..], &[b'a'; 300]].concat();
    let found = response(&Request::Lint { edition: Edition::Rfc9309 }, &file);
    let text = found["findings"][0]["lines"][0]["text"].as_str().expect("a text");
    assert!(text.starts_with(r"\xff\taaa") && text.ends_with("a…"), "{text}");
    assert_eq!(text.chars().count(), SHOWN + 1);
}

#[test]
fn all_findings_are_counted_and_the_first_are_listed() {
    const LISTED: usize = 1000;
    let junk = (0..2 * LISTED).map(|name| format!("field{name}: x\n")).collect::<String>();
    let file = format!("user-agent: a\ndisalow: /a\n{junk}no field\n");
    let found = response(&Request::Lint { edition: Edition::Google2026 }, file.as_bytes());
    let counts = ["errors", "warnings", "notes"].map(|kind| found[kind].as_u64());
    assert_eq!(counts, [Some(2), Some(0), Some(2000)]);
    let findings = found["findings"].as_array().expect("findings");
    assert_eq!(findings.len(), LISTED);
    assert_eq!((&findings[0]["kind"], &findings[0]["lines"][0]["line"]), (&json!("error"), &json!(2)));
    assert_eq!(
        findings[0]["reason"],
        "the line is ignored: google-2026 does not define the field `disalow` (did you mean `disallow`?); nothing \
         is disallowed for the crawlers of line 1"
    );
}
