//! `robotspec serve`: a site that answers as a row of the cases has it, for a
//! person or a foreign crawler to ask.

use std::io::{BufRead, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;
use robotspec_mock_server::{MockServer, RecordedRequest};

use crate::command::OK;
use crate::command::output::{self, BAD, FAINT, STRONG, counted, styled};
use robotspec::external::live::played;
use robotspec_cases::suite::{Request, Row, TimedVisit, built_in};

/// Play a site for a crawler to ask: statuses, redirects, broken connections
///
/// Listens on a port of its own on 127.0.0.1, tells each request as it comes, and what a client
/// does that the text does not want. A line on standard input turns to the next visit of the
/// scenario, where it has several; Ctrl-C ends it.
///
/// Examples:
///   robotspec serve --list
///   robotspec serve access/many-redirects#hops-6
///   wget --recursive "$URL"          # with the URL that it tells
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Arguments {
    /// The id of a row about access; a file that disallows `/private` if absent
    #[arg(value_name = "SCENARIO", default_value = "access/success#status-200")]
    scenario: String,

    /// List the scenarios instead
    #[arg(long)]
    list: bool,
}

/// How often it is looked for new requests.
const PAUSE: Duration = Duration::from_millis(50);

pub(super) fn serve(arguments: &Arguments) -> Result<u8> {
    let rows: Vec<Row> =
        built_in()?.into_iter().flat_map(|suite| suite.cases).flat_map(|case| case.rows).collect();
    let mut out = output::stdout();
    if arguments.list {
        for (id, visits) in rows.iter().filter_map(scenario) {
            let first = visits.first().map(ToString::to_string).unwrap_or_default();
            let more = if visits.len() > 1 { format!(" ({} visits)", visits.len()) } else { String::new() };
            writeln!(out, "{id:<56} {}{more}", styled(FAINT, first))?;
        }
        return Ok(OK);
    }
    let Some((_, visits)) = rows.iter().filter_map(scenario).find(|(id, _)| *id == arguments.scenario) else {
        bail!("there is no scenario `{}`; `robotspec serve --list` shows them all", arguments.scenario);
    };
    play(visits, &mut out)
}

/// The id of a row and what is played in it, if it is one about access.
fn scenario(row: &Row) -> Option<(&str, &[TimedVisit])> {
    match &row.request {
        Request::Access { visits, .. } => Some((&row.id, visits)),
        _ => None,
    }
}

fn play(visits: &[TimedVisit], out: &mut impl Write) -> Result<u8> {
    let mut left = visits.iter();
    let Some(first) = left.next() else { bail!("nothing is played in this scenario") };
    let server = MockServer::start(&played(first))?;
    writeln!(out, "{}", styled(STRONG, format!("{}/robots.txt", server.origin())))?;
    writeln!(out, "{first}")?;
    if left.len() > 0 {
        let more = counted(left.len(), "more visit");
        writeln!(out, "{}", styled(FAINT, format!("{more}: a line on standard input turns to the next")))?;
    }
    if let Some(authority) = server.certificate_authority() {
        writeln!(out, "{authority}")?;
    }
    out.flush()?;
    let lines = lines_of_input();
    let (mut told, mut told_departures) = (0, 0);
    let (mut on_their_way, mut over) = (Vec::new(), Vec::new());
    loop {
        let requests = server.requests();
        for (index, request) in requests.iter().enumerate().skip(told) {
            writeln!(out, "{}", line(request, &requests[..index]))?;
        }
        on_their_way.extend(told..requests.len());
        told = requests.len();
        // What has no body by now may still get one.
        on_their_way.retain(|&index| match requests[index].body {
            Some(body) if body.is_over => {
                over.push(format!("{}: {body}", requests[index].target));
                false
            }
            _ => true,
        });
        for line in over.drain(..) {
            writeln!(out, "  {}", styled(FAINT, line))?;
        }
        let departures = server.violations();
        for departure in departures.iter().skip(told_departures) {
            writeln!(out, "  {}", styled(BAD, departure))?;
        }
        told_departures = departures.len();
        out.flush()?;
        match lines.recv_timeout(PAUSE) {
            Ok(()) => match left.next() {
                Some(visit) => {
                    server.play(&played(visit))?;
                    writeln!(out, "{visit}")?;
                }
                None => writeln!(out, "{}", styled(FAINT, "this was the last visit"))?,
            },
            Err(RecvTimeoutError::Timeout) => {}
            // Standard input is closed, as it is for a server in the background.
            Err(RecvTimeoutError::Disconnected) => thread::sleep(PAUSE),
        }
    }
}

/// Something for each line on standard input.
fn lines_of_input() -> Receiver<()> {
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

/// A request, with those that came before it.
fn line(request: &RecordedRequest, earlier: &[RecordedRequest]) -> String {
    let field = |name: &str| {
        let field = request.headers.iter().find(|(field, _)| field.eq_ignore_ascii_case(name));
        field.map(|(_, value)| value.as_str()).unwrap_or("-")
    };
    let who = styled(FAINT, format!("port {}  {}", request.port, field("user-agent")));
    let tries = earlier.iter().filter(|other| other.visit == request.visit && other.hop == Some(0)).count();
    let how = match request.hop {
        Some(0) if tries > 0 => format!("  try {}", tries + 1),
        Some(hop) if hop > 0 => format!("  redirect {hop}"),
        _ => String::new(),
    };
    format!("{} {}{how}  {who}", request.method, request.target)
}
