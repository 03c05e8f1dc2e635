//! Tests of the private parts of `src/line.rs`.

use super::*;

#[test]
fn a_line_without_a_field_at_a_quick_look_raises_no_question() {
    let names = ["user-agent", "disallow", "allow", "sitemap", "content-usage", "noindex", "visit-time"];
    let misspelt = |name: &'static str, at: usize| {
        let rest = (0..3).filter_map(move |removed| name.get(at + removed..));
        rest.flat_map(move |rest| {
            ["", "x", "xyz", " ", "<b>", "\\n"].map(|edit| [&name[..at], edit, rest].concat())
        })
    };
    let names = names.iter().flat_map(|name| (0..=name.len()).flat_map(|at| misspelt(name, at)));
    for name in names {
        for end in [": /x", " /x", " : /x", "\t /x", "# /x", "", " x: /x", "s: /x", ":: /x"] {
            let line = format!("{name}{end}");
            let line = trim_start(line.as_bytes());
            if line.is_empty() || may_have_field(line) || read_plain(line).is_some() {
                continue;
            }
            let mut detector = QuestionDetector { has_question: false };
            let record = read_odd(line, true, &mut detector);
            let is_other = matches!(record, Record::Other | Record::Invalid);
            assert!(is_other && !detector.has_question, "{}", line.escape_ascii());
        }
    }
}
