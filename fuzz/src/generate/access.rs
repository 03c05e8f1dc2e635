//! Access queries: visits to a site, at times that are not close to a limit of an edition.

use robotspec_cases::visit::{Body, Location, NetworkFault, Response, Visit};
use robotspec_cases::{Query, TimedVisit, paths};

use super::dice::Dice;

const HOUR: u64 = 60 * 60;

/// The hours between two visits: far from the half day, the day and the thirty days that editions use as limits.
const LATER: [u64; 9] = [1, 6, 11, 13, 20, 25, 100, 29 * 24, 31 * 24];

const STATUSES: [u16; 20] =
    [200, 200, 200, 200, 200, 404, 404, 403, 401, 410, 451, 418, 429, 500, 502, 503, 504, 599, 304, 299];

const FAULTS: [NetworkFault; 9] = [
    NetworkFault::Refused,
    NetworkFault::ResetAtAccept,
    NetworkFault::ResetAfterRequest,
    NetworkFault::ResetInHeader,
    NetworkFault::ResetInBody,
    NetworkFault::ShortBody,
    NetworkFault::BrokenChunk,
    NetworkFault::BinaryNoise,
    NetworkFault::CloseWithoutAnswer,
];

/// Makes a few visits, and a query about paths that some of the files disallow.
pub(super) fn make_query(dice: &mut Dice) -> Query {
    let mut at = 0;
    let visits: Vec<TimedVisit> = (0..1 + dice.below(4))
        .map(|index| {
            if index > 0 {
                at += dice.pick(&LATER) * HOUR;
            }
            TimedVisit { at, visit: make_visit(dice, index), site_answers: !dice.one_in(8) }
        })
        .collect();
    let paths = paths(&visits).into();
    Query::Access { visits: visits.into(), agent: "FooBot".to_owned(), paths }
}

fn make_visit(dice: &mut Dice, index: usize) -> Visit {
    let mut visit = Visit { response: response(dice, index), ..Visit::default() };
    if dice.one_in(4) {
        let hops = dice.pick(&[1, 1, 2, 4, 5, 6, 10]);
        visit.hops = (0..hops).map(|_| dice.pick(&[301, 302, 303, 307, 308])).collect();
        visit.location = dice.pick(&[
            Location::Relative,
            Location::Relative,
            Location::Absolute,
            Location::RelativePath,
            Location::NetworkPath,
            Location::OtherPort,
            Location::Missing,
            Location::Invalid,
            Location::Loop,
            Location::Disallowed,
        ]);
    }
    visit
}

fn response(dice: &mut Dice, index: usize) -> Response {
    let status = if dice.one_in(16) { 200 + dice.below(400) as u16 } else { dice.pick(&STATUSES) };
    let mut response = Response { status, ..Response::default() };
    if response.status == 200 {
        // Each file disallows a path of its own, so that a cached file differs from a new one.
        response.body = Some(match dice.below(8) {
            0 => Body::Empty,
            1 => Body::Html,
            2 => Body::MetaRefresh,
            3 => Body::Bom,
            _ => Body::Disallow(vec![format!("/disallowed-{index}")]),
        });
        if dice.one_in(6) {
            let age = dice.pick(&[
                "max-age=60",
                "max-age=0",
                "max-age=1000000",
                "no-store",
                "public, max-age=3000",
            ]);
            response.headers.insert("Cache-Control".to_owned(), age.to_owned());
        }
    }
    if dice.one_in(6) {
        response.fault = Some(dice.pick(&FAULTS));
    }
    if dice.one_in(12) {
        response.missing_pages = 503;
    }
    response
}
