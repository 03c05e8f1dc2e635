//! A port on loopback that stays reserved, with or without a listener.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};

use socket2::{Domain, Socket, Type};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;

/// The number of clients that may wait to be accepted. Some callers connect a
/// thousand clients at once.
const BACKLOG: i32 = 4096;

/// The send buffer of a connection in bytes, which Linux doubles. The smaller the
/// buffer, the more precisely the server knows how much a client read: to about
/// 150,000 bytes, compared to millions with the default of the system. With a
/// smaller buffer, a client that reads everything would have to wait, because Linux
/// delays the acknowledgement of shorter pieces.
const SEND_BUFFER: usize = 40 * 1024;

/// A port of 127.0.0.1.
pub(crate) struct Port {
    address: SocketAddr,
    state: State,
}

enum State {
    /// Bound without listening. The system refuses clients, and gives the port
    /// neither to another listener nor to an outgoing connection.
    Refusing(Socket),
    Listening {
        listener: TcpListener,
        /// Bound to the same port, where the system allows that next to a listener, as
        /// Linux does. Otherwise, the port would be free for a moment after the listener
        /// ends, and another socket could take it.
        next: Option<Socket>,
    },
    /// Only between the other two states, or after an error.
    Lost,
}

impl Port {
    /// Reserves a free port, which refuses connections.
    pub(crate) fn reserve() -> io::Result<Self> {
        let socket = bind((Ipv4Addr::LOCALHOST, 0).into())?;
        set_reuse(&socket, false)?;
        let address = socket.local_addr()?.as_socket().ok_or(io::ErrorKind::AddrNotAvailable)?;
        Ok(Port { address, state: State::Refusing(socket) })
    }

    pub(crate) fn number(&self) -> u16 {
        self.address.port()
    }

    /// Listens, and returns a handle of the listener, which does not block.
    pub(crate) fn listen(&mut self) -> io::Result<TcpListener> {
        let (listener, next) = match std::mem::replace(&mut self.state, State::Lost) {
            State::Listening { listener, next } => (listener, next),
            State::Refusing(socket) => self.start_to_listen(socket)?,
            State::Lost => self.start_to_listen(bind(self.address)?)?,
        };
        let handle = listener.try_clone()?;
        self.state = State::Listening { listener, next };
        Ok(handle)
    }

    fn start_to_listen(&self, socket: Socket) -> io::Result<(TcpListener, Option<Socket>)> {
        set_reuse(&socket, true)?;
        let next = bind(self.address).ok();
        Ok((listen(socket)?, next))
    }

    /// Closes the connections that wait to be accepted.
    pub(crate) fn close_waiting(&self) {
        if let State::Listening { listener, .. } = &self.state {
            // There may be more, if clients connect faster.
            (0..BACKLOG).take_while(|_| listener.accept().is_ok()).count();
        }
    }

    /// Refuses connections. All handles of the listener must have been dropped.
    pub(crate) fn refuse(&mut self) -> io::Result<()> {
        let next = match std::mem::replace(&mut self.state, State::Lost) {
            State::Refusing(socket) => Some(socket),
            State::Listening { next, .. } => next,
            State::Lost => None,
        };
        let socket = next.map_or_else(|| bind(self.address), Ok)?;
        set_reuse(&socket, false)?;
        self.state = State::Refusing(socket);
        Ok(())
    }
}

/// Listens at a free port, for the transfer of a file over FTP.
pub(crate) fn listen_at_free_port() -> io::Result<TcpListener> {
    listen(bind((Ipv4Addr::LOCALHOST, 0).into())?)
}

fn listen(socket: Socket) -> io::Result<TcpListener> {
    socket.listen(BACKLOG)?;
    socket.set_nonblocking(true)?;
    Ok(socket.into())
}

/// Returns a socket bound to a port that connections of the last minute and other
/// sockets of this function may share. A socket that listens needs that, too.
fn bind(address: SocketAddr) -> io::Result<Socket> {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None)?;
    // Accepted connections inherit both.
    socket.set_send_buffer_size(SEND_BUFFER)?;
    set_reuse(&socket, true)?;
    socket.bind(&address.into())?;
    Ok(socket)
}

/// Lets other sockets share the port, or excludes them, also those of other processes.
/// Does nothing on Windows, where the option is not needed and would let other
/// processes take the port.
fn set_reuse(socket: &Socket, is_on: bool) -> io::Result<()> {
    match cfg!(windows) {
        true => Ok(()),
        false => socket.set_reuse_address(is_on),
    }
}

/// A connection to a client.
pub(crate) trait Transport: AsyncRead + AsyncWrite + Unpin + Send {
    /// Returns the underlying TCP connection.
    fn tcp(&self) -> &TcpStream;
}

impl Transport for TcpStream {
    fn tcp(&self) -> &TcpStream {
        self
    }
}

impl Transport for TlsStream<TcpStream> {
    fn tcp(&self) -> &TcpStream {
        self.get_ref().0
    }
}
