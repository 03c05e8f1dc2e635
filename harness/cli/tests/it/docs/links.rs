//! Links lead somewhere.

use std::path::Path;

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use super::{book, pages, read, top};

/// Where the book says that the sources are, for what is no part of it.
const SOURCES: &str = "https://github.com/robotspec/robotspec/blob/main/";

/// Where a heading is linked to, on a code host and in the book.
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

/// What is wrong with a link of a page, if something is.
fn mistake(page: &Path, link: &str) -> Option<String> {
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = match path.strip_prefix(SOURCES) {
        Some(path) => top().join(path),
        None if path.contains("://") || path.starts_with("mailto:") => return None,
        None if path.is_empty() => page.to_owned(),
        None => page.parent().expect("a folder").join(path),
    };
    let is_of_the_book = |path: &Path| path.starts_with(book().canonicalize().expect("the book"));
    let Ok(target) = target.canonicalize() else { return Some("leads nowhere".to_owned()) };
    if is_of_the_book(&page.canonicalize().expect("a page"))
        && !is_of_the_book(&target)
        && !path.starts_with(SOURCES)
    {
        return Some(format!("leads out of the book: write {SOURCES}…"));
    }
    let is_there = anchor.is_empty() || anchors(&read(&target)).iter().any(|heading| heading == anchor);
    (!is_there).then(|| "leads to no heading".to_owned())
}

#[test]
fn every_link_leads_somewhere() {
    let mut links = 0;
    let mut mistakes = Vec::new();
    for page in pages(&top()) {
        let text = read(&page);
        for event in Parser::new(&text) {
            if let Event::Start(Tag::Link { dest_url: link, .. } | Tag::Image { dest_url: link, .. }) = event
            {
                links += 1;
                mistakes
                    .extend(mistake(&page, &link).map(|what| format!("{}: {link} {what}", page.display())));
            }
        }
    }
    assert!(links > 30, "{links}");
    assert_eq!(mistakes, Vec::<String>::new());
}

#[test]
fn a_link_that_leads_nowhere_is_noticed() {
    let page = top().join("README.md");
    for link in ["no-such-file.md", "cases/README.md#no-such-heading", &format!("{SOURCES}no-such-file")] {
        assert!(mistake(&page, link).is_some(), "{link}");
    }
    for link in
        ["cases/README.md#two-files-that-mean-the-same", "cases/", "#read-on", "https://example.com/x"]
    {
        assert_eq!(mistake(&page, link), None, "{link}");
    }
}
