//! The adapter protocol, version 1: the messages on the wire.
//!
//! JSON Lines: one object a line. An unknown key is ignored.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use robotspec_reference::Governs;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::implementation::{Answer, BatchRequest, Query, Verdict};

/// The version that this harness speaks.
pub const VERSION: u64 = 1;

/// A message to the adapter.
#[derive(Serialize)]
struct Message<'m> {
    id: u64,
    op: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    protocol: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    harness: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    robots: Option<&'m str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    robots_base64: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    checks: Option<&'m [Query]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    robots_url: Option<&'m str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'m str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<&'m str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    urls: Option<&'m [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timeout_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    now: Option<u64>,
}

impl<'m> Message<'m> {
    fn new(id: u64, op: &'static str) -> Self {
        Message {
            id,
            op,
            protocol: None,
            harness: None,
            robots: None,
            robots_base64: None,
            checks: None,
            robots_url: None,
            url: None,
            agent: None,
            urls: None,
            timeout_ms: None,
            now: None,
        }
    }

    /// The file as text where it is UTF-8, else in Base64.
    fn with_robots(mut self, robots: &'m [u8]) -> Self {
        match std::str::from_utf8(robots) {
            Ok(text) => self.robots = Some(text),
            Err(_) => self.robots_base64 = Some(STANDARD.encode(robots)),
        }
        self
    }

    fn line(&self) -> Vec<u8> {
        let mut line = serde_json::to_vec(self).unwrap_or_default();
        line.push(b'\n');
        line
    }
}

/// The first message.
pub fn hello() -> Vec<u8> {
    let harness = concat!("robotspec ", env!("CARGO_PKG_VERSION"));
    Message { protocol: Some(VERSION), harness: Some(harness), ..Message::new(0, "hello") }.line()
}

/// The operation that answers a request; nothing where the protocol has none.
pub fn operation(request: &BatchRequest) -> Option<&'static str> {
    match request {
        BatchRequest::Match { .. } => Some("match"),
        BatchRequest::Sitemaps { .. } => Some("sitemaps"),
        BatchRequest::Scope { .. } => Some("scope"),
        BatchRequest::Access { .. } | BatchRequest::Fetch { .. } => Some("fetch"),
        BatchRequest::Grammar { .. } => None,
    }
}

/// A request as a line; nothing where the protocol has no such operation.
pub fn request(id: u64, request: &BatchRequest) -> Option<Vec<u8>> {
    let message = Message::new(id, operation(request)?);
    Some(match request {
        BatchRequest::Match { robots, queries } => {
            Message { checks: Some(queries), ..message.with_robots(robots) }.line()
        }
        BatchRequest::Sitemaps { robots } => message.with_robots(robots).line(),
        BatchRequest::Scope { robots_url, url } => {
            Message { robots_url: Some(robots_url), url: Some(url), ..message }.line()
        }
        BatchRequest::Fetch { agent, urls, now, timeout_ms } => Message {
            agent: Some(agent),
            urls: Some(urls),
            timeout_ms: Some(*timeout_ms),
            now: *now,
            ..message
        }
        .line(),
        // Each visit of an access is a fetch of its own.
        BatchRequest::Access { .. } | BatchRequest::Grammar { .. } => return None,
    })
}

/// What an adapter says of itself.
#[derive(Debug, Clone, Deserialize)]
pub struct Hello {
    pub id: u64,
    pub protocol: u64,
    pub name: String,
    pub ops: Vec<String>,
    pub version: Option<String>,
    pub language: Option<String>,
    pub homepage: Option<String>,
}

/// Reads the reply to `hello`.
///
/// # Errors
///
/// What is wrong with it.
pub fn hello_reply(line: &[u8]) -> Result<Hello, String> {
    let hello: Hello =
        serde_json::from_slice(line).map_err(|error| format!("this is no reply to `hello`: {error}"))?;
    if hello.id != 0 {
        return Err(format!("the reply to `hello` has the id {}, not 0", hello.id));
    }
    if hello.protocol != VERSION {
        return Err(format!("it speaks protocol {}, and this harness {VERSION}", hello.protocol));
    }
    Ok(hello)
}

/// A reply to a request.
#[derive(Deserialize)]
pub struct Reply {
    pub id: u64,
    error: Option<String>,
    verdicts: Option<Vec<Value>>,
    sitemaps: Option<Vec<String>>,
    applies: Option<bool>,
}

/// Reads a line as a reply.
///
/// # Errors
///
/// What is wrong with it.
pub fn reply(line: &[u8]) -> Result<Reply, String> {
    serde_json::from_slice(line).map_err(|error| format!("this is no reply: {error}"))
}

/// What a reply to a request can be.
pub enum Replied {
    /// An answer.
    Answer(Answer),
    /// The implementation failed on the request as a whole.
    Error(String),
}

impl Reply {
    /// The answer to the request.
    ///
    /// # Errors
    ///
    /// It does not answer that request; the message says why.
    pub fn to(self, request: &BatchRequest) -> Result<Replied, String> {
        if let Some(error) = self.error {
            return Ok(Replied::Error(error));
        }
        let answer = match request {
            BatchRequest::Match { queries, .. } => Answer::Verdicts(self.verdicts("match", queries.len())?),
            BatchRequest::Fetch { urls, .. } => Answer::Verdicts(self.verdicts("fetch", urls.len())?),
            BatchRequest::Sitemaps { .. } => {
                Answer::Sitemaps(self.sitemaps.ok_or("the reply to `sitemaps` has no `sitemaps`")?)
            }
            BatchRequest::Scope { .. } => {
                let applies = self.applies.ok_or("the reply to `scope` has no `applies`")?;
                Answer::Governs(Governs::from(applies))
            }
            BatchRequest::Access { .. } | BatchRequest::Grammar { .. } => {
                return Err("there is no such operation".to_owned());
            }
        };
        Ok(Replied::Answer(answer))
    }

    fn verdicts(self, op: &str, checks: usize) -> Result<Vec<Verdict>, String> {
        let verdicts = self.verdicts.ok_or_else(|| format!("the reply to `{op}` has no `verdicts`"))?;
        if verdicts.len() != checks {
            return Err(format!("there are {} verdicts for {checks} checks", verdicts.len()));
        }
        verdicts.iter().map(verdict).collect()
    }
}

fn verdict(value: &Value) -> Result<Verdict, String> {
    match value {
        Value::String(word) if word == "allow" => Ok(Verdict::Allow),
        Value::String(word) if word == "disallow" => Ok(Verdict::Disallow),
        Value::Object(object) => match object.get("error") {
            Some(Value::String(error)) => Ok(Verdict::Error(error.clone())),
            _ => Err(format!("{value} is no verdict")),
        },
        _ => Err(format!("{value} is no verdict: say \"allow\", \"disallow\" or {{\"error\":\"text\"}}")),
    }
}
