//! Long values in few words.

use std::ops::Range;

/// The number of characters of a value that are shown, before and after what is left out.
const VALUE_START: usize = 140;
const VALUE_END: usize = 40;

/// The length of a run of one character from which on it is counted instead of shown.
const RUN: usize = 32;

/// Returns a value that may be as long as a file, such as a URL, in a few lines: long runs of a character are counted, and
/// the middle is left out. What is shortened ends with its length.
pub fn brief(value: &str) -> String {
    let length = value.chars().count();
    if length <= VALUE_START + VALUE_END {
        return value.to_owned();
    }
    let counted = with_counted_runs(value);
    let shown = counted.chars().count();
    let kept = |range: Range<usize>| counted.chars().skip(range.start).take(range.len()).collect::<String>();
    let text = match shown > VALUE_START + VALUE_END {
        true => format!("{} … {}", kept(0..VALUE_START), kept(shown - VALUE_END..shown)),
        false => counted,
    };
    format!("{text} ({} characters)", grouped(length))
}

/// How many values of a list are shown.
const LISTED: usize = 20;

/// Returns a list of values in quotation marks, of which long ones and a long rest are shortened.
pub fn brief_list(values: &[String]) -> String {
    let shown: Vec<String> = values.iter().take(LISTED).map(|value| format!("{:?}", brief(value))).collect();
    let rest = match values.len().saturating_sub(LISTED) {
        0 => String::new(),
        rest => format!(" and {rest} more"),
    };
    format!("[{}]{rest}", shown.join(", "))
}

/// Returns a text with the number of times of each character that is repeated often, such as `a{4,096}`.
fn with_counted_runs(text: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let runs = characters.chunk_by(|a, b| a == b).map(|run| match run.len() {
        length @ RUN.. => format!("{}{{{}}}", run[0], grouped(length)),
        _ => run.iter().collect(),
    });
    runs.collect()
}

/// Returns a number with commas between the thousands.
pub fn grouped(number: usize) -> String {
    match number / 1000 {
        0 => number.to_string(),
        thousands => format!("{},{:03}", grouped(thousands), number % 1000),
    }
}
