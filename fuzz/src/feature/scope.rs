//! Features of a robots.txt URL and a URL that it may govern.

use robotspec_reference::UrlParts;

use super::set::Features;

pub(super) fn add_urls(features: &mut Features, robots_url: &str, url: &str) {
    features.add("S-origin");
    let urls = [robots_url, url].map(UrlParts::split);
    let file = urls[0].from_path();
    if !file.ends_with("/robots.txt") {
        features.add("S-name");
    } else if file != "/robots.txt" {
        features.add("S-root");
    }
    let [robots_host, host] = urls.map(|url| url.host().unwrap_or_default());
    for host in [robots_host, host] {
        if !host.is_ascii() || host.contains("xn--") {
            features.add("S-idn");
        }
        if host.starts_with(|c: char| c == '[' || c.is_ascii_digit()) {
            features.add("S-ip");
        }
    }
    if urls.iter().any(|url| url.scheme() == Some("ftp")) {
        features.add("S-ftp");
    }
    if urls[0].port().is_some() != urls[1].port().is_some() {
        features.add("S-default-port");
    }
    if robots_host.ends_with(host) != host.ends_with(robots_host) {
        features.add("S-subdomain");
    }
}
