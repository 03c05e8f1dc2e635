//! The implementations that robotspec checks without an adapter: the reference, and third-party parsers in Rust.

mod robots_txt;
mod robotstxt;
mod robotxt;
mod texting_robots;

use robotspec::{Edition, Info, Parser, Reference};

/// A built-in implementation.
#[derive(Debug, Clone, Copy)]
pub struct BuiltIn {
    /// The name on the command line and in reports.
    pub name: &'static str,
    /// The list of its known failures, as YAML; `None` for the reference, which has none.
    pub known_failures: Option<&'static str>,
    /// The edition that the parser claims to follow, if it is not one of those that parsers are usually judged by.
    pub claims: Option<Edition>,
    /// Whether some patterns and URLs take the parser extremely long. A thread cannot be ended from outside, so that the
    /// parser needs a process of its own where inputs are generated.
    pub may_hang: bool,
    /// Whether its answers depend on the edition for which it is made.
    pub depends_on_edition: bool,
    /// Makes a parser for the queries that an edition judges.
    pub make: fn(Edition) -> Box<dyn Parser + Send>,
}

/// Every built-in implementation, the reference first.
pub const ALL: &[BuiltIn] = &[
    BuiltIn {
        name: "reference",
        known_failures: None,
        claims: None,
        may_hang: false,
        depends_on_edition: true,
        make: |edition| Box::new(Reference::new(edition)),
    },
    BuiltIn {
        name: "robotstxt",
        known_failures: Some(include_str!("../known-failures/robotstxt.yaml")),
        claims: None,
        may_hang: true,
        depends_on_edition: false,
        make: |_| Box::new(robotstxt::RobotstxtCrate),
    },
    BuiltIn {
        name: "texting_robots",
        known_failures: Some(include_str!("../known-failures/texting_robots.yaml")),
        claims: None,
        may_hang: false,
        depends_on_edition: false,
        make: |_| Box::new(texting_robots::TextingRobotsCrate),
    },
    BuiltIn {
        name: "robotxt",
        known_failures: Some(include_str!("../known-failures/robotxt.yaml")),
        claims: None,
        may_hang: false,
        depends_on_edition: false,
        make: |_| Box::new(robotxt::RobotxtCrate),
    },
    BuiltIn {
        name: "robots_txt",
        known_failures: Some(include_str!("../known-failures/robots_txt.yaml")),
        claims: Some(Edition::Koster1994),
        may_hang: false,
        depends_on_edition: false,
        make: |_| Box::new(robots_txt::RobotsTxtCrate),
    },
];

/// How parsers read fields that no edition specifies, as JSON: the profiles of these parsers and of those in other languages, which
/// `harness/adapters/profiles` records.
pub const PROFILES: &str = include_str!("../profiles.json");

/// Which rows of RFC 9309 several versions of parsers pass, as JSON, which `harness/adapters/run --versions --update` records.
pub const VERSIONS: &str = include_str!("../versions.json");

/// Returns a built-in implementation by its name.
pub fn find(name: &str) -> Option<&'static BuiltIn> {
    ALL.iter().find(|built_in| built_in.name == name)
}

/// Returns the names of the built-in implementations.
pub fn names() -> Vec<&'static str> {
    ALL.iter().map(|built_in| built_in.name).collect()
}

/// Returns the values of the field `crawl-delay`.
fn delay(seconds: Option<impl ToString>) -> (String, Vec<String>) {
    ("crawl-delay".to_owned(), seconds.iter().map(ToString::to_string).collect())
}

fn crate_info(name: &str, version: &str) -> Info {
    Info {
        name: name.to_owned(),
        version: Some(version.to_owned()),
        language: Some("rust".to_owned()),
        homepage: Some(format!("https://crates.io/crates/{name}")),
        package: Some(format!("{name} (crates.io)")),
    }
}
