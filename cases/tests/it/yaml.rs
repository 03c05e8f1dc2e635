//! The strict reader of YAML, and the forms in which a case writes the bytes of a file.

use std::path::Path;

use datatest_stable::Result;
use robotspec_cases::suite::load;
use robotspec_cases::yaml::Document;
use robotspec_text::escaped;

fn read(text: &str) -> std::result::Result<serde_yaml::Value, String> {
    Document::read("file.yaml", text).map(|(value, _)| value).map_err(|error| error.to_string())
}

pub(crate) fn aliases_cannot_repeat_without_an_end(_clauses: &Path) -> Result<()> {
    let level = |level: usize| format!("- &a{level} [{}]\n", vec![format!("*a{}", level - 1); 10].join(", "));
    let laughs = "- &a0 lol\n".to_owned() + &(1..=8).map(level).collect::<String>();
    for text in [&laughs, "a: &a\n  - *a\n"] {
        let error = read(text).expect_err(text);
        assert!(error.contains("limit exceeded"), "{error}");
    }
    Ok(())
}

pub(crate) fn deep_nesting_and_long_keys_are_refused_where_they_are(_clauses: &Path) -> Result<()> {
    let error = read(&"- ".repeat(10_000)).expect_err("deep");
    assert!(error.starts_with("file.yaml:1:173: this is nested too deeply"), "{error}");
    let error = read(&format!("a:\n  {}: b\n", "k".repeat(1000))).expect_err("a long key");
    assert!(error.starts_with("file.yaml:2:3: this is nested too deeply, or its key"), "{error}");
    Ok(())
}

pub(crate) fn a_byte_order_mark_has_no_column(_clauses: &Path) -> Result<()> {
    let value = read("\u{FEFF}a: b\nc: d\n").expect("a map");
    assert_eq!(Ok(value), read("a: b\nc: d\n"));
    let error = read("\u{FEFF}a: b\na: c\n").expect_err("a duplicate key");
    assert!(error.starts_with("file.yaml:2:1: "), "{error}");
    let error = read("\u{FEFF}{a: b, a: c}\n").expect_err("a duplicate key");
    assert!(error.starts_with("file.yaml:1:8: "), "{error}");
    Ok(())
}

/// Returns the robots.txt of a case, given the form in which the case writes it.
fn read_robots(written: &str) -> std::result::Result<Vec<u8>, String> {
    let rows = "rows: [{id: r, url: /, expect: allow}]";
    let text = format!("suite: s\ncases:\n- id: c\n  robots: {written}\n  {rows}\n");
    let suite = load(Path::new("file.yaml"), &text).map_err(|error| error.to_string())?;
    Ok(suite.cases[0].rows[0].query.file().expect("a file").to_vec())
}

pub(crate) fn escaped_bytes_are_unescaped_to_the_same_bytes(_clauses: &Path) -> Result<()> {
    let bytes: Vec<u8> = (0..=255).chain("/fish é\u{85}".bytes()).collect();
    let text = serde_json::to_string(&escaped(&bytes))?;
    assert_eq!(read_robots(&format!("{{escaped: {text}}}")), Ok(bytes));
    Ok(())
}

pub(crate) fn what_follows_an_escape_of_a_byte_is_two_digits(_clauses: &Path) -> Result<()> {
    for digits in ["+9", "9é"] {
        let error = read_robots(&format!("{{escaped: '\\x{digits}'}}")).expect_err(digits);
        assert!(error.contains(&format!("two hexadecimal digits, not `{digits}`")), "{error}");
    }
    Ok(())
}

pub(crate) fn a_fill_stops_at_its_size(_clauses: &Path) -> Result<()> {
    let filled = |parts: &str| read_robots(&format!("{{parts: [abc, {parts}]}}"));
    assert_eq!(filled("{fill: xy, to: 8}"), Ok(b"abcxyxyx".to_vec()));
    filled("{fill: xy, to: 8}, {fill: xy, to: 7}").expect_err("the file is larger already");
    filled("{fill: '', to: 9}").expect_err("the text is empty");
    Ok(())
}
