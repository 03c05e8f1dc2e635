//! What recorded parsers answer to lines whose effect an edition does not specify.

use robotspec_reference::{Doubt, Question, Verdict};

use crate::visible_bytes;

/// What parsers answered to rows that an edition does not decide, as `harness/adapters/sides` wrote it. The first line has the
/// date and the parsers. Each other line has a question, its subject, the verdict that each admitted answer gives, and for each
/// parser its verdict on all such rows.
const RECORDED: &str = include_str!("../../parsers.tsv");

/// The questions about a name, of which similar subjects are alike: a parser reads `/1.0` as it reads `/2.1`.
const ABOUT_NAMES: [Question; 4] =
    [Question::StarText, Question::AgentSuffix, Question::AgentText, Question::AgentOther];

/// How many parsers give each verdict on rows about such a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sides {
    /// Those that allow.
    pub allow: usize,
    /// Those that disallow.
    pub disallow: usize,
    /// The date of the record.
    pub date: &'static str,
}

/// Counts the parsers on each side of a question. A parser is counted where it gives one verdict on all rows about lines of
/// the same form whose verdict turns on the same answers. Returns `None` if there are no such rows.
pub(super) fn sides(doubt: &Doubt<Verdict>) -> Option<Sides> {
    let subject = match &doubt.subjects[..] {
        [] => String::new(),
        [subject] => visible_bytes(subject),
        _ => return None,
    };
    let form = form_of(doubt.question, &subject);
    let mut answers: Vec<String> =
        doubt.answers.iter().map(|(choice, verdict)| format!("{}={verdict}", choice.id())).collect();
    answers.sort_unstable();
    let wanted = [doubt.question.id(), &form, &answers.join(",")];
    let mut lines = RECORDED.lines().map(|line| line.split('\t'));
    let mut head = lines.next()?;
    let date = head.next()?;
    let mut verdicts = vec![(false, false); head.count()];
    for mut line in lines {
        let (Some(question), Some(subject), Some(answers)) = (line.next(), line.next(), line.next()) else {
            continue;
        };
        if [question, &form_of(doubt.question, subject), answers] == wanted {
            for ((allows, disallows), cell) in verdicts.iter_mut().zip(line) {
                *allows |= matches!(cell, "allow" | "both");
                *disallows |= matches!(cell, "disallow" | "both");
            }
        }
    }
    let count = |side| verdicts.iter().filter(|verdict| **verdict == side).count();
    let (allow, disallow) = (count((true, false)), count((false, true)));
    (allow + disallow > 0).then_some(Sides { allow, disallow, date })
}

/// Returns what a subject has in common with those that are alike: of a name, each run of letters and of digits is one.
fn form_of(question: Question, subject: &str) -> String {
    let mut form = subject.to_lowercase();
    if ABOUT_NAMES.contains(&question) {
        let class = |c: char| match c {
            '0'..='9' => '0',
            c if c.is_alphabetic() => 'a',
            c => c,
        };
        form = form.chars().map(class).collect();
        let mut before = None;
        form.retain(|c| before.replace(c) != Some(c));
    }
    form
}
