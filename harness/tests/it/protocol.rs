//! The protocol is spoken as it is written.

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use robotspec::implementation::{Answer, BatchRequest, Query};
use robotspec::{Fault, Implementation, Subprocess, Timeouts};
use robotspec_reference::Governs;
use robotspec_test_support::programs;
use serde_json::{Value, json};

/// The lines of the chapter that begin with an arrow.
fn conversation() -> String {
    let chapter = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/src/protocol.md"))
        .expect("the chapter");
    let is_said = |line: &&str| line.starts_with(['→', '←']);
    chapter.lines().filter(is_said).map(|line| format!("{line}\n")).collect()
}

fn request(written: &Value) -> BatchRequest {
    let text = |key: &str| written[key].as_str().expect("a text").to_owned();
    let robots = || -> Arc<[u8]> {
        use base64::Engine;
        match written["robots"].as_str() {
            Some(text) => text.as_bytes().into(),
            None => base64::engine::general_purpose::STANDARD
                .decode(text("robots_base64"))
                .expect("Base64")
                .into(),
        }
    };
    let list = |key: &str| written[key].as_array().cloned().unwrap_or_default();
    match &*text("op") {
        "match" => BatchRequest::Match {
            robots: robots(),
            queries: list("checks")
                .iter()
                .map(|check| Query {
                    agent: check["agent"].as_str().expect("a text").to_owned(),
                    url: check["url"].as_str().expect("a text").to_owned(),
                })
                .collect(),
        },
        "sitemaps" => BatchRequest::Sitemaps { robots: robots() },
        "scope" => BatchRequest::Scope { robots_url: text("robots_url"), url: text("url") },
        "fetch" => BatchRequest::Fetch {
            agent: text("agent"),
            urls: list("urls").iter().map(|url| url.as_str().expect("a text").to_owned()).collect(),
            now: written["now"].as_u64(),
            timeout_ms: written["timeout_ms"].as_u64().expect("a number"),
        },
        op => panic!("there is no operation {op}"),
    }
}

/// What was understood, as it would be written.
fn understood(answer: Result<Answer, Fault>) -> Value {
    match answer {
        Ok(Answer::Verdicts(verdicts)) => {
            let verdict = |verdict: &robotspec::Verdict| match verdict {
                robotspec::Verdict::Error(error) => json!({ "error": error }),
                verdict => json!(verdict.to_string()),
            };
            json!({ "verdicts": verdicts.iter().map(verdict).collect::<Vec<_>>() })
        }
        Ok(Answer::Sitemaps(sitemaps)) => json!({ "sitemaps": sitemaps }),
        Ok(Answer::Governs(governs)) => json!({ "applies": governs == Governs::Yes }),
        Err(Fault::Error(error)) => json!({ "error": error }),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_protocol_is_spoken_as_it_is_written() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let script = folder.path().join("conversation");
    let conversation = conversation();
    fs::write(&script, &conversation).expect("the folder takes files");
    let patience = Duration::from_secs(60);
    let command = programs::command("documented_adapter", &[&script.to_string_lossy()]);
    let timeouts = Timeouts { hello: patience, request: patience };
    let mut adapter = Subprocess::start(&command, timeouts).expect("a command");
    let lines: Vec<Value> = conversation
        .lines()
        .map(|line| serde_json::from_str(line.trim_start_matches(['→', '←'])).expect("JSON"))
        .collect();
    let mut ops = Vec::new();
    for exchange in lines.chunks(2) {
        let [written, reply] = exchange else { panic!("a request has its reply below it") };
        ops.push(written["op"].as_str().expect("a text"));
        if written["op"] == "hello" {
            assert_eq!(json!(adapter.info().name), reply["name"]);
            continue;
        }
        let mut said = reply.clone();
        assert_eq!(said["id"], written["id"]);
        said.as_object_mut().expect("an object").remove("id");
        assert_eq!(understood(adapter.answer(&request(written))), said, "{written}");
    }
    assert_eq!(adapter.incidents(), []);
    ops.dedup();
    assert_eq!(ops, ["hello", "match", "sitemaps", "scope", "fetch"]);
}
