//! The adapter protocol, version 1: the messages on the wire.
//!
//! A message is one JSON object on one line. Unknown keys are ignored.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use robotspec_cases::Query;
use robotspec_reference::{Ruling, named_enum};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::answer::{Answer, Breach, Fault, Verdict};
use crate::endpoint::{Batch, RequestAnswers, match_answers};
use crate::parser::{Info, MatchQuery};

/// The version of the protocol.
pub const VERSION: u64 = 1;

/// A request to an adapter.
pub(super) enum Request<'r> {
    /// The queries of a batch, but for access queries: each visit of those is a fetch request.
    Batch(&'r Batch),
    /// May the agent fetch these URLs of a site that is live?
    Fetch(FetchRequest<'r>),
}

/// The parts of a `fetch` request.
#[derive(Serialize)]
pub(super) struct FetchRequest<'r> {
    /// A product token.
    pub(super) agent: &'r str,
    /// URLs of one origin.
    pub(super) urls: Vec<String>,
    /// How long the implementation may wait for the site, in milliseconds.
    pub(super) timeout_ms: u64,
    /// The simulated time, in seconds since 1970; `None` where it is the real one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) now: Option<u64>,
}

#[derive(Serialize)]
struct Message<Parts> {
    id: u64,
    op: &'static str,
    #[serde(flatten)]
    parts: Parts,
}

#[derive(Serialize)]
struct Hello {
    protocol: u64,
    harness: &'static str,
}

/// The file as text where it is UTF-8, else in Base64, and the queries about it.
#[derive(Serialize)]
struct FileParts<'m> {
    #[serde(skip_serializing_if = "Option::is_none")]
    robots: Option<&'m str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    robots_base64: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    checks: Option<Vec<MatchQuery<'m>>>,
    #[serde(flatten)]
    query: Option<MatchQuery<'m>>,
}

impl<'m> FileParts<'m> {
    fn new(file: &'m [u8]) -> Self {
        let robots = std::str::from_utf8(file).ok();
        let robots_base64 = robots.is_none().then(|| STANDARD.encode(file));
        FileParts { robots, robots_base64, checks: None, query: None }
    }
}

fn line(id: u64, op: &'static str, parts: impl Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(&Message { id, op, parts }).unwrap_or_default();
    line.push(b'\n');
    line
}

/// Returns the first message.
pub(super) fn hello() -> Vec<u8> {
    line(0, "hello", Hello { protocol: VERSION, harness: concat!("robotspec ", env!("CARGO_PKG_VERSION")) })
}

named_enum! {
    /// What an adapter can do.
    pub enum Operation: "operation" {
        Match = "match": "Verdicts on agents and URLs, for a file.",
        Sitemaps = "sitemaps": "The sitemaps of a file.",
        Usage = "usage": "The usage preferences for an agent and a URL.",
        Grammar = "grammar": "Whether the grammar derives a file.",
        Scope = "scope": "Whether a robots.txt governs a URL.",
        Fetch = "fetch": "Verdicts on URLs of a site that is live.",
        Clock = "clock": "To take a time as the current one, and to keep what was fetched.",
    }
}

/// Returns the operation that answers a query.
pub(super) fn operation(query: &Query) -> Operation {
    match query {
        Query::Match { .. } | Query::Alike { .. } => Operation::Match,
        Query::Sitemaps { .. } => Operation::Sitemaps,
        Query::Scope { .. } => Operation::Scope,
        Query::Access { .. } => Operation::Fetch,
        Query::Usage { .. } => Operation::Usage,
        Query::Grammar { .. } => Operation::Grammar,
    }
}

impl Request<'_> {
    /// Returns the request as a line.
    pub(super) fn line(&self, id: u64) -> Vec<u8> {
        match self {
            Request::Fetch(parts) => line(id, "fetch", parts),
            Request::Batch(batch) => match batch.first() {
                Query::Match { robots, .. } => {
                    let checks = Some(batch.match_queries());
                    line(id, "match", FileParts { checks, ..FileParts::new(robots) })
                }
                Query::Sitemaps { robots } => line(id, "sitemaps", FileParts::new(robots)),
                Query::Grammar { text } => line(id, "grammar", FileParts::new(text)),
                Query::Usage { robots, agent, url } => {
                    let query = Some(MatchQuery { agent, url });
                    line(id, "usage", FileParts { query, ..FileParts::new(robots) })
                }
                Query::Scope { robots_url, url } => {
                    line(id, "scope", json!({ "robots_url": robots_url, "url": url }))
                }
                // The protocol has no such operation, so an adapter never receives one.
                Query::Access { .. } | Query::Alike { .. } => Vec::new(),
            },
        }
    }

    /// Returns the answers in a reply.
    ///
    /// # Errors
    ///
    /// The implementation failed on the request, or the reply does not answer it.
    pub(super) fn answers(&self, reply: Reply) -> RequestAnswers {
        if let Some(error) = reply.error {
            return Err(Fault::Error(error.into()));
        }
        let verdicts = |op| {
            let verdicts = required(reply.verdicts, op, "verdicts")?;
            verdicts.iter().map(|value| Ok(read_decided(value)?)).collect::<Result<Vec<Answer>, Fault>>()
        };
        let batch = match self {
            Request::Fetch(FetchRequest { urls, .. }) => {
                return match_answers(verdicts("fetch")?, urls.len());
            }
            Request::Batch(batch) => batch,
        };
        let answer = match batch.first() {
            Query::Match { .. } => return match_answers(verdicts("match")?, batch.queries().len()),
            Query::Sitemaps { .. } => Answer::Sitemaps(required(reply.sitemaps, "sitemaps", "sitemaps")?),
            Query::Scope { .. } => Answer::Scope(required(reply.applies, "scope", "applies")?.into()),
            Query::Usage { .. } => Answer::Usage(Some(required(reply.preferences, "usage", "preferences")?)),
            Query::Grammar { .. } => Answer::Grammar(required(reply.valid, "grammar", "valid")?),
            Query::Access { .. } | Query::Alike { .. } => {
                return Err(Breach::WrongKind.into());
            }
        };
        Ok(vec![answer])
    }
}

/// Returns a part of a reply that an operation requires.
fn required<T>(part: Option<T>, op: &str, key: &str) -> Result<T, Fault> {
    part.ok_or_else(|| Breach::MissingKey { op: op.to_owned(), key: key.to_owned() }.into())
}

/// The reply of an adapter to `hello`.
#[derive(Debug, Clone)]
pub(super) struct HelloReply {
    pub(super) ops: Vec<Operation>,
    pub(super) info: Info,
}

#[derive(Deserialize)]
struct HelloFormat {
    id: u64,
    protocol: u64,
    ops: Vec<String>,
    #[serde(flatten)]
    info: Info,
}

/// Reads the reply to `hello`.
///
/// # Errors
///
/// The line is not a reply to this `hello`.
pub(super) fn read_hello_reply(line: &[u8]) -> Result<HelloReply, Breach> {
    let hello: HelloFormat =
        serde_json::from_slice(line).map_err(|error| Breach::NotAReply(error.to_string().into()))?;
    match hello {
        HelloFormat { id: 0, protocol: VERSION, ops, info } => Ok(HelloReply {
            ops: ops.into_iter().map(read_operation).collect::<Result<_, _>>()?,
            info: cut(info),
        }),
        HelloFormat { id: 0, protocol, .. } => Err(Breach::WrongVersion(protocol)),
        HelloFormat { id, .. } => Err(Breach::WrongHelloId(id)),
    }
}

/// An unknown operation is most likely a known one that is misspelt, of which nothing would be judged.
fn read_operation(name: String) -> Result<Operation, Breach> {
    name.parse().map_err(|_| {
        let lower = name.to_lowercase();
        let nearest = Operation::ALL.into_iter().min_by_key(|op| strsim::levenshtein(op.id(), &lower));
        Breach::UnknownOperation { name, nearest: nearest.map(|op| op.id().to_owned()) }
    })
}

/// Returns a name and a version that are not too long for the reports, which repeat the name for each check.
fn cut(info: Info) -> Info {
    const LONGEST: usize = 500;
    let cut = |text: String| text[..text.floor_char_boundary(LONGEST)].to_owned();
    Info {
        name: cut(info.name),
        version: info.version.map(cut),
        language: info.language.map(cut),
        homepage: info.homepage.map(cut),
        package: info.package.map(cut),
    }
}

/// Reads the name and version of an adapter from its reply to `hello`.
///
/// # Errors
///
/// The line is not a reply to `hello`.
pub fn read_hello(line: &[u8]) -> Result<Info, Breach> {
    read_hello_reply(line).map(|hello| hello.info)
}

/// A reply to a request.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Reply {
    /// The id of the request.
    pub id: u64,
    error: Option<String>,
    verdicts: Option<Vec<Value>>,
    sitemaps: Option<Vec<String>>,
    preferences: Option<Vec<String>>,
    valid: Option<bool>,
    applies: Option<bool>,
}

impl Reply {
    /// Returns the answers to a batch.
    ///
    /// # Errors
    ///
    /// The implementation failed on the batch, or the reply does not answer it.
    pub fn answers(self, batch: &Batch) -> Result<Vec<Answer>, Fault> {
        Request::Batch(batch).answers(self)
    }
}

/// Reads a line as a reply.
///
/// # Errors
///
/// The line is not a reply.
pub fn read_reply(line: &[u8]) -> Result<Reply, Breach> {
    serde_json::from_slice(line).map_err(|error| Breach::NotAReply(error.to_string().into()))
}

/// Reads a verdict, alone or with the line of the rule that decided.
fn read_decided(value: &Value) -> Result<Answer, Breach> {
    let Some(verdict) = value.get("verdict") else { return Ok(Answer::Match(read_verdict(value)?)) };
    let verdict = read_verdict(verdict)?;
    match value.get("line") {
        None | Some(Value::Null) => Ok(Answer::Match(verdict)),
        Some(line) => {
            let not_a_line = || Breach::NotAVerdict(value.to_string().into());
            let line = line.as_u64().filter(|line| *line > 0).ok_or_else(not_a_line)?;
            Ok(Answer::Decided { verdict, line: line as usize })
        }
    }
}

fn read_verdict(value: &Value) -> Result<Verdict, Breach> {
    let verdict = match value {
        Value::String(word) => word.parse::<Ruling>().ok().map(Verdict::from),
        _ => value.get("error").and_then(Value::as_str).map(|error| Verdict::Error(error.into())),
    };
    verdict.ok_or_else(|| Breach::NotAVerdict(value.to_string().into()))
}
