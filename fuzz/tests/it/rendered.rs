//! Inputs as text.

use robotspec::MatchQuery;
use robotspec_fuzz::generate::INPUT_BYTES;
use robotspec_fuzz::generate::rendered::{generate, read, write};
use robotspec_reference::bytes::is_token_byte;
use robotspec_reference::{Edition, RobotsTxt};

/// Returns whether a crawler could have a query.
fn is_possible(MatchQuery { agent, url }: &MatchQuery) -> bool {
    !agent.is_empty()
        && agent.bytes().all(is_token_byte)
        && !url.contains(|c: char| c.is_control() || c.is_whitespace())
        && ["http://", "https://"].iter().any(|start| url.starts_with(start))
        && RobotsTxt::parse(b"").ruling(Edition::Rfc9309, agent, url).is_ok()
}

#[test]
fn a_written_input_is_read_again() {
    for seed in 0..200 {
        let bytes: Vec<u8> = (0..INPUT_BYTES).map(|at| (at as u64 * 31 + seed * 97) as u8).collect();
        let generated = generate(&bytes);
        let Some(input) = read(&write(&generated)) else {
            assert!(!generated.match_queries().iter().any(is_possible), "seed {seed}");
            continue;
        };
        assert_eq!(read(&write(&input)).as_ref(), Some(&input));
        assert_eq!(input.first().file(), generated.first().file());
        assert!(input.queries().iter().all(|query| generated.queries().contains(query)));
    }
}

#[test]
fn impossible_queries_are_left_out() {
    assert_eq!(read(b"Foo Bot http://a.example/\n\n"), None);
    assert_eq!(read(b"FooBot /a\n\n"), None);
    assert_eq!(read(b"user-agent: *\ndisallow: /\n"), None);
    let input = read(b"x\nFooBot http://a.example/\n\n\nallow: /\n").expect("a query");
    assert_eq!((input.queries().len(), input.first().file()), (1, Some(&b"\nallow: /\n"[..].into())));
}
