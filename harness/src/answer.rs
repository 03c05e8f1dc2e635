//! What an implementation answers, or why it does not.

use std::collections::BTreeMap;
use std::fmt;
use std::mem;

use robotspec_cases::{CheckId, Expected};
use robotspec_reference::{Governs, Ruling, preferences};
use robotspec_text::brief_list;
use serde::{Deserialize, Serialize};

use crate::message::Message;
use robotspec_text::sentences::counted;

/// The verdict of an implementation on an agent and a URL.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The agent may fetch the URL.
    Allow,
    /// The agent must not fetch the URL.
    Disallow,
    /// The specification does not decide. Only an implementation that knows this third verdict, such as the
    /// reference, gives it.
    Unspecified,
    /// The implementation failed on this agent and URL, with this message.
    Error(Message),
}

impl From<Ruling> for Verdict {
    fn from(ruling: Ruling) -> Verdict {
        match ruling {
            Ruling::Allow => Verdict::Allow,
            Ruling::Disallow => Verdict::Disallow,
            Ruling::Unspecified => Verdict::Unspecified,
        }
    }
}

/// `true` stands for allow, as in most parsers.
impl From<bool> for Verdict {
    fn from(allowed: bool) -> Verdict {
        if allowed { Verdict::Allow } else { Verdict::Disallow }
    }
}

/// An error stands for a failure on the agent and the URL.
impl<V: Into<Verdict>, E: fmt::Display> From<Result<V, E>> for Verdict {
    fn from(answered: Result<V, E>) -> Verdict {
        answered.map_or_else(|error| Verdict::Error(error.to_string().into()), V::into)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Allow => Ruling::Allow.fmt(f),
            Verdict::Disallow => Ruling::Disallow.fmt(f),
            Verdict::Unspecified => Ruling::Unspecified.fmt(f),
            Verdict::Error(error) => write!(f, "error: {error}"),
        }
    }
}

/// The answer to a query: a variant for each kind of query.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// The answer to a match query.
    Match(Verdict),
    /// The answer to a match query of an implementation that says which rule decided.
    Decided {
        /// The verdict.
        verdict: Verdict,
        /// The number of the line of the rule, from 1.
        line: usize,
    },
    /// The answer to a query about two files.
    Alike {
        /// The verdict for the file.
        file: Verdict,
        /// The verdict for the other file.
        twin: Verdict,
    },
    /// The answer to a scope query.
    Scope(Governs),
    /// The answer to a sitemaps query: the URLs, in any order.
    Sitemaps(Vec<String>),
    /// The answer to a usage query: the statements of preference that apply, in any order. Nothing where the specification
    /// does not decide, which only an implementation that knows this says.
    Usage(Option<Vec<String>>),
    /// The answer to an access query.
    Access(AccessAnswer),
    /// The answer to a grammar query: whether the grammar derives the file.
    Grammar(bool),
}

impl From<Verdict> for Answer {
    fn from(verdict: Verdict) -> Answer {
        Answer::Match(verdict)
    }
}

/// What an implementation would fetch, and how it requested the robots.txt.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields, inline))]
pub struct AccessAnswer {
    /// The verdict on each path.
    pub verdicts: BTreeMap<String, Verdict>,
    /// The requests that break the specification, a sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub violations: Vec<String>,
    /// Whether it requested the file behind the redirects, as far as a server saw it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub followed: bool,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Match(verdict) => verdict.fmt(f),
            Answer::Decided { verdict, line } => write!(f, "{verdict} by line {line}"),
            Answer::Alike { file, twin } if file == twin => write!(f, "{file} for both"),
            Answer::Alike { file, twin } => write!(f, "{file}, and {twin} for its twin"),
            Answer::Scope(governs) => governs.fmt(f),
            Answer::Sitemaps(urls) => f.write_str(&brief_list(urls)),
            Answer::Usage(statements) => {
                let preferences =
                    |statements: &Vec<String>| preferences(statements.iter().map(String::as_str));
                Expected::Usage(statements.as_ref().map(preferences)).fmt(f)
            }
            Answer::Access(AccessAnswer { verdicts, violations, .. }) => {
                let verdicts = verdicts.iter().map(|(path, verdict)| format!("{path} {verdict}"));
                f.write_str(&verdicts.chain(violations.iter().cloned()).collect::<Vec<_>>().join(", "))
            }
            Answer::Grammar(derived) => Expected::Derived(*derived).fmt(f),
        }
    }
}

/// Why an implementation did not answer.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, thiserror::Error)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// The implementation does not have this operation.
    #[error("not supported")]
    NotSupported,
    /// The implementation reported an error, with this message.
    #[error("error: {0}")]
    Error(Message),
    /// The implementation died.
    #[error("crash: {0}")]
    Crash(Message),
    /// The implementation did not answer in time.
    #[error("timeout: {0}")]
    Timeout(Message),
    /// The implementation broke the protocol.
    #[error("protocol error: {0}")]
    Protocol(ProtocolError),
    /// The implementation answered the same query in two ways, when it received it twice.
    #[error("first {}, then {}", describe(&.0.first), describe(&.0.then))]
    Flaky(Box<TwoAnswers>),
    /// The implementation keeps something from one query to the next, which changed the answer.
    #[error(
        "depends on earlier queries: {} after {}, {} alone",
        describe(&.0.first), in_order(&.0.after), describe(&.0.alone)
    )]
    Dependent(Box<Dependent>),
    /// The query was not sent, because the implementation or the scenario was not available.
    #[error("not run: {0}")]
    NotRun(Message),
}

/// Two answers to the same query.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields, inline))]
pub struct TwoAnswers {
    /// The first answer, or why there was none.
    #[serde(with = "GotFormat")]
    pub first: Result<Answer, Fault>,
    /// The answer when the query was sent once more, alone.
    #[serde(with = "GotFormat")]
    pub then: Result<Answer, Fault>,
}

/// An answer that depends on earlier queries.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields, inline))]
pub struct Dependent {
    /// The answer in the run, or why there was none.
    #[serde(with = "GotFormat")]
    pub first: Result<Answer, Fault>,
    /// The answer of an instance that received nothing else.
    #[serde(with = "GotFormat")]
    pub alone: Result<Answer, Fault>,
    /// A shortest sequence of checks after which a new instance gives the first answer.
    pub after: Vec<CheckId>,
}

/// The answer to a query, or why there is none.
pub(crate) type Got = Result<Answer, Fault>;

/// The answer to a query, or why there is none.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields, rename = "Got"))]
#[serde(remote = "Result::<Answer, Fault>", rename_all = "kebab-case")]
pub(crate) enum GotFormat {
    /// The implementation answered.
    #[serde(rename = "answer")]
    Ok(Answer),
    /// The implementation did not answer.
    #[serde(rename = "fault")]
    Err(Fault),
}

/// Returns an answer or a fault in words.
pub(crate) fn describe(got: &Got) -> String {
    match got {
        Ok(answer) => answer.to_string(),
        Err(fault) => fault.to_string(),
    }
}

/// Returns whether two answers to the same query differ. The messages of errors may, and an adapter may reply with an error
/// to a check or to the request.
pub(crate) fn differ(first: &Got, then: &Got) -> bool {
    let is_error = |got: &Got| matches!(got, Ok(Answer::Match(Verdict::Error(_))) | Err(Fault::Error(_)));
    match (first, then) {
        (first, then) if is_error(first) && is_error(then) => false,
        (Ok(first), Ok(then)) => first.without_messages() != then.without_messages(),
        (Err(first), Err(then)) => mem::discriminant(first) != mem::discriminant(then),
        _ => true,
    }
}

impl Answer {
    /// Returns the verdict on an agent and a URL, where the answer is one.
    pub fn verdict(&self) -> Option<&Verdict> {
        match self {
            Answer::Match(verdict) | Answer::Decided { verdict, .. } => Some(verdict),
            _ => None,
        }
    }

    /// Returns the answer without the line that decided.
    #[must_use]
    pub fn without_line(self) -> Answer {
        match self {
            Answer::Decided { verdict, .. } => Answer::Match(verdict),
            answer => answer,
        }
    }

    /// Returns the part of the answer that an implementation gives each time.
    fn without_messages(&self) -> Answer {
        let plain = |verdict: &Verdict| match verdict {
            Verdict::Error(_) => Verdict::Error("".into()),
            verdict => verdict.clone(),
        };
        match self {
            Answer::Match(verdict) => Answer::Match(plain(verdict)),
            Answer::Decided { verdict, line } => Answer::Decided { verdict: plain(verdict), line: *line },
            Answer::Alike { file, twin } => Answer::Alike { file: plain(file), twin: plain(twin) },
            Answer::Sitemaps(urls) => {
                let mut urls = urls.clone();
                urls.sort();
                Answer::Sitemaps(urls)
            }
            Answer::Access(AccessAnswer { verdicts, .. }) => {
                let verdicts = verdicts.iter().map(|(path, verdict)| (path.clone(), plain(verdict)));
                Answer::Access(AccessAnswer { verdicts: verdicts.collect(), ..AccessAnswer::default() })
            }
            Answer::Scope(_) | Answer::Usage(_) | Answer::Grammar(_) => self.clone(),
        }
    }
}

/// Returns the names of checks, of which a long sequence has only the ends.
pub(crate) fn in_order(checks: &[CheckId]) -> String {
    const SHOWN: usize = 4;
    match checks {
        [first, .., last] if checks.len() > SHOWN => {
            format!("{} from {first} to {last}", counted(checks.len(), "check"))
        }
        _ => checks.iter().map(CheckId::to_string).collect::<Vec<_>>().join(", "),
    }
}

/// Returns what an error or a crash says, without what may differ from one query to the next: numbers, what is quoted, and
/// the lines after the first. The result is `None` for an answer, and where an answer did not come in time.
pub fn general_message(got: &Result<Answer, Fault>) -> Option<String> {
    let message = match got {
        Err(Fault::Error(message) | Fault::Crash(message)) => message,
        Ok(
            Answer::Match(Verdict::Error(message)) | Answer::Decided { verdict: Verdict::Error(message), .. },
        ) => message,
        _ => return None,
    };
    let text = message.to_string();
    let mut general = String::new();
    let mut quote = None;
    for c in text.lines().next().unwrap_or_default().chars() {
        match quote {
            Some(end) if c == end => quote = None,
            Some(_) => continue,
            // An apostrophe within a word quotes nothing.
            None if c == '\'' && general.ends_with(char::is_alphanumeric) => {}
            None => quote = ['"', '\'', '`'].into_iter().find(|mark| *mark == c),
        }
        if !c.is_ascii_digit() {
            general.push(c);
        } else if !general.ends_with('#') {
            general.push('#');
        }
    }
    Some(general)
}

/// A breach of the adapter protocol, and the line of output that shows it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, thiserror::Error)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[error("{breach}{}", .line.iter().map(|line| format!("; the line is: {line}")).collect::<String>())]
pub struct ProtocolError {
    /// What is wrong.
    pub breach: Breach,
    /// The start of the line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
}

impl ProtocolError {
    /// Returns whether the line is text, as in a log, and not a message that is wrong.
    pub(crate) fn is_text(&self) -> bool {
        let line = self.line.as_deref().unwrap_or_default();
        matches!(self.breach, Breach::NotAReply(_)) && !line.trim_start().starts_with('{')
    }
}

/// What is wrong with a reply.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, thiserror::Error)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[serde(rename_all = "kebab-case")]
pub enum Breach {
    /// The line is not a reply: the message of the JSON reader.
    #[error("the line is not a reply: {0}")]
    NotAReply(Message),
    /// The line is longer than the limit.
    #[error("a line is longer than 16 MiB")]
    LineTooLong,
    /// No request with this id is unanswered.
    #[error("no request with the id {0} is unanswered")]
    WrongId(u64),
    /// The reply to `hello` has this id, not 0.
    #[error("the reply to `hello` has the id {0}, not 0")]
    WrongHelloId(u64),
    /// The request with this id was answered before.
    #[error("the request with the id {0} was answered before")]
    AnsweredTwice(u64),
    /// The adapter had no request to answer.
    #[error("there was no request to answer")]
    NoRequest,
    /// The reply to `hello` lists an operation that the protocol does not have.
    #[error(
        "unknown operation `{name}`{}",
        .nearest.iter().map(|nearest| format!("; did you mean `{nearest}`?")).collect::<String>()
    )]
    UnknownOperation {
        /// The operation.
        name: String,
        /// The one that it resembles most.
        nearest: Option<String>,
    },
    /// The adapter speaks this version of the protocol.
    #[error("the adapter speaks protocol {0}, and this harness speaks protocol 1")]
    WrongVersion(u64),
    /// The reply lacks a key.
    #[error("the reply to `{op}` has no `{key}`")]
    MissingKey {
        /// The operation of the request.
        op: String,
        /// The key.
        key: String,
    },
    /// The number of verdicts is not the number of checks.
    #[error("the reply has {verdicts} verdicts for {checks} checks")]
    VerdictCount {
        /// How many verdicts the reply has.
        verdicts: usize,
        /// How many checks the request has.
        checks: usize,
    },
    /// The value is not a verdict.
    #[error("{0} is not a verdict; write \"allow\", \"disallow\" or {{\"error\":\"text\"}}")]
    NotAVerdict(Message),
    /// The answer is of another kind than the query.
    #[error("the answer is of another kind than the query")]
    WrongKind,
}

/// A breach without a line that shows it.
impl From<Breach> for Fault {
    fn from(breach: Breach) -> Fault {
        Fault::Protocol(ProtocolError { breach, line: None })
    }
}
