//! Order of precedence for user agents: which names a user-agent line gives,
//! and how specifically a name fits a crawler.
//!
//! *Google, "Order of precedence for user agents"; RFC 9309, 2.2.1.*

use crate::bytes::is_token_byte;
use crate::question::Answer;
use crate::question::Question::*;
use crate::reading::Ask;

/// Whom a user-agent line names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Token {
    /// `*`: the crawlers that no other group names.
    Star,
    /// A product token.
    Name(Vec<u8>),
    /// A text in which `*` stands for any text.
    Pattern(Vec<u8>),
    /// No crawler.
    Nobody,
}

/// Octets that set a name apart from other text.
fn is_separator(octet: u8) -> bool {
    octet.is_ascii_whitespace() || b",;:()[]{}<>|\"'".contains(&octet)
}

/// The length of the text up to the first octet of that sort.
fn length_before(text: &[u8], stops: impl Fn(u8) -> bool) -> usize {
    text.iter().position(|&octet| stops(octet)).unwrap_or(text.len())
}

/// The token of a user-agent line, or nothing where the reading drops the
/// line.
pub(crate) fn token(value: &[u8], ask: &mut impl Ask) -> Option<Token> {
    if value == b"*" {
        return Some(Token::Star);
    }
    let head = &value[..length_before(value, |octet| is_separator(octet) || octet == b'/')];
    if let Some(star) = head.iter().position(|&octet| octet == b'*') {
        if star + 1 == value.len() {
            return suffixed(value, star, ask);
        }
        return match ask.ask_about(StarText, value) {
            Answer::Accept => Some(Token::Star),
            Answer::Pattern => Some(Token::Pattern(value.to_vec())),
            Answer::Cut => Some(named(&head[..length_before(head, |octet| !is_token_byte(octet))])),
            Answer::Ignore => None,
            _ => Some(named(value)),
        };
    }
    match value.get(head.len()) {
        None => word(value, ask),
        Some(b'/') => suffixed(value, head.len(), ask),
        Some(_) => match ask.ask_about(AgentText, &value[head.len()..]) {
            Answer::Cut => word(head, ask),
            Answer::Keep => Some(named(value)),
            _ => None,
        },
    }
}

/// `googlebot/1.2`, `googlebot*`: a token and what the text calls not matching.
fn suffixed(value: &[u8], length: usize, ask: &mut impl Ask) -> Option<Token> {
    match ask.ask_about(AgentSuffix, &value[length..]) {
        Answer::Cut => word(&value[..length], ask),
        _ => Some(named(value)),
    }
}

/// A single word: a product token, or one with characters that none may have.
fn word(word: &[u8], ask: &mut impl Ask) -> Option<Token> {
    let length = length_before(word, |octet| !is_token_byte(octet));
    if length == word.len() {
        return Some(named(word));
    }
    match ask.ask_about(AgentOther, &word[length..]) {
        Answer::Cut => Some(named(&word[..length])),
        Answer::Keep => Some(named(word)),
        _ => None,
    }
}

fn named(text: &[u8]) -> Token {
    if text.is_empty() { Token::Nobody } else { Token::Name(text.to_vec()) }
}

/// The product token of the crawler that asks. A name that is none is read
/// as it would be in the file.
pub(crate) fn crawler_token(agent: &str, ask: &mut impl Ask) -> Vec<u8> {
    let name = agent.trim().as_bytes();
    match token(name, ask) {
        Some(Token::Name(token)) => token,
        _ => name.to_vec(),
    }
}

/// How specifically a token names a crawler: the longer, the more. Nothing
/// where it does not, or names everybody.
pub(crate) fn specificity(token: &Token, crawler: &[u8], ask: &mut impl Ask) -> Option<usize> {
    match token {
        Token::Name(name) => names(name, crawler, ask).then_some(name.len()),
        Token::Pattern(pattern) => covers(pattern, crawler).then_some(pattern.len()),
        Token::Star | Token::Nobody => None,
    }
}

fn names(name: &[u8], crawler: &[u8], ask: &mut impl Ask) -> bool {
    let Some(start) = crawler.get(..name.len()) else { return false };
    if !start.eq_ignore_ascii_case(name) {
        return false;
    }
    let longer = &crawler[name.len()..];
    let matches = longer.is_empty()
        || ask.settle(AgentMatch, |answer| match answer {
            Answer::AnyPrefix => true,
            Answer::HyphenPrefix => longer[0] == b'-',
            _ => false,
        });
    matches && (start == name || ask.ask(AgentCase) == Answer::Insensitive)
}

/// Whether the whole name fits a text in which `*` stands for any text.
///
/// Text between stars is looked for from left to right, as early as may be:
/// what that leaves to the rest is the most there can be.
fn covers(pattern: &[u8], name: &[u8]) -> bool {
    let pattern = pattern.to_ascii_lowercase();
    let name = name.to_ascii_lowercase();
    let mut texts = pattern.split(|&octet| octet == b'*');
    let first = texts.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let Some(last) = texts.next_back() else { return rest.is_empty() };
    for text in texts.filter(|text| !text.is_empty()) {
        let Some(at) = rest.windows(text.len()).position(|window| window == text) else { return false };
        rest = &rest[at + text.len()..];
    }
    rest.ends_with(last)
}
