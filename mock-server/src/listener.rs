//! Accepts connections at a port and serves them.

use std::io;
use std::sync::Arc;
use std::time::SystemTime;

use robotspec_cases::visit::Scheme;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};
use tokio_rustls::TlsAcceptor;

use crate::backend::{self, HttpBackend};
use crate::certificate;
use crate::error::StartError;
use crate::ftp;
use crate::meter::BodyMeter;
use crate::plan::{ConnectionMode, Content, Page, Plan};
use crate::port::Port;
use crate::record::{RecordedRequest, RequestLog, Role, path_of_target};
use crate::request::RequestHeader;
use crate::script::{self, Step};
use crate::transport::Transport;

/// A port and the task that accepts its connections.
pub(crate) struct Listener {
    pub(crate) port: Port,
    task: Option<JoinHandle<()>>,
}

/// What all connections to a listener during a visit share.
pub(crate) struct Context {
    pub(crate) role: Role,
    pub(crate) port: u16,
    pub(crate) visit: usize,
    pub(crate) mode: ConnectionMode,
    pub(crate) plan: Arc<Plan>,
    pub(crate) backend: Option<Arc<HttpBackend>>,
    pub(crate) log: RequestLog,
}

impl Listener {
    /// Reserves a port without listening.
    pub(crate) fn reserve() -> io::Result<Self> {
        Ok(Listener { port: Port::reserve()?, task: None })
    }

    /// Ends all connections. New connections wait.
    pub(crate) async fn pause(&mut self) {
        if let Some(task) = self.task.take() {
            task.abort();
            // The error says that the task was aborted.
            let _ = task.await;
        }
    }

    /// Serves connections in this context. The listener must be paused.
    pub(crate) fn resume(&mut self, context: Context) -> Result<(), StartError> {
        let tls = match context.mode {
            ConnectionMode::Refuse => return Ok(self.port.refuse()?),
            ConnectionMode::Serve(Scheme::Https { certificate }) => {
                Some(certificate::new_acceptor(certificate)?)
            }
            _ => None,
        };
        let listener = self.port.listen()?;
        self.task = Some(tokio::spawn(accept_connections(listener, Arc::new(context), tls)));
        Ok(())
    }
}

async fn accept_connections(listener: Arc<TcpListener>, context: Arc<Context>, tls: Option<TlsAcceptor>) {
    // Aborting this task drops the set and with it all connections.
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    connections.spawn(handle_connection(stream, Arc::clone(&context), tls.clone()));
                }
                // The client is gone, or there is no file descriptor left until
                // another client goes.
                Err(_) => tokio::time::sleep(backend::RETRY_DELAY).await,
            },
            Some(_) = connections.join_next() => {}
        }
    }
}

/// Handles a connection. All errors are ignored: the client went away.
async fn handle_connection(stream: TcpStream, context: Arc<Context>, tls: Option<TlsAcceptor>) {
    // Without this, Nagle's algorithm would join single bytes.
    let _ = stream.set_nodelay(true);
    match context.mode {
        ConnectionMode::Refuse => {}
        ConnectionMode::Reset => {
            let _ = stream.set_zero_linger();
        }
        ConnectionMode::Hold => std::future::pending().await,
        ConnectionMode::Serve(Scheme::Ftp) => {
            let _ = ftp::serve(stream, &context).await;
        }
        ConnectionMode::Serve(_) => {
            let _ = match tls {
                Some(tls) => match tls.accept(stream).await {
                    Ok(stream) => serve_http(stream, &context).await,
                    Err(_) => Ok(()),
                },
                None => serve_http(stream, &context).await,
            };
        }
    }
}

async fn serve_http(mut stream: impl Transport, context: &Context) -> io::Result<()> {
    let Some(header) = RequestHeader::read(&mut stream).await? else {
        return script::close(&mut stream).await;
    };
    let page = context.plan.find_page(context.role, path_of_target(&header.target));
    let method = header.method.clone();
    let log_index = context.record(header, page.map(|(_, page)| page));
    let meter = |steps: &[Step]| BodyMeter::new(context.log.clone(), log_index, script::measure(steps));
    let page_index = match page {
        Some((_, Page { content: Content::Script(steps), .. })) => {
            script::play(steps, &mut stream, meter(steps)).await?;
            return script::close(&mut stream).await;
        }
        Some((index, _)) => index,
        None => backend::MISSING_PAGE,
    };
    let Some(backend) = &context.backend else { return Ok(()) };
    let steps = [Step::Send(backend.fetch(&method, page_index).await?)];
    script::play(&steps, &mut stream, meter(&steps)).await?;
    script::close(&mut stream).await
}

impl Context {
    /// Records a request and returns its index in the log.
    fn record(&self, header: RequestHeader, page: Option<&Page>) -> usize {
        self.log.push(RecordedRequest {
            visit: self.visit,
            role: self.role,
            port: self.port,
            method: header.method,
            target: header.target,
            headers: header.fields,
            is_for_rules: page.is_some_and(|page| page.is_for_rules),
            hop: page.and_then(|page| page.hop),
            body: None,
            when: SystemTime::now(),
        })
    }

    /// Records a command of FTP and returns its index in the log.
    pub(crate) fn record_ftp(&self, command: &str, argument: &str, is_for_rules: bool) -> usize {
        self.log.push(RecordedRequest {
            visit: self.visit,
            role: self.role,
            port: self.port,
            method: command.to_owned(),
            target: argument.to_owned(),
            headers: Vec::new(),
            is_for_rules,
            hop: is_for_rules.then_some(0),
            body: None,
            when: SystemTime::now(),
        })
    }
}
