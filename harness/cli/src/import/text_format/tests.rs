use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use super::*;

/// A message in a line: `name=value` for each field.
fn shown(message: &Message) -> String {
    let field = |field: &Field| match &field.value {
        Value::Text(octets) => format!("{}=\"{}\"", field.name, octets.escape_ascii()),
        Value::Word(word) => format!("{}={word}", field.name),
        Value::Message(message) => format!("{}={{{}}}", field.name, shown(message)),
    };
    message.fields.iter().map(field).collect::<Vec<_>>().join(" ")
}

fn assert_reads(text: &str, as_this: &str) {
    let message = read(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error:?}"));
    assert_eq!(shown(&message), as_this, "{text}");
}

#[test]
fn every_form_of_the_grammar_is_read() {
    for (text, as_this) in [
        ("", ""),
        ("# proto-file: a.proto\n# proto-message: A\n\n", ""),
        ("a: 1", "a=1"),
        ("a:1,b:2;c :3", "a=1 b=2 c=3"),
        ("a: -1 b: - 2 c: -inf", "a=-1 b=-2 c=-inf"),
        ("a: 1.5e-3 b: .5 c: 0x1F d: 10f e: 1E+2", "a=1.5e-3 b=.5 c=0x1F d=10f e=1E+2"),
        ("a: true b: DISALLOW", "a=true b=DISALLOW"),
        ("a: [1, 2] b: []", "a=1 a=2"),
        ("a { b: 1 }", "a={b=1}"),
        ("a: { b: 1 } c <d: 2>", "a={b=1} c={d=2}"),
        ("a [{b: 1}, <c: 2>]", "a={b=1} a={c=2}"),
        ("a {} a {}", "a={} a={}"),
        ("[example.ext]: 1 [type.example.com/a.B] { c: 2 }", "[example.ext]=1 [type.example.com/a.B]={c=2}"),
        ("a: \"x\" 'y'\n  \"z\" b: ''", "a=\"xyz\" b=\"\""),
        ("a: \"it's\" # a comment: \"b\n  'so'", "a=\"it\\'sso\""),
    ] {
        assert_reads(text, as_this);
    }
}

#[test]
fn every_escape_is_read() {
    for (text, octets) in [
        (r#""\a\b\f\n\r\t\v\?\\\'\"""#, &b"\x07\x08\x0C\n\r\t\x0B?\\'\""[..]),
        (r"'\0\12\1234\377'", b"\x00\n\x534\xFF"),
        (r"'\x9\xfF\Xe9z'", b"\t\xFF\xE9z"),
        (r"'\u00e9\U0001F41F'", "é🐟".as_bytes()),
        (r"'\ud83d\udc1f'", "🐟".as_bytes()),
    ] {
        let message = read(&[b"a: ", text.as_bytes()].concat()).expect(text);
        assert_eq!(message.fields[0].value, Value::Text(octets.to_vec()), "{text}");
    }
    let raw = read(b"a: '\xE9'").expect("an octet that is not UTF-8");
    assert_eq!(raw.fields[0].value, Value::Text(vec![0xE9]));
}

#[test]
fn a_mistake_is_told_with_its_place() {
    for (text, line, column, says) in [
        ("a", 1, 2, "expected `:` or a message, found the end of the text"),
        ("a 1", 1, 3, "expected `:` or a message, found `1`"),
        ("a: }", 1, 4, "expected a value, found `}`"),
        ("a: 1 }", 1, 6, "expected the name of a field, found `}`"),
        ("a {\n  b: 1\n", 3, 1, "expected the name of a field or `}`, found the end of the text"),
        ("a { b: 1 >", 1, 10, "expected the name of a field or `}`, found `>`"),
        ("a: [1 2]", 1, 7, "expected `,` or `]`, found `2`"),
        ("a: [[1]]", 1, 5, "expected a value, found `[`"),
        ("a: 1x", 1, 4, "`1x` is no number"),
        ("a: -'x'", 1, 5, "expected a value, found a string"),
        ("[a b]: 1", 1, 4, "expected a name in brackets, such as `[example.extension]`, found `b`"),
        ("[]: 1", 1, 3, "no empty brackets"),
        ("'a': 1", 1, 1, "expected the name of a field, found a string"),
        ("é: 1", 1, 1, r"`\xc3` has no meaning here"),
        ("a: 'é' ?", 1, 8, "`?` has no meaning here"),
        ("a: 'x\ny'", 1, 4, "not closed on its line"),
        ("a: \"x'", 1, 4, "not closed on its line"),
        (r"a: 'é\q'", 1, 6, r"no escape `\q`"),
        (r"a: '\xg'", 1, 5, r"`\x` wants"),
        (r"a: '\400'", 1, 5, r"above `\377`"),
        (r"a: '\u12'", 1, 5, r"`\u` wants"),
        (r"a: '\ud83d!'", 1, 5, r"`\u` wants"),
        (r"a: '\U00110000'", 1, 5, r"`\u` wants"),
        ("a: '\\", 1, 5, "a backslash ends the text"),
    ] {
        let error = read(text.as_bytes()).expect_err(text);
        assert_eq!(error.place, Place { line, column }, "{text}: {}", error.message);
        assert!(error.message.contains(says), "{text}: {}", error.message);
    }
}

#[test]
fn depth_is_bounded() {
    let deep = |depth| ["a{".repeat(depth), "}".repeat(depth)].concat();
    assert!(read(deep(DEEPEST).as_bytes()).is_ok());
    let error = read("a{".repeat(1_000_000).as_bytes()).expect_err("too deep");
    assert!(error.message.contains("more than 100 deep"), "{}", error.message);
}

/// Texts that are nearly right get further than octets that are not.
const PIECES: &[&[u8]] = &[
    b"a",
    b"robots_txt",
    b":",
    b"{",
    b"}",
    b"<",
    b">",
    b"[",
    b"]",
    b",",
    b";",
    b"-",
    b".",
    b"/",
    b" ",
    b"\n",
    b"#",
    b"'",
    b"\"",
    b"\\",
    b"\\x",
    b"\\u",
    b"\\ud83d",
    b"\\U",
    b"\\7",
    b"0x",
    b"1e",
    b"1",
    b"f",
    b"\xFF",
    b"\xC3\xA9",
    b"\0",
    b"a: 1",
    b"a {",
    b"a: 'x'",
    b"[a.b]: 2",
];

#[test]
fn no_octets_make_it_panic() {
    let mut dice = ChaCha8Rng::seed_from_u64(1);
    let mut read_well = 0;
    for _ in 0..100_000 {
        let mut text = Vec::new();
        for _ in 0..dice.next_u32() % 24 {
            match dice.next_u32() % 8 {
                0 => text.push(dice.next_u32() as u8),
                _ => text.extend_from_slice(PIECES[dice.next_u32() as usize % PIECES.len()]),
            }
        }
        match read(&text) {
            Ok(_) => read_well += 1,
            Err(error) => {
                let lines = text.split(|&octet| octet == b'\n').count();
                assert!((1..=lines).contains(&error.place.line), "{}: {error:?}", text.escape_ascii());
            }
        }
    }
    assert!(read_well > 1000, "{read_well}");
}
