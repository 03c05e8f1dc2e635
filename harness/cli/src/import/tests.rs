use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use super::*;

/// What messages are made of, with texts that YAML cannot hold as they are.
const PIECES: &[&str] = &[
    "t {",
    "t {",
    "u <",
    "v [{",
    "}",
    "}",
    "}]",
    ">",
    "robots: '' ",
    "robots: 'a: b' ",
    "robots_txt: '\\xff\\0\\n' ",
    "body: '\\ufeff\\r\\u0085 ' ",
    "body: ' \\n\\n# - x: |\\n\\t' ",
    "agent: 'a' ",
    "agent: '\\u0085\\u2028~' ",
    "agents: ['1e3', 'null', ''] ",
    "url: '/' ",
    "url: 'yes' ",
    "url: 'http://x.example/\\x01' ",
    "allowed: true ",
    "disallowed: true ",
    "outcome: ALLOW ",
    "name: 'é' ",
    "name: 'A B' ",
    "id: 7 ",
    "note: '\\001\\n- ' ",
];

fn generated(dice: &mut ChaCha8Rng) -> String {
    // Mostly whole, or nothing would ever be a check.
    let mut text = String::from("robots: 'user-agent: *' agent: 'a' ");
    let pieces = dice.next_u32() % 20;
    text.extend((0..pieces).map(|_| PIECES[dice.next_u32() as usize % PIECES.len()]));
    let open = text.matches('{').count().saturating_sub(text.matches('}').count());
    text + &"}".repeat(open)
}

#[test]
fn whatever_is_found_is_written_as_it_is() {
    let mut dice = ChaCha8Rng::seed_from_u64(1);
    let names = Names::default();
    let wanted = Wanted { names: &names, editions: &[Edition::Google2026, Edition::Rfc9309], id: None };
    let mut checks = 0;
    for _ in 0..50_000 {
        let text = generated(&mut dice);
        let source = Source { file: PathBuf::from("a.textproto"), octets: text.clone().into_bytes() };
        match import(&[source], &wanted) {
            Ok(imported) => checks += imported.checks,
            Err(mistakes) => {
                let is_of_text = |told: &String| told.starts_with("a.textproto:") || told == NO_CHECK;
                assert!(!mistakes.is_empty() && mistakes.iter().all(is_of_text), "{text}: {mistakes:?}");
            }
        }
    }
    assert!(checks > 1000, "{checks}");
}
