//! Answers that no HTTP server would send, octet by octet.

use std::convert::Infallible;
use std::io;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::body::{FILLER, File};
use crate::server::handover::{Extent, Handover};
use crate::server::wire::Wire;
use crate::visit::{Answer, Fault};

/// What to do with a connection; after the last step it is closed in good order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// Send this.
    Send(Vec<u8>),
    /// Send this one octet at a time.
    Trickle(Vec<u8>),
    /// Send this again and again, as long as the client is there.
    Forever(Vec<u8>),
    /// Send nothing, as long as the client is there.
    Stall,
    /// Reset the connection.
    Reset,
}

/// How long a trickle waits after an octet, so that it arrives alone.
const PAUSE: Duration = Duration::from_millis(1);

/// After how many octets a trickle no longer waits: a large file is to arrive, too.
const PAUSES: usize = 512;

/// How much is handed over at a time: where TLS fails, it does not say how much
/// of what it was given went before.
const PIECE: usize = 16 * 1024;

/// Takes the steps. An error is a client that is gone, which is up to the client.
pub(crate) async fn play<W: Wire>(steps: &[Step], wire: &mut W, mut handover: Handover) -> io::Result<()> {
    for step in steps {
        match step {
            Step::Send(octets) => send(octets, wire, &mut handover).await?,
            Step::Trickle(octets) => {
                for (index, octet) in octets.iter().enumerate() {
                    send(&[*octet], wire, &mut handover).await?;
                    if index < PAUSES {
                        tokio::time::sleep(PAUSE).await;
                    }
                }
            }
            Step::Forever(octets) => {
                forever(octets, wire, &mut handover).await?;
            }
            Step::Stall => return drain(wire).await,
            // What closes the socket afterwards turns into a reset.
            Step::Reset => return wire.tcp().set_zero_linger(),
        }
    }
    drop(handover);
    close(wire).await
}

/// Sends all of it, and says on the way how much of it went.
async fn send<W: Wire>(octets: &[u8], wire: &mut W, handover: &mut Handover) -> io::Result<()> {
    let mut left = octets;
    while !left.is_empty() {
        let taken = match wire.write(&left[..left.len().min(PIECE)]).await? {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            taken => taken,
        };
        handover.take(taken);
        left = &left[taken..];
    }
    wire.flush().await
}

/// How much these steps send before and in the body. `None` where they end in
/// the header.
pub(crate) fn extent(steps: &[Step]) -> Option<Extent> {
    let (Step::Send(first) | Step::Trickle(first)) = steps.first()? else { return None };
    let header = match first.starts_with(b"HTTP/") {
        true => first.windows(4).position(|four| four == b"\r\n\r\n")? + 4,
        // Without a status line all is body, as in HTTP/0.9.
        false => 0,
    };
    let all = steps.iter().try_fold(0, |sum, step| match step {
        Step::Send(octets) | Step::Trickle(octets) => Some(sum + octets.len()),
        Step::Forever(_) => None,
        Step::Stall | Step::Reset => Some(sum),
    });
    Some(Extent { header: header as u64, body: all.map(|all| (all - header) as u64) })
}

/// Closes in good order: a socket that is closed with octets unread would reset
/// the connection, and the client could lose the end of the answer.
pub(crate) async fn close<W: Wire>(wire: &mut W) -> io::Result<()> {
    wire.shutdown().await?;
    drain(wire).await
}

async fn forever<W: Wire>(octets: &[u8], wire: &mut W, handover: &mut Handover) -> io::Result<Infallible> {
    loop {
        send(octets, wire, handover).await?;
    }
}

/// Reads until the client closes.
async fn drain<W: Wire>(wire: &mut W) -> io::Result<()> {
    let mut buffer = [0; 4096];
    while wire.read(&mut buffer).await? > 0 {}
    Ok(())
}

/// How the length of a body is told.
enum Length {
    Octets(usize),
    Chunks,
    UntilClose,
}

/// An answer that is sent as it is, though no HTTP library would.
pub(crate) fn of_answer(answer: &Answer) -> Vec<Step> {
    let file = File::of_answer(answer);
    match answer.status {
        // An interim answer, and then nothing.
        ..200 => vec![Step::Send([status_line(answer.status), b"\r\n".to_vec()].concat())],
        _ => {
            let length = Length::Octets(file.octets.len());
            vec![Step::Send([header(answer, &file, &length), file.octets].concat())]
        }
    }
}

/// An answer with a fault that comes once the request is read. None of the
/// faults that come before.
pub(crate) fn of_fault(fault: Fault, answer: &Answer) -> Option<Vec<Step>> {
    let file = File::of_answer(answer);
    let size = file.octets.len();
    let whole = |length| header(answer, &file, &length);
    let half = &file.octets[..size / 2];
    // Ends in a field that is not complete.
    let half_header = || [status_line(answer.status), b"Content-Ty".to_vec()].concat();
    let send = |parts: &[&[u8]]| Step::Send(parts.concat());
    Some(match fault {
        Fault::Refused | Fault::ResetAtAccept | Fault::SilentAtConnect | Fault::NameNotFound => return None,
        Fault::ResetAfterRequest => vec![Step::Reset],
        Fault::ResetInHeader => vec![Step::Send(half_header()), Step::Reset],
        Fault::ResetInBody => vec![send(&[&whole(Length::Octets(size)), half]), Step::Reset],
        Fault::SilentInHeader => vec![Step::Send(half_header()), Step::Stall],
        Fault::SilentInBody => vec![send(&[&whole(Length::Octets(size)), half]), Step::Stall],
        Fault::SlowBytes => {
            vec![Step::Trickle([whole(Length::Octets(size)), file.octets.clone()].concat())]
        }
        Fault::ShortBody => vec![send(&[&whole(Length::Octets(size + 100)), &file.octets])],
        Fault::LongBody => {
            vec![send(&[&whole(Length::Octets(size)), &file.octets, b"disallow: /beyond\n"])]
        }
        Fault::BrokenChunk => {
            vec![send(&[
                &whole(Length::Chunks),
                &chunk(half),
                b"zz\r\n",
                &file.octets[half.len()..],
                b"\r\n",
            ])]
        }
        Fault::UnfinishedChunk => {
            let size = format!("{:x}\r\n", size + 100);
            vec![send(&[&whole(Length::Chunks), size.as_bytes(), &file.octets])]
        }
        Fault::NoStatusLine => {
            let header = whole(Length::Octets(size));
            let first_line = status_line(answer.status).len();
            vec![send(&[&header[first_line..], &file.octets])]
        }
        Fault::BinaryNoise => vec![Step::Send(noise())],
        Fault::EndlessHeader => {
            let field = b"X-Filler: there is always one more field after this one\r\n";
            vec![Step::Send(status_line(answer.status)), Step::Forever(field.repeat(100))]
        }
        Fault::EndlessBody => {
            let filler = FILLER.as_bytes().repeat(100);
            vec![send(&[&whole(Length::UntilClose), &file.octets]), Step::Forever(filler)]
        }
        Fault::CloseWithoutAnswer => Vec::new(),
        Fault::Http09 => vec![Step::Send(file.octets)],
        Fault::TwoAnswers => {
            let second = File::text("user-agent: *\ndisallow: /second\n");
            let second_header = header(answer, &second, &Length::Octets(second.octets.len()));
            vec![send(&[&whole(Length::Octets(size)), &file.octets, &second_header, &second.octets])]
        }
    })
}

/// Without a reason: some statuses have none.
fn status_line(status: u16) -> Vec<u8> {
    format!("HTTP/1.1 {status:03} \r\n").into_bytes()
}

fn header(answer: &Answer, file: &File, length: &Length) -> Vec<u8> {
    let mut fields: Vec<(&str, String)> =
        vec![("Content-Type", file.media_type.to_owned()), ("Connection", "close".to_owned())];
    fields.extend(file.encoding.map(|encoding| ("Content-Encoding", encoding.to_owned())));
    match length {
        Length::Octets(octets) => fields.push(("Content-Length", octets.to_string())),
        Length::Chunks => fields.push(("Transfer-Encoding", "chunked".to_owned())),
        Length::UntilClose => {}
    }
    fields.retain(|(name, _)| !answer.headers.keys().any(|given| given.eq_ignore_ascii_case(name)));
    fields.extend(answer.headers.iter().map(|(name, value)| (name.as_str(), value.clone())));
    let fields: String = fields.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    [status_line(answer.status), fields.into_bytes(), b"\r\n".to_vec()].concat()
}

fn chunk(octets: &[u8]) -> Vec<u8> {
    [format!("{:x}\r\n", octets.len()).as_bytes(), octets, b"\r\n"].concat()
}

/// The same at every run (xorshift), and no line of it begins with `HTTP/`.
fn noise() -> Vec<u8> {
    let mut state = 0x9e37_79b9_u32;
    let next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state.to_be_bytes()[0] | 0x80
    };
    std::iter::repeat_with(next).take(1024).collect()
}
