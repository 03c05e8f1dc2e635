//! Names that are not product tokens.

use std::collections::BTreeSet;

use super::facts::{Facts, example};
use super::groups::{Group, Name};
use super::{Advice, Meaning, Severity};
use crate::edition::Edition;
use crate::question::Question;
use crate::ruling::{RobotsTxt, Ruling};

/// The number of names that are examined, at most: a name that a reader may cut off in several ways has many readings.
const NAMES: usize = 50;

/// Returns advice about each name that is not a product token (RFC 9309, 2.2.1), once, where a crawler of this name need not
/// obey the group.
pub(super) fn names(facts: &Facts) -> Vec<Advice> {
    let mut seen = BTreeSet::new();
    let named = facts.groups.iter().flat_map(|group| group.names.iter().map(move |name| (group, name)));
    let odd = named.filter(|(_, name)| name.text != "*" && !name.is_token());
    let new = odd.filter(|(_, name)| seen.insert(name.text.to_ascii_lowercase()));
    new.take(NAMES).filter_map(|(group, name)| advice(facts, group, name)).collect()
}

/// Returns the question on which it depends whether the crawler with the product token that a name starts with obeys the
/// group. It is that of a file with no other line, whose size does not matter.
fn question(edition: Edition, name: &Name) -> Option<Question> {
    let file = format!("user-agent: {}\ndisallow: /\n", name.text);
    let explanation = RobotsTxt::parse(file.as_bytes()).explain(edition, name.token()?, "/").ok()?;
    explanation.doubts.first().map(|doubt| doubt.question)
}

fn advice(facts: &Facts, group: &Group, name: &Name) -> Option<Advice> {
    // Some crawlers have a name with digits, which the owner of the file cannot change.
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let has_digits_only = !name.text.is_empty() && name.text.bytes().all(is_word);
    let severity = if has_digits_only { Severity::Note } else { Severity::Warning };
    let with = |example| Advice {
        line: name.line,
        other_line: None,
        severity,
        meaning: Meaning::NotAProductToken {
            name: name.text.clone(),
            token: name.token().map(str::to_owned),
            question: question(facts.edition, name),
        },
        example,
    };
    // An empty name is that of no crawler.
    if name.text.is_empty() {
        return Some(with(None));
    }
    let paths = Facts::paths_of(&[group]);
    let wanted = facts.rulings_of(&[group], &paths);
    let got = facts.rulings(&name.text, paths.iter().map(|(_, path)| path.as_str()));
    let differs = |place: &usize| wanted[*place] != Ruling::Unspecified && got[*place] != wanted[*place];
    let place = (0..paths.len()).find(differs)?;
    Some(with(example(&name.text, &paths[place].1)))
}
