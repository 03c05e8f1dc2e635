//! The bytes of the bodies.

use super::{Body, Response};

/// The path that an HTML page redirects to.
pub const ELSEWHERE: &str = "/elsewhere.txt";

/// The file at [`ELSEWHERE`].
pub const ELSEWHERE_RULES: &str = "user-agent: *\ndisallow: /elsewhere\n";

/// A body that contradicts a status after which everything is allowed.
pub const DISALLOW_ALL: &str = "user-agent: *\ndisallow: /\n";

/// A body that contradicts a status after which everything is disallowed.
pub const ALLOW_ALL: &str = "user-agent: *\nallow: /\n";

/// The path that [`RULES`] disallow.
pub const PRIVATE: &str = "/private";

/// The default file.
pub const RULES: &str = "user-agent: *\ndisallow: /private\n";

/// The minimum number of bytes that a client has to parse (RFC 9309, 2.5).
const LIMIT: usize = 512_000;

/// A comment line that makes a body longer.
pub const FILLER: &str = "# This line is only here to make the file longer than any client cares to read.\n";

impl Response {
    /// Returns the body before its content coding.
    pub fn body_bytes(&self) -> Vec<u8> {
        let text = match (&self.body, self.status) {
            (Some(body), _) => body.text(),
            (None, 200..=299) => RULES.to_owned(),
            (None, ..500) => DISALLOW_ALL.to_owned(),
            (None, _) => ALLOW_ALL.to_owned(),
        };
        text.into_bytes()
    }
}

impl Body {
    /// Returns the content coding of the body.
    pub fn content_coding(&self) -> Option<&'static str> {
        match self {
            Body::Gzip => Some("gzip"),
            Body::Brotli => Some("br"),
            _ => None,
        }
    }

    fn text(&self) -> String {
        let refresh = format!("<meta http-equiv=\"refresh\" content=\"0; url={ELSEWHERE}\">\n");
        let frame = format!("<frameset cols=\"100%\"><frame src=\"{ELSEWHERE}\"></frameset>\n");
        let script = format!("<script>location.replace(\"{ELSEWHERE}\");</script>\n");
        let empty = "<body></body>\n";
        match self {
            Body::Rules | Body::Gzip | Body::Brotli => RULES.to_owned(),
            Body::Disallow(paths) => {
                let rules: String = paths.iter().map(|path| format!("disallow: {path}\n")).collect();
                format!("user-agent: *\n{rules}")
            }
            Body::Empty => String::new(),
            Body::Html => html("", "<body><p>Welcome.</p></body>\n"),
            Body::MetaRefresh => html(&refresh, empty),
            Body::Frame => html("", &frame),
            Body::Script => html(&script, empty),
            Body::Bom => format!("\u{feff}{RULES}"),
            Body::Large => {
                let filler = FILLER.repeat(LIMIT / FILLER.len() + 1);
                format!("{RULES}{filler}allow: /late\n")
            }
            Body::Text(text) => text.clone(),
        }
    }
}

/// Returns an HTML page.
pub fn html(head: &str, body: &str) -> String {
    format!("<!DOCTYPE html>\n<html>\n<head>\n<title>Page</title>\n{head}</head>\n{body}</html>\n")
}
