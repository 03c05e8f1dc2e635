//! A whole crawler that has no adapter: it crawls a small site, and is judged by the requests that the site receives.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;
use std::sync::OnceLock;
use std::time::Duration;

use robotspec_cases::visit::{Body, PRIVATE, Scheme, Site, Visit, html};
use robotspec_cases::{Query, TimedVisit};
use robotspec_mock_server::{MockServer, Role};

use super::guard::Watch;
use super::launcher::{BadCommand, Launcher};
use super::live::{ensure_decodable, ensure_running, has_followed, not_played, visit_to_play};
use crate::answer::{Answer, Fault, Verdict};
use crate::endpoint::{Batch, BatchAnswer, Endpoint, Incident, access_answer};
use crate::parser::Info;

/// The path of the page where a crawler starts.
const START: &str = "/";

/// A command that crawls a site.
#[derive(Debug, Clone)]
pub struct Crawler {
    launcher: Launcher,
    /// Set once the crawler has been tried on a site without obstacles.
    tried: OnceLock<()>,
}

impl Crawler {
    /// Returns a command with the placeholder `{url}` for the page to start from, and `{agent}` for its product token, if
    /// it can be set. The command runs in an empty folder. `timeout` is for each site; `jobs` sites are crawled at the same
    /// time.
    ///
    /// # Errors
    ///
    /// The command cannot be split into words, or has no `{url}`.
    pub fn new(command: &str, timeout: Duration, jobs: usize) -> Result<Self, BadCommand> {
        let mut launcher =
            Launcher::new(command, "wget --recursive {url}", &["{url}", "{agent}"], timeout, jobs)?;
        launcher.make_paths_absolute();
        Ok(Crawler { launcher, tried: OnceLock::new() })
    }

    fn access_once(&self, visits: &[TimedVisit], agent: &str, paths: &[String]) -> Result<Answer, Fault> {
        self.launcher.ensure_startable()?;
        match visits {
            // A crawler has no simulated time, does not follow links over FTP, and may have another name than a file is for.
            [visit]
                if visit.visit.scheme != Scheme::Ftp
                    && (self.launcher.has_placeholder("{agent}")
                        || !matches!(&visit.visit.response.body, Some(Body::Text(file)) if file.contains(agent))) =>
            {
                self.tried.get_or_init(|| self.try_out(agent));
                self.launcher.ensure_startable()?;
                let server = MockServer::start(&site_to_crawl(visit, paths)).map_err(not_played)?;
                self.crawl(&server, visit, agent, paths)
            }
            _ => Err(Fault::NotSupported),
        }
    }

    /// Crawls a site without obstacles. A crawler that requests nothing there and ends was not started as it has to be, and
    /// what it leaves alone on other sites says nothing about it.
    fn try_out(&self, agent: &str) {
        let site = Visit { pages: pages(Site::Links, &[]), ..Visit::default() };
        let (Ok(server), Ok(folder)) = (MockServer::start(&site), tempfile::tempdir()) else { return };
        let _watch = Watch::new(folder.path());
        let ended = match self.run(&server, agent, folder.path()) {
            Ok(ended) => ended,
            Err(Fault::Crash(ended)) => ended.to_string(),
            // It cannot be started, which is known by now, or it does not end, which is a result.
            Err(_) => return,
        };
        if server.requests().is_empty() && ensure_running(&server).is_ok() {
            self.launcher.give_up(format!(
                "no request arrived from `{}`, which runs in an empty folder: {ended}",
                self.launcher.command
            ));
        }
    }

    /// Crawls the site of a server that already plays the visit.
    fn crawl(
        &self,
        server: &MockServer,
        visit: &TimedVisit,
        agent: &str,
        paths: &[String],
    ) -> Result<Answer, Fault> {
        let folder = tempfile::tempdir()
            .map_err(|error| self.launcher.give_up(format!("cannot make a temporary folder: {error}")))?;
        let _watch = Watch::new(folder.path());
        let result = self.run(server, agent, folder.path());
        // If the server stopped, the crawler is not to blame for the result.
        ensure_running(server)?;
        result?;
        ensure_decodable(server, std::slice::from_ref(visit))?;
        let requests = server.requests();
        let has_page = |role| role == Role::First || visit.visit.site == Site::MovedToOtherPort;
        let was_requested =
            |path: &String| requests.iter().any(|request| has_page(request.role) && request.path() == path);
        let verdicts = paths.iter().map(|path| Verdict::from(was_requested(path))).collect();
        access_answer(paths, verdicts, server.violations(), has_followed(server, visit))
    }

    /// Runs the command from the start page of a site. Returns how it ended.
    fn run(&self, server: &MockServer, agent: &str, folder: &Path) -> Result<String, Fault> {
        let url = format!("{}{START}", server.origin());
        let mut child = self.launcher.start(&[("{url}", &url), ("{agent}", agent)], folder, Stdio::null())?;
        child.close_input();
        let status = self.launcher.wait(&mut child, self.launcher.end())?;
        Ok(child.with_last_errors(status.to_string()))
    }
}

/// Returns what a server does for a crawler: the visit, and a start page that links to these paths.
pub fn site_to_crawl(visit: &TimedVisit, paths: &[String]) -> Visit {
    Visit { pages: pages(visit.visit.site, paths), ..visit_to_play(visit) }
}

/// Returns the paths that the start page of a site links to.
pub fn linked(site: Site, paths: &[String]) -> Vec<&str> {
    let is_moved = |path: &str| matches!(site, Site::Moved | Site::MovedToOtherPort) && path == PRIVATE;
    paths.iter().map(|path| if is_moved(path) { "/moved" } else { path }).collect()
}

/// Returns the start page of a site, and a page at each path. No other page links to them.
fn pages(site: Site, paths: &[String]) -> BTreeMap<String, String> {
    let page = |body: &str| html("", &format!("<body>\n{body}</body>\n"));
    let links = linked(site, paths).into_iter();
    let links: String = links.map(|path| format!("<p><a href=\"{path}\">{path}</a></p>\n")).collect();
    let ends = paths.iter().map(|path| (path.clone(), page("<p>There is nothing more.</p>\n")));
    ends.chain([(START.to_owned(), page(&links))]).collect()
}

impl Endpoint for Crawler {
    fn info(&self) -> Info {
        Info::named(&self.launcher.command)
    }

    fn starts_anew(&self) -> bool {
        true
    }

    fn answer(&mut self, batches: &[Batch], on_answer: &mut dyn FnMut(usize, BatchAnswer)) {
        let answer = |batch: &Batch| match batch.first() {
            Query::Access { visits, agent, paths } => vec![self.access_once(visits, agent, paths)],
            _ => batch.each_fails(&Fault::NotSupported),
        };
        self.launcher.answer_all(batches, answer, on_answer);
    }

    fn incidents(&mut self) -> Vec<Incident> {
        self.launcher.incidents()
    }
}

#[cfg(test)]
#[path = "../../tests/unit/crawler.rs"]
mod tests;
