//! Order of precedence for user agents: the name that a user-agent line gives, and how specifically it matches a
//! crawler.
//!
//! *Google, "Order of precedence for user agents"; RFC 9309, 2.2.1.*

use std::borrow::Cow;

use memchr::{memchr, memmem};

use crate::answer::{
    CrawlerName as NameOfCrawler, Equality, LetterCase, OddText, StarName, Suffix, TokenMatch, YesOrNo,
};
use crate::bytes::is_token_byte;
use crate::question::TypedQuestion;
use crate::question::typed::*;
use crate::reading::Reader;

/// The crawlers that a user-agent line names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Token<'v> {
    /// `*`: the crawlers that no other group names.
    Star,
    /// The crawlers of a product token.
    Name(Cow<'v, [u8]>),
    /// The crawlers whose token matches a text in which `*` stands for any text.
    Pattern(Cow<'v, [u8]>),
    /// No crawler.
    Empty,
}

/// Returns whether the byte separates a name from other text. It includes the separators of HTTP (RFC 2068, 2.2,
/// `tspecials`), other than the slash before a version.
fn is_separator(byte: u8) -> bool {
    matches!(
        byte,
        b',' | b';'
            | b':'
            | b'('
            | b')'
            | b'['
            | b']'
            | b'{'
            | b'}'
            | b'<'
            | b'>'
            | b'|'
            | b'"'
            | b'\''
            | b'@'
            | b'\\'
            | b'='
            | b'?'
    ) || byte.is_ascii_whitespace()
}

/// Returns whether the text is a token of HTTP (RFC 2068, 2.2, `token`).
pub(crate) fn is_http_token(text: &[u8]) -> bool {
    let is_special = |byte: u8| byte == b'/' || is_separator(byte) && !matches!(byte, b'|' | b'\'');
    text.iter().all(|&byte| byte.is_ascii_graphic() && !is_special(byte))
}

/// Returns whether the text is a product token.
pub(crate) fn is_product_token(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(|&byte| is_token_byte(byte))
}

/// Returns the length of the text before the first byte of that class.
fn length_before(text: &[u8], stops: impl Fn(u8) -> bool) -> usize {
    text.iter().position(|&byte| stops(byte)).unwrap_or(text.len())
}

/// Returns the token of a user-agent line, or nothing where the reading ignores the line.
pub(crate) fn token<'v>(value: &'v [u8], crawler: &[u8], reader: &mut impl Reader) -> Option<Token<'v>> {
    // Most values are, and raise no question.
    if is_product_token(value) {
        return Some(named(value));
    }
    if let Some(folded) = folded(value)
        && reader.answer(AgentFold) == Equality::Equal
    {
        return token(&folded, crawler, reader).map(|token| match token {
            Token::Name(name) => Token::Name(Cow::Owned(name.into_owned())),
            Token::Pattern(pattern) => Token::Pattern(Cow::Owned(pattern.into_owned())),
            Token::Star => Token::Star,
            Token::Empty => Token::Empty,
        });
    }
    let is_its_text = value.eq_ignore_ascii_case(crawler) && reader.admits(CrawlerName, NameOfCrawler::Text);
    match read_value(value, reader)? {
        Token::Name(_) | Token::Empty if is_its_text => Some(named(value)),
        token => Some(token),
    }
}

fn read_value<'v>(value: &'v [u8], reader: &mut impl Reader) -> Option<Token<'v>> {
    if value == b"*" {
        return Some(Token::Star);
    }
    if is_http_token(value) && reader.answer(HttpToken) == YesOrNo::Yes {
        return Some(named(value));
    }
    let head = length_of_name(value);
    if let Some(star) = memchr(b'*', value) {
        if is_suffix(value, star, head) {
            return suffixed(value, star, star + 1, reader);
        }
        return match reader.answer_about(StarText, value) {
            StarName::Accept => Some(Token::Star),
            StarName::Ignore => None,
            StarName::Keep => Some(named(value)),
            StarName::Cut => Some(named(&value[..length_before(value, |byte| !is_token_byte(byte))])),
            StarName::Pattern => Some(Token::Pattern(Cow::Borrowed(value))),
        };
    }
    match value.get(head) {
        Some(b'/') if head > 0 => {
            let version = length_before(&value[head..], is_separator);
            suffixed(value, head, head + version, reader)
        }
        Some(_) if head > 0 => followed_by_text(value, head, head, reader),
        _ => word(value, reader),
    }
}

/// Returns the length of the text before a separator, a version or a dot.
fn length_of_name(value: &[u8]) -> usize {
    length_before(value, |byte| matches!(byte, b'/' | b'.') || is_separator(byte))
}

/// Returns whether a `*` is the suffix of the name before it: `googlebot*`, perhaps with further text.
fn is_suffix(value: &[u8], star: usize, head: usize) -> bool {
    let after = &value[star + 1..];
    (1..head).contains(&star)
        && after.first().is_none_or(|&byte| is_separator(byte))
        && !after.contains(&b'*')
}

/// `googlebot/1.2`, `googlebot*`: a name and its suffix, and perhaps other text.
fn suffixed<'v>(value: &'v [u8], name: usize, suffix: usize, reader: &mut impl Reader) -> Option<Token<'v>> {
    match reader.answer_about(AgentSuffix, &value[name..suffix]) {
        Suffix::Ignore => None,
        Suffix::Keep => Some(named(value)),
        Suffix::Cut if suffix < value.len() => followed_by_text(value, name, suffix, reader),
        Suffix::Cut => word(&value[..name], reader),
    }
}

/// `googlebot 1`, `googlebot, other`: a name, and other text from a place on.
fn followed_by_text<'v>(
    value: &'v [u8],
    name: usize,
    text: usize,
    reader: &mut impl Reader,
) -> Option<Token<'v>> {
    match reader.answer_about(AgentText, &value[text..]) {
        OddText::Ignore => None,
        OddText::Keep => Some(named(value)),
        OddText::Cut => word(&value[..name], reader),
    }
}

/// Returns a single word: a product token, or a word with characters outside product tokens.
fn word<'v>(word: &'v [u8], reader: &mut impl Reader) -> Option<Token<'v>> {
    let length = length_before(word, |byte| !is_token_byte(byte));
    if length == word.len() {
        return Some(named(word));
    }
    match reader.answer_about(AgentOther, word) {
        OddText::Ignore => None,
        OddText::Keep => Some(named(word)),
        OddText::Cut => Some(named(&word[..length])),
    }
}

fn named(text: &[u8]) -> Token<'_> {
    if text.is_empty() { Token::Empty } else { Token::Name(Cow::Borrowed(text)) }
}

/// Returns the product token of a crawler.
pub(crate) fn crawler_token<'a>(agent: &'a str, reader: &mut impl Reader) -> &'a [u8] {
    let name = agent.trim().as_bytes();
    if is_product_token(name) {
        return name;
    }
    let token = &name[..length_before(name, |byte| !is_token_byte(byte))];
    let word = &name[..length_before(name, |byte| matches!(byte, b'/' | b'*') || is_separator(byte))];
    let of = |answer| match answer {
        NameOfCrawler::Token if !token.is_empty() => token,
        NameOfCrawler::Word if !word.is_empty() => word,
        _ => name,
    };
    reader.outcome(CrawlerName, of)
}

/// The tokens that Google's table of crawlers names together with `googlebot`.
const OF_GOOGLEBOT: [&[u8]; 3] = [b"googlebot-image", b"googlebot-images", b"googlebot-news"];

/// Returns whether the value of a user-agent line may name a crawler, or every crawler, in some reading. Other than `*`, a
/// token is the start of the value.
pub(crate) fn may_name_in_a_reading(value: &[u8], crawler: &[u8], reader: &impl Reader) -> bool {
    let has_start = |text: &[u8], start: &[u8]| {
        text.get(..start.len()).is_some_and(|text| text.eq_ignore_ascii_case(start))
    };
    let matches = [GooglebotMatch, AgentMatch];
    memchr(b'*', value).is_some_and(|star| value.len() == 1 || !is_suffix(value, star, length_of_name(value)))
        || has_start(value, crawler)
        || folded(value).is_some()
        || matches.iter().any(|&question| !reader.always(question, TokenMatch::Equal))
            && (has_start(value, &crawler[..crawler.len().min(1)])
                || matches.into_iter().any(|question| may_be_part(question, reader)))
}

/// Returns whether the value of a user-agent line, or its start, may name a crawler in some reading.
pub(crate) fn may_name(value: &[u8], crawler: &[u8]) -> bool {
    let first = |text: &[u8]| text.first().map(u8::to_ascii_lowercase);
    value.contains(&b'*')
        || first(value) == first(crawler)
        || first(value).is_none_or(|byte| !is_token_byte(byte))
}

/// Returns how specifically a token names a crawler: a longer token is more specific. Nothing where the token does not
/// name the crawler, or names every crawler.
pub(crate) fn specificity(token: &Token, crawler: &[u8], reader: &mut impl Reader) -> Option<usize> {
    match token {
        Token::Name(name) => names(name, crawler, reader).then_some(name.len()),
        Token::Pattern(pattern) => covers(pattern, crawler).then_some(pattern.len()),
        Token::Star | Token::Empty => None,
    }
}

/// Returns whether a name may name a crawler of which it is a part, or which is a part of it.
fn may_be_part(question: TypedQuestion<TokenMatch>, reader: &impl Reader) -> bool {
    [TokenMatch::Contains, TokenMatch::PartOf].iter().any(|&part| reader.admits(question, part))
}

/// The length of two names of which one is looked for in the other in less than the time of a step, in bytes.
const USUAL_LENGTH: usize = 256;

fn names(name: &[u8], crawler: &[u8], reader: &mut impl Reader) -> bool {
    if name.eq_ignore_ascii_case(crawler) {
        return is_in_case_of(name, crawler, reader);
    }
    let is_of_googlebot = name.eq_ignore_ascii_case(b"googlebot")
        && OF_GOOGLEBOT.iter().any(|token| token.eq_ignore_ascii_case(crawler));
    let question = if is_of_googlebot { GooglebotMatch } else { AgentMatch };
    // To look for a name of a usual length takes less time than a step.
    if may_be_part(question, reader) && !reader.spend((name.len() + crawler.len()) / USUAL_LENGTH) {
        return false;
    }
    let rest = crawler
        .get(..name.len())
        .filter(|start| start.eq_ignore_ascii_case(name))
        .map(|_| &crawler[name.len()..]);
    let matches = reader.outcome(question, |answer| match answer {
        TokenMatch::Equal => false,
        TokenMatch::HyphenPrefix => rest.is_some_and(|rest| rest.starts_with(b"-")),
        TokenMatch::AnyPrefix => rest.is_some(),
        TokenMatch::Contains => part_of(name, crawler).is_some(),
        TokenMatch::PartOf => part_of(crawler, name).is_some(),
    });
    // Of a crawler that the token is a part of, the case of this part counts.
    matches && is_in_case_of(name, part_of(crawler, name).unwrap_or(crawler), reader)
}

/// Returns the first part of a name that is another name but for the case of letters.
fn part_of<'n>(whole: &'n [u8], name: &[u8]) -> Option<&'n [u8]> {
    let at = memmem::find(&whole.to_ascii_lowercase(), &name.to_ascii_lowercase())?;
    (!name.is_empty()).then(|| &whole[at..at + name.len()])
}

/// Returns whether a name is that of a crawler, or of this part of it, but for a letter case that makes no difference.
fn is_in_case_of(name: &[u8], part: &[u8], reader: &mut impl Reader) -> bool {
    let has_capitals = name.iter().any(u8::is_ascii_uppercase);
    if name == part && !(has_capitals && reader.admits(AgentCase, LetterCase::AgentInSmallLetters)) {
        return true;
    }
    reader.outcome(AgentCase, |answer| match answer {
        LetterCase::Insensitive => true,
        LetterCase::Sensitive => name == part,
        LetterCase::AgentInSmallLetters => !has_capitals,
    })
}

/// Returns the name with the letters of ASCII that the Kelvin sign and the long s are by Unicode, if it contains one of them.
fn folded(name: &[u8]) -> Option<Vec<u8>> {
    if name.is_ascii() {
        return None;
    }
    let name = std::str::from_utf8(name).ok().filter(|name| name.contains(['\u{212A}', '\u{17F}']))?;
    Some(name.replace('\u{212A}', "k").replace('\u{17F}', "s").into_bytes())
}

/// Returns whether the whole name matches a text in which `*` stands for any text.
///
/// Each text between stars is matched from left to right at the earliest possible place, which leaves the most to the
/// texts after it.
fn covers(pattern: &[u8], name: &[u8]) -> bool {
    let pattern = pattern.to_ascii_lowercase();
    let name = name.to_ascii_lowercase();
    let mut texts = pattern.split(|&byte| byte == b'*');
    let first = texts.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let Some(last) = texts.next_back() else { return rest.is_empty() };
    for text in texts.filter(|text| !text.is_empty()) {
        let Some(at) = rest.windows(text.len()).position(|window| window == text) else { return false };
        rest = &rest[at + text.len()..];
    }
    rest.ends_with(last)
}
