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
    Listening {
        listener: Arc<TcpListener>,
        /// Bound to the same port, where the system allows that next to a listener, as
        /// Linux does. Otherwise, the port would be free for a moment after the listener
        /// ends, and another socket could take it.
        next: Option<TcpSocket>,
    },
    /// Only between the other two states, or after an error.
    Lost,
}

impl Port {
    /// Reserves a free port, which refuses connections.
    pub(crate) fn reserve() -> io::Result<Self> {
        let socket = refusing(bind((Ipv4Addr::LOCALHOST, 0).into())?)?;
        Ok(Port { address: socket.local_addr()?, state: State::Refusing(socket) })
    }

    pub(crate) fn number(&self) -> u16 {
        self.address.port()
    }

    /// Listens, if the port does not listen yet.
    pub(crate) fn listen(&mut self) -> io::Result<Arc<TcpListener>> {
        let socket = match std::mem::replace(&mut self.state, State::Lost) {
            State::Listening { listener, next } => {
                self.state = State::Listening { listener: Arc::clone(&listener), next };
                return Ok(listener);
            }
            State::Refusing(socket) => socket,
            State::Lost => bind(self.address)?,
        };
        set_reuse(&socket, true)?;
        let next = bind(self.address).ok();
        let listener = Arc::new(socket.listen(BACKLOG)?);
        self.state = State::Listening { listener: Arc::clone(&listener), next };
        Ok(listener)
    }

    /// Refuses connections. All other owners of the listener must have dropped it.
    pub(crate) fn refuse(&mut self) -> io::Result<()> {
        let next = match std::mem::replace(&mut self.state, State::Lost) {
            State::Refusing(socket) => Some(socket),
            State::Listening { next, .. } => next,
            State::Lost => None,
        };
        let socket = next.map_or_else(|| bind(self.address), Ok)?;
        self.state = State::Refusing(refusing(socket)?);
        Ok(())
    }
}

/// Listens at a free port, for the transfer of a file over FTP.
pub(crate) fn listen_at_free_port() -> io::Result<TcpListener> {
    bind((Ipv4Addr::LOCALHOST, 0).into())?.listen(1)
}

/// Returns a socket bound to a port that connections of the last minute and other
/// sockets of this function may share. A socket that listens needs that, too.
fn bind(address: SocketAddr) -> io::Result<TcpSocket> {
    let socket = TcpSocket::new_v4()?;
    // Accepted connections inherit both.
    socket.set_send_buffer_size(SEND_BUFFER)?;
    set_reuse(&socket, true)?;
    socket.bind(address)?;
    Ok(socket)
}

/// Excludes other sockets from the port, also those of other processes.
fn refusing(socket: TcpSocket) -> io::Result<TcpSocket> {
    set_reuse(&socket, false)?;
    Ok(socket)
}

/// Does nothing on Windows, where the option is not needed and would let other
/// processes take the port.
fn set_reuse(socket: &TcpSocket, is_on: bool) -> io::Result<()> {
    match cfg!(windows) {
        true => Ok(()),
        false => socket.set_reuseaddr(is_on),
    }
}
