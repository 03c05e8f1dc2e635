//! The rules for a crawler (RFC 9309 2.2.1; Google, "Order of precedence for user agents").

use super::groups::{Group, Rule};
use super::paths::{Piece, match_start};
use super::questions::{Answer, Question::*};
use super::readings::Reading;

/// What a user-agent line names. Letter case does not matter in these editions.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Name {
    /// `*`.
    Star,
    /// A crawler's name, in small letters.
    Of(Vec<u8>),
    /// A name in which `*` stands for any text.
    Pattern(Vec<u8>),
    /// No crawler.
    None,
}

fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'-' || byte == b'_'
}

/// Returns what the value of a user-agent line names; `None` where the line is not valid.
pub fn name(value: &[u8], reading: &mut Reading) -> Option<Name> {
    let mut text = value.to_ascii_lowercase();
    if let Ok(whole) = std::str::from_utf8(value)
        && whole.contains(['\u{212A}', '\u{17F}'])
        && reading.ask(AgentFold) == Answer::Equal
    {
        text = whole.replace('\u{212A}', "k").replace('\u{17F}', "s").to_ascii_lowercase().into_bytes();
    }
    let value = &text[..];
    let (token, rest) = split_token(value);
    if value == b"*" {
        return Some(Name::Star);
    }
    if value.is_empty() {
        return empty(reading);
    }
    if rest.is_empty() {
        return Some(Name::Of(value.to_vec()));
    }
    let stars = value.iter().filter(|byte| **byte == b'*').count();
    let end =
        value.iter().position(|byte| is_separator(*byte) || b"/.*".contains(byte)).unwrap_or(value.len());
    let (word_before, after) = value.split_at(end);
    // `googlebot*`, `googlebot/1.2`: the suffix, which other text may follow.
    let suffix = match (after.first(), after.get(1)) {
        _ if word_before.is_empty() => None,
        (Some(b'*'), next) if stars == 1 && next.is_none_or(|byte| is_separator(*byte)) => Some(1),
        (Some(b'/'), _) if stars == 0 => Some(after.iter().take_while(|byte| !is_separator(**byte)).count()),
        _ => None,
    };
    let has_text = match suffix {
        Some(suffix) => suffix < after.len(),
        None => stars == 0 && !word_before.is_empty() && !after.is_empty(),
    };
    if suffix.is_some() || has_text {
        let questions = [(suffix.is_some(), AgentSuffix), (has_text, AgentText)];
        for (_, question) in questions.into_iter().filter(|(is_asked, _)| *is_asked) {
            match reading.ask(question) {
                Answer::Ignore => return None,
                Answer::Cut => {}
                _ => return Some(Name::Of(value.to_vec())),
            }
        }
        return word(word_before, reading);
    }
    if stars > 0 {
        return match reading.ask(StarText) {
            Answer::Ignore => None,
            Answer::Accept => Some(Name::Star),
            Answer::Pattern => Some(Name::Pattern(value.to_vec())),
            Answer::Cut if token.is_empty() => empty(reading),
            Answer::Cut => Some(Name::Of(token.to_vec())),
            _ => Some(Name::Of(value.to_vec())),
        };
    }
    word(value, reading)
}

/// Returns what a text without `*` names.
fn word(value: &[u8], reading: &mut Reading) -> Option<Name> {
    let (token, rest) = split_token(value);
    if rest.is_empty() {
        return Some(Name::Of(value.to_vec()));
    }
    match reading.ask(AgentOther) {
        Answer::Ignore => None,
        Answer::Cut if token.is_empty() => empty(reading),
        Answer::Cut => Some(Name::Of(token.to_vec())),
        _ => Some(Name::Of(value.to_vec())),
    }
}

fn is_separator(byte: u8) -> bool {
    b" \t\x0C,;:()[]{}<>|\"'@\\=?".contains(&byte)
}

fn empty(reading: &mut Reading) -> Option<Name> {
    (reading.ask(EmptyAgent) == Answer::Accept).then_some(Name::None)
}

fn split_token(value: &[u8]) -> (&[u8], &[u8]) {
    value.split_at(value.iter().take_while(|byte| is_token_byte(**byte)).count())
}

/// Returns the rules that a crawler obeys.
pub fn rules(groups: &[Group], agent: &str, reading: &mut Reading) -> Vec<Rule> {
    let agent = agent.to_ascii_lowercase().into_bytes();
    let (token, rest) = split_token(&agent);
    let word = agent.split(|byte| is_separator(*byte) || b"/*".contains(byte)).next().unwrap_or_default();
    let answer = if rest.is_empty() { Answer::Keep } else { reading.ask(AgentAsking) };
    let agent = match answer {
        Answer::Cut if !token.is_empty() => token,
        Answer::Word if !word.is_empty() => word,
        _ => &agent[..],
    };

    let mut best: Option<usize> = None;
    let mut own: Vec<(usize, &Group)> = Vec::new();
    for group in groups {
        let fits = group.names.iter().filter_map(|name| specificity(name, agent, reading)).max();
        if let Some(fits) = fits {
            best = best.max(Some(fits));
            own.push((fits, group));
        }
    }
    let takes_best = own.iter().any(|(fits, _)| Some(*fits) != best)
        && reading.ask(AgentPrecedence) == Answer::MostSpecific;
    own.retain(|(fits, _)| !takes_best || Some(*fits) == best);
    let mut chosen: Vec<&Group> = own.into_iter().map(|(_, group)| group).collect();
    if chosen.is_empty() {
        let is_for_ads = agent.starts_with(b"adsbot");
        if is_for_ads && reading.ask(AdsBotStar) == Answer::No {
            return Vec::new();
        }
        chosen = groups.iter().filter(|group| group.names.contains(&Name::Star)).collect();
        if chosen.len() > 1 && reading.ask(StarGroups) == Answer::FirstOnly {
            chosen.truncate(1);
        }
    }
    chosen.into_iter().flat_map(|group| group.rules.clone()).collect()
}

/// Returns how specific a name is for a crawler; `None` where it does not name it.
fn specificity(name: &Name, agent: &[u8], reading: &mut Reading) -> Option<usize> {
    match name {
        Name::Of(name) if name == agent => Some(name.len()),
        Name::Of(name) if agent.starts_with(name) => {
            let is_named = match reading.ask(AgentMatch) {
                Answer::AnyPrefix => true,
                Answer::HyphenPrefix => agent[name.len()] == b'-',
                _ => false,
            };
            is_named.then_some(name.len())
        }
        Name::Pattern(pattern) => {
            let piece = |c| if c == '*' { Piece::Any } else { Piece::OneOf(vec![String::from(c)]) };
            let pieces =
                String::from_utf8_lossy(pattern).chars().map(piece).chain([Piece::End]).collect::<Vec<_>>();
            match_start(&pieces, &String::from_utf8_lossy(agent)).then_some(pattern.len())
        }
        _ => None,
    }
}
