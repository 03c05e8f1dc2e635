//! Rejects visits that contradict themselves.

use robotspec_cases::visit::{Location, NetworkFault, Scheme, Visit};

use crate::error::InvalidVisit;
use crate::message::is_full_status;
use crate::plan::{is_nowhere, role_of_hop};
use crate::record::Role;

/// Checks that a visit can be played.
pub(crate) fn validate(visit: &Visit) -> Result<(), InvalidVisit> {
    let response = &visit.response;
    let reject = |reason: &str| Err(InvalidVisit(reason.to_owned()));
    if visit.scheme == Scheme::Ftp {
        if !visit.hops.is_empty() || visit.location != Location::Relative {
            return reject("FTP has no redirects: remove `hops` and `location`");
        }
        if response.fault.is_some_and(|fault| !is_before_request(fault) && !is_in_transfer(fault)) {
            return reject(
                "over FTP, `fault` must be refused, reset-at-accept, silent-at-connect, reset-in-body, silent-in-body, slow-bytes or endless-body",
            );
        }
        if response.status != 200 || !response.headers.is_empty() {
            return reject("FTP has neither an HTTP status nor header fields: remove `status` and `headers`");
        }
        return Ok(());
    }
    if response.ftp.is_some() {
        return reject("`ftp` is a fault of FTP: add `scheme: ftp`");
    }
    if visit.hops.is_empty() && visit.location != Location::Relative {
        return reject("`location` is the target of redirects: add `hops`");
    }
    let mut statuses = visit.hops.iter().chain([&response.missing_pages]);
    if let Some(status) = statuses.find(|status| !is_full_status(**status)) {
        let reason =
            format!("{status} is not a status for a redirect or a missing page: write one from 200 to 999");
        return Err(InvalidVisit(reason));
    }
    let fault = response.fault.filter(|_| !visit.hops.is_empty());
    if fault.is_some_and(is_before_request) && role_of_hop(visit, visit.hops.len()) == Role::First {
        return reject("after redirects, this `fault` needs a `location` on another port");
    }
    if is_nowhere(visit) && visit.scheme != Scheme::Http {
        return reject("`fault: name-not-found` needs `scheme: http`");
    }
    for text in response.headers.iter().flat_map(|(name, value)| [name, value]) {
        if text.contains(['\r', '\n']) {
            return reject("a header field contains a line break: write two header fields");
        }
    }
    Ok(())
}

/// Returns whether a fault happens before the server reads a request.
fn is_before_request(fault: NetworkFault) -> bool {
    matches!(fault, NetworkFault::Refused | NetworkFault::ResetAtAccept | NetworkFault::SilentAtConnect)
}

/// Returns whether a fault can happen in a transfer over FTP.
fn is_in_transfer(fault: NetworkFault) -> bool {
    use NetworkFault::{EndlessBody, ResetInBody, SilentInBody, SlowBytes};
    matches!(fault, ResetInBody | SilentInBody | SlowBytes | EndlessBody)
}
