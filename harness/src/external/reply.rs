//! Reads the replies of an adapter in any order, each within the time limit.

use std::time::{Duration, Instant};

use super::process::{Child, Output};
use super::protocol::{Request, read_reply};
use crate::answer::{Breach, Fault, ProtocolError};
use crate::endpoint::RequestAnswers;
use crate::interrupt;

/// How much of an offending line is shown, in bytes.
const LINE_SHOWN: usize = 200;

/// Lines that answer no request, since the last call of [`incidents`](crate::Endpoint::incidents).
#[derive(Default)]
pub(super) struct Surplus {
    pub(super) lines: usize,
    pub(super) first: Option<ProtocolError>,
}

impl Surplus {
    pub(super) fn add(&mut self, error: ProtocolError) {
        self.lines += 1;
        self.first.get_or_insert(error);
    }
}

/// Returns the next reply, with the place of its request. A second reply to a request is not a fault of the requests that
/// follow: it is `surplus`.
pub(super) fn next_reply(
    child: &mut Child,
    timeout: Duration,
    first_id: u64,
    requests: &[Request],
    waiting: &[bool],
    surplus: &mut Surplus,
) -> Result<(usize, RequestAnswers), Fault> {
    const MOST_SURPLUS: usize = 1000;
    let end = Instant::now() + timeout;
    for _ in 0..MOST_SURPLUS {
        let line = read_reply_line(child, timeout, end)?;
        let wrong = |breach: Breach| with_line(breach, &line);
        let reply = read_reply(&line).map_err(|breach| Fault::Protocol(wrong(breach)))?;
        let id = reply.id;
        let at = id.checked_sub(first_id).and_then(|at| usize::try_from(at).ok());
        match at.map(|at| (at, waiting.get(at))) {
            Some((at, Some(true))) => {
                return match requests[at].answers(reply) {
                    Err(Fault::Protocol(error)) => Err(Fault::Protocol(wrong(error.breach))),
                    answer => Ok((at, answer)),
                };
            }
            // The ids before these are those of earlier requests, all of which were answered by this process or an earlier
            // one, but for 0, which is that of `hello`.
            None | Some((_, Some(false))) if id > 0 => surplus.add(wrong(Breach::AnsweredTwice(id))),
            _ => return Err(Fault::Protocol(wrong(Breach::WrongId(id)))),
        }
    }
    Err(Fault::Protocol(Breach::NoRequest.without_line()))
}

/// Returns the next line of an adapter that has a request to answer.
fn read_reply_line(child: &mut Child, timeout: Duration, end: Instant) -> Result<Vec<u8>, Fault> {
    match child.read_line(end) {
        Some(Output::Line(line)) => Ok(line),
        Some(Output::TooLong(line)) => Err(Fault::Protocol(with_line(Breach::LineTooLong, &line))),
        Some(Output::Closed) => Err(Fault::Crash(child.describe_end().into())),
        Some(Output::TooMuchMemory(used)) => Err(Fault::Crash(child.describe_memory(used).into())),
        Some(Output::Interrupted) => Err(interrupt::fault()),
        None => Err(Fault::Timeout(child.with_last_errors(format!("no reply in {:?}", timeout)).into())),
    }
}

pub(super) fn with_line(breach: Breach, line: &[u8]) -> ProtocolError {
    let shown = String::from_utf8_lossy(&line[..line.len().min(LINE_SHOWN)]);
    let cut = if line.len() > LINE_SHOWN { " …" } else { "" };
    ProtocolError { breach, line: Some(format!("{shown}{cut}")) }
}
