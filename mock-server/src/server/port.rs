//! A port on loopback that stays ours, whether anybody listens there or not.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use tokio::net::{TcpListener, TcpSocket};

/// How many clients may wait to be accepted: a thousand at once is no rare thing.
const BACKLOG: u32 = 4096;

/// How much of what is sent may wait on this side, in octets. Linux doubles it.
/// The less, the closer it is told what a client left unread: some 150,000
/// octets here, and with the system's own measure, millions. But a client that
/// reads all must not be kept waiting: below this, each piece is shorter than
/// Linux acknowledges at once.
const SEND_BUFFER: u32 = 40 * 1024;

/// A port of 127.0.0.1.
pub(crate) struct Port {
    address: SocketAddr,
    state: State,
}

enum State {
    /// Bound without listening: clients are refused, and nobody else gets the
    /// port meanwhile, not even a client's own end of a connection.
    Refusing(TcpSocket),
    Listening(Arc<TcpListener>),
    /// Only ever between two of the above, or after an error.
    Lost,
}

impl Port {
    /// Takes any free port; nobody listens yet.
    pub(crate) fn reserve() -> io::Result<Self> {
        let socket = bind((Ipv4Addr::LOCALHOST, 0).into())?;
        Ok(Port { address: socket.local_addr()?, state: State::Refusing(socket) })
    }

    pub(crate) fn number(&self) -> u16 {
        self.address.port()
    }

    /// Listens, if that is not so yet.
    pub(crate) fn listen(&mut self) -> io::Result<Arc<TcpListener>> {
        let listener = match std::mem::replace(&mut self.state, State::Lost) {
            State::Listening(listener) => listener,
            State::Refusing(socket) => listen(socket)?,
            State::Lost => listen(bind(self.address)?)?,
        };
        self.state = State::Listening(Arc::clone(&listener));
        Ok(listener)
    }

    /// Refuses, if that is not so yet. Whoever else has the listener must have
    /// dropped it.
    pub(crate) fn refuse(&mut self) -> io::Result<()> {
        if !matches!(self.state, State::Refusing(_)) {
            self.state = State::Lost;
            self.state = State::Refusing(bind(self.address)?);
        }
        Ok(())
    }
}

fn bind(address: SocketAddr) -> io::Result<TcpSocket> {
    let socket = TcpSocket::new_v4()?;
    // Its connections inherit this.
    socket.set_send_buffer_size(SEND_BUFFER)?;
    // Else connections of the last minute would hold the port.
    set_reuse(&socket, true)?;
    socket.bind(address)?;
    // Else anybody could listen here who asks for this very port.
    set_reuse(&socket, false)?;
    Ok(socket)
}

fn listen(socket: TcpSocket) -> io::Result<Arc<TcpListener>> {
    // Its connections inherit this, and the next to bind the port needs it of them.
    set_reuse(&socket, true)?;
    Ok(Arc::new(socket.listen(BACKLOG)?))
}

/// Not on Windows, where it would let others take the port, and is not needed.
fn set_reuse(socket: &TcpSocket, is_on: bool) -> io::Result<()> {
    match cfg!(windows) {
        true => Ok(()),
        false => socket.set_reuseaddr(is_on),
    }
}
