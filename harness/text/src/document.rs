//! Documents for people: what every report and every message about a failure is made of.
//!
//! A document says what is there, and a renderer says how it looks: [`markdown`] here, [`plain_lines`] for the output of
//! tests, and the terminal of the program with its colours and width. The parts contain foreign text as it is; the renderers
//! make it safe.

use std::ops::Range;

use crate::excerpt::cut;
use crate::inert::inert_line;
use crate::{markup, visible, visible_lines};

/// What a part of a line means, for a renderer with colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// A good result.
    Good,
    /// A bad result.
    Bad,
    /// A result that deserves attention.
    Open,
    /// It stands out.
    Strong,
    /// It is in the background.
    Faint,
}

/// A part of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Span {
    Text(String),
    /// A text in which code stands between backticks.
    Prose(String),
    Toned(Tone, String),
    /// A value, such as an answer or an id: code, where a document has no colours.
    Value(Tone, String),
    Code(String),
    Link {
        text: String,
        url: String,
    },
}

/// A line of text in parts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Line(Vec<Span>);

impl Line {
    fn with(mut self, span: Span) -> Line {
        self.0.push(span);
        self
    }

    /// Adds a text.
    #[must_use]
    pub fn text(self, text: impl Into<String>) -> Line {
        self.with(Span::Text(text.into()))
    }

    /// Adds a text in which code stands between backticks.
    #[must_use]
    pub fn prose(self, text: impl Into<String>) -> Line {
        self.with(Span::Prose(text.into()))
    }

    /// Adds a text in a tone.
    #[must_use]
    pub fn toned(self, tone: Tone, text: impl Into<String>) -> Line {
        self.with(Span::Toned(tone, text.into()))
    }

    /// Adds a value in a tone.
    #[must_use]
    pub fn value(self, tone: Tone, value: impl Into<String>) -> Line {
        self.with(Span::Value(tone, value.into()))
    }

    /// Adds code.
    #[must_use]
    pub fn code(self, code: impl Into<String>) -> Line {
        self.with(Span::Code(code.into()))
    }

    /// Adds a link.
    #[must_use]
    pub fn link(self, text: impl Into<String>, url: impl Into<String>) -> Line {
        self.with(Span::Link { text: text.into(), url: url.into() })
    }

    /// Adds another line.
    #[must_use]
    pub fn then(mut self, other: Line) -> Line {
        self.0.extend(other.0);
        self
    }

    /// Returns the line as text, with its tones as `style` shows them.
    pub fn styled(&self, style: &dyn Fn(Tone, &str) -> String) -> String {
        let span = |span: &Span| match span {
            Span::Text(text) | Span::Prose(text) | Span::Code(text) => visible(text),
            Span::Toned(tone, text) | Span::Value(tone, text) => style(*tone, &visible(text)),
            Span::Link { text, url } => format!("{}: {}", visible(text), visible(url)),
        };
        self.0.iter().map(span).collect()
    }

    /// Returns the line without markup.
    pub fn plain(&self) -> String {
        self.styled(&|_, text| text.to_owned())
    }

    fn markdown(&self, is_cell: bool) -> String {
        let span = |span: &Span| match span {
            Span::Text(text) if is_cell => markup::cell_text(text),
            Span::Text(text) => markup::text(text),
            Span::Prose(text) | Span::Toned(Tone::Faint, text) => markup::prose(text),
            Span::Toned(_, text) => format!("**{}**", markup::text(text)),
            Span::Value(_, text) | Span::Code(text) => markup::code(text),
            Span::Link { text, url } => format!("[{}]({url})", markup::text(text)),
        };
        self.0.iter().map(span).collect()
    }
}

impl<T: Into<String>> From<T> for Line {
    fn from(text: T) -> Line {
        Line::default().text(text)
    }
}

/// A block of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// A heading; 1 is the highest.
    Heading(u8, Line),
    /// A paragraph.
    Paragraph(Line),
    /// A quotation.
    Quote(Line),
    /// An item of a list, below this many others.
    Item(u8, Line),
    /// A table.
    Table {
        /// The titles of its columns.
        header: Vec<&'static str>,
        /// The cells of its rows.
        rows: Vec<Vec<Line>>,
        /// The columns with numbers.
        numbers: Range<usize>,
    },
    /// Lines as they are, such as those of a file, below this many items.
    Lines(u8, Vec<String>),
    /// A command, below this many items, with a label.
    Command(u8, &'static str, String),
    /// Blocks that a page hides until a reader wants them, with their title.
    Folded(&'static str, Vec<Block>),
}

/// Returns a document as Markdown.
pub fn markdown(blocks: &[Block]) -> String {
    let mut out = String::new();
    let mut before: Option<&Block> = None;
    for block in blocks {
        let belongs_together =
            |before: &Block| matches!((before, block), (Block::Item(..) | Block::Lines(..), Block::Item(..)));
        if before.is_some_and(|before| !belongs_together(before)) {
            out.push('\n');
        }
        out += &markdown_block(block);
        before = Some(block);
    }
    out
}

fn markdown_block(block: &Block) -> String {
    match block {
        Block::Heading(level, line) => {
            format!("{} {}\n", "#".repeat(usize::from(*level)), line.markdown(false))
        }
        Block::Paragraph(line) => format!("{}\n", line.markdown(false)),
        Block::Quote(line) => format!("> {}\n", line.markdown(false)),
        Block::Item(depth, line) => format!("{}- {}\n", indent(*depth), line.markdown(false)),
        Block::Table { header, rows, numbers } => {
            let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
            let rule = |place| if numbers.contains(&place) { "---:" } else { "---" }.to_owned();
            let titles = header.iter().map(|title| title.replace('\n', " ")).collect();
            let cells = |cells: &Vec<Line>| row(cells.iter().map(|cell| cell.markdown(true)).collect());
            row(titles)
                + &row((0..header.len()).map(rule).collect())
                + &rows.iter().map(cells).collect::<String>()
        }
        Block::Lines(depth, lines) => fenced(*depth, "text", lines),
        Block::Command(depth, _, command) => fenced(*depth, "sh", std::slice::from_ref(command)),
        Block::Folded(title, blocks) => {
            format!("<details><summary>{title}</summary>\n\n{}\n</details>\n", markdown(blocks))
        }
    }
}

/// A block of code is a part of the item above it.
fn fenced(depth: u8, language: &str, lines: &[String]) -> String {
    let text: String = lines.iter().map(|line| format!("{}\n", visible_lines(line))).collect();
    let indent = indent(depth);
    markup::fenced(language, &text).lines().map(|line| format!("{indent}{line}\n")).collect()
}

fn indent(depth: u8) -> String {
    "  ".repeat(usize::from(depth))
}

/// Returns a document without markup, in lines of at most this many characters. Tables are left out.
pub fn plain_lines(blocks: &[Block], width: usize) -> Vec<String> {
    let lines = blocks.iter().flat_map(|block| block_lines(block, &|_, text| text.to_owned()));
    lines.map(|line| cut(&inert_line(&line), width)).collect()
}

/// Returns the lines of a block that is no table, with its tones as `style` shows them.
pub fn block_lines(block: &Block, style: &dyn Fn(Tone, &str) -> String) -> Vec<String> {
    match block {
        Block::Heading(_, line) | Block::Paragraph(line) | Block::Quote(line) => vec![line.styled(style)],
        Block::Item(depth, line) => vec![format!("{}{}", indent(*depth), line.styled(style))],
        Block::Lines(depth, lines) => {
            let lines = lines.iter().flat_map(|text| {
                let text = visible_lines(text);
                text.lines().map(str::to_owned).collect::<Vec<_>>()
            });
            lines.map(|line| format!("{}{line}", indent(*depth))).collect()
        }
        Block::Command(depth, label, command) => {
            vec![format!("{}{label}: {}", indent(*depth), visible(command))]
        }
        Block::Table { .. } => Vec::new(),
        Block::Folded(_, blocks) => blocks.iter().flat_map(|block| block_lines(block, style)).collect(),
    }
}
