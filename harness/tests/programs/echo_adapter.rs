//! An adapter that allows every URL and reads no robots.txt, for measuring the overhead of the harness.

use std::io::{BufRead, BufReader, BufWriter, Write};

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::json;

#[derive(Deserialize)]
struct Request {
    id: u64,
    op: String,
    #[serde(default)]
    checks: Vec<IgnoredAny>,
}

/// Answers each line until the end of the input.
pub(crate) fn main() {
    let mut input = BufReader::with_capacity(64 << 10, std::io::stdin());
    let mut output = BufWriter::new(std::io::stdout());
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line).expect("a line") > 0 {
        let request: Request = serde_json::from_slice(&line).expect("a request");
        let reply = match request.op.as_str() {
            "hello" => json!({"id": request.id, "protocol": 1, "name": "echo", "ops": ["match"]}),
            _ => json!({"id": request.id, "verdicts": vec!["allow"; request.checks.len()]}),
        };
        writeln!(output, "{reply}").expect("a reader");
        // With an empty buffer, the harness may wait for the replies before it sends more requests.
        if input.buffer().is_empty() {
            output.flush().expect("a reader");
        }
        line.clear();
    }
}
