//! Features of visits to a site.

use robotspec_cases::TimedVisit;
use robotspec_cases::visit::{Body, Location};

use super::set::Features;

const DAY: u64 = 24 * 60 * 60;

pub(super) fn add_visits(features: &mut Features, visits: &[TimedVisit]) {
    for visit in visits {
        let response = &visit.visit.response;
        if response.fault.is_some() {
            features.add("H-failure");
        }
        if matches!(response.body, Some(Body::MetaRefresh | Body::Frame | Body::Script)) {
            features.add("H-html-redirect");
        }
        if visit.visit.location == Location::Disallowed && !visit.visit.hops.is_empty() {
            features.add("H-3xx-disallowed");
        }
        match visit.visit.hops.len() {
            0 => {}
            1..=5 => features.add("H-3xx"),
            _ => features.add("H-3xx-many"),
        }
        if response.missing_pages >= 500 {
            features.add("H-5xx-as-404");
        }
        if response.headers.keys().any(|name| name.eq_ignore_ascii_case("cache-control")) {
            features.add("C-max-age");
        }
        // The class of the status is added too, because not every edition has these clauses.
        match response.status {
            503 => features.add("H-503"),
            429 => features.add("H-429"),
            _ => {}
        }
        match response.status {
            500..=599 => features.add("H-5xx"),
            400..=499 => features.add("H-4xx"),
            _ => features.add("H-2xx"),
        }
    }
    if let [first, .., last] = visits {
        features.add("C-24h");
        if last.at - first.at > DAY {
            features.add("C-longer");
        }
        if last.at - first.at > 30 * DAY {
            features.add("H-30-days");
        }
    }
}
