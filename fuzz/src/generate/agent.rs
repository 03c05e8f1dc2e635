//! Names of agents, in user-agent lines and in queries.

use robotspec_reference::bytes::is_token_byte;

use super::dice::Dice;
use super::oddity::Oddity::*;

/// Names of crawlers. Some are the start of others.
const NAMES: [&str; 11] = [
    "FooBot",
    "Kiosk",
    "BarBot",
    "Googlebot",
    "Googlebot-News",
    "Googlebot-Image",
    "Foo",
    "otherbot",
    "foo_bot",
    "a",
    "FooBot-News",
];

/// Letters, and letters that are like them without regard to case.
const LETTERS: [(char, &str); 2] = [('K', "\u{212A}"), ('s', "\u{17F}")];

/// Names of crawlers that are names of fields, too, or words that mean something in a programming language.
const WORDS: [&str; 10] = [
    "allow",
    "Disallow",
    "sitemap",
    "user-agent",
    "constructor",
    "toString",
    "__proto__",
    "hasOwnProperty",
    "None",
    "null",
];

/// Makes the value of a user-agent line.
///
/// About one in five values in real files is not a product token. The oddities produce what makes them invalid there: a
/// space, a slash, a digit, a dot, a `*` or a comma, in this order.
pub(super) fn make_name(dice: &mut Dice, earlier: &[String]) -> Vec<u8> {
    if dice.strike(EmptyAgent, 3) {
        return Vec::new();
    }
    if dice.strike(SameAgent, 2) && !earlier.is_empty() {
        return dice.pick_ref(earlier).clone().into_bytes();
    }
    let mut name = match dice.below(5) {
        0 | 1 => "*".to_owned(),
        _ => dice.pick(&NAMES).to_owned(),
    };
    if dice.strike(Word, 2) {
        name = dice.pick(&WORDS).to_owned();
    }
    if dice.strike(AdsBot, 2) {
        name = dice.pick(&["AdsBot-Google", "AdsBot", "adsbot-google-mobile"]).to_owned();
    }
    if dice.strike(AgentPrefix, 2) && name != "*" {
        let last = earlier.iter().rev().find(|name| *name != "*");
        name = relate(dice, last.map_or("FooBot", String::as_str));
    }
    if dice.strike(AgentCase, 2) {
        name = change_case(dice, &name);
    }
    if dice.strike(AgentSuffix, 2) {
        name.push_str(dice.pick(&["/1.2", "*", "/2.1", "/", "/*"]));
    }
    if dice.strike(AgentText, 2) {
        name.push_str(dice.pick(&[" Bot", " (compatible)", " 2.0", ", BarBot", "; x", " *", " FooBot"]));
    }
    if dice.strike(AgentOther, 2) {
        let odd = dice.pick(&["2", "7", "007", ".com", ".", "*x", "!", "@b", "+", "é"]);
        let at = if dice.one_in(4) { 0 } else { name.len() };
        name.insert_str(at, odd);
    }
    if dice.strike(AgentOther, 2) {
        LETTERS.iter().for_each(|(letter, other)| name = name.replace(*letter, other));
    }
    name.into_bytes()
}

/// Returns a name that is the start of this one, or starts with it.
fn relate(dice: &mut Dice, name: &str) -> String {
    match dice.below(8) {
        5 => format!("{name}-"),
        6 => format!("-{name}"),
        7 => format!("_{name}_"),
        0 => format!("{name}-News"),
        1 => format!("{name}X"),
        // A crawler has a name.
        2 => name.split('-').find(|part| !part.is_empty()).unwrap_or(name).to_owned(),
        3 => name.chars().take(name.chars().count().saturating_sub(1).max(1)).collect(),
        _ => format!("{name}_b"),
    }
}

fn change_case(dice: &mut Dice, name: &str) -> String {
    match dice.below(3) {
        0 => name.to_ascii_lowercase(),
        1 => name.to_ascii_uppercase(),
        _ => name
            .char_indices()
            .map(|(at, c)| if at % 2 == 0 { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() })
            .collect(),
    }
}

/// Makes agents for queries about a file with these names: mostly one of them, or one that no group names.
pub(super) fn make_for_queries(dice: &mut Dice, names: &[String]) -> Vec<String> {
    // The letters of ASCII are in the place of others that are like them.
    let with_letters = |name: &String| {
        LETTERS.iter().fold(name.clone(), |name, (letter, other)| name.replace(other, &letter.to_string()))
    };
    let named = names.iter().map(|name| product_token(&with_letters(name)));
    let named: Vec<String> = named.filter(|name| !name.is_empty()).collect();
    (0..1 + dice.below(3))
        .map(|_| {
            if dice.strike(AdsBot, 2) {
                return dice.pick(&["AdsBot-Google", "AdsBot", "adsbot-google-mobile"]).to_owned();
            }
            if dice.strike(Word, 6) {
                return dice.pick(&WORDS).to_owned();
            }
            if named.is_empty() || dice.one_in(8) {
                return dice.pick(&["FooBot", "UnnamedBot", "Googlebot", "a"]).to_owned();
            }
            let name = dice.pick_ref(&named).clone();
            if dice.strike(AgentPrefix, 2) || dice.one_in(12) {
                return product_token(&relate(dice, &name));
            }
            if dice.strike(AgentCase, 2) || dice.one_in(6) {
                return change_case(dice, &name);
            }
            if dice.strike(AgentText, 3) {
                return name + dice.pick(&["/1.0", " Bot", "2", ".com"]);
            }
            name
        })
        .collect()
}

/// Returns the product token that a name starts with: nearly every crawler of a query is called by such a token.
fn product_token(name: &str) -> String {
    name.bytes().take_while(|&byte| is_token_byte(byte)).map(char::from).collect()
}
