//! An adapter that replies only to the requests in a file, with the replies in the file: lines `→ REQUEST`
//! and `← REPLY`, as in the chapter of the book. It tests that the harness follows the documented protocol.

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
            return Err(io::Error::other(format!("the file has no request {line}")));
        };
        let mut reply = reply.clone();
        // The reply repeats the id of the request, which differs from the documented id.
        if reply["id"] == written["id"] {
            reply["id"] = request["id"].take();
        }
        writeln!(io::stdout(), "{reply}")?;
    }
    Ok(())
}

/// Returns whether a request equals the documented one, apart from the values that differ in each run: the
/// id, the version, and for `fetch` the port of the site and the times.
fn is_as_written(request: &Value, written: &Value) -> bool {
    let (mut request, mut written) = (request.clone(), written.clone());
    for message in [&mut request, &mut written] {
        if let Some(fields) = message.as_object_mut() {
            for field in ["id", "harness", "timeout_ms", "now"] {
                fields.remove(field);
            }
        }
        for url in message["urls"].as_array_mut().into_iter().flatten() {
            let path = url.as_str().and_then(|url| url.rsplit('/').next()).map(str::to_owned);
            *url = path.into();
        }
    }
    request == written
}
