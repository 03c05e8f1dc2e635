//! An adapter without faults: the reference in the plainest reading of RFC 9309 behind the protocol.

use std::collections::HashMap;
use std::io::{self, Write};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use robotspec_reference::access::{Access, Fetch, access_read};
use robotspec_reference::{Edition, Reading, RobotsTxt, Ruling, Verdict};
use robotspec_test_client::{Client, ClientOptions};
use serde_json::{Value, json};

/// Reads requests from standard input, one JSON object per line, and writes the reply to each, with the same
/// `id`, as a line on standard output. The program ends at the end of the input.
fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    let mut sites = Sites::new();
    for line in io::stdin().lines() {
        let request: Value = serde_json::from_str(&line?)?;
        let mut reply = answer(&request, &mut sites);
        reply["id"] = request["id"].clone();
        writeln!(out, "{reply}")?;
        out.flush()?;
    }
    Ok(())
}

fn answer(request: &Value, sites: &mut Sites) -> Value {
    match request["op"].as_str() {
        Some("hello") => {
            let ops = ["match", "sitemaps", "fetch", "clock"];
            json!({ "protocol": 1, "name": "example", "language": "rust", "ops": ops })
        }
        Some("match") => {
            let robots = robots_bytes(request);
            let checks = request["checks"].as_array().map(Vec::as_slice).unwrap_or_default();
            json!({ "verdicts": checks.iter().map(|check| verdict(&robots, check)).collect::<Vec<_>>() })
        }
        Some("sitemaps") => json!({ "sitemaps": sitemaps(&robots_bytes(request)) }),
        Some("fetch") => match fetch(request, sites) {
            Ok(verdicts) => json!({ "verdicts": verdicts }),
            Err(error) => json!({ "error": error }),
        },
        op => json!({ "error": format!("there is no operation {op:?}") }),
    }
}

/// Returns the bytes of the robots.txt, which a request has as text if it is UTF-8, and otherwise in Base64.
fn robots_bytes(request: &Value) -> Vec<u8> {
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

/// Fetches the robots.txt of the site of the URLs, at the time that the request gives.
fn fetch(request: &Value, sites: &mut Sites) -> Result<Vec<&'static str>, String> {
    let urls: Vec<&str> =
        request["urls"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let now = request["now"].as_u64().unwrap_or_default();
    let timeout = Duration::from_millis(request["timeout_ms"].as_u64().unwrap_or(1000));
    let agent = request["agent"].as_str().unwrap_or_default();
    let access = access_now(sites, agent, urls.first().copied().unwrap_or_default(), now, timeout)?;
    let allows = |url: &&str| match access.ruling(Edition::Rfc9309, agent, url) {
        Ok(Ruling::Allow) => "allow",
        _ => "disallow",
    };
    Ok(urls.iter().map(allows).collect())
}

// ---- The parser: here the reference, in the plainest reading of RFC 9309. ----

/// The visits to each site, by its origin.
type Sites = HashMap<String, Vec<Fetch>>;

fn access_now(
    sites: &mut Sites,
    agent: &str,
    url: &str,
    now: u64,
    timeout: Duration,
) -> Result<Access, String> {
    let client = Client::new(agent, ClientOptions { timeout, ..ClientOptions::default() });
    let visit = client.visit(url, now).map_err(|error| error.to_string())?;
    let origin = url.split('/').take(3).collect::<Vec<_>>().join("/");
    let visits = sites.entry(origin).or_default();
    visits.push(visit);
    Ok(access_read(&Reading::plainest(Edition::Rfc9309), visits))
}

fn may_fetch(robots: &[u8], agent: &str, url: &str) -> Result<bool, String> {
    let reading = Reading::plainest(Edition::Rfc9309);
    let decision = RobotsTxt::parse(robots).decide(&reading, agent, url);
    decision.map(|decision| decision.verdict == Verdict::Allow).map_err(|error| error.to_string())
}

fn sitemaps(robots: &[u8]) -> Vec<String> {
    let sitemaps = RobotsTxt::parse(robots).sitemaps(Edition::Rfc9309);
    sitemaps.into_iter().filter(|sitemap| sitemap.certain).map(|sitemap| sitemap.url).collect()
}
