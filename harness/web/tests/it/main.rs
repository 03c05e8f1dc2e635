//! Tests of what a page contains: its documents, and its links to the playground.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use miniz_oxide::inflate::decompress_to_vec;
use robotspec_cases::Query;
use robotspec_reference::Edition;
use robotspec_web::{ADDRESS, link, pack};
use serde_json::json;

fn query(robots: &[u8], agent: &str) -> Query {
    Query::Match { robots: robots.into(), agent: agent.to_owned(), url: "/a b?c=d&e".to_owned() }
}

#[test]
fn a_link_contains_the_file_and_the_query() {
    let file = b"user-agent: *\r\ndisallow: /\xff\n";
    let link = link(&query(file, "Foo|(Bot)"), Edition::Google2019).expect("a short link");
    let (address, parts) = link.split_once("#file=").expect("a file");
    assert_eq!(address, ADDRESS);
    let (packed, rest) = parts.split_once('&').expect("an agent");
    let compressed = URL_SAFE_NO_PAD.decode(packed).expect("Base64");
    assert_eq!(decompress_to_vec(&compressed).expect("DEFLATE"), file);
    assert_eq!(rest, "agent=Foo%7C%28Bot%29&url=%2Fa%20b%3Fc%3Dd%26e&edition=google-2019");
}

#[test]
fn a_long_link_is_left_out() {
    assert_eq!(link(&query(b"", &"a".repeat(2000)), Edition::Rfc9309), None);
}

#[test]
fn a_value_that_occurs_twice_is_written_once() {
    let document = json!({ "a": { "x": [] }, "b": [{ "x": [] }, "x", 1, null] });
    assert_eq!(pack(&document), r#"[["a","b"],[["x"],[-1]],[-1,3,"x",[-2,1],null]]"#);
}
