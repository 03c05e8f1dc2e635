//! Scope: the URLs that a robots.txt governs.

use super::path::is_robots_txt;
use robotspec::Fault;
use url::Url;

use super::Mistake;
use super::parser::FaultyParser;

/// Returns whether the robots.txt at one URL governs another URL.
pub(super) fn governs(parser: &FaultyParser, robots_url: &str, url: &str) -> Result<bool, Fault> {
    let parse = |url: &str| Url::parse(url).map_err(|error| Fault::Error(error.to_string().into()));
    let (robots, page) = (parse(robots_url)?, parse(url)?);
    let path = match robots.path() {
        path if parser.makes(Mistake::RobotsNameAnyCase) => path.to_ascii_lowercase(),
        path if parser.makes(Mistake::RobotsAnywhere) => path[path.rfind('/').unwrap_or(0)..].to_owned(),
        path => path.to_owned(),
    };
    let (robots_host, host) = (robots.host_str().unwrap_or_default(), page.host_str().unwrap_or_default());
    let is_host = if parser.makes(Mistake::HostCaseMatters) {
        host_as_written(robots_url) == host_as_written(url)
    } else {
        host == robots_host
            || parser.makes(Mistake::SubdomainsToo) && host.ends_with(&format!(".{robots_host}"))
    };
    let ignores_scheme = parser.makes(Mistake::SchemeIgnored);
    let is_port = if parser.makes(Mistake::DefaultPortDiffers) {
        port_as_written(robots_url) == port_as_written(url)
    } else {
        robots.port_or_known_default() == page.port_or_known_default()
    };
    Ok(is_robots_txt(&path)
        && is_host
        && (ignores_scheme || robots.scheme() == page.scheme())
        && (ignores_scheme || is_port || parser.makes(Mistake::PortIgnored)))
}

fn authority(url: &str) -> &str {
    let rest = url.split_once("://").map_or("", |(_, rest)| rest);
    &rest[..rest.find('/').unwrap_or(rest.len())]
}

fn port_as_written(url: &str) -> Option<&str> {
    authority(url).rsplit_once(':').map(|(_, port)| port).filter(|port| !port.contains(']'))
}

fn host_as_written(url: &str) -> &str {
    authority(url).split(':').next().unwrap_or_default()
}
