//! An input and its answers as Markdown, for an issue.

use robotspec_cases::reasons::OpenQuestion;
use robotspec_reference::{Edition, RobotsTxt, split_lines};
use robotspec_text::document::{Block, Line, Tone, markdown};
use robotspec_text::escaped;

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
    let row = |group: &Group| vec![group.ruling.to_string().into(), names(&group.editions).into()];
    let mut blocks = vec![
        Block::Lines(0, shown(file)),
        Block::Item(0, Line::from("agent: ").code(agent)),
        Block::Item(0, Line::from("URL: ").code(url)),
        Block::Table {
            header: vec!["answer", "editions"],
            rows: groups.iter().map(row).collect(),
            numbers: 0..0,
        },
    ];
    blocks.extend(groups.iter().flat_map(about_group));
    let link = link.filter(|link| is_plain(link));
    let link = link.map(|link| Line::default().link("The same input in the playground", link));
    blocks.extend(link.map(Block::Paragraph));
    Ok(markdown(&blocks))
}

/// Returns the lines of a file, with escapes.
fn shown(file: &[u8]) -> Vec<String> {
    let start = &file[..file.len().min(LONGEST_FILE)];
    let rest = (start.len() < file.len()).then(|| format!("… ({} bytes)", file.len()));
    split_lines(start).map(|line| escaped(line.text)).chain(rest).collect()
}

fn names(editions: &[Edition]) -> String {
    editions.iter().map(|edition| edition.id()).collect::<Vec<_>>().join(", ")
}

fn about_group(group: &Group) -> Vec<Block> {
    let heading = Line::default().toned(Tone::Strong, group.ruling.to_string());
    let mut blocks = vec![Block::Paragraph(heading.text(format!(" in {}:", names(&group.editions))))];
    blocks.extend(group.reasons.questions.iter().flat_map(about_question));
    if !group.reasons.questions.is_empty() {
        blocks.push(Block::Item(0, "in the plainest reading:".into()));
    }
    let sentences = group.reasons.sentences.iter();
    blocks.extend(sentences.map(|sentence| Block::Item(0, Line::default().prose(sentence))));
    // The words of RFC 9309 are quoted, or else those of the newest edition.
    let rfc9309 = group.editions.iter().find(|edition| **edition == Edition::Rfc9309);
    let Some(edition) = rfc9309.or(group.editions.last()) else { return blocks };
    for citation in group.citations.get(edition).into_iter().flatten() {
        let place = format!("{} ({edition}, {}): ", citation.clause, citation.section);
        blocks.push(Block::Item(0, Line::from(place).prose(citation.statement)));
        blocks.extend(citation.quote.map(|quote| Block::Item(1, format!("“{quote}”").into())));
    }
    blocks
}

fn about_question(open: &OpenQuestion) -> Vec<Block> {
    let question = Line::from(format!("{}: ", open.question)).prose(open.asks);
    let mut blocks = vec![Block::Item(0, question.text(" (").prose(open.because).text(")"))];
    let supposing = open.supposing.iter();
    blocks.extend(supposing.map(|supposed| Block::Item(1, Line::from("supposing ").code(supposed))));
    blocks.extend(open.answers.iter().map(|answer| {
        let gives = Line::default().code(answer.answer).text(" gives ");
        let gives = gives.toned(Tone::Strong, answer.gives.to_string()).text(": ");
        Block::Item(1, gives.prose(answer.meaning))
    }));
    blocks
}

/// Returns whether an address has no character that Markdown could read in another way.
fn is_plain(link: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b":/?#&=%+._-".contains(&byte);
    (link.starts_with("https://") || link.starts_with("http://")) && link.bytes().all(is_plain)
}
