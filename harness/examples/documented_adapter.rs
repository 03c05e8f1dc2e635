//! An adapter that says what stands in a file, and understands nothing else:
//! the arrows of `→ REQUEST` and `← REPLY`, a line each, as the documentation
//! has them. It tells the other side of the protocol from what is written of it.

use std::io::{self, Write};
use std::{env, fs};

use serde_json::Value;

fn main() -> io::Result<()> {
    let script = fs::read_to_string(env::args().nth(1).unwrap_or_default())?;
    let read = |line: &str| serde_json::from_str::<Value>(line).map_err(io::Error::other);
    let mut exchanges: Vec<(Value, Value)> = Vec::new();
    for line in script.lines() {
        if let Some(request) = line.strip_prefix("→ ") {
            exchanges.push((read(request)?, Value::Null));
        } else if let (Some(reply), Some((_, last))) = (line.strip_prefix("← "), exchanges.last_mut()) {
            *last = read(reply)?;
        }
    }
    for line in io::stdin().lines() {
        let line = line?;
        let mut request = read(&line)?;
        let Some((written, reply)) = exchanges.iter().find(|(written, _)| is_as_written(&request, written))
        else {
            return Err(io::Error::other(format!("nothing is written of {line}")));
        };
        let mut reply = reply.clone();
        // The number is the only thing that may be another one.
        if reply["id"] == written["id"] {
            reply["id"] = request["id"].take();
        }
        writeln!(io::stdout(), "{reply}")?;
    }
    Ok(())
}

/// Whether they are the same, but for the number and the version.
fn is_as_written(request: &Value, written: &Value) -> bool {
    let (mut request, mut written) = (request.clone(), written.clone());
    for message in [&mut request, &mut written] {
        if let Some(fields) = message.as_object_mut() {
            fields.remove("id");
            fields.remove("harness");
        }
    }
    request == written
}
