//! Responses byte by byte, also those that no HTTP server would send.

use std::io;
use std::time::{Duration, Instant};

use robotspec_cases::visit::{FILLER, FtpFault, NetworkFault, Response};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::message::{Framing, Message};
use crate::meter::{BodyMeter, ResponseSize};
use crate::port::Transport;

/// A step of a response or of a transfer over FTP.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// Send these bytes.
    Send(Vec<u8>),
    /// Send these bytes one at a time.
    Trickle(Vec<u8>),
    /// Send these bytes repeatedly until the client goes.
    Repeat(Vec<u8>),
    /// Send nothing until the client goes.
    Stall,
    /// Reset the connection.
    Reset,
}

/// The pause after a byte of a trickle, which makes the byte arrive alone.
const PAUSE: Duration = Duration::from_millis(1);

/// The time after which a trickle has no more pauses, so that a large file arrives too, and so that the file arrives before
/// a client gives up on a machine with other work, where a pause is much longer.
const MAX_TRICKLE: Duration = Duration::from_millis(300);

/// The maximum number of bytes per write. A failed write over TLS does not report
/// how many of its bytes were sent.
const MAX_WRITE: usize = 16 * 1024;

/// Plays the steps. An error means that the response is incomplete and the connection
/// must be dropped: the client is gone, or a step ended the connection.
pub(crate) async fn play(
    steps: &[Step],
    stream: &mut impl Transport,
    mut meter: BodyMeter,
) -> io::Result<()> {
    for step in steps {
        match step {
            Step::Send(bytes) => send(bytes, stream, &mut meter).await?,
            Step::Trickle(bytes) => {
                let start = Instant::now();
                for byte in bytes {
                    send(&[*byte], stream, &mut meter).await?;
                    if start.elapsed() < MAX_TRICKLE {
                        tokio::time::sleep(PAUSE).await;
                    }
                }
            }
            Step::Repeat(bytes) => loop {
                send(bytes, stream, &mut meter).await?;
            },
            Step::Stall => {
                drain(stream).await?;
                return Err(io::ErrorKind::ConnectionAborted.into());
            }
            Step::Reset => {
                // This option turns the close of the socket into a reset.
                stream.tcp().set_zero_linger()?;
                return Err(io::ErrorKind::ConnectionReset.into());
            }
        }
    }
    Ok(())
}

async fn send(bytes: &[u8], stream: &mut impl Transport, meter: &mut BodyMeter) -> io::Result<()> {
    let mut left = bytes;
    while !left.is_empty() {
        let sent = match stream.write(&left[..left.len().min(MAX_WRITE)]).await? {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            sent => sent,
        };
        meter.count(sent);
        left = &left[sent..];
    }
    stream.flush().await
}

/// Closes the connection without a reset. If the server closed a socket with unread
/// bytes, the system would reset the connection, and the client could lose the end
/// of the response.
pub(crate) async fn close(stream: &mut impl Transport) -> io::Result<()> {
    stream.shutdown().await?;
    drain(stream).await
}

/// Reads until the client closes the connection.
async fn drain(stream: &mut impl Transport) -> io::Result<()> {
    let mut buffer = [0; 4096];
    while stream.read(&mut buffer).await? > 0 {}
    Ok(())
}

/// Returns the size of the response that these steps send. `None`: the response ends
/// in the header.
pub(crate) fn measure(steps: &[Step]) -> Option<ResponseSize> {
    let (Step::Send(first) | Step::Trickle(first)) = steps.first()? else { return None };
    let header = match first.starts_with(b"HTTP/") {
        true => first.windows(4).position(|four| four == b"\r\n\r\n")? + 4,
        // Without a status line all bytes are body, as in HTTP/0.9.
        false => 0,
    };
    let total = steps.iter().try_fold(0, |sum, step| match step {
        Step::Send(bytes) | Step::Trickle(bytes) => Some(sum + bytes.len()),
        Step::Repeat(_) => None,
        Step::Stall | Step::Reset => Some(sum),
    });
    Some(ResponseSize { header: header as u64, body: total.map(|total| (total - header) as u64) })
}

/// Returns a response without a fault. `is_head`: it answers a HEAD request.
pub(crate) fn faultless_response(message: &Message, is_head: bool) -> Vec<Step> {
    // An interim response ends after its status line (RFC 9110, 15.2).
    if message.status < 200 {
        return vec![Step::Send([message.status_line(), b"\r\n".to_vec()].concat())];
    }
    let body = message.body();
    let header = message.header(&match message.forbids_body() {
        true => Framing::UntilClose,
        false => Framing::Length(body.len()),
    });
    vec![Step::Send(if is_head { header } else { [&header, body].concat() })]
}

/// Returns a response with this fault. `None`: the fault happens before the server
/// reads a request.
pub(crate) fn faulty_response(fault: NetworkFault, message: &Message) -> Option<Vec<Step>> {
    use NetworkFault as Fault;
    let body = message.forced_body();
    let half = &body[..body.len() / 2];
    let header_with = |framing| message.header(&framing);
    let header_with_length = || header_with(Framing::Length(body.len()));
    // The header ends within a field.
    let half_header = || Step::Send([message.status_line(), b"Content-Ty".to_vec()].concat());
    let send = |parts: &[&[u8]]| Step::Send(parts.concat());
    Some(match fault {
        Fault::Refused | Fault::ResetAtAccept | Fault::SilentAtConnect | Fault::NameNotFound => return None,
        Fault::ResetAfterRequest => vec![Step::Reset],
        Fault::ResetInHeader => vec![half_header(), Step::Reset],
        Fault::ResetInBody => vec![send(&[&header_with_length(), half]), Step::Reset],
        Fault::SilentInHeader => vec![half_header(), Step::Stall],
        Fault::SilentInBody => vec![send(&[&header_with_length(), half]), Step::Stall],
        Fault::SlowBytes => vec![Step::Trickle([&header_with_length(), body].concat())],
        Fault::ShortBody => vec![send(&[&header_with(Framing::Length(body.len() + 100)), body])],
        Fault::LongBody => vec![send(&[&header_with_length(), body, b"disallow: /beyond\n"])],
        Fault::BrokenChunk => {
            let (size, rest) = (format!("{:x}\r\n", half.len()), &body[half.len()..]);
            let header = header_with(Framing::Chunks);
            vec![send(&[&header, size.as_bytes(), half, b"\r\nzz\r\n", rest, b"\r\n"])]
        }
        Fault::UnfinishedChunk => {
            let size = format!("{:x}\r\n", body.len() + 100);
            vec![send(&[&header_with(Framing::Chunks), size.as_bytes(), body])]
        }
        Fault::NoStatusLine => {
            let first_line = message.status_line().len();
            vec![send(&[&header_with_length()[first_line..], body])]
        }
        // None of the bytes is ASCII, so that no line starts with `HTTP/`.
        Fault::BinaryNoise => vec![Step::Send(Vec::from_iter(0x80..=0xff).repeat(8))],
        Fault::EndlessHeader => {
            let field = b"X-Filler: there is always one more field after this one\r\n";
            vec![Step::Send(message.status_line()), Step::Repeat(field.repeat(100))]
        }
        Fault::EndlessBody => {
            vec![send(&[&header_with(Framing::UntilClose), body]), endless_comments()]
        }
        Fault::CloseWithoutAnswer => Vec::new(),
        Fault::Http09 => vec![send(&[body])],
        Fault::TwoAnswers => {
            let second = message.with_body("user-agent: *\ndisallow: /second\n");
            let second_header = second.header(&Framing::Length(second.forced_body().len()));
            vec![send(&[&header_with_length(), body, &second_header, second.forced_body()])]
        }
    })
}

/// Returns the steps that transfer the file over FTP.
pub(crate) fn transfer(response: &Response) -> Vec<Step> {
    let file = response.body_bytes();
    let half = || Step::Send(file[..file.len() / 2].to_vec());
    let whole = || Step::Send(file.clone());
    match (response.ftp, response.fault) {
        (Some(FtpFault::DropTransfer), _) => vec![half()],
        (_, Some(NetworkFault::ResetInBody)) => vec![half(), Step::Reset],
        (_, Some(NetworkFault::SilentInBody)) => vec![half(), Step::Stall],
        (_, Some(NetworkFault::SlowBytes)) => vec![Step::Trickle(file)],
        (_, Some(NetworkFault::EndlessBody)) => vec![whole(), endless_comments()],
        _ => vec![whole()],
    }
}

/// Returns comments without an end.
fn endless_comments() -> Step {
    Step::Repeat(FILLER.as_bytes().repeat(100))
}
