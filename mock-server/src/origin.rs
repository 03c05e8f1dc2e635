//! The origins of a server: ports on loopback, and what plays the visit there.

use std::io;
use std::sync::Arc;

use robotspec_cases::visit::Visit;

use crate::context::Context;
use crate::error::StartError;
use crate::http::HttpServer;
use crate::listener::Listener;
use crate::plan::{ConnectionMode, VisitPlan, needs_other};
use crate::port::Port;
use crate::record::{RequestLog, Role};

/// The origins of a server.
pub(crate) struct Origins {
    first: Origin,
    /// Reserved by the first visit that redirects to it, and kept for the next visits.
    other: Option<Origin>,
    visits: usize,
}

impl Origins {
    /// Reserves the first origin.
    pub(crate) fn reserve() -> io::Result<Self> {
        Ok(Origins { first: Origin::reserve(Role::First)?, other: None, visits: 0 })
    }

    /// Returns the port of the first origin.
    pub(crate) fn first_port(&self) -> u16 {
        self.first.port.number()
    }

    /// Ends the visit and plays another one.
    pub(crate) fn play(&mut self, visit: &Visit, log: &RequestLog) -> Result<(), StartError> {
        if self.other.is_none() && needs_other(visit) {
            self.other = Some(Origin::reserve(Role::Other)?);
        }
        let other_port = self.other.as_ref().map_or(0, |other| other.port.number());
        let plan = Arc::new(VisitPlan::new(visit, [self.first.port.number(), other_port]));
        // Both origins end the visit before one of them starts the next.
        self.first.stop();
        self.other.iter_mut().for_each(Origin::stop);
        for origin in [&mut self.first].into_iter().chain(&mut self.other) {
            origin.play(self.visits, &plan, log)?;
        }
        self.visits += 1;
        Ok(())
    }

    /// Returns whether the origins play the visit.
    pub(crate) fn are_running(&self) -> bool {
        self.first.is_running() && self.other.as_ref().is_none_or(Origin::is_running)
    }
}

/// A port, and what plays the visit there.
struct Origin {
    role: Role,
    /// `None`: the port refuses connections. It ends before the port.
    player: Option<Player>,
    port: Port,
}

/// What plays a visit at a port.
enum Player {
    /// All that HTTP can express.
    Http(HttpServer),
    /// Everything else.
    Listener(Listener),
}

impl Origin {
    fn reserve(role: Role) -> io::Result<Self> {
        Ok(Origin { role, player: None, port: Port::reserve()? })
    }

    /// Ends the visit: closes all connections, and those that wait to be accepted.
    fn stop(&mut self) {
        self.player = None;
        self.port.close_waiting();
    }

    /// Plays a visit. The origin must be stopped.
    fn play(&mut self, visit: usize, plan: &Arc<VisitPlan>, log: &RequestLog) -> Result<(), StartError> {
        let mode = plan.mode(self.role);
        if mode == ConnectionMode::Refuse {
            return Ok(self.port.refuse()?);
        }
        let listener = self.port.listen()?;
        let context = Context {
            role: self.role,
            port: self.port.number(),
            visit,
            plan: Arc::clone(plan),
            log: log.clone(),
        };
        self.player = Some(match plan.is_plain_http(self.role) {
            true => Player::Http(HttpServer::start(listener, context)?),
            false => Player::Listener(Listener::start(listener, mode, context)?),
        });
        Ok(())
    }

    fn is_running(&self) -> bool {
        match &self.player {
            None => true,
            Some(Player::Http(server)) => server.is_running(),
            Some(Player::Listener(listener)) => listener.is_running(),
        }
    }
}
