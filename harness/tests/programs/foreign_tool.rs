//! A robots.txt tool that does not use the protocol of this project, for the tests of `--exec`. It gets a
//! file, an agent and a URL in its arguments, or the file on standard input, and reports its verdict by the
//! exit status.
//!
//! ```console
//! $ foreign_tool robots.txt FooBot https://example.com/
//! $ foreign_tool - FooBot https://example.com/ < robots.txt
//! ```
//!
//! The first argument may be an option: `--exit ALLOW DISALLOW` sets other exit statuses, `--words` prints
//! the verdict on standard output, `--mutter` prints the arguments and exits with a status without a meaning,
//! `--crash` aborts, and `--hang` never ends.

use std::env;
use std::fs;
use std::io::{self, Read, Write};
use std::process::{abort, exit};
use std::thread;
use std::time::Duration;

use robotspec_reference::{Edition, Reading, RobotsTxt, Verdict};

fn main() -> io::Result<()> {
    let mut arguments: Vec<String> = env::args().skip(1).collect();
    let option = arguments.first().filter(|word| word.starts_with("--")).cloned().unwrap_or_default();
    arguments.drain(..usize::from(!option.is_empty()));
    let mut statuses = [0, 1];
    match &*option {
        "--crash" => abort(),
        "--hang" => loop {
            thread::sleep(Duration::from_secs(3600));
        },
        "--mutter" => {
            eprintln!("my arguments are {arguments:?}");
            exit(42)
        }
        "--exit" => {
            let given: Vec<i32> = arguments.drain(..2).filter_map(|status| status.parse().ok()).collect();
            statuses.copy_from_slice(&given);
        }
        _ => {}
    }
    let [file, agent, url] = &arguments[..] else { exit(64) };
    let verdict = verdict(&read(file)?, agent, url);
    match &*option {
        "--words" => writeln!(io::stdout(), "the page is {}", words(verdict)),
        _ => exit(statuses[usize::from(verdict == Verdict::Disallow)]),
    }
}

fn read(file: &str) -> io::Result<Vec<u8>> {
    if file != "-" {
        return fs::read(file);
    }
    let mut bytes = Vec::new();
    io::stdin().read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn verdict(robots: &[u8], agent: &str, url: &str) -> Verdict {
    let reading = Reading::plainest(Edition::Rfc9309);
    match RobotsTxt::parse(robots).decide(&reading, agent, url) {
        Ok(decision) => decision.verdict,
        Err(_) => exit(65),
    }
}

fn words(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Allow => "open to all",
        Verdict::Disallow => "off limits",
    }
}
