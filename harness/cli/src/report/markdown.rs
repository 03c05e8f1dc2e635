//! Markdown for the summary of a CI job. GitHub cuts a summary off at 1 MiB, so that only a few rows of a clause are shown.

use std::io::Write;

use anyhow::Result;
use robotspec::RunRecord;
use robotspec_text::document::{Block, Line, Tone, markdown};
use robotspec_text::sentences::counted;

use crate::report::Catalog;
use crate::report::summary::{self, Detail};

const DETAIL: Detail = Detail {
    clauses: usize::MAX,
    rows: 5,
    is_full: false,
    is_all: false,
    has_known: true,
    is_only_in_variants: false,
};

pub(super) fn write(record: &RunRecord, catalog: &Catalog, out: &mut dyn Write) -> Result<()> {
    let (tone, verdict) = summary::verdict(record);
    let mark = match tone {
        Tone::Good => "✅ ",
        Tone::Bad => "❌ ",
        _ => "🟡 ",
    };
    let mut blocks = vec![
        Block::Heading(2, "robots.txt conformance".into()),
        Block::Paragraph(Line::from(mark).toned(Tone::Strong, verdict).text(".")),
    ];
    if let Some(page) = &catalog.page {
        let line = Line::from("Each input and each answer: ").link("the page of these results", page);
        blocks.push(Block::Paragraph(line.text(".")));
    }
    blocks.push(summary::overview(&record.implementations, false));
    blocks.extend(summary::implementations(record, catalog, DETAIL));
    let by = format!("robotspec {}, {}.", record.robotspec, counted(record.check_count(), "check"));
    blocks.push(Block::Paragraph(by.into()));
    out.write_all(markdown(&blocks).as_bytes())?;
    Ok(())
}
