//! Documents on a terminal.

use std::io::Write;

use anyhow::Result;
use robotspec_text::document::{Block, Tone, block_lines};
use robotspec_text::excerpt::MARK;
use robotspec_text::visible;

use super::people::in_lines;
use super::style::{BAD, FAINT, GOOD, OPEN, STRONG, columns, styled};
use super::table::table;

/// Writes a document this far to the right: each heading behind an empty line, and what follows it further to the right.
pub(crate) fn write_document(
    indentation: usize,
    blocks: &[Block],
    out: &mut (impl Write + ?Sized),
) -> Result<()> {
    let mut indent = " ".repeat(indentation);
    for (place, block) in blocks.iter().enumerate() {
        match block {
            Block::Heading(level, line) => {
                let before = "  ".repeat(usize::from(level.saturating_sub(3)));
                let empty = if place > 0 || *level == 3 { "\n" } else { "" };
                writeln!(out, "{empty}{before}{}", styled(STRONG, line.plain()))?;
                indent = before + "  ";
            }
            Block::Table { header, rows, numbers } => {
                let rows = rows.iter().map(|cells| cells.iter().map(|cell| cell.styled(&tone)));
                writeln!(out, "{}", table(header, rows, numbers.clone()))?;
            }
            Block::Command(depth, label, command) => {
                let label = format!("{indent}{}{label}: ", "  ".repeat(usize::from(*depth)));
                writeln!(out, "{label}{}", in_lines(label.len(), &visible(command), columns()))?;
            }
            Block::Item(0, line) if is_start_of_failure(blocks, place) => {
                writeln!(out, "\n{indent}{}", line.styled(&tone))?;
            }
            block => {
                for line in block_lines(block, &tone) {
                    let decides = matches!(block, Block::Lines(..)) && line.trim_start().starts_with(MARK);
                    let line = if decides { line.replacen(MARK, &styled(OPEN, MARK), 1) } else { line };
                    writeln!(out, "{indent}{line}")?;
                }
            }
        }
    }
    Ok(())
}

/// Returns whether an item has a query below it, so that an empty line sets it apart.
fn is_start_of_failure(blocks: &[Block], place: usize) -> bool {
    let below = blocks[place + 1..]
        .iter()
        .take_while(|block| !matches!(block, Block::Item(0, _) | Block::Heading(..)));
    below.into_iter().any(|block| matches!(block, Block::Lines(..)))
}

fn tone(tone: Tone, text: &str) -> String {
    let style = match tone {
        Tone::Good => GOOD,
        Tone::Bad => BAD,
        Tone::Open => OPEN,
        Tone::Strong => STRONG,
        Tone::Faint => FAINT,
    };
    styled(style, text)
}
