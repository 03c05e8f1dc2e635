//! Tests of the private parts of `src/fast/relevant_lines.rs`.

use super::*;
use crate::edition::Edition;

const VALUES: [&[u8]; 14] = [
    b"*",
    b"**",
    b"*bot*",
    b"foo*",
    b"foobot*",
    b"foobot* x",
    b"other*",
    b"FooBot/1.0",
    b"other/1.0 (foobot)",
    b"foobot, other",
    b"foo",
    b"foobot-news",
    b"xfoobot",
    b"",
];

#[test]
fn a_line_that_is_skipped_names_the_crawler_in_no_reading() {
    for (value, edition) in VALUES.iter().flat_map(|value| Edition::ALL.map(|edition| (value, edition))) {
        let explorer = &mut Explorer::new(edition);
        let is_named = common_outcome(explorer, |explorer| names(value, b"foobot", explorer)) != Some(false);
        let may_be_named = may_name_in_a_reading(value, b"foobot", explorer);
        assert!(may_be_named || !is_named, "{edition} {:?}", String::from_utf8_lossy(value));
        assert_eq!(may_name(value, b"foobot", explorer), is_named);
    }
}
