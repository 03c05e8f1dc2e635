//! The adapter protocol, as far as an adapter has a say in it: for a fuzzer that plays a hostile one.

use robotspec::external::protocol::{self, Replied};
use robotspec::implementation::{Answer, BatchRequest};

/// Reads a line as an adapter's first reply, and tells the adapter's name.
///
/// # Errors
///
/// What is wrong with it.
pub fn hello(line: &[u8]) -> Result<String, String> {
    protocol::hello_reply(line).map(|hello| hello.name)
}

/// Reads a line as the reply to a request: its id, and the answer, or the words in which the adapter
/// says that it failed.
///
/// # Errors
///
/// What is wrong with it.
pub fn reply(request: &BatchRequest, line: &[u8]) -> Result<(u64, Result<Answer, String>), String> {
    let reply = protocol::reply(line)?;
    let id = reply.id;
    Ok(match reply.to(request)? {
        Replied::Answer(answer) => (id, Ok(answer)),
        Replied::Error(error) => (id, Err(error)),
    })
}
