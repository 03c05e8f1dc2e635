//! A crawler: it fetches the robots.txt first, and then follows the links that the robots.txt allows, here by the reference
//! in the plainest reading of RFC 9309.
//!
//! With a second argument it misbehaves: `rude` never fetches the robots.txt, `idle` never
//! ends, `late` fetches the robots.txt after all pages, `loud` writes a line of 20 MB first, `shy` fetches no page,
//! `cut` first sends requests that are not complete or name no port, and `blind` follows the redirects of pages without asking.

use std::collections::HashSet;
use std::env;
use std::error::Error;
use std::io::{self, Write};
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use robotspec_reference::access::{Access, access_read};
use robotspec_reference::{Edition, Reading, Ruling};
use robotspec_test_client::{Client, ClientOptions};

const AGENT: &str = "FooBot";

const PATIENCE: Duration = Duration::from_secs(1);

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let start = arguments.next().ok_or("give the URL to start from")?;
    match arguments.next().as_deref() {
        None | Some("blind" | AGENT) => crawl(&start, &access(&start)?),
        Some("loud") => {
            io::stdout().write_all(&vec![b'x'; 20 << 20])?;
            crawl(&start, &access(&start)?)
        }
        Some("cut") => {
            let address = start.split('/').nth(2).ok_or("give an absolute URL")?;
            for request in [
                "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\nx",
                "POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nx\r\n",
                "GET http://a:99999/ HTTP/1.1\r\nhost: a\r\n\r\n",
            ] {
                TcpStream::connect(address)?.write_all(request.as_bytes())?;
            }
            crawl(&start, &access(&start)?)
        }
        Some("rude") => crawl(&start, &Access::FullAllow),
        Some("late") => {
            crawl(&start, &Access::FullAllow)?;
            access(&start).map(drop)
        }
        Some("shy") => access(&start).map(drop),
        _ => loop {
            thread::sleep(PATIENCE);
        },
    }
}

fn access(start: &str) -> Result<Access, Box<dyn Error>> {
    let client = Client::new(AGENT, ClientOptions { timeout: PATIENCE, ..ClientOptions::default() });
    let visit = client.visit(start, 0)?;
    Ok(access_read(&Reading::plainest(Edition::Rfc9309), &[visit]))
}

fn crawl(start: &str, access: &Access) -> Result<(), Box<dyn Error>> {
    let client = Client::new(AGENT, ClientOptions::default());
    let is_blind = env::args().nth(2).as_deref() == Some("blind");
    let origin = start.trim_end_matches('/');
    let mut waiting = vec![start.to_owned()];
    let mut seen: HashSet<String> = HashSet::new();
    while let Some(url) = waiting.pop() {
        if !seen.insert(url.clone()) || access.ruling(Edition::Rfc9309, AGENT, &url)? != Ruling::Allow {
            continue;
        }
        // A page that cannot be fetched has no links.
        let Some(page) = client.page(&url) else { continue };
        let page = match page {
            Ok(page) => page,
            Err(next) if is_blind => client.page(&next).and_then(Result::ok).unwrap_or_default(),
            // It stays at the origin whose rules it knows.
            Err(next) => {
                waiting.extend(Some(next).filter(|next| next.starts_with(start)));
                continue;
            }
        };
        let links = page.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
        waiting.extend(links.map(|link| format!("{origin}{link}")));
    }
    Ok(())
}
