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
    pub make: Make,
}

type Make = fn(Edition) -> Box<dyn Parser + Send>;

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
        may_hang: true,
        ..third_party("robotstxt", include_str!("../known-failures/robotstxt.yaml"), |_| {
            Box::new(robotstxt::RobotstxtCrate)
        })
    },
    third_party("texting_robots", include_str!("../known-failures/texting_robots.yaml"), |_| {
        Box::new(texting_robots::TextingRobotsCrate)
    }),
    third_party("robotxt", include_str!("../known-failures/robotxt.yaml"), |_| {
        Box::new(robotxt::RobotxtCrate)
    }),
    BuiltIn {
        claims: Some(Edition::Koster1994),
        ..third_party("robots_txt", include_str!("../known-failures/robots_txt.yaml"), |_| {
            Box::new(robots_txt::RobotsTxtCrate)
        })
    },
];

/// Returns a parser that claims nothing and never hangs.
const fn third_party(name: &'static str, known_failures: &'static str, make: Make) -> BuiltIn {
    let known_failures = Some(known_failures);
    BuiltIn { name, known_failures, claims: None, may_hang: false, depends_on_edition: false, make }
}

/// Returns a built-in implementation by its name.
pub fn find(name: &str) -> Option<&'static BuiltIn> {
    ALL.iter().find(|built_in| built_in.name == name)
}

/// Returns the names of the built-in implementations.
pub fn names() -> Vec<&'static str> {
    ALL.iter().map(|built_in| built_in.name).collect()
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
