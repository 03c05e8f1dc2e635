//! Generators of files, agents and URLs.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, RngSeed, TestRunner};

/// Checks a property on this number of values.
pub(crate) fn for_all<S: Strategy>(
    cases: u32,
    values: S,
    property: impl Fn(S::Value) -> Result<(), TestCaseError>,
) -> Result<(), String> {
    let config =
        Config { cases, rng_seed: RngSeed::Fixed(9309), failure_persistence: None, ..Config::default() };
    TestRunner::new(config).run(&values, property).map_err(|error| error.to_string())
}

/// The usual number of values.
pub(crate) const CASES: u32 = 2000;

/// A text that consists of at most this number of pieces.
pub(crate) fn pieces(pieces: &'static [&'static [u8]], most: usize) -> impl Strategy<Value = Vec<u8>> {
    vec(select(pieces), 0..=most).prop_map(|pieces| pieces.concat())
}

/// Pieces of paths. There are few, so that rules match URLs.
#[rustfmt::skip]
pub(crate) const PATH_PIECES: &[&[u8]] = &[
    b"/", b"/", b"a", b"a", b"b", b"*", b"$", b".", b"..", b"?", b":", b"%61", b"%2F", b"%2f", b"%2A", b"%24",
    b"%3A", b"%3a", b"\xC3\xA9", b"%C3%A9", b"%c3%a9", b"%", b"robots.txt",
];

/// Pieces of unusual values.
const ODD_PIECES: &[&[u8]] =
    &[b"a", b"b", b"*", b"$", b"/", b"//", b" ", b"\t", b"#", b"\x01", b"\xE9", b"\xC2\xA0", b"%C3%A9"];

fn path() -> impl Strategy<Value = Vec<u8>> {
    let start = select(&[b"/" as &[u8], b"/", b"/", b"/", b"/a", b"*", b""][..]);
    let odd = prop_oneof![3 => Just(Vec::new()), 1 => pieces(ODD_PIECES, 1)];
    (start, pieces(PATH_PIECES, 4), odd).prop_map(|(start, path, odd)| [start, &path, &odd].concat())
}

/// One of the usual texts, or sometimes one of the odd texts.
fn mostly(
    usual: &'static [&'static [u8]],
    odd: &'static [&'static [u8]],
) -> impl Strategy<Value = &'static [u8]> {
    prop_oneof![7 => select(usual), 1 => select(odd)]
}

/// A line without its end. Most lines are valid.
fn line() -> impl Strategy<Value = Vec<u8>> {
    const ODD_TOKENS: &str = "A,a-b,ab,b,a/1.0,a*,*a,a b,a;b,a1,AdsBot-a,é,";
    const OTHERS: &str = ",# a comment,crawl-delay: 3,sitemap: http://example.com/a,sitemap: /a,\
        site-map: http://example.com/b,sitemap http://example.com/c,allow,:, ,\u{FEFF}";
    let one_of = |list: &'static str| {
        select(list.split(',').collect::<Vec<_>>()).prop_map(|piece| piece.as_bytes().to_vec())
    };
    let rule = mostly(&[b"allow", b"disallow", b"Disallow"], &[b"alow", b"dissallow", b"disallowed"]);
    let agent = mostly(&[b"user-agent", b"User-Agent"], &[b"useragent", b"user agent"]);
    let token = prop_oneof![one_of("*,a"), one_of(ODD_TOKENS)];
    let colon = || mostly(&[b":", b": ", b" : "], &[b" ", b""]);
    let joined = |(field, colon, value): (&[u8], &[u8], Vec<u8>)| [field, colon, &value].concat();
    prop_oneof![
        6 => (rule, colon(), path()).prop_map(joined),
        2 => (agent, colon(), token).prop_map(joined),
        1 => one_of(OTHERS),
    ]
}

/// A file with a few usual mistakes.
pub(crate) fn file() -> impl Strategy<Value = Vec<u8>> {
    let end = select(&[b"\n" as &[u8], b"\n", b"\n", b"\r\n", b"\r"][..]);
    let start = mostly(&[b"user-agent: *\n", b"user-agent: a\n"], &[b"", b"\xEF\xBB\xBFuser-agent: *\n"]);
    (start, vec((line(), end), 0..8), any::<bool>()).prop_map(|(start, lines, is_whole)| {
        let mut file = start.to_vec();
        for (line, end) in lines {
            file.extend(line);
            file.extend(end);
        }
        if !is_whole {
            file.pop();
        }
        file
    })
}

pub(crate) fn agent() -> impl Strategy<Value = String> {
    select(&["a", "a", "a", "a", "A", "a-b", "ab", "b", "AdsBot-a", "a/1.0", "*", "", "é"][..])
        .prop_map(str::to_owned)
}

pub(crate) fn url() -> impl Strategy<Value = String> {
    (select(&["", "", "http://example.com"][..]), pieces(PATH_PIECES, 5))
        .prop_map(|(origin, path)| format!("{origin}/{}", String::from_utf8_lossy(&path)))
}

/// A file, an agent and a URL. Most URLs match a rule of the file.
pub(crate) fn query() -> impl Strategy<Value = (Vec<u8>, String, String)> {
    (file(), agent(), url(), any::<Index>(), 0..4).prop_map(|(file, agent, url, which, chance)| {
        let paths: Vec<String> = lines(&file).filter_map(|line| url_for_rule(&line)).collect();
        let url = if chance == 0 || paths.is_empty() { url } else { which.get(&paths).clone() };
        (file, agent, url)
    })
}

/// The path of a rule without its wildcards.
fn url_for_rule(line: &[u8]) -> Option<String> {
    let line = String::from_utf8_lossy(line);
    let path = &line[line.find('/')?..];
    Some(path.replace('*', "").trim_end_matches(['$', ' ', '\t']).to_owned())
}

/// Arbitrary bytes, files, and files followed by arbitrary bytes.
pub(crate) fn any_file() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        vec(any::<u8>(), 0..200),
        file(),
        (file(), vec(any::<u8>(), 0..20)).prop_map(|(a, b)| [a, b].concat())
    ]
}

/// Arbitrary texts, paths and texts that resemble URLs.
pub(crate) fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        any::<String>().prop_map(|text| format!("/{text}")),
        any::<String>().prop_map(|text| format!("http://{text}")),
        any::<String>().prop_map(|text| format!("http://example.com/{text}")),
        "[a-z]{1,3}://([a-z0-9.:@\\[\\]]{0,9}/)?[ -~]{0,9}",
    ]
}

/// The lines of a file, split independently of the reference at CR, LF and CR LF.
pub(crate) fn lines(file: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let text: Vec<u8> = file.to_vec();
    let mut lines: Vec<Vec<u8>> = vec![Vec::new()];
    let mut bytes = text.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        if byte == b'\r' {
            bytes.next_if_eq(&b'\n');
        }
        match (byte, lines.last_mut()) {
            (b'\r' | b'\n', _) => lines.push(Vec::new()),
            (_, Some(line)) => line.push(byte),
            (_, None) => {}
        }
    }
    if lines.last().is_some_and(Vec::is_empty) {
        lines.pop();
    }
    lines.into_iter()
}
