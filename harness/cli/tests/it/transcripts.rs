//! Command lines and what they print: the pages in `tests/commands`, which are run as the examples of the book are. If the
//! output changes as intended, `SNAPSHOTS=overwrite cargo test -p robotspec-cli transcripts` writes it into the pages.

use std::path::Path;

use crate::docs::assert_examples;

/// Makes a test of each page, so that they run at the same time.
macro_rules! pages {
    ($($page:ident)*) => {
        $(
            #[test]
            fn $page() {
                assert_examples(&folder().join(concat!(stringify!($page), ".md")), false);
            }
        )*

        const PAGES: &[&str] = &[$(stringify!($page)),*];
    };
}

pages! { adapters cases check diff editions exec runs scope_and_sitemaps }

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/commands"))
}

#[test]
fn every_page_is_run() {
    let files = folder().read_dir().expect("the folder can be read");
    let mut names: Vec<String> = files
        .map(|file| file.expect("an entry").path())
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect();
    names.sort();
    assert_eq!(names, PAGES);
}
