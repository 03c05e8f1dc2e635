//! A parser that reads every rule as one for everybody, and knows no wildcards.

/// Whether the rules of a file let a crawler fetch the path of a URL.
pub fn may_fetch(robots: &str, url: &str) -> bool {
    let path = url.splitn(4, '/').nth(3).map_or("/".to_owned(), |path| format!("/{path}"));
    let mut longest = (0, true);
    for line in robots.split(['\r', '\n']) {
        let line = line.split('#').next().unwrap_or_default();
        let Some((field, rule)) = line.split_once(':') else { continue };
        let (field, rule) = (field.trim().to_ascii_lowercase(), rule.trim());
        if field.ends_with("allow") && !rule.is_empty() && path.starts_with(rule) {
            longest = longest.max((rule.len(), field == "allow"));
        }
    }
    longest.1
}
