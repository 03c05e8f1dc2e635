//! The reference beside the built-in crates, on the same files.
//!
//! Machines differ and are busy: read the figures of one run against each
//! other, never as times. The reference decides between three answers and the
//! crates between two, so it has more to do.
//!
//! To compare two versions of the code on a busy machine, count instructions: `valgrind --tool=callgrind` prints those of the
//! whole program when it runs this program with `--test --exact` and the name of one benchmark.

mod site;

use std::fmt;

use divan::{Bencher, black_box};
use robotspec_reference::{Edition, RobotsTxt};

use site::site;

/// Twenty lines, as most sites have them.
const SMALL: &str = "\
# Welcome.
user-agent: *
disallow: /admin/
disallow: /cart
disallow: /checkout
disallow: /search
disallow: /*?sort=
allow: /search/about
allow: /admin/help.html

user-agent: Googlebot
user-agent: Bingbot
disallow: /admin/
disallow: /tmp/
allow: /tmp/public/

user-agent: GPTBot
disallow: /

sitemap: https://example.com/sitemap.xml
";

/// Some that rules match, and some that none does.
const PATHS: [&str; 8] = [
    "/",
    "/index.html",
    "/departments/section-20/public/offers.html",
    "/catalogue/item-81-technical-specifications.html",
    "/news/2026/print/32/",
    "/a/rather/deep/path/to/a/page/that/nothing/says/anything/about.html?page=2&order=price",
    "/images/54/winter/thumbnail-large.gif",
    "/temporary/77/upload",
];

/// A file and an agent.
struct Case {
    file: &'static str,
    text: String,
    agent: &'static str,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.file, self.agent)
    }
}

/// `Googlebot` is named in the files; `FooBot` is not, and follows `*`.
fn cases() -> Vec<Case> {
    let files = [("small", SMALL.to_owned()), ("ordinary", site(420)), ("large", site(11_100))];
    let case = |file, text: &String, agent| Case { file, text: text.clone(), agent };
    files
        .iter()
        .flat_map(|(file, text)| ["Googlebot", "FooBot"].map(|agent| case(file, text, agent)))
        .collect()
}

fn main() {
    divan::main();
}

/// As far as it gets before it is asked about a URL.
#[divan::bench_group]
mod parse {
    use super::*;

    #[divan::bench(args = cases())]
    fn reference_any_agent(case: &Case) -> RobotsTxt<'_> {
        RobotsTxt::parse(black_box(case.text.as_bytes()))
    }

    fn reference(case: &Case, edition: Edition) {
        let robots = RobotsTxt::parse(black_box(case.text.as_bytes()));
        black_box(robots.for_agent(edition, case.agent));
    }

    #[divan::bench(args = cases())]
    fn reference_rfc9309(case: &Case) {
        reference(case, Edition::Rfc9309);
    }

    #[divan::bench(args = cases())]
    fn reference_google_2019(case: &Case) {
        reference(case, Edition::Google2019);
    }

    #[divan::bench(args = cases())]
    fn robotxt(case: &Case) -> robotxt::Robots {
        robotxt::Robots::parse(black_box(case.text.as_bytes()), case.agent)
    }

    #[divan::bench(args = cases())]
    fn texting_robots(case: &Case) -> texting_robots::Robot {
        texting_robots::Robot::new(case.agent, black_box(case.text.as_bytes())).unwrap()
    }

    /// It knows no wildcards, and chooses the group later.
    #[divan::bench(args = cases())]
    fn robots_txt(case: &Case) -> robots_txt::Robots<'_> {
        robots_txt::Robots::from_str_lossy(black_box(&case.text))
    }
}

/// Eight URLs, with a file that has been parsed.
#[divan::bench_group]
mod match_urls {
    use super::*;

    fn reference(bencher: Bencher, case: &Case, edition: Edition) {
        let robots = RobotsTxt::parse(case.text.as_bytes());
        let rules = robots.for_agent(edition, case.agent);
        bencher.bench_local(|| PATHS.map(|path| rules.ruling(black_box(path))));
    }

    #[divan::bench(args = cases())]
    fn reference_rfc9309(bencher: Bencher, case: &Case) {
        reference(bencher, case, Edition::Rfc9309);
    }

    #[divan::bench(args = cases())]
    fn reference_google_2019(bencher: Bencher, case: &Case) {
        reference(bencher, case, Edition::Google2019);
    }

    #[divan::bench(args = cases())]
    fn robotxt(bencher: Bencher, case: &Case) {
        let robots = robotxt::Robots::parse(case.text.as_bytes(), case.agent);
        bencher.bench_local(|| PATHS.map(|path| robots.is_allowed(black_box(path))));
    }

    #[divan::bench(args = cases())]
    fn texting_robots(bencher: Bencher, case: &Case) {
        let robot = texting_robots::Robot::new(case.agent, case.text.as_bytes()).unwrap();
        bencher.bench_local(|| PATHS.map(|path| robot.allowed(black_box(path))));
    }

    #[divan::bench(args = cases())]
    fn robots_txt(bencher: Bencher, case: &Case) {
        let robots = robots_txt::Robots::from_str_lossy(&case.text);
        let section = robots.choose_section(case.agent);
        let matcher = robots_txt::matcher::SimpleMatcher::new(&section.rules);
        bencher.bench_local(|| PATHS.map(|path| matcher.check_path(black_box(path))));
    }
}

/// One URL, with a file that has not been parsed.
#[divan::bench_group]
mod one_shot {
    use super::*;

    const PATH: &str = PATHS[2];

    #[divan::bench(args = cases())]
    fn reference_rfc9309(case: &Case) {
        let robots = RobotsTxt::parse(black_box(case.text.as_bytes()));
        black_box(robots.ruling(Edition::Rfc9309, case.agent, PATH)).ok();
    }

    #[divan::bench(args = cases())]
    fn reference_google_2019(case: &Case) {
        let robots = RobotsTxt::parse(black_box(case.text.as_bytes()));
        black_box(robots.ruling(Edition::Google2019, case.agent, PATH)).ok();
    }

    #[divan::bench(args = cases())]
    fn robotstxt(case: &Case) -> bool {
        let mut matcher = robotstxt::DefaultMatcher::default();
        matcher.one_agent_allowed_by_robots(black_box(&case.text), case.agent, PATH)
    }

    #[divan::bench(args = cases())]
    fn robotxt(case: &Case) -> bool {
        robotxt::Robots::parse(black_box(case.text.as_bytes()), case.agent).is_allowed(PATH)
    }

    #[divan::bench(args = cases())]
    fn texting_robots(case: &Case) -> bool {
        texting_robots::Robot::new(case.agent, black_box(case.text.as_bytes())).unwrap().allowed(PATH)
    }

    #[divan::bench(args = cases())]
    fn robots_txt(case: &Case) -> bool {
        let robots = robots_txt::Robots::from_str_lossy(black_box(&case.text));
        let section = robots.choose_section(case.agent);
        robots_txt::matcher::SimpleMatcher::new(&section.rules).check_path(PATH)
    }
}
