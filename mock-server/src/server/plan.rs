//! From a visit to what each listener does.

use wiremock::ResponseTemplate;

use crate::body::{DISALLOW_ALL, ELSEWHERE, File, RULES_ELSEWHERE};
use crate::server::record::Role;
use crate::server::script::{self, Step};
use crate::visit::{Answer, Body, Certificate, Fault, FtpFault, Location, Scheme, Visit};

/// The origin whose name no resolver knows: RFC 2606 keeps `.invalid` free.
pub(crate) const NOWHERE: &str = "http://robotspec-nowhere.invalid";

/// What is asked for makes no sense.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidVisit(pub(crate) String);

/// What the listeners do.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) first: Door,
    pub(crate) other: Door,
    pub(crate) pages: Vec<Page>,
    /// The status of all other pages.
    pub(crate) missing: u16,
    pub(crate) ftp: Ftp,
}

/// What a listener does with a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Door {
    /// There is none.
    Refuse,
    /// It is reset.
    Reset,
    /// It is left as it is.
    Hold,
    /// It is served.
    Serve(Scheme),
}

/// Something to ask for.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) role: Role,
    pub(crate) path: String,
    /// Whether it is the robots.txt or what that redirects to.
    pub(crate) is_for_rules: bool,
    /// How many redirects lead from the robots.txt to this.
    pub(crate) hop: Option<usize>,
    pub(crate) content: Content,
}

/// What a page answers.
#[derive(Debug)]
pub(crate) enum Content {
    /// What an HTTP server can send.
    Http(Box<ResponseTemplate>),
    /// What it cannot.
    Script(Vec<Step>),
}

/// What an FTP server does.
#[derive(Debug, Clone)]
pub(crate) struct Ftp {
    pub(crate) file: Vec<u8>,
    pub(crate) fault: Option<FtpFault>,
}

/// A listener, as a part of URLs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ports {
    pub(crate) first: u16,
    pub(crate) other: u16,
}

/// Whether the origin is one that cannot be found.
pub(crate) fn is_nowhere(visit: &Visit) -> bool {
    visit.answer.fault == Some(Fault::NameNotFound) && visit.hops.is_empty()
}

/// Whether a client meets TLS.
pub(crate) fn has_tls(visit: &Visit) -> bool {
    matches!(visit.scheme, Scheme::Https { .. }) || visit.location == Location::ToHttps
}

/// Whether a fault comes before any request is read.
fn is_of_connection(fault: Fault) -> bool {
    matches!(fault, Fault::Refused | Fault::ResetAtAccept | Fault::SilentAtConnect)
}

/// Checks that a visit makes sense.
pub(crate) fn validate(visit: &Visit) -> Result<(), InvalidVisit> {
    let answer = &visit.answer;
    let wrong = |what: &str| Err(InvalidVisit(what.to_owned()));
    if visit.scheme == Scheme::Ftp {
        if !visit.hops.is_empty() || visit.location != Location::Relative {
            return wrong("FTP has no redirects: leave `hops` and `location` out");
        }
        if answer.fault.is_some_and(|fault| !is_of_connection(fault)) {
            return wrong(
                "over FTP, of `fault` only refused, reset-at-accept and silent-at-connect can happen",
            );
        }
        if answer.status != 200 || !answer.headers.is_empty() {
            return wrong("FTP has no HTTP status and no header: leave `status` and `headers` out");
        }
        return Ok(());
    }
    if answer.ftp.is_some() {
        return wrong("`ftp` says what goes wrong over FTP: it needs `scheme: ftp`");
    }
    if visit.hops.is_empty() && visit.location != Location::Relative {
        return wrong("`location` says how redirects say where to: it needs `hops`");
    }
    if let Some(status) = visit.hops.iter().chain([&answer.missing_pages]).find(|status| !can_send(**status))
    {
        return Err(InvalidVisit(format!("{status} is no status for a redirect or a missing page")));
    }
    let fault = answer.fault.filter(|_| !visit.hops.is_empty());
    if fault.is_some_and(is_of_connection) && role_of_page(visit, visit.hops.len()) == Role::First {
        return wrong("a connection can only fail behind redirects that lead to another port");
    }
    if is_nowhere(visit) && visit.scheme != Scheme::Http {
        return wrong("a name that is not found needs `scheme: http`");
    }
    for text in answer.headers.iter().flat_map(|(name, value)| [name, value]) {
        if text.contains(['\r', '\n']) {
            return wrong("a header field with a line break is two header fields");
        }
    }
    Ok(())
}

impl Plan {
    /// What the listeners at these ports do in a visit that is [valid](validate).
    pub(crate) fn of(visit: &Visit, ports: Ports) -> Self {
        let answer = &visit.answer;
        let last = visit.hops.len();
        let role = role_of_page(visit, last);
        let door = |of: Role, scheme| match answer.fault.filter(|_| of == role) {
            Some(Fault::Refused) => Door::Refuse,
            Some(Fault::ResetAtAccept) => Door::Reset,
            Some(Fault::SilentAtConnect) => Door::Hold,
            _ => Door::Serve(scheme),
        };
        let mut pages: Vec<Page> = match visit.scheme {
            Scheme::Ftp => Vec::new(),
            _ => (0..=last).map(|index| page(visit, index, ports)).collect(),
        };
        if visit.location == Location::Disallowed {
            pages.push(rules(Role::Other, "/robots.txt", "user-agent: *\ndisallow: /private\n", true));
        }
        if matches!(answer.body, Some(Body::MetaRefresh | Body::Frame | Body::Script)) {
            pages.push(rules(role, ELSEWHERE, RULES_ELSEWHERE, false));
        }
        pages.extend(visit.pages.iter().map(|(path, html)| html_page(path, html)));
        Plan {
            first: door(Role::First, visit.scheme),
            other: door(Role::Other, scheme_of_other(visit)),
            pages,
            missing: answer.missing_pages,
            ftp: Ftp { file: File::of_answer(answer).octets, fault: answer.ftp },
        }
    }

    /// The page that a client asks for, with its index.
    pub(crate) fn page(&self, role: Role, path: &str) -> Option<(usize, &Page)> {
        self.pages.iter().enumerate().find(|(_, page)| page.role == role && page.path == path)
    }
}

/// Who serves the file behind so many redirects.
fn role_of_page(visit: &Visit, index: usize) -> Role {
    match visit.location {
        Location::OtherPort | Location::Disallowed if index > 0 => Role::Other,
        Location::ToHttps if index % 2 == 1 => Role::Other,
        _ => Role::First,
    }
}

fn path_of_page(visit: &Visit, index: usize) -> String {
    match (index, visit.location) {
        (0, _) => "/robots.txt".to_owned(),
        (1, Location::Disallowed) => "/private/robots.txt".to_owned(),
        (_, Location::Disallowed) => format!("/private/robots-{index}.txt"),
        _ => format!("/robots-{index}.txt"),
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

fn page(visit: &Visit, index: usize, ports: Ports) -> Page {
    let content = match visit.hops.get(index) {
        Some(&status) => {
            let file = File::text(DISALLOW_ALL);
            let template = template(status, &file);
            Content::Http(Box::new(match location(visit, index, ports) {
                Some(location) => template.insert_header("location", location),
                None => template,
            }))
        }
        None => content(&visit.answer),
    };
    let (role, path) = (role_of_page(visit, index), path_of_page(visit, index));
    Page { role, path, is_for_rules: true, hop: Some(index), content }
}

fn rules(role: Role, path: &str, text: &str, is_for_rules: bool) -> Page {
    let content = Content::Http(Box::new(template(200, &File::text(text))));
    Page { role, path: path.to_owned(), is_for_rules, hop: None, content }
}

fn html_page(path: &str, html: &str) -> Page {
    let content = Content::Http(Box::new(template(200, &File::page(html))));
    Page { role: Role::First, path: path.to_owned(), is_for_rules: false, hop: None, content }
}

/// Where the redirect with this index leads to.
fn location(visit: &Visit, index: usize, ports: Ports) -> Option<String> {
    let next = index + 1;
    let path = path_of_page(visit, next);
    let is_last = next == visit.hops.len();
    let url = |role| {
        let (scheme, port) = match role {
            Role::First => (visit.scheme, ports.first),
            Role::Other => (scheme_of_other(visit), ports.other),
        };
        format!("{}://127.0.0.1:{port}{path}", scheme.name())
    };
    match visit.location {
        Location::Missing => None,
        Location::Invalid => Some("http://[:::/robots.txt".to_owned()),
        Location::Loop if is_last => Some(path_of_page(visit, 0)),
        Location::Loop => Some(path),
        _ if is_last && visit.answer.fault == Some(Fault::NameNotFound) => Some(format!("{NOWHERE}{path}")),
        Location::Relative => Some(path),
        Location::Absolute | Location::OtherPort | Location::Disallowed | Location::ToHttps => {
            Some(url(role_of_page(visit, next)))
        }
    }
}

fn content(answer: &Answer) -> Content {
    if let Some(steps) = answer.fault.and_then(|fault| script::of_fault(fault, answer)) {
        return Content::Script(steps);
    }
    if !can_send(answer.status) || !answer.headers.iter().all(|(name, value)| can_carry(name, value)) {
        return Content::Script(script::of_answer(answer));
    }
    let file = File::of_answer(answer);
    let headers = answer.headers.iter();
    let template = headers.fold(template(answer.status, &file), |template, (name, value)| {
        template.insert_header(name.as_str(), value.as_str())
    });
    Content::Http(Box::new(template))
}

/// Whether an HTTP server can send this as the status of a whole answer.
fn can_send(status: u16) -> bool {
    (200..=999).contains(&status)
}

/// Whether an HTTP server sends such a field as it is: not if it is malformed,
/// and not if it frames the message, which the server wants to do itself.
fn can_carry(name: &str, value: &str) -> bool {
    const FRAMING: [&str; 5] = ["connection", "content-length", "transfer-encoding", "trailer", "upgrade"];
    let is_token =
        !name.is_empty() && name.bytes().all(|octet| octet.is_ascii_alphanumeric() || octet == b'-');
    let is_text = value.bytes().all(|octet| matches!(octet, b' '..=b'~'));
    is_token && is_text && !FRAMING.iter().any(|framing| name.eq_ignore_ascii_case(framing))
}

/// An answer by wiremock.
pub(crate) fn template(status: u16, file: &File) -> ResponseTemplate {
    let template = ResponseTemplate::new(status).insert_header("content-type", file.media_type);
    let template = match file.encoding {
        Some(encoding) => template.insert_header("content-encoding", encoding),
        None => template,
    };
    // These have no body, whatever is asked for, and hyper makes sure of it.
    match status {
        204 | 205 | 304 => template,
        _ => template.set_body_bytes(file.octets.clone()),
    }
}
