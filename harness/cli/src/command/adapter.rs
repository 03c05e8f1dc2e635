//! `robotspec adapter`: a built-in implementation behind the adapter protocol.

use std::io::{BufReader, BufWriter, Write};

use anyhow::Result;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use robotspec::external::PROTOCOL_VERSION;
use robotspec::{Fault, MatchQuery, Parser};
use robotspec_built_in::BuiltIn;
use robotspec_cases::read::read_line;
use robotspec_reference::{Edition, Governs};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::command::exit::OK;
use crate::command::values::edition;

/// The error of a request where the edition does not specify the answer, which its reply cannot state.
const UNSPECIFIED: &str = "unspecified: the edition does not specify the answer";

/// Speak the adapter protocol for a built-in implementation
///
/// For your own harness, or as an example: one request per line on standard input, its reply as one
/// line on standard output.
///
/// The reference answers by the given edition. Where the edition does not specify the answer, the
/// verdict is `unspecified`, and the reply to a `scope` or `usage` request is an error that says so.
///
/// Examples:
///   robotspec adapter reference --edition google-2026
///   robotspec run --adapter 'robotspec adapter robotxt' --timeout 1
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Arguments {
    /// The implementation
    #[arg(value_name = "IMPLEMENTATION", value_parser = built_in())]
    implementation: &'static BuiltIn,

    /// The edition by which the reference answers: one of those that `robotspec editions` lists
    #[arg(long, value_name = "EDITION", value_parser = edition(), hide_possible_values = true, default_value = "rfc9309")]
    edition: Edition,
}

fn built_in() -> impl TypedValueParser<Value = &'static BuiltIn> {
    let names = PossibleValuesParser::new(robotspec_built_in::names());
    names.try_map(|name| robotspec_built_in::find(&name).ok_or("unknown implementation"))
}

pub(super) fn adapter(arguments: &Arguments) -> Result<u8> {
    let mut parser = (arguments.implementation.make)(arguments.edition);
    let mut input = BufReader::with_capacity(64 << 10, std::io::stdin());
    let mut output = BufWriter::new(std::io::stdout());
    let mut line = Vec::new();
    while read_line(&mut input, &mut line)? {
        let reply = match serde_json::from_slice::<Request>(&line) {
            Ok(request) => reply(parser.as_mut(), &request),
            Err(error) => json!({ "error": format!("this is not a request: {error}") }),
        };
        writeln!(output, "{reply}")?;
        // A harness that waits for replies sends nothing more until it has them.
        if input.buffer().is_empty() {
            output.flush()?;
        }
    }
    Ok(OK)
}

/// A request of any operation.
#[derive(Default, Deserialize)]
struct Request {
    id: u64,
    op: String,
    robots: Option<String>,
    robots_base64: Option<String>,
    #[serde(default)]
    checks: Vec<RequestedCheck>,
    robots_url: Option<String>,
    agent: Option<String>,
    url: Option<String>,
}

#[derive(Deserialize)]
struct RequestedCheck {
    agent: String,
    url: String,
}

impl Request {
    fn robots(&self) -> Result<Vec<u8>, Fault> {
        match (&self.robots, &self.robots_base64) {
            (Some(text), None) => Ok(text.clone().into_bytes()),
            (None, Some(encoded)) => {
                STANDARD.decode(encoded).map_err(|_| error("`robots_base64` is not Base64"))
            }
            _ => Err(error("give `robots` or `robots_base64`")),
        }
    }
}

fn error(message: &str) -> Fault {
    Fault::Error(message.into())
}

fn reply(parser: &mut dyn Parser, request: &Request) -> Value {
    let mut reply = answer(parser, request).unwrap_or_else(|fault| match fault {
        Fault::Error(message) => json!({ "error": message.to_string() }),
        fault => json!({ "error": fault.to_string() }),
    });
    reply["id"] = json!(request.id);
    reply
}

fn answer(parser: &mut dyn Parser, request: &Request) -> Result<Value, Fault> {
    let [agent, url, robots_url] =
        [&request.agent, &request.url, &request.robots_url].map(|text| text.as_deref().unwrap_or_default());
    match request.op.as_str() {
        "hello" => Ok(hello(parser)),
        "match" => {
            let robots = request.robots()?;
            let queries =
                request.checks.iter().map(|check| MatchQuery { agent: &check.agent, url: &check.url });
            let verdicts = parser.check(&robots, &queries.collect::<Vec<_>>())?;
            Ok(json!({ "verdicts": verdicts }))
        }
        "sitemaps" => Ok(json!({ "sitemaps": parser.sitemaps(&request.robots()?)? })),
        "grammar" => Ok(json!({ "valid": parser.grammar(&request.robots()?)? })),
        "usage" => match parser.usage(&request.robots()?, MatchQuery { agent, url })? {
            Some(statements) => Ok(json!({ "preferences": statements })),
            None => Err(error(UNSPECIFIED)),
        },
        "scope" => match parser.scope(robots_url, url)? {
            Governs::Yes => Ok(json!({ "applies": true })),
            Governs::No => Ok(json!({ "applies": false })),
            Governs::Unspecified => Err(error(UNSPECIFIED)),
        },
        op => Err(error(&format!("unknown operation `{op}`"))),
    }
}

/// Returns the name of the implementation and its operations, which are tried to find out.
fn hello(parser: &mut dyn Parser) -> Value {
    let site = || Some("http://example.com/robots.txt".to_owned());
    let mut ops = vec!["match"];
    for op in ["sitemaps", "usage", "grammar", "scope"] {
        let (robots, robots_url, url) = (Some(String::new()), site(), site());
        let request = Request { op: op.to_owned(), robots, robots_url, url, ..Request::default() };
        if !matches!(answer(parser, &request), Err(Fault::NotSupported)) {
            ops.push(op);
        }
    }
    let mut hello = json!(parser.info());
    hello["protocol"] = json!(PROTOCOL_VERSION);
    hello["ops"] = json!(ops);
    hello
}
