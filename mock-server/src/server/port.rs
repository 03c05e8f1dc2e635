//! A port on loopback that stays reserved, with or without a listener.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use tokio::net::{TcpListener, TcpSocket};

/// The number of clients that may wait to be accepted. Some callers connect a
/// thousand clients at once.
const BACKLOG: u32 = 4096;

/// The send buffer of a connection in bytes, which Linux doubles. The smaller the
/// buffer, the more precisely the server knows how much a client read: to about
/// 150,000 bytes, compared to millions with the default of the system. With a
/// smaller buffer, a client that reads everything would have to wait, because Linux
/// delays the acknowledgement of shorter pieces.
const SEND_BUFFER: u32 = 40 * 1024;

/// A port of 127.0.0.1.
pub(crate) struct Port {
    address: SocketAddr,
    state: State,
}

enum State {
    /// Bound without listening. The system refuses clients, and gives the port
    /// neither to another listener nor to an outgoing connection.
    Refusing(TcpSocket),
    Listening(Arc<TcpListener>),
    /// Only between the other two states, or after an error.
    Lost,
}

impl Port {
    /// Reserves a free port, which refuses connections.
    pub(crate) fn reserve() -> io::Result<Self> {
        let socket = bind((Ipv4Addr::LOCALHOST, 0).into())?;
        Ok(Port { address: socket.local_addr()?, state: State::Refusing(socket) })
    }

    pub(crate) fn number(&self) -> u16 {
        self.address.port()
    }

    /// Listens, if the port does not listen yet.
    pub(crate) fn listen(&mut self) -> io::Result<Arc<TcpListener>> {
        let listener = match std::mem::replace(&mut self.state, State::Lost) {
            State::Listening(listener) => listener,
            State::Refusing(socket) => listen(socket)?,
            State::Lost => listen(bind(self.address)?)?,
        };
        self.state = State::Listening(Arc::clone(&listener));
        Ok(listener)
    }

    /// Refuses connections. All other owners of the listener must have dropped it.
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
    // Accepted connections inherit this.
    socket.set_send_buffer_size(SEND_BUFFER)?;
    // Without this, connections of the last minute would block the port.
    set_reuse(&socket, true)?;
    socket.bind(address)?;
    // Otherwise another process could bind the same port.
    set_reuse(&socket, false)?;
    Ok(socket)
}

fn listen(socket: TcpSocket) -> io::Result<Arc<TcpListener>> {
    // Accepted connections inherit this, and the next `bind` needs it.
    set_reuse(&socket, true)?;
    Ok(Arc::new(socket.listen(BACKLOG)?))
}

/// Does nothing on Windows, where the option is not needed and would let other
/// processes take the port.
fn set_reuse(socket: &TcpSocket, is_on: bool) -> io::Result<()> {
    match cfg!(windows) {
        true => Ok(()),
        false => socket.set_reuseaddr(is_on),
    }
}
