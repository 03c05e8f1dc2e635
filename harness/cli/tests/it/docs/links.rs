//! Tests of the links of the Markdown files.

use std::path::Path;

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use super::{book, pages, read, top};

/// The prefix of links from the book to files that are not part of the book.
const SOURCES: &str = "https://github.com/robotspec/robotspec/blob/main/";

/// Lists the anchors of the headings of a page, which are the same on the code host and in the book.
fn anchors(page: &str) -> Vec<String> {
    let mut anchors = Vec::new();
    let mut heading: Option<String> = None;
    for event in Parser::new(page) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => anchors.extend(heading.take()),
            Event::Text(text) | Event::Code(text) => {
                if let Some(heading) = &mut heading {
                    let kept = text.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ' '));
                    heading.extend(kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }));
                }
            }
            _ => {}
        }
    }
    anchors
}

/// Describes the mistake in a link of a page, if there is one.
fn mistake_in(page: &Path, link: &str) -> Option<String> {
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = match path.strip_prefix(SOURCES) {
        Some(path) => top().join(path),
        None if path.contains("://") || path.starts_with("mailto:") => return None,
        None if path.is_empty() => page.to_owned(),
        None => page.parent().expect("a folder").join(path),
    };
    let is_in_the_book = |path: &Path| path.starts_with(book().canonicalize().expect("the book"));
    let Ok(target) = target.canonicalize() else { return Some("the target does not exist".to_owned()) };
    if is_in_the_book(&page.canonicalize().expect("a page"))
        && !is_in_the_book(&target)
        && !path.starts_with(SOURCES)
    {
        return Some(format!("the target is outside the book; write {SOURCES}…"));
    }
    let exists = anchor.is_empty() || anchors(&read(&target)).iter().any(|heading| heading == anchor);
    (!exists).then(|| "the page has no such heading".to_owned())
}

#[test]
fn the_target_of_every_link_exists() {
    let mut links = 0;
    let mut mistakes = Vec::new();
    for page in pages(&top()) {
        let text = read(&page);
        for event in Parser::new(&text) {
            if let Event::Start(Tag::Link { dest_url: link, .. } | Tag::Image { dest_url: link, .. }) = event
            {
                links += 1;
                mistakes.extend(
                    mistake_in(&page, &link).map(|reason| format!("{}: {link}: {reason}", page.display())),
                );
            }
        }
    }
    assert!(links > 30, "{links}");
    assert_eq!(mistakes, Vec::<String>::new());
}

#[test]
fn a_link_to_a_missing_target_is_found() {
    let page = top().join("README.md");
    for link in ["no-such-file.md", "cases/README.md#no-such-heading", &format!("{SOURCES}no-such-file")] {
        assert!(mistake_in(&page, link).is_some(), "{link}");
    }
    for link in
        ["cases/README.md#two-files-that-mean-the-same", "cases/", "#install", "https://example.com/x"]
    {
        assert_eq!(mistake_in(&page, link), None, "{link}");
    }
}
