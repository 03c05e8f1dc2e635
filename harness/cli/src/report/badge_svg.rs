//! The badge as a picture, for pages that load nothing from elsewhere.

use std::io::Write;

use anyhow::Result;
use robotspec::RunRecord;

use crate::report::Catalog;
use crate::report::badge::{Badge, Color};

/// The space at both ends of a text, in pixels.
const MARGIN: usize = 6;

/// The average width of a character, in tenths of a pixel. The text is set to the width that follows.
const CHARACTER: usize = 65;

pub(super) fn write(record: &RunRecord, _: &Catalog, out: &mut dyn Write) -> Result<()> {
    out.write_all(picture(&Badge::of(record)).as_bytes())?;
    Ok(())
}

/// Draws a badge, whose texts consist of words of this program and numbers.
fn picture(Badge { label, message, color, .. }: &Badge) -> String {
    let length = |text: &str| text.chars().count() * CHARACTER / 10;
    let (left, right) = (length(label) + 2 * MARGIN, length(message) + 2 * MARGIN);
    let color = match color {
        Color::BrightGreen | Color::Green => "#2e7d32",
        Color::Yellow => "#8a6100",
        Color::Orange => "#b04a00",
        Color::Red => "#b3261e",
        Color::LightGrey => "#6b6b6b",
    };
    let text = |start: usize, text: &str| {
        let (x, length) = (start + MARGIN, length(text));
        format!(r#"<text x="{x}" y="14" textLength="{length}">{text}</text>"#)
    };
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="20" role="img" aria-label="{label}: {message}">
<title>{label}: {message}</title>
<clipPath id="round"><rect width="{width}" height="20" rx="3"/></clipPath>
<g clip-path="url(#round)"><rect width="{left}" height="20" fill="#444"/><rect x="{left}" width="{right}" height="20" fill="{color}"/></g>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">{on_left}{on_right}</g>
</svg>
"##,
        width = left + right,
        on_left = text(0, label),
        on_right = text(left, message),
    )
}
