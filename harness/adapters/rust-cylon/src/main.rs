//! Adapts cylon (<https://github.com/crestonbunch/cylon>).
//!
//! The complete list of adaptations:
//!
//! - The library reads bytes, and receives the file unchanged. It reads the file again for every check.
//! - `Compiler` receives the agent as it is. `allow` receives the part of the URL after the authority and before `#`, with a
//!   slash at the start if it has none. True is "allow", false is "disallow".
//! - The library does not read sitemaps. Its version is that in Cargo.toml.
//! - An error or a panic is the error of that one check.

use std::io::{BufRead, Write, stdin, stdout};
use std::panic::catch_unwind;

use base64::{Engine, prelude::BASE64_STANDARD};
use cylon::Compiler;
use futures_executor::block_on;
use futures_util::io::Cursor;
use serde_json::{Value, json};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn text<'a>(object: &'a Value, key: &str) -> Result<&'a str> {
    object[key].as_str().ok_or_else(|| format!("no {key}").into())
}

fn is_allowed(robots: &[u8], check: &Value) -> Result<bool> {
    let rules = block_on(Compiler::new(text(check, "agent")?).compile(Cursor::new(robots)))?;
    Ok(rules.allow(&path_of(text(check, "url")?)))
}

fn path_of(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = &rest[rest.find(['/', '?', '#']).unwrap_or(rest.len())..];
    let path = path.split('#').next().unwrap_or_default();
    if path.starts_with('/') { path.to_owned() } else { format!("/{path}") }
}

fn matched(request: &Value) -> Result<Value> {
    let robots = match request["robots_base64"].as_str() {
        Some(base64) => BASE64_STANDARD.decode(base64)?,
        None => text(request, "robots")?.into(),
    };
    let verdict = |check| match catch_unwind(|| is_allowed(&robots, check).map_err(|error| error.to_string())) {
        Ok(Ok(true)) => json!("allow"),
        Ok(Ok(false)) => json!("disallow"),
        Ok(Err(error)) => json!({ "error": error }),
        Err(_) => json!({ "error": "panicked" }),
    };
    let checks = request["checks"].as_array().ok_or("no checks")?;
    Ok(json!({ "verdicts": checks.iter().map(verdict).collect::<Vec<_>>() }))
}

fn answer(request: &Value) -> Result<Value> {
    match text(request, "op")? {
        "hello" => Ok(json!({
            "protocol": 1, "name": "cylon", "version": "0.3.3", "language": "rust",
            "homepage": "https://github.com/crestonbunch/cylon", "package": "cylon (crates.io)", "ops": ["match"],
        })),
        "match" => matched(request),
        other => Err(format!("unknown op {other}").into()),
    }
}

fn main() -> Result<()> {
    for line in stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line?).unwrap_or_default();
        let mut reply = answer(&request).unwrap_or_else(|error| json!({ "error": error.to_string() }));
        reply["id"] = request["id"].clone();
        writeln!(stdout(), "{reply}")?;
    }
    Ok(())
}
