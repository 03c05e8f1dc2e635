use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use super::*;

/// Parts of files, with texts that YAML does not represent literally.
const PIECES: &[&[u8]] = &[
    b"tests { ",
    b"tests: [{ ",
    b"} ",
    b"] ",
    b"}, { ",
    b"robotstxt: 'a: b' ",
    b"robotstxt: '\\xff\\0\\n' ",
    b"robotstxt: '\xff\xfe' '\\\\\xe9' ",
    b"robotstxt: '\\ufeff\\r\\u0085 ' ",
    b"robotstxt: ' \\n\\n# - x: |\\n\\t' ",
    b"test_expectations { expected_outcome: ALLOWED ",
    b"test_expectations { expected_outcome: DISALLOWED test_type: GOOGLE_SPECIFIC ",
    b"test_expectations < expected_outcome: 2 > ",
    b"test_expectations { test_type: 7 ",
    b"useragent: 'a' ",
    b"useragent: '\\u0085\\u2028~' ",
    b"useragent: '1e3' ",
    b"testurl: '/' ",
    b"testurl: 'yes' ",
    b"testurl: 'http://x.example/\\x01' ",
    b"additional_explanation: '\\001\\n- ' ",
    b"additional_explanation: '\xff' ",
    b"# \\\xff\n",
    b"\\",
    b"'",
];

fn generate_file(dice: &mut ChaCha8Rng) -> Vec<u8> {
    let mut text = b"tests { ".to_vec();
    let pieces = dice.next_u32() % 12;
    for _ in 0..pieces {
        text.extend_from_slice(PIECES[dice.next_u32() as usize % PIECES.len()]);
    }
    let count = |byte: u8| text.iter().filter(|&&other| other == byte).count();
    let open = count(b'{').saturating_sub(count(b'}'));
    text.extend(std::iter::repeat_n(b'}', open));
    text
}

#[test]
fn any_file_is_imported_unchanged_or_refused_with_a_position() {
    let mut dice = ChaCha8Rng::seed_from_u64(1);
    let target =
        Target { id: "a", source: "a.textproto", editions: &[Edition::Google2026, Edition::Rfc9309] };
    let mut checks = 0;
    for _ in 0..50_000 {
        let bytes = generate_file(&mut dice);
        let source = Source { file: PathBuf::from("a.textproto"), bytes: bytes.clone() };
        match import(&[source], &target) {
            Ok(imported) => checks += imported.checks,
            Err(errors) => {
                let is_known = |error: &anyhow::Error| {
                    let error = error.to_string();
                    error.starts_with("a.textproto:") || error.starts_with("the files contain no check")
                };
                let text = String::from_utf8_lossy(&bytes);
                assert!(!errors.is_empty() && errors.iter().all(is_known), "{text}: {errors:?}");
            }
        }
    }
    assert!(checks > 1000, "{checks}");
}

/// Returns the robots.txt files and the explanations of a file.
fn read(bytes: &[u8]) -> Vec<(Vec<u8>, Vec<String>)> {
    let tests = message::read(bytes).expect("a file that follows the definition");
    let parts = tests.into_iter().map(|test| {
        let explanations = test.expectations.into_iter().map(|expectation| expectation.explanation);
        (test.robots, explanations.collect())
    });
    parts.collect()
}

#[test]
fn bytes_that_are_not_utf8_stay_in_a_robots_txt_and_are_replaced_in_prose() {
    let file = b"# caf\xe9\ntests { robotstxt: 'caf\xe9a' \"\\\\\xff1\" test_expectations { additional_explanation: 'n\xff\\xe9o' } }";
    assert_eq!(read(file), [(b"caf\xe9a\\\xff1".to_vec(), vec!["n\u{FFFD}\u{FFFD}o".to_owned()])]);
}

#[test]
fn an_error_has_the_position_in_the_file_as_it_is() {
    for (file, line, column) in [
        (&b"tests {\n  robotstxt: 'caf\xe9' robots: ''\n}"[..], 2, 21),
        ("tests { robotstxt: 'ツ' robots: '' }".as_bytes(), 1, 24),
        (b"tests { robotstxt: 'a\\\xff' }", 1, 22),
        (b"\xff", 1, 1),
        (b"tests {\n", 2, 1),
        (b"", 0, 0),
    ] {
        let position = message::read(file).err().map_or((0, 0), |error| (error.line, error.column));
        assert_eq!(position, (line, column), "{}", String::from_utf8_lossy(file));
    }
}

#[test]
fn a_byte_order_mark_has_no_column() {
    let file = read(b"\xEF\xBB\xBFtests { robotstxt: 'a' }");
    assert_eq!(file, [(b"a".to_vec(), Vec::new())]);
    let error = message::read(b"\xEF\xBB\xBFtests { robots: 'a' }").expect_err("an unknown field");
    assert_eq!((error.line, error.column), (1, 9));
}
