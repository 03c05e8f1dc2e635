//! Output that a CI system does not obey.

use std::io::{self, Write};

use robotspec_text::inert::inert_line;

/// An output whose lines are [inert](inert_line). A line that has no end yet is kept until the next flush.
pub(super) struct InertLines<W: Write> {
    out: W,
    line: Vec<u8>,
}

impl<W: Write> InertLines<W> {
    pub(super) fn new(out: W) -> Self {
        InertLines { out, line: Vec::new() }
    }
}

impl<W: Write> Write for InertLines<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line.extend_from_slice(bytes);
        if bytes.contains(&b'\n') {
            let lines = std::mem::take(&mut self.line);
            for line in lines.split_inclusive(|byte| *byte == b'\n') {
                match line.ends_with(b"\n") {
                    true => write_inert(&mut self.out, line)?,
                    false => self.line = line.to_vec(),
                }
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        write_inert(&mut self.out, &std::mem::take(&mut self.line))?;
        self.out.flush()
    }
}

impl<W: Write> Drop for InertLines<W> {
    fn drop(&mut self) {
        // A caller that needs to know of an error calls `flush`.
        let _ = self.flush();
    }
}

fn write_inert(out: &mut impl Write, line: &[u8]) -> io::Result<()> {
    match std::str::from_utf8(line) {
        Ok(text) => out.write_all(inert_line(text).as_bytes()),
        // Every format is UTF-8.
        Err(_) => out.write_all(line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_may_be_written_in_parts() {
        let mut written = Vec::new();
        let mut out = InertLines::new(&mut written);
        for part in ["a", "::b\n ", ":", ":c\n\n#", "#[d]\n::", "e"] {
            write!(out, "{part}").expect("a vector");
        }
        drop(out);
        assert_eq!(String::from_utf8_lossy(&written), "a::b\n \\u{3a}:c\n\n#\\u{23}[d]\n\\u{3a}:e");
    }
}
