//! Turns a visit into the behaviour of each origin.

use robotspec_cases::visit::{
    ALLOW_ALL, Body, Certificate, DISALLOW_ALL, ELSEWHERE, ELSEWHERE_RULES, FtpFault, Location, NetworkFault,
    PRIVATE, RULES, Scheme, Site, Visit,
};

use crate::message::Message;
use crate::record::Role;
use crate::script::{self, Step};

/// The origin that no resolver knows: RFC 2606 reserves `.invalid`.
pub(crate) const NOWHERE: &str = "http://robotspec-nowhere.invalid";

/// The behaviour of the origins.
#[derive(Debug)]
pub(crate) struct VisitPlan {
    /// What each origin does with connections.
    modes: [ConnectionMode; 2],
    pub(crate) pages: Vec<Page>,
    /// The response for all other pages.
    pub(crate) missing: Message,
    /// The size of the file over FTP, in bytes.
    pub(crate) file_size: usize,
    pub(crate) ftp_fault: Option<FtpFault>,
}

/// What an origin does with connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ConnectionMode {
    /// Refuse them.
    Refuse,
    /// Reset them after accepting them.
    Reset,
    /// Keep them open without reading or writing.
    Hold,
    /// Serve them with this protocol.
    Serve(Scheme),
}

/// A page, or the file over FTP.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) role: Role,
    pub(crate) path: String,
    /// Whether the page is the `robots.txt` or a redirect target of it.
    pub(crate) is_for_rules: bool,
    /// The number of redirects from the `robots.txt` to the page.
    pub(crate) hop: Option<usize>,
    pub(crate) content: Content,
}

/// The response of a page.
#[derive(Debug)]
pub(crate) enum Content {
    /// A response without a fault.
    Http(Message),
    /// A response with a fault, or a file over FTP.
    Script(Vec<Step>),
}

/// Returns whether the name of the origin cannot be resolved.
pub(crate) fn is_nowhere(visit: &Visit) -> bool {
    visit.response.fault == Some(NetworkFault::NameNotFound) && visit.hops.is_empty()
}

/// Returns whether a client meets TLS.
pub(crate) fn has_tls(visit: &Visit) -> bool {
    matches!(visit.scheme, Scheme::Https { .. }) || visit.location == Location::ToHttps
}

/// Returns whether redirects lead to another origin.
pub(crate) fn needs_other(visit: &Visit) -> bool {
    use Location::{Disallowed, NetworkPath, OtherPort, ToHttps};
    visit.site == Site::MovedToOtherPort
        || matches!(visit.location, OtherPort | NetworkPath | Disallowed | ToHttps)
}

impl VisitPlan {
    /// Plans a valid visit for origins at these ports: the first one, and the other one if the visit needs it.
    pub(crate) fn new(visit: &Visit, ports: [u16; 2]) -> Self {
        let response = &visit.response;
        let last = visit.hops.len();
        let last_role = role_of_hop(visit, last);
        let mode = |role, scheme| match response.fault.filter(|_| role == last_role) {
            Some(NetworkFault::Refused) => ConnectionMode::Refuse,
            Some(NetworkFault::ResetAtAccept) => ConnectionMode::Reset,
            Some(NetworkFault::SilentAtConnect) => ConnectionMode::Hold,
            _ => ConnectionMode::Serve(scheme),
        };
        let mut pages: Vec<Page> = (0..=last).map(|hop| hop_page(visit, hop, ports)).collect();
        let rules_of_other = match (visit.location, visit.site) {
            (Location::Disallowed, _) => Some(RULES),
            (_, Site::MovedToOtherPort) => Some(DISALLOW_ALL),
            _ => None,
        };
        pages.extend(rules_of_other.map(|rules| Page {
            is_for_rules: true,
            ..static_page(Role::Other, "/robots.txt", Message::text(200, rules))
        }));
        pages.extend(page_of_site(visit, ports));
        if matches!(response.body, Some(Body::MetaRefresh | Body::Frame | Body::Script)) {
            pages.push(static_page(last_role, ELSEWHERE, Message::text(200, ELSEWHERE_RULES)));
        }
        let html = visit.pages.iter();
        pages.extend(
            html.map(|(path, html)| static_page(Role::First, path, Message::html(200, html.as_str()))),
        );
        VisitPlan {
            modes: [mode(Role::First, visit.scheme), mode(Role::Other, scheme_of_other(visit))],
            pages,
            missing: Message::text(response.missing_pages, DISALLOW_ALL),
            file_size: response.body_bytes().len(),
            ftp_fault: response.ftp,
        }
    }

    /// Returns what an origin does with connections.
    pub(crate) fn mode(&self, role: Role) -> ConnectionMode {
        self.modes[role as usize]
    }

    /// Returns whether HTTP can express everything that happens at an origin.
    pub(crate) fn is_plain_http(&self, role: Role) -> bool {
        let mut pages = self.pages.iter().filter(|page| page.role == role);
        self.mode(role) == ConnectionMode::Serve(Scheme::Http)
            && pages.all(|page| matches!(&page.content, Content::Http(message) if message.is_plain()))
    }
}

/// Returns the origin of the page after this number of redirects.
pub(crate) fn role_of_hop(visit: &Visit, hop: usize) -> Role {
    match visit.location {
        Location::OtherPort | Location::NetworkPath | Location::Disallowed if hop > 0 => Role::Other,
        Location::ToHttps if hop % 2 == 1 => Role::Other,
        _ => Role::First,
    }
}

fn path_of_hop(visit: &Visit, hop: usize) -> String {
    match (hop, visit.location) {
        (0, _) => "/robots.txt".to_owned(),
        (1, Location::Disallowed) => "/private/robots.txt".to_owned(),
        (_, Location::Disallowed) => format!("/private/robots-{hop}.txt"),
        (_, Location::RelativePath) => format!("/rules/robots-{hop}.txt"),
        _ => format!("/robots-{hop}.txt"),
    }
}

fn scheme_of_other(visit: &Visit) -> Scheme {
    match (visit.location, visit.scheme) {
        (Location::ToHttps, _) | (_, Scheme::Https { .. }) => {
            Scheme::Https { certificate: Certificate::Good }
        }
        _ => Scheme::Http,
    }
}

fn hop_page(visit: &Visit, hop: usize, ports: [u16; 2]) -> Page {
    let content = match visit.hops.get(hop) {
        Some(&status) => {
            let redirect = Message::text(status, DISALLOW_ALL);
            Content::Http(match location_of_hop(visit, hop, ports) {
                Some(location) => redirect.with_field("Location", &location),
                None => redirect,
            })
        }
        None if visit.scheme == Scheme::Ftp => Content::Script(script::transfer(&visit.response)),
        None => {
            let message = Message::of_response(&visit.response);
            let steps = visit.response.fault.and_then(|fault| script::faulty_response(fault, &message));
            steps.map_or(Content::Http(message), Content::Script)
        }
    };
    Page {
        role: role_of_hop(visit, hop),
        path: path_of_hop(visit, hop),
        is_for_rules: true,
        hop: Some(hop),
        content,
    }
}

/// Returns the page that only a crawler can find: a redirect, or a file that is no `/robots.txt`.
fn page_of_site(visit: &Visit, [_, other]: [u16; 2]) -> Option<Page> {
    let (path, message) = match visit.site {
        Site::Links => return None,
        Site::Folder => ("/folder/robots.txt", Message::text(200, ALLOW_ALL)),
        Site::Moved => ("/moved", Message::text(302, "").with_field("Location", PRIVATE)),
        Site::MovedToOtherPort => {
            let target = format!("{}://127.0.0.1:{other}{PRIVATE}?there", scheme_of_other(visit).id());
            ("/moved", Message::text(302, "").with_field("Location", &target))
        }
    };
    Some(static_page(Role::First, path, message))
}

fn static_page(role: Role, path: &str, message: Message) -> Page {
    Page { role, path: path.to_owned(), is_for_rules: false, hop: None, content: Content::Http(message) }
}

/// Returns the `Location` of the redirect after this number of redirects.
fn location_of_hop(visit: &Visit, hop: usize, [first, other]: [u16; 2]) -> Option<String> {
    let next = hop + 1;
    let path = path_of_hop(visit, next);
    let is_last = next == visit.hops.len();
    match visit.location {
        Location::Missing => None,
        Location::Invalid => Some("http://[:::/robots.txt".to_owned()),
        Location::Loop if is_last => Some(path_of_hop(visit, 0)),
        Location::Loop => Some(path),
        _ if is_last && visit.response.fault == Some(NetworkFault::NameNotFound) => {
            Some(format!("{NOWHERE}{path}"))
        }
        Location::Relative => Some(path),
        Location::RelativePath => Some(path[if hop == 0 { "/" } else { "/rules/" }.len()..].to_owned()),
        Location::NetworkPath if hop == 0 => Some(format!("//127.0.0.1:{other}{path}")),
        Location::NetworkPath => Some(path),
        Location::Absolute | Location::OtherPort | Location::Disallowed | Location::ToHttps => {
            let (scheme, port) = match role_of_hop(visit, next) {
                Role::First => (visit.scheme, first),
                Role::Other => (scheme_of_other(visit), other),
            };
            Some(format!("{}://127.0.0.1:{port}{path}", scheme.id()))
        }
    }
}
