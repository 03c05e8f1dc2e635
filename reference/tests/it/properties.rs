//! What holds of every file, agent and URL: tried on many made at random,
//! always the same ones.

use std::cell::Cell;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, RngSeed, TestRunner};
use robotspec_reference::grammar::{LineStatus, check_lines, derives};
use robotspec_reference::question::TABLE;
use robotspec_reference::{Edition, Governs, Reading, RobotsTxt, Ruling, scope};

/// Tries a property on as many values as are asked for.
pub(crate) fn for_all<S: Strategy>(
    cases: u32,
    values: S,
    property: impl Fn(S::Value) -> Result<(), TestCaseError>,
) -> Result<(), String> {
    let config =
        Config { cases, rng_seed: RngSeed::Fixed(9309), failure_persistence: None, ..Config::default() };
    TestRunner::new(config).run(&values, property).map_err(|error| error.to_string())
}

/// How many questions and files are tried where they are made with care.
const CASES: u32 = 2000;

/// A text of a few pieces.
fn pieces(pieces: &'static [&'static [u8]], most: usize) -> impl Strategy<Value = Vec<u8>> {
    vec(select(pieces), 0..=most).prop_map(|pieces| pieces.concat())
}

/// What a path may be made of; few pieces, so that rules and URLs meet.
#[rustfmt::skip]
const OF_PATHS: &[&[u8]] = &[
    b"/", b"/", b"a", b"a", b"b", b"*", b"$", b".", b"..", b"?", b":", b"%61", b"%2F", b"%2f", b"%2A", b"%24",
    b"%3A", b"%3a", b"\xC3\xA9", b"%C3%A9", b"%c3%a9", b"%", b"robots.txt",
];

/// What else may stand in a file.
const OF_VALUES: &[&[u8]] =
    &[b"a", b"b", b"*", b"$", b"/", b"//", b" ", b"\t", b"#", b"\x01", b"\xE9", b"\xC2\xA0", b"%C3%A9"];

fn path() -> impl Strategy<Value = Vec<u8>> {
    let start = select(&[b"/" as &[u8], b"/", b"/", b"/", b"/a", b"*", b""][..]);
    let odd = prop_oneof![3 => Just(Vec::new()), 1 => pieces(OF_VALUES, 1)];
    (start, pieces(OF_PATHS, 4), odd).prop_map(|(start, path, odd)| [start, &path, &odd].concat())
}

/// One of the usual, or, now and then, one of the odd.
fn mostly(
    usual: &'static [&'static [u8]],
    odd: &'static [&'static [u8]],
) -> impl Strategy<Value = &'static [u8]> {
    prop_oneof![7 => select(usual), 1 => select(odd)]
}

/// A line, without its end. Most are as they should be.
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

/// A file such as people write, with what goes wrong in some.
fn file() -> impl Strategy<Value = Vec<u8>> {
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

fn agent() -> impl Strategy<Value = String> {
    select(&["a", "a", "a", "a", "A", "a-b", "ab", "b", "AdsBot-a", "a/1.0", "*", "", "é"][..])
        .prop_map(str::to_owned)
}

fn url() -> impl Strategy<Value = String> {
    (select(&["", "", "http://example.com"][..]), pieces(OF_PATHS, 5))
        .prop_map(|(origin, path)| format!("{origin}/{}", String::from_utf8_lossy(&path)))
}

/// A file, an agent and a URL that mostly has to do with one of its rules.
fn asked() -> impl Strategy<Value = (Vec<u8>, String, String)> {
    (file(), agent(), url(), any::<Index>(), 0..4).prop_map(|(file, agent, url, which, chance)| {
        let paths: Vec<String> = lines(&file).filter_map(|line| url_for_rule(&line)).collect();
        let url = if chance == 0 || paths.is_empty() { url } else { which.get(&paths).clone() };
        (file, agent, url)
    })
}

/// A path that a rule may be about, without its wildcards.
fn url_for_rule(line: &[u8]) -> Option<String> {
    let line = String::from_utf8_lossy(line);
    let path = &line[line.find('/')?..];
    Some(path.replace('*', "").trim_end_matches(['$', ' ', '\t']).to_owned())
}

/// Answers to all questions, to be turned into a reading of any edition.
fn answers() -> impl Strategy<Value = Vec<Index>> {
    vec(any::<Index>(), TABLE.len())
}

fn reading(edition: Edition, answers: &[Index]) -> Reading {
    TABLE.iter().zip(answers).fold(Reading::plainest(edition), |reading, (row, index)| {
        reading.with(*index.get(row.answers(edition))).expect("an admitted answer")
    })
}

#[test]
fn a_definite_ruling_is_contradicted_by_no_reading() {
    let (allowed, disallowed) = (Cell::new(0), Cell::new(0));
    let values = (asked(), vec(answers(), 12));
    let result = for_all(CASES, values, |((file, agent, url), readings)| {
        let robots = RobotsTxt::parse(&file);
        for edition in Edition::ALL {
            let ruling = robots.ruling(edition, &agent, &url)?;
            match ruling {
                Ruling::Allow => allowed.set(allowed.get() + 1),
                Ruling::Disallow => disallowed.set(disallowed.get() + 1),
                Ruling::Unspecified => continue,
            }
            for answers in &readings {
                let reading = reading(edition, answers);
                let verdict = robots.decide(&reading, &agent, &url)?.verdict;
                prop_assert_eq!(Ruling::from(verdict), ruling, "{} {:?}", edition, reading);
            }
        }
        Ok(())
    });
    assert_eq!(result, Ok(()));
    assert!(allowed.get() > CASES, "there are URLs that are allowed: {}", allowed.get());
    assert!(disallowed.get() > CASES / 2, "there are URLs that are disallowed: {}", disallowed.get());
}

#[test]
fn an_unspecified_ruling_is_shown_by_two_readings_that_differ() {
    let unspecified = Cell::new(0);
    let result = for_all(CASES, asked(), |(file, agent, url)| {
        let robots = RobotsTxt::parse(&file);
        for edition in Edition::ALL {
            let explanation = robots.explain(edition, &agent, &url)?;
            prop_assert_eq!(explanation.ruling, robots.ruling(edition, &agent, &url)?);
            if explanation.ruling != Ruling::Unspecified {
                prop_assert!(explanation.doubts.is_empty());
                continue;
            }
            unspecified.set(unspecified.get() + 1);
            prop_assert!(!explanation.doubts.is_empty(), "{} has no doubt", edition);
            for doubt in explanation.doubts {
                let mut supposed = Reading::plainest(edition);
                for answer in doubt.supposing {
                    supposed = supposed.with(answer)?;
                }
                let mut verdicts = Vec::new();
                for (answer, verdict) in doubt.answers {
                    let reading = supposed.clone().with(answer)?;
                    prop_assert_eq!(robots.decide(&reading, &agent, &url)?.verdict, verdict);
                    verdicts.push(verdict);
                }
                verdicts.dedup();
                prop_assert!(verdicts.len() > 1, "{} does not turn it", doubt.question);
            }
        }
        Ok(())
    });
    assert_eq!(result, Ok(()));
    assert!(unspecified.get() > CASES / 4, "there are unspecified rulings: {}", unspecified.get());
}

#[test]
fn an_explanation_tells_the_plainest_reading_which_a_definite_ruling_follows() {
    let result = for_all(CASES, asked(), |(file, agent, url)| {
        let robots = RobotsTxt::parse(&file);
        for edition in Edition::ALL {
            let explanation = robots.explain(edition, &agent, &url)?;
            let plainest = robots.decide(&Reading::plainest(edition), &agent, &url)?;
            prop_assert_eq!(&explanation.decision, &plainest);
            if explanation.ruling != Ruling::Unspecified {
                prop_assert_eq!(explanation.ruling, Ruling::from(plainest.verdict));
            }
            let lines = check_lines(edition, &file).len();
            let cited = explanation.decision.lines();
            prop_assert!(cited.iter().all(|line| (1..=lines).contains(line)), "{:?} of {}", cited, lines);
        }
        Ok(())
    });
    assert_eq!(result, Ok(()));
}

/// Octets of any kind, and files that nearly make sense.
pub(crate) fn any_file() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        vec(any::<u8>(), 0..200),
        file(),
        (file(), vec(any::<u8>(), 0..20)).prop_map(|(a, b)| [a, b].concat())
    ]
}

pub(crate) fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        any::<String>().prop_map(|text| format!("/{text}")),
        any::<String>().prop_map(|text| format!("http://{text}")),
        any::<String>().prop_map(|text| format!("http://example.com/{text}")),
        "[a-z]{1,3}://([a-z0-9.:@\\[\\]]{0,9}/)?[ -~]{0,9}",
    ]
}

#[test]
fn nothing_panics_whatever_the_file_the_agent_and_the_url() {
    let ruled = Cell::new(0);
    let result = for_all(CASES, (any_file(), any_text(), any_text()), |(file, agent, url)| {
        let robots = RobotsTxt::parse(&file);
        for edition in Edition::ALL {
            let ruling = robots.ruling(edition, &agent, &url);
            let explained = robots.explain(edition, &agent, &url);
            prop_assert_eq!(&ruling, &explained.map(|explanation| explanation.ruling));
            let plainest = robots.decide(&Reading::plainest(edition), &agent, &url);
            prop_assert_eq!(ruling.is_ok(), plainest.is_ok());
            ruled.set(ruled.get() + u32::from(ruling.is_ok()));
        }
        Ok(())
    });
    assert_eq!(result, Ok(()));
    assert!(ruled.get() > CASES, "there are rulings: {}", ruled.get());
}

#[test]
fn the_grammar_has_a_word_for_every_line_and_a_column_within_it() {
    let wrong = Cell::new(0);
    let result = for_all(CASES, any_file(), |file| {
        for edition in Edition::ALL {
            let checked = check_lines(edition, &file);
            let numbers: Vec<usize> = checked.iter().map(|line| line.line).collect();
            prop_assert_eq!(numbers, (1..=checked.len()).collect::<Vec<_>>());
            let mut lines = lines(&file);
            for line in &checked {
                let text = lines.next();
                if let (LineStatus::NotDerived(error), Some(text)) = (&line.status, &text) {
                    wrong.set(wrong.get() + 1);
                    prop_assert!((1..=text.len() + 1).contains(&error.column), "{:?} {:?}", error, text);
                }
                prop_assert!(text.is_some(), "{:?}", line);
            }
            prop_assert_eq!(lines.next(), None);
            let all_derived = checked.iter().all(|line| matches!(line.status, LineStatus::Derived(_)));
            prop_assert_eq!(derives(edition, &file), all_derived);
        }
        Ok(())
    });
    assert_eq!(result, Ok(()));
    assert!(wrong.get() > CASES, "there are wrong lines: {}", wrong.get());
}

/// The lines of a file, as an editor sees them that knows CR, LF and CR LF.
pub(crate) fn lines(file: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let text: Vec<u8> = file.to_vec();
    let mut lines: Vec<Vec<u8>> = vec![Vec::new()];
    let mut octets = text.iter().copied().peekable();
    while let Some(octet) = octets.next() {
        if octet == b'\r' {
            octets.next_if_eq(&b'\n');
        }
        match (octet, lines.last_mut()) {
            (b'\r' | b'\n', _) => lines.push(Vec::new()),
            (_, Some(line)) => line.push(octet),
            (_, None) => {}
        }
    }
    if lines.last().is_some_and(Vec::is_empty) {
        lines.pop();
    }
    lines.into_iter()
}

#[test]
fn sitemaps_come_in_the_order_of_their_lines_and_from_lines_that_there_are() {
    let found = Cell::new(0);
    let result = for_all(CASES, any_file(), |file| {
        let robots = RobotsTxt::parse(&file);
        for edition in Edition::ALL {
            let sitemaps = robots.sitemaps(edition);
            found.set(found.get() + sitemaps.len());
            prop_assert!(sitemaps.is_sorted_by_key(|sitemap| sitemap.line), "{:?}", sitemaps);
            let count = lines(&file).count();
            prop_assert!(
                sitemaps.iter().all(|sitemap| (1..=count).contains(&sitemap.line)),
                "{:?}",
                sitemaps
            );
        }
        Ok(())
    });
    assert_eq!(result, Ok(()));
    assert!(found.get() > 100, "there are sitemaps: {}", found.get());
}

#[test]
fn scope_is_told_of_any_two_urls_and_refused_of_what_is_none() {
    let told = Cell::new(0);
    let result = for_all(CASES, (any_text(), any_text()), |(robots_url, url)| {
        for edition in Edition::ALL {
            let governs = scope(edition, &robots_url, &url);
            told.set(told.get() + u32::from(governs.is_ok()));
            if governs == Ok(Governs::Yes) {
                prop_assert!(robots_url.contains("/robots.txt"), "{}", robots_url);
            }
        }
        Ok(())
    });
    assert_eq!(result, Ok(()));
    assert!(told.get() > 100, "there are URLs: {}", told.get());
}

#[test]
fn a_robots_txt_governs_the_origin_that_it_is_on_and_no_other_port() {
    let origins = ("https?", "[a-z]{1,9}(\\.[a-z]{1,9}){0,2}", 1024u16..60_000, pieces(OF_PATHS, 5));
    let result = for_all(CASES, origins, |(scheme, host, port, path)| {
        let path = String::from_utf8_lossy(&path);
        for edition in Edition::ALL {
            let robots_url = format!("{scheme}://{host}:{port}/robots.txt");
            let on = |port: u16| format!("{scheme}://{host}:{port}/{path}");
            prop_assert_eq!(scope(edition, &robots_url, &on(port)), Ok(Governs::Yes));
            prop_assert_eq!(scope(edition, &robots_url, &on(port + 1)), Ok(Governs::No));
        }
        Ok(())
    });
    assert_eq!(result, Ok(()));
}
