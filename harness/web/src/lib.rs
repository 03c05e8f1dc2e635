//! What is shown in a browser: the parts of the page of results, what the playground shares with them, and links to the
//! playground.

mod link;
mod pack;

pub use link::{ADDRESS, link};
pub use pack::{compress, pack};

/// The template of the page of results.
pub const TEMPLATE: &str = include_str!("../page/page.html");

/// The colours and elements of every page.
pub const THEME: &str = include_str!("../page/theme.css");

/// The styles of the page of results alone.
pub const STYLE: &str = include_str!("../page/page.css");

/// The scripts that every page runs first: elements, excerpts of files, and the choice of colours.
pub const SHARED_SCRIPT: &[&str] = &[
    include_str!("../page/script/elements.js"),
    include_str!("../page/script/sources.js"),
    include_str!("../page/script/theme.js"),
];

/// The scripts of the page of results, in the order in which they run after the shared ones.
pub const SCRIPT: &[&str] = &[
    include_str!("../page/script/describe.js"),
    include_str!("../page/script/data.js"),
    include_str!("../page/script/dom.js"),
    include_str!("../page/script/later.js"),
    include_str!("../page/script/state.js"),
    include_str!("../page/script/controls.js"),
    include_str!("../page/script/sorting.js"),
    include_str!("../page/script/faults.js"),
    include_str!("../page/script/ranking.js"),
    include_str!("../page/script/matrix.js"),
    include_str!("../page/script/cases.js"),
    include_str!("../page/script/playground.js"),
    include_str!("../page/script/case.js"),
    include_str!("../page/script/implementations.js"),
    include_str!("../page/script/editions.js"),
    include_str!("../page/script/main.js"),
];
