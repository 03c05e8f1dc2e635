//! Properties of the syntactic readers: lines of a file, and parts of a URL.

use std::cell::Cell;

use proptest::collection::vec;
use proptest::prelude::*;
use robotspec_reference::UrlParts;
use robotspec_reference::scan::{Field, LineKind, split_lines};

use crate::generate::{CASES, any_file, any_text, for_all, lines};

#[test]
fn lines_together_are_the_file() {
    let result = for_all(CASES, any_file(), |file| {
        let mut end = 0;
        for (index, line) in split_lines(&file).enumerate() {
            prop_assert_eq!(line.number, index + 1);
            prop_assert_eq!((line.start, line.span().start), (end, end));
            prop_assert_eq!(&file[line.span()], &[line.text, line.end].concat());
            prop_assert!(!line.text.iter().any(|byte| b"\r\n".contains(byte)));
            end = line.span().end;
            prop_assert!(
                [&b"\n"[..], b"\r\n", b"\r"].contains(&line.end) || line.end.is_empty() && end == file.len()
            );
        }
        prop_assert_eq!(end, file.len());
        let texts: Vec<Vec<u8>> = split_lines(&file).map(|line| line.text.to_vec()).collect();
        prop_assert_eq!(texts, lines(&file).collect::<Vec<_>>());
        Ok(())
    });
    assert_eq!(result, Ok(()));
}

#[test]
fn parts_of_a_line_are_in_order_with_only_blanks_between_them() {
    let known = Cell::new(0);
    let result = for_all(CASES, any_file(), |file| {
        for line in split_lines(&file) {
            let parts = line.parts();
            let mut between = Vec::new();
            let mut end = line.start;
            let colon = parts.colon.map(|colon| colon..colon + 1);
            let comment = parts.comment.map(|comment| comment.span());
            let spans = [Some(parts.field.span()), colon.clone(), Some(parts.value.span()), comment.clone()];
            for span in spans.into_iter().flatten() {
                between.extend_from_slice(&file[end..span.start]);
                end = span.end;
            }
            between.extend_from_slice(&file[end..line.start + line.text.len()]);
            prop_assert!(between.iter().all(|byte| b" \t".contains(byte)), "{:?}", line);
            prop_assert_eq!(&file[parts.field.span()], parts.field.text);
            prop_assert_eq!(&file[parts.value.span()], parts.value.text);
            prop_assert!(colon.is_none_or(|colon| file[colon] == *b":"));
            prop_assert!(comment.is_none_or(|comment| file[comment].starts_with(b"#")));
            known.set(known.get() + usize::from(matches!(parts.kind(), LineKind::Known(_))));
        }
        Ok(())
    });
    assert_eq!(result, Ok(()));
    assert!(known.get() > 2000, "{} lines with a known field", known.get());
}

#[test]
fn a_line_has_the_kind_of_its_field() {
    for (line, kind) in [
        (" User-Agent\t: a", LineKind::Known(Field::UserAgent)),
        ("sitemap:", LineKind::Known(Field::Sitemap)),
        ("dissallow: /", LineKind::Other),
        ("user-agent a", LineKind::Other),
        ("user-agent # : a", LineKind::Other),
        (": a", LineKind::Other),
        (":", LineKind::Other),
        ("\u{FEFF}user-agent: a", LineKind::Other),
        (" \t", LineKind::Blank),
        (" # a: b", LineKind::Comment),
    ] {
        let kinds: Vec<LineKind> = split_lines(line.as_bytes()).map(|line| line.parts().kind()).collect();
        assert_eq!(kinds, [kind], "{line:?}");
    }
}

#[test]
fn parts_of_a_url_together_are_the_url() {
    let with_scheme = Cell::new(0);
    let near_url = vec(
        proptest::sample::select(&["http", "://", "a", "@", ":80", "[::1]", "/", "?", "#", "é"][..]),
        0..9,
    );
    let text = prop_oneof![any_text(), near_url.prop_map(|pieces| pieces.concat())];
    let result = for_all(4000, text, |url| {
        let parts = UrlParts::split(&url);
        let after =
            |sign: &str, part: Option<&str>| part.map(|part| format!("{sign}{part}")).unwrap_or_default();
        let before_path = parts
            .scheme()
            .map(|scheme| format!("{scheme}{}", after("://", parts.authority())))
            .unwrap_or_default();
        prop_assert_eq!(parts.before_path(), before_path);
        let path_and_query = format!("{}{}", parts.path(), after("?", parts.query()));
        prop_assert_eq!(parts.path_and_query(), &path_and_query);
        prop_assert_eq!(parts.from_path(), path_and_query + &after("#", parts.fragment()));
        prop_assert_eq!(&url, &format!("{}{}", parts.before_path(), parts.from_path()));
        prop_assert!(
            !parts.path().contains(['?', '#']) && !parts.query().is_some_and(|query| query.contains('#'))
        );
        if let (Some(authority), Some(host)) = (parts.authority(), parts.host()) {
            prop_assert!(!authority.contains(['/', '?', '#']) && !host.contains('@'));
            let host_and_port = format!("{host}{}", after(":", parts.port()));
            prop_assert!(authority.ends_with(&host_and_port));
            with_scheme.set(with_scheme.get() + 1);
        }
        prop_assert_eq!(parts.scheme().is_some(), parts.host().is_some());
        Ok(())
    });
    assert_eq!(result, Ok(()));
    assert!(with_scheme.get() > 500, "{} URLs with a scheme", with_scheme.get());
}

#[test]
fn a_host_keeps_its_brackets_and_loses_port_and_user_information() {
    for (url, host, port) in [
        ("http://example.com", "example.com", None),
        ("http://me:pass@example.com:8080/", "example.com", Some("8080")),
        ("http://[::1]/", "[::1]", None),
        ("http://[::1]:80/", "[::1]", Some("80")),
        ("file:///etc", "", None),
    ] {
        let parts = UrlParts::split(url);
        assert_eq!((parts.host(), parts.port()), (Some(host), port), "{url}");
    }
}
