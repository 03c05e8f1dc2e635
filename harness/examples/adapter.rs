//! A complete adapter: what stands between `robotspec run --adapter` and a
//! parser. To write one for a parser of your own, in any language, replace
//! what is below the line.
//!
//! ```console
//! $ cargo build --example adapter
//! $ robotspec run --adapter target/debug/examples/adapter
//! ```

use std::io::{self, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use robotspec_reference::{Edition, Reading, RobotsTxt, Verdict};
use serde_json::{Value, json};

/// One JSON object a line on standard input; its answer, with the same `id`,
/// a line on standard output. At the end of the input the program ends.
fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lines() {
        let request: Value = serde_json::from_str(&line?)?;
        let mut reply = answer(&request);
        reply["id"] = request["id"].clone();
        writeln!(out, "{reply}")?;
        out.flush()?;
    }
    Ok(())
}

fn answer(request: &Value) -> Value {
    match request["op"].as_str() {
        Some("hello") => {
            json!({ "protocol": 1, "name": "example", "language": "rust", "ops": ["match", "sitemaps"] })
        }
        Some("match") => {
            let robots = octets(request);
            let checks = request["checks"].as_array().map(Vec::as_slice).unwrap_or_default();
            json!({ "verdicts": checks.iter().map(|check| verdict(&robots, check)).collect::<Vec<_>>() })
        }
        Some("sitemaps") => json!({ "sitemaps": sitemaps(&octets(request)) }),
        op => json!({ "error": format!("there is no operation {op:?}") }),
    }
}

/// The file: as text where it is UTF-8, else in Base64.
fn octets(request: &Value) -> Vec<u8> {
    match request["robots"].as_str() {
        Some(text) => text.as_bytes().to_vec(),
        None => STANDARD.decode(request["robots_base64"].as_str().unwrap_or_default()).unwrap_or_default(),
    }
}

fn verdict(robots: &[u8], check: &Value) -> Value {
    let [agent, url] = ["agent", "url"].map(|key| check[key].as_str().unwrap_or_default());
    match may_fetch(robots, agent, url) {
        Ok(true) => json!("allow"),
        Ok(false) => json!("disallow"),
        Err(error) => json!({ "error": error }),
    }
}

// ---- The parser: here the reference, in the plainest reading of RFC 9309. ----

fn may_fetch(robots: &[u8], agent: &str, url: &str) -> Result<bool, String> {
    let reading = Reading::plainest(Edition::Rfc9309);
    let decision = RobotsTxt::parse(robots).decide(&reading, agent, url);
    decision.map(|decision| decision.verdict == Verdict::Allow).map_err(|error| error.to_string())
}

fn sitemaps(robots: &[u8]) -> Vec<String> {
    let sitemaps = RobotsTxt::parse(robots).sitemaps(Edition::Rfc9309);
    sitemaps.into_iter().filter(|sitemap| sitemap.certain).map(|sitemap| sitemap.url).collect()
}
