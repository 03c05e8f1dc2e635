//! Variations of a match query: other names, other paths, other lines around its own.

use robotspec_cases::Query;
use robotspec_reference::bytes::{escape, is_token_byte};
use robotspec_reference::scan::Field;
use robotspec_reference::{UrlParts, split_lines};

/// Names of agents. No name is the start of another one, and none belongs to a well-known crawler.
const AGENTS: &str = "\
    quillbot zooplier mirrorly truster vintner kowalski northwind pompano sparrow thistle yonder \
    ibexcrawl jackdaw lanternfish oxbow ravenna silverfox umbrella walnut xylograph hazelnut guillemot \
    peregrin kestrelbot merlinet dunlinbot";

/// Words of paths. They have no hexadecimal digits, so that they are not a part of an escape, and none is the start of
/// another one.
const WORDS: &str = "\
    soil lump knots moss spirit ruins sushi vinyl pony storm troll north opinion symptom nylon pilot \
    output worm jury hull myrtl rhino zinnos quilts import grotto";

/// Returns one of several words. Numbers that differ by less than their number have different words.
fn word(words: &'static str, number: usize) -> &'static str {
    words.split(' ').cycle().nth(number % words.split(' ').count()).unwrap_or_default()
}

/// Lines before and after a file. `{c}` is the name of an agent, and `{r}` is the word of a path, which the file does not
/// have. They change no verdict about the agents that the file names, unless its first or its last byte matters.
const AROUND: [(&str, &str); 7] = [
    ("", ""),
    ("", "\nuser-agent: {c}\ndisallow: /{r}\n"),
    ("user-agent: {c}\ndisallow: /{r}\n\n", ""),
    ("", "\n# {r}\n"),
    ("# {r} and {c}\n", ""),
    ("", "\nUser-Agent: {c}\nDisallow: /{r}/\nAllow: /{r}/{c}\n"),
    ("User-Agent: {c}\nDisallow: /{r}\nAllow: /{r}/{r}\n\n# {c}\n", ""),
];

/// Returns the query with other names and paths, and with other lines around its own. Queries with different numbers
/// differ. The meaning may change: the caller has to check it. The result is `None` for other kinds of queries, and for
/// files that cannot be varied.
pub(crate) fn vary(query: &Query, number: usize) -> Option<Query> {
    let Query::Match { robots, agent, url } = query else { return None };
    let names = Names::of(robots, agent);
    let path = UrlParts::split(url).from_path();
    let origin = &url[..url.len() - path.len()];
    let mut file = Vec::with_capacity(robots.len() + 200);
    for line in split_lines(robots) {
        let parts = line.parts();
        let value = parts.value.text;
        let varied = match parts.known_field() {
            Some(Field::UserAgent) => names.rename(value, number),
            Some(Field::Rule(_)) => vary_path(value, number),
            _ => value.to_vec(),
        };
        file.extend_from_slice(&robots[line.start..parts.value.start]);
        file.extend(varied);
        file.extend_from_slice(&robots[parts.value.span().end..line.span().end]);
    }
    let other = |lines: &str| {
        lines.replace("{c}", word(AGENTS, number + 17)).replace("{r}", word(WORDS, number + 19))
    };
    let (before, after) = AROUND[number % AROUND.len()];
    let agent = String::from_utf8(names.rename(agent.as_bytes(), number)).ok()?;
    let path = String::from_utf8(vary_path(path.as_bytes(), number)).ok()?;
    Some(Query::Match {
        robots: [other(before).as_bytes(), &file, other(after).as_bytes()].concat().into(),
        agent,
        url: format!("{origin}{path}"),
    })
}

/// The names of agents in a query, in small letters. None is the start of another one.
struct Names(Vec<Vec<u8>>);

impl Names {
    fn of(robots: &[u8], agent: &str) -> Names {
        let parts = split_lines(robots).map(|line| line.parts());
        let values = parts.filter(|parts| parts.known_field() == Some(Field::UserAgent));
        let values = values.map(|parts| parts.value.text).chain([agent.as_bytes()]);
        let token = |value: &[u8]| -> Vec<u8> {
            value.iter().take_while(|byte| is_token_byte(**byte)).map(u8::to_ascii_lowercase).collect()
        };
        let mut names: Vec<Vec<u8>> = values.map(token).filter(|name| !name.is_empty()).collect();
        names.sort();
        // After sorting, a name stands behind the names that it starts with.
        names.dedup_by(|name, start| name.starts_with(start));
        Names(names)
    }

    /// Replaces the name at the start of a value, in its letter case. An AdsBot crawler keeps its name.
    fn rename(&self, value: &[u8], number: usize) -> Vec<u8> {
        let lower = value.to_ascii_lowercase();
        let place = self.0.iter().position(|name| lower.starts_with(name));
        let Some(place) = place.filter(|_| !lower.starts_with(b"adsbot")) else { return value.to_vec() };
        let (name, rest) = value.split_at(self.0[place].len());
        let mut other = word(AGENTS, number + place).to_owned();
        if name.first().is_some_and(u8::is_ascii_uppercase) {
            other[..1].make_ascii_uppercase();
        }
        [other.as_bytes(), rest].concat()
    }
}

/// Adds a directory in front of the path, or replaces its letters.
fn vary_path(path: &[u8], number: usize) -> Vec<u8> {
    if number.is_multiple_of(2) && path.starts_with(b"/") && path != b"/robots.txt" {
        return [b"/", word(WORDS, number).as_bytes(), path].concat();
    }
    if path == b"/robots.txt" { path.to_vec() } else { replace_letters(path, number) }
}

/// Replaces the letters outside escapes, the same letter always by the same one.
fn replace_letters(path: &[u8], number: usize) -> Vec<u8> {
    let shift = (1 + number % 25) as u8;
    let mut replaced = path.to_vec();
    let mut at = 0;
    while at < path.len() {
        if escape(&path[at..]).is_some() {
            at += 3;
            continue;
        }
        let start = if path[at].is_ascii_uppercase() { b'A' } else { b'a' };
        if path[at].is_ascii_alphabetic() {
            replaced[at] = start + (path[at] - start + shift) % 26;
        }
        at += 1;
    }
    replaced
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_is_the_start_of_another_one() {
        for words in [AGENTS, WORDS] {
            for word in words.split(' ') {
                let starts = words.split(' ').filter(|other| other.starts_with(word)).count();
                assert_eq!(starts, 1, "{word}");
            }
        }
        assert_eq!(WORDS.split(' ').find(|word| word.bytes().any(|byte| byte.is_ascii_hexdigit())), None);
    }

    #[test]
    fn a_variation_differs_in_names_paths_and_file() {
        let query = Query::Match {
            robots: b"user-agent: a\nuser-agent: A/1\nuser-agent: *\ndisallow: /a%2A\n"[..].into(),
            agent: "a-b".to_owned(),
            url: "http://example.com/a*?".to_owned(),
        };
        let varied: Vec<Query> = (0..8).map(|number| vary(&query, number).expect("a match query")).collect();
        let Query::Match { robots, agent, url } = &varied[0] else { panic!("{:?}", varied[0]) };
        assert_eq!(
            (&*String::from_utf8_lossy(robots), &**agent, &**url),
            (
                "user-agent: quillbot\nuser-agent: Quillbot/1\nuser-agent: *\ndisallow: /soil/a%2A\n",
                "quillbot-b",
                "http://example.com/soil/a*?"
            )
        );
        let Query::Match { robots, url, .. } = &varied[3] else { panic!("{:?}", varied[3]) };
        assert!(String::from_utf8_lossy(robots).contains("disallow: /e%2A\n"), "{robots:?}");
        assert_eq!(url, "http://example.com/e*?");
        for (index, one) in varied.iter().enumerate() {
            assert!(varied[index + 1..].iter().all(|other| one != other));
        }
    }
}
