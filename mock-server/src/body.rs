//! The octets of bodies, and the header fields that go with them.

use crate::visit::{Answer, Body};

/// The path that pages lead to by other means than a redirect.
pub(crate) const ELSEWHERE: &str = "/elsewhere.txt";

/// What a client that takes a page for a redirect finds there.
pub(crate) const RULES_ELSEWHERE: &str = "user-agent: *\ndisallow: /elsewhere\n";

/// What nobody is to read as rules, because the status says that all is allowed,
/// or that the rules are elsewhere.
pub(crate) const DISALLOW_ALL: &str = "user-agent: *\ndisallow: /\n";

/// What nobody is to read as rules, because the status says that all is disallowed.
const ALLOW_ALL: &str = "user-agent: *\nallow: /\n";

const RULES: &str = "user-agent: *\ndisallow: /private\n";

/// [`RULES`], compressed: a compressor would be a large dependency for two
/// constants. Tests decompress them.
const RULES_GZIP: &[u8] = include_bytes!("rules.txt.gz");
const RULES_BROTLI: &[u8] = include_bytes!("rules.txt.br");

/// Up to where a client has to read, at least.
const LIMIT: usize = 512_000;

/// A line of no meaning.
pub(crate) const FILLER: &str =
    "# This line is only here to make the file longer than any client cares to read.\n";

impl Answer {
    /// The body that is sent, before its content coding.
    pub fn body_octets(&self) -> Vec<u8> {
        match self.body {
            Some(Body::Gzip | Body::Brotli) => RULES.as_bytes().to_vec(),
            _ => File::of_answer(self).octets,
        }
    }
}

/// A body with its type and encoding.
#[derive(Debug, Clone)]
pub(crate) struct File {
    pub(crate) octets: Vec<u8>,
    pub(crate) media_type: &'static str,
    pub(crate) encoding: Option<&'static str>,
}

impl File {
    /// A body that is text.
    pub(crate) fn text(text: impl Into<String>) -> Self {
        File { octets: text.into().into_bytes(), media_type: "text/plain; charset=utf-8", encoding: None }
    }

    /// A body that is a page.
    pub(crate) fn page(html: impl Into<String>) -> Self {
        File { media_type: "text/html; charset=utf-8", ..File::text(html) }
    }

    fn html(head: &str, body: &str) -> Self {
        File::page(format!(
            "<!DOCTYPE html>\n<html>\n<head>\n<title>Page</title>\n{head}</head>\n{body}</html>\n"
        ))
    }

    /// What an answer sends.
    pub(crate) fn of_answer(answer: &Answer) -> Self {
        match (&answer.body, answer.status) {
            (Some(body), _) => File::of_body(body),
            (None, 200..=299) => File::of_body(&Body::Rules),
            (None, ..500) => File::text(DISALLOW_ALL),
            (None, _) => File::text(ALLOW_ALL),
        }
    }

    fn of_body(body: &Body) -> Self {
        match body {
            Body::Rules => File::text(RULES),
            Body::Disallow(paths) => {
                let rules: String = paths.iter().map(|path| format!("disallow: {path}\n")).collect();
                File::text(format!("user-agent: *\n{rules}"))
            }
            Body::Empty => File::text(""),
            Body::Html => File::html("", "<body><p>Welcome.</p></body>\n"),
            Body::MetaRefresh => File::html(
                &format!("<meta http-equiv=\"refresh\" content=\"0; url={ELSEWHERE}\">\n"),
                "<body></body>\n",
            ),
            Body::Frame => {
                File::html("", &format!("<frameset cols=\"100%\"><frame src=\"{ELSEWHERE}\"></frameset>\n"))
            }
            Body::Script => File::html(
                &format!("<script>location.replace(\"{ELSEWHERE}\");</script>\n"),
                "<body></body>\n",
            ),
            Body::Bom => File::text(format!("\u{feff}{RULES}")),
            Body::Gzip => File { octets: RULES_GZIP.to_vec(), encoding: Some("gzip"), ..File::text("") },
            Body::Brotli => File { octets: RULES_BROTLI.to_vec(), encoding: Some("br"), ..File::text("") },
            Body::Large => {
                let filler = FILLER.repeat(LIMIT / FILLER.len() + 1);
                File::text(format!("{RULES}{filler}disallow: /late\n"))
            }
            Body::Text(text) => File::text(text),
        }
    }
}
