//! Output that changes each of its lines.

use std::io::{self, Write};

/// An output that writes what `change` makes of each line, with its line break. A line that has no end yet is kept until the
/// next flush.
pub(super) struct Lines<W: Write, F: Fn(&str) -> String> {
    out: W,
    change: F,
    line: Vec<u8>,
}

impl<W: Write, F: Fn(&str) -> String> Lines<W, F> {
    pub(super) fn new(out: W, change: F) -> Self {
        Lines { out, change, line: Vec::new() }
    }
}

impl<W: Write, F: Fn(&str) -> String> Write for Lines<W, F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line.extend_from_slice(bytes);
        if let Some(end) = bytes.iter().rposition(|byte| *byte == b'\n') {
            let rest = self.line.split_off(self.line.len() - bytes.len() + end + 1);
            let lines = std::mem::replace(&mut self.line, rest);
            for line in String::from_utf8_lossy(&lines).split_inclusive('\n') {
                self.out.write_all((self.change)(line).as_bytes())?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        self.out.write_all((self.change)(&String::from_utf8_lossy(&line)).as_bytes())?;
        self.out.flush()
    }
}

impl<W: Write, F: Fn(&str) -> String> Drop for Lines<W, F> {
    fn drop(&mut self) {
        // A caller that needs to know of an error calls `flush`.
        let _ = self.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_may_be_written_in_parts() {
        let mut written = Vec::new();
        let mut out = Lines::new(&mut written, |line| format!("<{line}>"));
        for part in ["a", "b\nc", "d\n\n", "e"] {
            write!(out, "{part}").expect("a vector");
        }
        drop(out);
        assert_eq!(String::from_utf8_lossy(&written), "<ab\n><cd\n><\n><e>");
    }
}
