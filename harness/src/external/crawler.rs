//! A whole crawler that has no adapter: it is let loose on a small site, and
//! judged by the requests that arrive.

use std::collections::BTreeMap;
use std::path::{Path, absolute};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use robotspec_mock_server::{MockServer, Role, Scheme, Visit};

use robotspec_cases::{Query, TimedVisit};

use super::command_line::{BadCommand, fill, words};
use super::live::{Played, ensure_running, not_played, played};
use super::parallel;
use super::process::{Child, Output};
use crate::answer::{Fault, Verdict};
use crate::endpoint::{Batch, BatchAnswer, Endpoint, Incident, access_answer};
use crate::parser::Info;

/// Where a crawler starts.
const START: &str = "/";

/// A command that crawls a site.
#[derive(Debug, Clone)]
pub struct Crawler {
    command: String,
    words: Vec<String>,
    timeout: Duration,
    /// How many sites it is let loose on at the same time.
    jobs: usize,
    not_started: OnceLock<String>,
    is_reported: bool,
}

impl Crawler {
    /// A command with `{url}` where the page to start from is to stand. It
    /// runs in an empty folder, and has this long for a site; at so many sites
    /// at the same time.
    ///
    /// # Errors
    ///
    /// The command is no list of words, or has no `{url}`.
    pub fn new(command: &str, timeout: Duration, jobs: usize) -> Result<Self, BadCommand> {
        let mut words = words(command)?;
        if !words.iter().any(|word| word.contains("{url}")) {
            let reason = "it has no `{url}`; write for example `wget --recursive {url}`";
            return Err(BadCommand::new(command, reason));
        }
        // It runs elsewhere, so what is named by a path from here must still be found.
        for word in words.iter_mut().filter(|word| Path::new(word).is_relative() && word.contains('/')) {
            if let Some(found) = absolute(&*word).ok().filter(|path| path.exists()) {
                *word = found.to_string_lossy().into_owned();
            }
        }
        Ok(Crawler {
            command: command.to_owned(),
            words,
            timeout,
            jobs: jobs.max(1),
            not_started: OnceLock::new(),
            is_reported: false,
        })
    }

    fn access_once(&self, visits: &[TimedVisit], paths: &[String]) -> Result<Played, Fault> {
        if let Some(reason) = self.not_started.get() {
            return Err(Fault::NotRun(reason.clone()));
        }
        match visits {
            // Nobody can tell it what time it is, nor make it follow links over FTP.
            [visit] if visit.visit.scheme != Scheme::Ftp => self.crawl(visit, paths),
            _ => Err(Fault::NotSupported),
        }
    }

    fn crawl(&self, visit: &TimedVisit, paths: &[String]) -> Result<Played, Fault> {
        let site = Visit { pages: pages(paths), ..played(visit) };
        let server = MockServer::start(&site).map_err(not_played)?;
        self.crawl_at(&server, paths)
    }

    fn crawl_at(&self, server: &MockServer, paths: &[String]) -> Result<Played, Fault> {
        let folder = tempfile::tempdir().map_err(not_played)?;
        let ran = self.run(&format!("{}{START}", server.origin()), folder.path());
        // What it met is then not what was to be met.
        ensure_running(server)?;
        ran?;
        let requests = server.requests();
        let was_asked = |path: &String| {
            requests.iter().any(|request| request.role == Role::First && request.path() == path)
        };
        Ok(Played {
            verdicts: paths.iter().map(|path| Verdict::from(was_asked(path))).collect(),
            violations: server.violations().iter().map(ToString::to_string).collect(),
        })
    }

    fn run(&self, url: &str, folder: &Path) -> Result<(), Fault> {
        let words: Vec<String> = self.words.iter().map(|word| fill(word, &[("{url}", url)])).collect();
        let mut child = Child::start_in(&words, folder).map_err(|error| {
            let reason = format!("`{}` cannot be started: {error}", self.words[0]);
            Fault::NotRun(self.not_started.get_or_init(|| reason).clone())
        })?;
        child.close_input();
        let end = Instant::now() + self.timeout;
        let left = || end.saturating_duration_since(Instant::now());
        // What it prints is of no matter, but it must be read.
        while let Some(Output::Line(_)) = child.read_line(left()) {}
        match child.wait(left()) {
            Some(status) if status.code().is_some() => Ok(()),
            Some(status) => Err(Fault::Crash(child.with_last_errors(status.to_string()))),
            None => {
                Err(Fault::Timeout(child.with_last_errors(format!("it did not end in {:?}", self.timeout))))
            }
        }
    }
}

/// A page to start from, and pages that nothing but its links leads to.
fn pages(paths: &[String]) -> BTreeMap<String, String> {
    let page = |body: &str| {
        format!(
            "<!DOCTYPE html>\n<html>\n<head>\n<title>Page</title>\n</head>\n<body>\n{body}</body>\n</html>\n"
        )
    };
    let links: String = paths.iter().map(|path| format!("<p><a href=\"{path}\">{path}</a></p>\n")).collect();
    let ends = paths.iter().map(|path| (path.clone(), page("<p>There is nothing more.</p>\n")));
    ends.chain([(START.to_owned(), page(&links))]).collect()
}

impl Endpoint for Crawler {
    fn info(&self) -> Info {
        Info::named(&self.command)
    }

    fn answer(&mut self, batches: &[Batch], on_answer: &mut dyn FnMut(usize, BatchAnswer)) {
        let answer = |batch: &Batch| match batch.first() {
            Query::Access { visits, paths, .. } => {
                let played = self.access_once(visits, paths)?;
                Ok(vec![access_answer(paths, played.verdicts, played.violations)?])
            }
            _ => Err(Fault::NotSupported),
        };
        parallel::answer_all(self.jobs, batches, answer, on_answer);
    }

    fn incidents(&mut self) -> Vec<Incident> {
        let reason = self.not_started.get().filter(|_| !std::mem::replace(&mut self.is_reported, true));
        reason.map(|reason| Incident::GaveUp { reason: reason.clone() }).into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crawler_is_not_to_blame_where_the_site_came_to_an_end() {
        // It is a program that is there, whatever it makes of its arguments.
        let this = std::env::current_exe().expect("a test knows where it is");
        let command = shell_words::join([&*this.to_string_lossy(), "--list", "{url}"]);
        let crawler = Crawler::new(&command, Duration::from_secs(60), 1).expect("a good command");
        let server = MockServer::start(&Visit::default()).expect("it starts");
        let paths = ["/open".to_owned()];
        crawler.crawl_at(&server, &paths).expect("the site is there");
        server.stop();
        let why = "the scenario could not be played: the mock server came to an end";
        assert_eq!(crawler.crawl_at(&server, &paths), Err(Fault::NotRun(why.to_owned())));
    }
}
