//! Texts for people: each is shown as it is, and nothing in it is obeyed.

use pulldown_cmark::{Event, Options, Parser, Tag};
use robotspec_text::inert::{inert_json, inert_line};
use robotspec_text::markup::{cell_text, code, fenced, prose, text};
use robotspec_text::{brief, brief_list, escaped, visible, visible_lines};

#[test]
fn what_a_terminal_would_obey_is_an_escape() {
    assert_eq!(visible("a\x1b[2Jb\u{9b}m\u{7f}\0"), r"a\u{1b}[2Jb\u{9b}m\u{7f}\u{0}");
    assert_eq!(visible("\u{202e}\u{2066}\u{200f}\u{61c}"), r"\u{202e}\u{2066}\u{200f}\u{61c}");
    assert_eq!(visible("a\r\nb\tc\u{2028}\u{85}"), r"a\r\nb\tc\u{2028}\u{85}");
}

#[test]
fn lines_stay_lines() {
    assert_eq!(visible_lines("a\r\nb\n\tc\rd\x1b\u{2029}"), "a\nb\n\tc\\rd\\u{1b}\\u{2029}");
}

#[test]
fn a_code_point_that_is_not_a_character_is_an_escape() {
    assert_eq!(
        visible("\u{fffd}\u{fffe}\u{ffff}\u{fdd0}\u{10ffff}"),
        "\u{fffd}\\u{fffe}\\u{ffff}\\u{fdd0}\\u{10ffff}"
    );
}

#[test]
fn no_further_line_is_a_command_of_a_ci_system() {
    assert_eq!(visible_lines("::a\r\n\t::b\n##[c]"), "::a\n\t\\u{3a}:b\n#\\u{23}[c]");
    assert_eq!(visible_lines("##[a]"), r"#\u{23}[a]");
    assert_eq!(visible("##[a]\n::b"), r"#\u{23}[a]\n::b");
}

#[test]
fn invisible_characters_are_written_as_bytes() {
    assert_eq!(escaped("\u{FEFF}a\u{A0}b c\0".as_bytes()), r"\xef\xbb\xbfa\xc2\xa0b c\x00");
    assert_eq!(escaped("a\u{202E}b".as_bytes()), r"a\xe2\x80\xaeb");
}

#[test]
fn visible_text_stays_as_it_is() {
    for text in ["", r"C:\path \u{1b} \n", "dürfen 日本語 ▸ ✅ עברית", "e\u{301}"] {
        assert_eq!((visible(text), visible_lines(text)), (text.to_owned(), text.to_owned()));
    }
}

#[test]
fn a_command_is_text() {
    for (line, inert) in [
        ("::error file=a::b", r"\u{3a}:error file=a::b"),
        (" \t\u{a0}::stop-commands::x", " \t\u{a0}\\u{3a}:stop-commands::x"),
        ("##[error]a ##[debug]b", r"#\u{23}[error]a #\u{23}[debug]b"),
        ("a ###[group]", r"a ##\u{23}[group]"),
        ("##vso[task.setvariable]", r"#\u{23}vso[task.setvariable]"),
        ("  ::##[a]", r"  \u{3a}:#\u{23}[a]"),
    ] {
        assert_eq!(inert_line(line), inert);
        assert_eq!(inert_line(inert), inert, "it stays as it is");
    }
}

#[test]
fn other_lines_stay_as_they_are() {
    for line in ["", "a::b", ": :", ":", "## [a]", "## a", "#[a]", "[##a]", "## Heading [link](a)"] {
        assert_eq!(inert_line(line), line);
    }
}

#[test]
fn json_keeps_its_value() {
    // U+0023 is `#`.
    assert_eq!(inert_json(r###"{"##[a]":"\\##x[c"}"###), r###"{"#\u0023[a]":"\\#\u0023x[c"}"###);
}

#[test]
fn a_long_list_is_shortened() {
    let few = ["a".to_owned(), "\"".to_owned()];
    assert_eq!(brief_list(&few), format!("{few:?}"));
    let many: Vec<String> = (0..110).map(|number| number.to_string()).collect();
    let listed = brief_list(&many);
    assert!(listed.ends_with("\"19\"] and 90 more"), "{listed}");
}

#[test]
fn a_long_value_is_shortened_and_says_how_long_it_is() {
    let short = format!("/{}", "ab".repeat(80));
    assert_eq!(brief(&short), short);
    assert_eq!(brief(&format!("/{}é", "x".repeat(65_536))), "/x{65,536}é (65,538 characters)");
    let long = brief(&format!("/{}/end", "ab".repeat(500)));
    assert!(long.starts_with("/abab") && long.ends_with("ab/end (1,005 characters)"), "{long}");
    assert!(long.chars().count() < 210 && long.contains(" … "), "{long}");
}

const TEXTS: [&str; 13] = [
    "plain 1.0",
    "` `` ``` x ````",
    "``",
    "a|b \\| c\\\\|d",
    "<img src=x> &amp; <!-- x",
    "[a](b) ![a](b) <http://a.example>",
    "@user http://a.example www.a.example #1 GH-1",
    "@user | ` \\",
    "@user a|b \\| c",
    "*a* _b_ ~~c~~ $d$ **e**",
    "path-values/fish#exact",
    "C:\\path\\|",
    "a\n\n# b\r\n> c",
];

/// Returns the texts and codes of a document, which must have no other inline parts.
fn content(markdown: &str) -> Vec<String> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_MATH;
    let mut content = vec![String::new()];
    for event in Parser::new_ext(markdown, options) {
        match event {
            Event::Text(text) | Event::Code(text) => content.last_mut().expect("a part").push_str(&text),
            Event::Start(tag) => assert!(
                matches!(tag, Tag::Paragraph | Tag::Table(_))
                    || matches!(tag, Tag::TableHead | Tag::TableRow)
                    || tag == Tag::TableCell,
                "{tag:?} in {markdown}"
            ),
            Event::End(_) => content.push(String::new()),
            event => panic!("{event:?} in {markdown}"),
        }
    }
    content.retain(|part| !part.is_empty());
    content
}

#[test]
fn a_text_is_shown_exactly() {
    for plain in TEXTS {
        assert_eq!(content(&format!("x {}", text(plain))).concat(), format!("x {}", visible(plain)));
        assert_eq!(content(&code(plain)), [visible(plain)]);
    }
}

#[test]
fn code_in_a_sentence_is_code() {
    assert_eq!(prose("a* `*` b `<i>`"), r"a\* `*` b `<i>`");
    assert_eq!(content(&prose("a* `*` b `<i>`")), ["a* * b <i>"]);
    assert_eq!(content(&prose("an odd ` is a character")).concat(), "an odd ` is a character");
}

#[test]
fn a_block_ends_at_its_own_fence() {
    let block = fenced("text", "a\n````\n<b>\n");
    let events: Vec<Event> = Parser::new(&block).collect();
    assert!(matches!(&events[1..2], [Event::Text(text)] if &**text == "a\n````\n<b>\n"), "{events:?}");
}

#[test]
fn a_cell_contains_the_whole_text() {
    for plain in TEXTS {
        let table = format!("| a | b |\n| --- | --- |\n| {} | end |\n", cell_text(plain));
        assert_eq!(content(&table), ["a", "b", &visible(plain), "end"], "{table}");
    }
}
