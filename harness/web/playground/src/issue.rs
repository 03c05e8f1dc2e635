//! An input and its answers as Markdown, for an issue.

use std::fmt::Write;

use robotspec_cases::reasons::OpenQuestion;
use robotspec_reference::{Edition, RobotsTxt, split_lines};
use robotspec_text::escaped;
use robotspec_text::markup::{code, fenced, prose, text};

use crate::group::{Group, groups};
use crate::place::Places;

/// The length of the longest file that is written as a whole, in bytes.
const LONGEST_FILE: usize = 20_000;

/// Returns the file, the query and the answers of all editions as Markdown.
///
/// # Errors
///
/// The text is not a URL.
pub fn issue(file: &[u8], agent: &str, url: &str, link: Option<&str>) -> Result<String, String> {
    let groups = groups(&RobotsTxt::parse(file), &Places::new(file), agent, url);
    let groups = groups.map_err(|error| error.to_string())?;
    let mut out = String::new();
    out.push_str(&fenced("text", &shown(file)));
    let _ = writeln!(out, "\n- agent: {}\n- URL: {}\n", code(agent), code(url));
    out.push_str("| answer | editions |\n| --- | --- |\n");
    for group in &groups {
        let _ = writeln!(out, "| {} | {} |", group.ruling, names(&group.editions));
    }
    for group in &groups {
        write_group(group, &mut out);
    }
    if let Some(link) = link.filter(|link| is_plain(link)) {
        let _ = writeln!(out, "\n[The same input in the playground]({link})");
    }
    Ok(out)
}

/// Returns the lines of a file, with escapes.
fn shown(file: &[u8]) -> String {
    let start = &file[..file.len().min(LONGEST_FILE)];
    let mut text: String = split_lines(start).map(|line| escaped(line.text) + "\n").collect();
    if start.len() < file.len() {
        let _ = writeln!(text, "… ({} bytes)", file.len());
    }
    text
}

fn names(editions: &[Edition]) -> String {
    editions.iter().map(|edition| edition.id()).collect::<Vec<_>>().join(", ")
}

fn write_group(group: &Group, out: &mut String) {
    let _ = writeln!(out, "\n**{}** in {}:\n", group.ruling, names(&group.editions));
    for open in &group.reasons.questions {
        write_question(open, out);
    }
    if !group.reasons.questions.is_empty() {
        out.push_str("- in the plainest reading:\n");
    }
    for sentence in &group.reasons.sentences {
        let _ = writeln!(out, "- {}", prose(sentence));
    }
    let edition = lead(&group.editions);
    for citation in group.citations.get(&edition).into_iter().flatten() {
        let (clause, section) = (text(citation.clause), text(citation.section));
        let _ = writeln!(out, "- {clause} ({edition}, {section}): {}", prose(citation.statement));
        if let Some(quote) = citation.quote {
            let _ = writeln!(out, "  > {}", text(quote));
        }
    }
}

fn write_question(open: &OpenQuestion, out: &mut String) {
    let _ = writeln!(out, "- {}: {} ({})", text(open.question), prose(open.asks), prose(open.because));
    for supposed in &open.supposing {
        let _ = writeln!(out, "  - supposing {}", code(supposed));
    }
    for answer in &open.answers {
        let _ = writeln!(
            out,
            "  - {} gives **{}**: {}",
            code(answer.answer),
            answer.gives,
            prose(answer.meaning)
        );
    }
}

/// Returns the edition of a group whose words are quoted: RFC 9309, or else the newest.
fn lead(editions: &[Edition]) -> Edition {
    let newest = editions.last().copied().unwrap_or(Edition::Rfc9309);
    if editions.contains(&Edition::Rfc9309) { Edition::Rfc9309 } else { newest }
}

/// Returns whether an address has no character that Markdown could read in another way.
fn is_plain(link: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b":/?#&=%+._-".contains(&byte);
    (link.starts_with("https://") || link.starts_with("http://")) && link.bytes().all(is_plain)
}
