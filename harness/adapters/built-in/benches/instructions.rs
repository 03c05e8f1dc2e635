//! The reference and other parsers, in instructions: a busy machine does not change them.
//!
//! It needs Valgrind and the program `gungraun-runner` in the version of the library (`cargo install gungraun-runner`).

#![allow(missing_docs)] // the macros make public modules

mod site;

use std::hint::black_box;

use gungraun::{library_benchmark, library_benchmark_group, main};
use robotspec_reference::{AgentRules, Decision, Edition, Reading, RobotsTxt, Ruling};

use site::site;

const AGENT: &str = "FooBot";

const URL: &str = "/departments/section-20/public/offers.html";

/// Returns a file of about 420 rules, of 18 kB.
fn file() -> String {
    site(420)
}

/// Returns the file, parsed. It lives as long as the program.
fn robots() -> RobotsTxt<'static> {
    RobotsTxt::parse(file().leak().as_bytes())
}

/// Returns the rules of the agent. Their patterns are parsed at the first query, so this puts it.
fn rules() -> AgentRules<'static> {
    let rules = Box::leak(Box::new(robots())).for_agent(Edition::Rfc9309, AGENT);
    rules.ruling(URL).expect("a path");
    rules
}

#[library_benchmark(setup = file)]
fn parse_reference(file: String) -> usize {
    let robots = RobotsTxt::parse(black_box(file.as_bytes()));
    black_box(robots.for_agent(Edition::Rfc9309, AGENT));
    file.len()
}

#[library_benchmark(setup = file)]
fn parse_robotxt(file: String) -> robotxt::Robots {
    robotxt::Robots::parse(black_box(file.as_bytes()), AGENT)
}

#[library_benchmark(setup = file)]
fn one_shot_reference(file: String) -> Ruling {
    RobotsTxt::parse(black_box(file.as_bytes())).ruling(Edition::Rfc9309, AGENT, URL).expect("a path")
}

// A single reading, without the question whether other readings agree.
#[library_benchmark(setup = file)]
fn one_shot_one_reading(file: String) -> Decision {
    let reading = Reading::plainest(Edition::Rfc9309);
    RobotsTxt::parse(black_box(file.as_bytes())).decide(&reading, AGENT, URL).expect("a path")
}

#[library_benchmark(setup = file)]
fn one_shot_robotxt(file: String) -> bool {
    robotxt::Robots::parse(black_box(file.as_bytes()), AGENT).is_allowed(URL)
}

// The port of Google's library.
#[library_benchmark(setup = file)]
fn one_shot_robotstxt(file: String) -> bool {
    robotstxt::DefaultMatcher::default().one_agent_allowed_by_robots(black_box(&file), AGENT, URL)
}

#[library_benchmark(setup = rules)]
fn match_reference(rules: AgentRules<'static>) -> Ruling {
    rules.ruling(black_box(URL)).expect("a path")
}

#[library_benchmark(setup = parsed_by_robotxt)]
fn match_robotxt(robots: robotxt::Robots) -> bool {
    robots.is_allowed(black_box(URL))
}

fn parsed_by_robotxt() -> robotxt::Robots {
    robotxt::Robots::parse(file().as_bytes(), AGENT)
}

library_benchmark_group!(name = parse, benchmarks = [parse_reference, parse_robotxt]);
library_benchmark_group!(
    name = one_shot,
    benchmarks = [one_shot_reference, one_shot_one_reading, one_shot_robotxt, one_shot_robotstxt]
);
library_benchmark_group!(name = match_url, benchmarks = [match_reference, match_robotxt]);
main!(library_benchmark_groups = [parse, one_shot, match_url]);
