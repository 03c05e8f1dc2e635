//! Links to the playground, the page of the project's site that answers an input in every edition.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use miniz_oxide::deflate::compress_to_vec;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use robotspec_cases::Query;
use robotspec_reference::Edition;

/// The address of the playground. Reports are read in many places, so that no link is relative to the site.
pub const ADDRESS: &str = "https://robotspec.github.io/robotspec/playground.html";

/// The length of the longest link in a text, in bytes.
const LONGEST: usize = 2000;

/// The characters that have no meaning in the fragment of an address, nor in Markdown.
const KEPT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_');

/// Returns the address that shows the query of a row and selects an edition. `None` where the query is of another kind, or
/// the address is too long.
pub fn link(query: &Query, edition: Edition) -> Option<String> {
    const SMALLEST: u8 = 9;
    let Query::Match { robots, agent, url } = query else { return None };
    let encoded = |text: &str| utf8_percent_encode(text, KEPT).to_string();
    let file = URL_SAFE_NO_PAD.encode(compress_to_vec(robots, SMALLEST));
    let link =
        format!("{ADDRESS}#file={file}&agent={}&url={}&edition={edition}", encoded(agent), encoded(url));
    (link.len() <= LONGEST).then_some(link)
}
