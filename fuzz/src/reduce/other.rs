//! Pairs of URLs and visits, made smaller.

use robotspec_mock_server::Visit;

use robotspec_cases::{Query, TimedVisit, paths};

/// URLs with plainer parts: for both at a time, then for one.
pub(super) fn plain_urls(request: &Query) -> Vec<Query> {
    let Query::Scope { robots_url, url } = request else { return Vec::new() };
    let plain: [fn(&str) -> Option<String>; 4] = [
        |url| url.split_once("://").map(|(_, rest)| format!("http://{rest}")),
        |url| with_authority(url, |_, port| format!("example.com{port}")),
        |url| with_authority(url, |host, _| host.to_owned()),
        |url| with_path(url),
    ];
    let mut smaller = Vec::new();
    for write in plain {
        let (robots, page) = (write(robots_url), write(url));
        let keep = |url: &String, new: &Option<String>| new.clone().unwrap_or_else(|| url.clone());
        for (robots_url, url) in [
            (keep(robots_url, &robots), keep(url, &page)),
            (keep(robots_url, &robots), url.clone()),
            (robots_url.clone(), keep(url, &page)),
        ] {
            smaller.push(Query::Scope { robots_url, url });
        }
    }
    smaller
}

fn with_authority(url: &str, write: impl Fn(&str, &str) -> String) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let port = authority.rfind(':').filter(|&colon| !authority[colon..].contains(']'));
    let (host, port) = authority.split_at(port.unwrap_or(authority.len()));
    Some(format!("{scheme}://{}{path}", write(host, port)))
}

/// A path that is that of a robots.txt stays so.
fn with_path(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    let authority = &rest[..rest.find('/').unwrap_or(rest.len())];
    let path = if url.contains("robots") { "/robots.txt" } else { "/" };
    Some(format!("{scheme}://{authority}{path}"))
}

/// Fewer visits, and plainer ones.
pub(super) fn fewer_visits(request: &Query) -> Vec<Query> {
    let Query::Access { visits, agent, .. } = request else { return Vec::new() };
    let with = |visits: Vec<TimedVisit>| Query::Access {
        paths: paths(&visits).into(),
        visits: visits.into(),
        agent: agent.clone(),
    };
    let mut smaller = Vec::new();
    if let [first, ..] = &visits[..]
        && first.at > 0
    {
        let start = first.at;
        let earlier = |visit: &TimedVisit| TimedVisit { at: visit.at - start, ..visit.clone() };
        smaller.push(with(visits.iter().map(earlier).collect()));
    }
    for index in 0..visits.len() {
        let mut fewer = visits.to_vec();
        fewer.remove(index);
        if !fewer.is_empty() {
            smaller.push(with(fewer));
        }
    }
    let plainer: [fn(&mut TimedVisit); 7] = [
        |visit| visit.visit = Visit::default(),
        |visit| visit.visit.hops.clear(),
        |visit| visit.visit.hops.truncate(1),
        |visit| visit.visit.response.fault = None,
        |visit| visit.visit.response.headers.clear(),
        |visit| visit.visit.response.missing_pages = 404,
        |visit| visit.site_answers = true,
    ];
    for index in 0..visits.len() {
        for write in plainer {
            let mut plainer = visits.to_vec();
            write(&mut plainer[index]);
            smaller.push(with(plainer));
        }
    }
    smaller
}
