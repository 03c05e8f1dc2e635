//! `robotspec adapter`: what is built in, behind the adapter protocol.

use std::io::{BufRead, BufReader, BufWriter, Read, Write};

use anyhow::Result;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use clap::Args;
use robotspec_reference::{Edition, Governs};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::command::{OK, edition};
use robotspec::external::protocol::VERSION;
use robotspec::implementation::{Fault, Implementation, Query, Verdict};

/// Speak the adapter protocol for an implementation that is built in
///
/// For a harness of your own that is to ask it, and for an example to hold against: a request a
/// line on standard input, its reply a line on standard output.
///
/// The reference answers by the edition that is given. Where its text leaves a check open, the
/// verdict is an error that says so, as the protocol has no third answer.
///
/// Examples:
///   robotspec adapter reference --edition google-2026
///   robotspec run --adapter 'robotspec adapter robotxt' --timeout 1
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Arguments {
    /// The implementation
    #[arg(value_name = "IMPLEMENTATION", value_parser = robotspec_built_in::NAMES.to_vec())]
    name: String,

    /// The edition by which the reference answers
    #[arg(long, value_name = "EDITION", value_parser = edition(), default_value = "rfc9309")]
    edition: Edition,
}

pub(super) fn adapter(arguments: &Arguments) -> Result<u8> {
    let Some(mut implementation) = robotspec_built_in::find(&arguments.name) else { return Ok(OK) };
    implementation.read_as(arguments.edition);
    let mut input = BufReader::with_capacity(64 << 10, std::io::stdin());
    let mut output = BufWriter::new(std::io::stdout());
    let mut line = Vec::new();
    while input.by_ref().read_until(b'\n', &mut line)? > 0 {
        let reply = match serde_json::from_slice::<Asked>(&line) {
            Ok(asked) => reply(implementation.as_mut(), &asked),
            Err(error) => json!({ "error": format!("this is no request: {error}") }),
        };
        writeln!(output, "{reply}")?;
        // Who waits for replies has sent all that it will send for now.
        if input.buffer().is_empty() {
            output.flush()?;
        }
        line.clear();
    }
    Ok(OK)
}

/// A request, whichever it is.
#[derive(Deserialize)]
struct Asked {
    id: u64,
    op: String,
    robots: Option<String>,
    robots_base64: Option<String>,
    #[serde(default)]
    checks: Vec<Query>,
    robots_url: Option<String>,
    url: Option<String>,
}

impl Asked {
    fn robots(&self) -> Result<Vec<u8>, Fault> {
        let wrong = |what: &str| Fault::Error(what.to_owned());
        match (&self.robots, &self.robots_base64) {
            (Some(text), None) => Ok(text.clone().into_bytes()),
            (None, Some(encoded)) => {
                STANDARD.decode(encoded).map_err(|_| wrong("`robots_base64` is no Base64"))
            }
            _ => Err(wrong("give `robots` or `robots_base64`")),
        }
    }
}

fn reply(implementation: &mut dyn Implementation, asked: &Asked) -> Value {
    let answer = match asked.op.as_str() {
        "hello" => Ok(hello(implementation)),
        "match" => asked
            .robots()
            .and_then(|robots| implementation.check(&robots, &asked.checks))
            .map(|verdicts| json!({ "verdicts": verdicts.iter().map(verdict).collect::<Vec<_>>() })),
        "sitemaps" => asked
            .robots()
            .and_then(|robots| implementation.sitemaps(&robots))
            .map(|sitemaps| json!({ "sitemaps": sitemaps })),
        "scope" => {
            let [robots_url, url] =
                [&asked.robots_url, &asked.url].map(|url| url.as_deref().unwrap_or_default());
            implementation.scope(robots_url, url).and_then(applies)
        }
        op => Err(Fault::Error(format!("there is no operation `{op}`"))),
    };
    let mut reply = answer.unwrap_or_else(|fault| match fault {
        Fault::Error(text) => json!({ "error": text }),
        fault => json!({ "error": fault.to_string() }),
    });
    reply["id"] = json!(asked.id);
    reply
}

/// Who it is, and what it can do: it is tried.
fn hello(implementation: &mut dyn Implementation) -> Value {
    let mut ops = vec!["match"];
    if !matches!(implementation.sitemaps(b""), Err(Fault::NotSupported)) {
        ops.push("sitemaps");
    }
    let site = "http://example.com/robots.txt";
    if !matches!(implementation.scope(site, site), Err(Fault::NotSupported)) {
        ops.push("scope");
    }
    let mut hello = json!(implementation.info());
    hello["protocol"] = json!(VERSION);
    hello["ops"] = json!(ops);
    hello
}

fn verdict(verdict: &Verdict) -> Value {
    match verdict {
        Verdict::Allow | Verdict::Disallow => json!(verdict.to_string()),
        Verdict::Unspecified => json!({ "error": "unspecified: the text leaves it open" }),
        Verdict::Error(error) => json!({ "error": error }),
    }
}

fn applies(governs: Governs) -> Result<Value, Fault> {
    match governs {
        Governs::Yes => Ok(json!({ "applies": true })),
        Governs::No => Ok(json!({ "applies": false })),
        Governs::Unspecified => Err(Fault::Error("unspecified: the text leaves it open".to_owned())),
    }
}
