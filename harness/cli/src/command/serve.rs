//! `robotspec serve`: a site that plays a row of the cases, for a person or a crawler.

use std::io::{BufRead, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;
use robotspec::external::{linked, site_to_crawl};
use robotspec_cases::suite::built_in;
use robotspec_cases::{Query, TimedVisit};
use robotspec_mock_server::{MockServer, RecordedRequest};
use robotspec_text::visible;

use crate::command::exit::OK;
use crate::output::{self, BAD, FAINT, STRONG, counted, styled};

/// Play a site for a crawler: statuses, redirects, broken connections
///
/// Listens on its own port on 127.0.0.1, and prints each request and each request that breaks the
/// specification. If the scenario has several visits, a line on standard input starts the next one;
/// Ctrl-C ends the command.
///
/// Examples:
///   robotspec serve --list
///   robotspec serve access/many-redirects#hops-6
///   wget --recursive "$URL"          # with the start page that it prints
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Arguments {
    /// The id of a row about access; the default is a file that disallows `/private`
    #[arg(value_name = "SCENARIO", default_value = "access/success#status-200")]
    scenario: String,

    /// List the scenarios and exit
    #[arg(long)]
    list: bool,
}

/// The time between two looks for new requests.
const PAUSE: Duration = Duration::from_millis(50);

pub(super) fn serve(arguments: &Arguments) -> Result<u8> {
    let rows = built_in()?.iter().flat_map(|suite| &suite.cases).flat_map(|case| &case.rows);
    let mut scenarios = rows.filter_map(|row| match &row.query {
        Query::Access { visits, paths, .. } => Some((row.id.to_string(), visits, paths)),
        _ => None,
    });
    let mut out = output::stdout();
    if arguments.list {
        for (id, visits, _) in scenarios {
            let first = visits.first().map(ToString::to_string).unwrap_or_default();
            let more = if visits.len() > 1 { format!(" ({} visits)", visits.len()) } else { String::new() };
            writeln!(out, "{id:<56} {}{more}", styled(FAINT, first))?;
        }
        return Ok(OK);
    }
    let Some((_, visits, paths)) = scenarios.find(|(id, ..)| *id == arguments.scenario) else {
        bail!("unknown scenario `{}`; `robotspec serve --list` lists all", visible(&arguments.scenario));
    };
    play(visits, paths, &mut out)
}

fn play(visits: &[TimedVisit], paths: &[String], out: &mut impl Write) -> Result<u8> {
    let mut left = visits.iter();
    let Some(first) = left.next() else { bail!("this scenario has no visit") };
    let server = MockServer::start(&site_to_crawl(first, paths))?;
    writeln!(out, "{}", styled(STRONG, format!("{}/robots.txt", server.origin())))?;
    let links = linked(first.visit.site, paths).join(" and ");
    writeln!(out, "{}", styled(FAINT, format!("{}/ links to {links}", server.origin())))?;
    writeln!(out, "{first}")?;
    if left.len() > 0 {
        let more = counted(left.len(), "more visit");
        writeln!(out, "{}", styled(FAINT, format!("{more}: a line on standard input starts the next")))?;
    }
    if let Some(authority) = server.certificate_authority() {
        writeln!(out, "{authority}")?;
    }
    out.flush()?;
    let lines = input_lines();
    let mut log = Log::default();
    loop {
        log.write_news(&server, out)?;
        match lines.recv_timeout(PAUSE) {
            Ok(()) => match left.next() {
                Some(visit) => {
                    server.play(&site_to_crawl(visit, paths))?;
                    writeln!(out, "{visit}")?;
                }
                None => writeln!(out, "{}", styled(FAINT, "this was the last visit"))?,
            },
            Err(RecvTimeoutError::Timeout) => {}
            // Standard input is closed, as for a server in the background.
            Err(RecvTimeoutError::Disconnected) => thread::sleep(PAUSE),
        }
    }
}

/// The requests and violations that are already printed.
#[derive(Default)]
struct Log {
    requests: usize,
    violations: usize,
    /// The requests whose body is still being sent, or may still get one.
    unfinished: Vec<usize>,
}

impl Log {
    fn write_news(&mut self, server: &MockServer, out: &mut impl Write) -> Result<()> {
        let requests = server.requests();
        for (index, request) in requests.iter().enumerate().skip(self.requests) {
            writeln!(out, "{}", describe_request(request, &requests[..index]))?;
        }
        self.unfinished.extend(self.requests..requests.len());
        self.requests = requests.len();
        let is_over = |index: &mut usize| requests[*index].body.is_some_and(|body| body.is_over);
        for index in self.unfinished.extract_if(.., is_over) {
            if let RecordedRequest { target, body: Some(body), .. } = &requests[index] {
                writeln!(out, "  {}", styled(FAINT, visible(&format!("{target}: {body}"))))?;
            }
        }
        let violations = server.violations();
        for violation in violations.iter().skip(self.violations) {
            writeln!(out, "  {}", styled(BAD, visible(violation)))?;
        }
        self.violations = violations.len();
        out.flush()?;
        Ok(())
    }
}

/// Returns a message for each line on standard input.
fn input_lines() -> Receiver<()> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        for line in std::io::stdin().lock().lines() {
            if line.is_err() || sender.send(()).is_err() {
                break;
            }
        }
    });
    receiver
}

/// Returns a request in a line, with its number among repeated ones.
fn describe_request(request: &RecordedRequest, earlier: &[RecordedRequest]) -> String {
    let field = |name: &str| {
        let field = request.headers.iter().find(|(field, _)| field.eq_ignore_ascii_case(name));
        field.map(|(_, value)| value.as_str()).unwrap_or("-")
    };
    let client = styled(FAINT, format!("port {}  {}", request.port, visible(field("user-agent"))));
    let tries = earlier.iter().filter(|other| other.visit == request.visit && other.hop == Some(0)).count();
    let how = match request.hop {
        Some(0) if tries > 0 => format!("  try {}", tries + 1),
        Some(hop) if hop > 0 => format!("  redirect {hop}"),
        _ => String::new(),
    };
    format!("{} {}{how}  {client}", visible(&request.method), visible(&request.target))
}
