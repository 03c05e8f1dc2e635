//! The protocol is spoken as it is written.

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use robotspec::external::{Adapter, AdapterLimits};
use robotspec::{Answer, Batch, Endpoint, Fault, Governs, Verdict};
use robotspec_cases::visit::Visit;
use robotspec_cases::{Query, TimedVisit};
use robotspec_test_support::programs;
use serde_json::{Value, json};

/// The lines of the chapter that begin with an arrow.
fn conversation() -> String {
    let chapter = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/src/protocol.md"))
        .expect("the chapter");
    let is_said = |line: &&str| line.starts_with(['→', '←']);
    chapter.lines().filter(is_said).map(|line| format!("{line}\n")).collect()
}

/// Returns the queries of a request.
fn queries(request: &Value) -> Vec<Query> {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let robots = || -> Arc<[u8]> {
        match request["robots"].as_str() {
            Some(text) => text.as_bytes().into(),
            None => STANDARD.decode(text(&request["robots_base64"])).expect("Base64").into(),
        }
    };
    let list = |key: &str| request[key].as_array().cloned().unwrap_or_default();
    match &*text(&request["op"]) {
        "match" => {
            let check = |check: &Value| Query::Match {
                robots: robots(),
                agent: text(&check["agent"]),
                url: text(&check["url"]),
            };
            list("checks").iter().map(check).collect()
        }
        "sitemaps" => vec![Query::Sitemaps { robots: robots() }],
        "usage" => {
            let (agent, url) = (text(&request["agent"]), text(&request["url"]));
            vec![Query::Usage { robots: robots(), agent, url }]
        }
        "grammar" => vec![Query::Grammar { text: robots() }],
        "scope" => {
            vec![Query::Scope { robots_url: text(&request["robots_url"]), url: text(&request["url"]) }]
        }
        "fetch" => {
            let path = |url: &Value| format!("/{}", text(url).rsplit('/').next().unwrap_or_default());
            let visit = TimedVisit { at: 0, site_answers: false, visit: Visit::default() };
            vec![Query::Access {
                visits: vec![visit].into(),
                agent: text(&request["agent"]),
                paths: list("urls").iter().map(path).collect(),
            }]
        }
        op => panic!("unknown operation {op}"),
    }
}

/// Returns the reply that has these answers.
fn reply_of(answers: Vec<Answer>) -> Value {
    let verdict = |verdict: &Verdict| match verdict {
        Verdict::Error(error) => json!({ "error": error }),
        verdict => json!(verdict.to_string()),
    };
    let mut verdicts = Vec::new();
    for answer in answers {
        match answer {
            Answer::Match(answer) => verdicts.push(verdict(&answer)),
            Answer::Decided { verdict: decided, line } => {
                verdicts.push(json!({ "verdict": verdict(&decided), "line": line }));
            }
            Answer::Usage(statements) => return json!({ "preferences": statements }),
            Answer::Grammar(valid) => return json!({ "valid": valid }),
            Answer::Access(answer) => verdicts.extend(answer.verdicts.values().map(verdict)),
            Answer::Sitemaps(sitemaps) => return json!({ "sitemaps": sitemaps }),
            Answer::Scope(governs) => return json!({ "applies": governs == Governs::Yes }),
            other => panic!("{other:?}"),
        }
    }
    json!({ "verdicts": verdicts })
}

fn answers(adapter: &mut Adapter, queries: &[Query]) -> Result<Vec<Answer>, Fault> {
    let mut batch = Batch::single(queries[0].clone());
    assert!(queries[1..].iter().all(|query| batch.try_push(query)), "all queries are about one file");
    let mut answers = Vec::new();
    adapter.answer(&[batch], &mut |_, answered| answers = answered);
    answers.into_iter().collect()
}

#[test]
fn the_protocol_is_spoken_as_it_is_written() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let script = folder.path().join("conversation");
    let conversation = conversation();
    fs::write(&script, &conversation).expect("the folder takes files");
    let patience = Duration::from_secs(60);
    let command = programs::command("documented_adapter", &[&script.to_string_lossy()]);
    let limits = AdapterLimits { hello: patience, request: patience, ..AdapterLimits::default() };
    let mut adapter = Adapter::start(&command, limits).expect("a command");
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
        let understood = match answers(&mut adapter, &queries(written)) {
            Ok(answers) => reply_of(answers),
            Err(Fault::Error(error)) => json!({ "error": error }),
            Err(fault) => panic!("{written}: {fault}"),
        };
        assert_eq!(understood, said, "{written}");
    }
    assert_eq!(adapter.incidents(), []);
    ops.dedup();
    assert_eq!(ops, ["hello", "match", "sitemaps", "usage", "grammar", "scope", "fetch"]);
}
