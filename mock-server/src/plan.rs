//! Turns a visit into the behaviour of each listener.

use robotspec_cases::visit::{
    Body, Certificate, DISALLOW_ALL, ELSEWHERE, ELSEWHERE_RULES, FtpFault, Location, NetworkFault, RULES,
    Response, Scheme, Visit,
};
use wiremock::ResponseTemplate;

use crate::payload::Payload;
use crate::record::Role;
use crate::script::{self, Step};

/// The origin that no resolver knows: RFC 2606 reserves `.invalid`.
pub(crate) const NOWHERE: &str = "http://robotspec-nowhere.invalid";

/// The behaviour of the listeners.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) first: ConnectionMode,
    pub(crate) other: ConnectionMode,
    pub(crate) pages: Vec<Page>,
    /// The status of all other pages.
    pub(crate) missing_status: u16,
    pub(crate) ftp: FtpPlan,
}

/// What a listener does with connections.
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
    /// A response that an HTTP server can send.
    Http(Box<ResponseTemplate>),
    /// Any other response.
    Script(Vec<Step>),
}

/// The behaviour over FTP.
#[derive(Debug)]
pub(crate) struct FtpPlan {
    /// The size of the file in bytes.
    pub(crate) file_size: usize,
    pub(crate) transfer: Vec<Step>,
    pub(crate) fault: Option<FtpFault>,
}

/// The ports of the listeners, for the URLs of redirects.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ports {
    pub(crate) first: u16,
    pub(crate) other: u16,
}

/// Returns whether the name of the origin cannot be resolved.
pub(crate) fn is_nowhere(visit: &Visit) -> bool {
    visit.response.fault == Some(NetworkFault::NameNotFound) && visit.hops.is_empty()
}

/// Returns whether a client meets TLS.
pub(crate) fn has_tls(visit: &Visit) -> bool {
    matches!(visit.scheme, Scheme::Https { .. }) || visit.location == Location::ToHttps
}

impl Plan {
    /// Plans a valid visit for listeners at these ports.
    pub(crate) fn new(visit: &Visit, ports: Ports) -> Self {
        let response = &visit.response;
        let last = visit.hops.len();
        let last_role = role_of_hop(visit, last);
        let mode = |role, scheme| match response.fault.filter(|_| role == last_role) {
            Some(NetworkFault::Refused) => ConnectionMode::Refuse,
            Some(NetworkFault::ResetAtAccept) => ConnectionMode::Reset,
            Some(NetworkFault::SilentAtConnect) => ConnectionMode::Hold,
            _ => ConnectionMode::Serve(scheme),
        };
        let mut pages: Vec<Page> = match visit.scheme {
            Scheme::Ftp => Vec::new(),
            _ => (0..=last).map(|hop| hop_page(visit, hop, ports)).collect(),
        };
        if visit.location == Location::Disallowed {
            let rules = Payload::text(RULES);
            pages.push(Page { is_for_rules: true, ..static_page(Role::Other, "/robots.txt", &rules) });
        }
        if matches!(response.body, Some(Body::MetaRefresh | Body::Frame | Body::Script)) {
            pages.push(static_page(last_role, ELSEWHERE, &Payload::text(ELSEWHERE_RULES)));
        }
        let html = visit.pages.iter();
        pages.extend(html.map(|(path, html)| static_page(Role::First, path, &Payload::html(html.as_str()))));
        Plan {
            first: mode(Role::First, visit.scheme),
            other: mode(Role::Other, scheme_of_other(visit)),
            pages,
            missing_status: response.missing_pages,
            ftp: FtpPlan {
                file_size: response.body_bytes().len(),
                transfer: script::transfer(response),
                fault: response.ftp,
            },
        }
    }

    /// Finds a page and its index.
    pub(crate) fn find_page(&self, role: Role, path: &str) -> Option<(usize, &Page)> {
        self.pages.iter().enumerate().find(|(_, page)| page.role == role && page.path == path)
    }
}

/// Returns the listener of the page after this number of redirects.
pub(crate) fn role_of_hop(visit: &Visit, hop: usize) -> Role {
    match visit.location {
        Location::OtherPort | Location::Disallowed if hop > 0 => Role::Other,
        Location::ToHttps if hop % 2 == 1 => Role::Other,
        _ => Role::First,
    }
}

fn path_of_hop(visit: &Visit, hop: usize) -> String {
    match (hop, visit.location) {
        (0, _) => "/robots.txt".to_owned(),
        (1, Location::Disallowed) => "/private/robots.txt".to_owned(),
        (_, Location::Disallowed) => format!("/private/robots-{hop}.txt"),
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

fn hop_page(visit: &Visit, hop: usize, ports: Ports) -> Page {
    let content = match visit.hops.get(hop) {
        Some(&status) => {
            let template = new_template(status, &Payload::text(DISALLOW_ALL));
            Content::Http(Box::new(match location_of_hop(visit, hop, ports) {
                Some(location) => template.insert_header("location", location),
                None => template,
            }))
        }
        None => final_content(&visit.response),
    };
    Page {
        role: role_of_hop(visit, hop),
        path: path_of_hop(visit, hop),
        is_for_rules: true,
        hop: Some(hop),
        content,
    }
}

fn static_page(role: Role, path: &str, payload: &Payload) -> Page {
    let content = Content::Http(Box::new(new_template(200, payload)));
    Page { role, path: path.to_owned(), is_for_rules: false, hop: None, content }
}

/// Returns the `Location` of the redirect after this number of redirects.
fn location_of_hop(visit: &Visit, hop: usize, ports: Ports) -> Option<String> {
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
        Location::Absolute | Location::OtherPort | Location::Disallowed | Location::ToHttps => {
            let (scheme, port) = match role_of_hop(visit, next) {
                Role::First => (visit.scheme, ports.first),
                Role::Other => (scheme_of_other(visit), ports.other),
            };
            Some(format!("{}://127.0.0.1:{port}{path}", scheme.id()))
        }
    }
}

fn final_content(response: &Response) -> Content {
    if let Some(steps) = response.fault.and_then(|fault| script::faulty_response(fault, response)) {
        return Content::Script(steps);
    }
    let headers = || response.headers.iter();
    if !is_full_status(response.status) || !headers().all(|(name, value)| can_carry(name, value)) {
        return Content::Script(script::raw_response(response));
    }
    let template = new_template(response.status, &Payload::of_response(response));
    let template = headers()
        .fold(template, |template, (name, value)| template.insert_header(name.as_str(), value.as_str()));
    Content::Http(Box::new(template))
}

/// Returns whether an HTTP server can send a complete response with this status.
pub(crate) fn is_full_status(status: u16) -> bool {
    (200..=999).contains(&status)
}

/// Returns whether an HTTP server sends this field unchanged: the field must be well
/// formed and must not frame the message, which is the task of the server.
fn can_carry(name: &str, value: &str) -> bool {
    const FRAMING: [&str; 5] = ["connection", "content-length", "transfer-encoding", "trailer", "upgrade"];
    let is_token = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let is_text = value.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    is_token && is_text && !FRAMING.iter().any(|framing| name.eq_ignore_ascii_case(framing))
}

/// Creates a response for wiremock.
pub(crate) fn new_template(status: u16, payload: &Payload) -> ResponseTemplate {
    let template = ResponseTemplate::new(status).insert_header("content-type", payload.media_type);
    let template = match payload.encoding {
        Some(encoding) => template.insert_header("content-encoding", encoding),
        None => template,
    };
    // HTTP forbids a body for these statuses, and hyper enforces it.
    match status {
        204 | 205 | 304 => template,
        _ => template.set_body_bytes(payload.bytes.clone()),
    }
}
