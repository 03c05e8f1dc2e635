//! How cost grows with files and URLs that are made to be slow.
//!
//! Machines differ and are busy: read how the figures of one run grow down a
//! column, not the times. A parser is left out where it would take minutes.

mod site;

use divan::{Bencher, black_box};
use robotspec_reference::{Edition, RobotsTxt};

use site::site;

const AGENT: &str = "FooBot";

fn main() {
    divan::main();
}

fn reference(robots: &[u8], url: &str) {
    let _ = black_box(RobotsTxt::parse(black_box(robots)).ruling(Edition::Rfc9309, AGENT, url));
}

fn robotxt(robots: &[u8], url: &str) {
    black_box(robotxt::Robots::parse(black_box(robots), AGENT).is_allowed(url));
}

fn texting_robots(robots: &[u8], url: &str) {
    let _ = black_box(texting_robots::Robot::new(AGENT, black_box(robots)).map(|robot| robot.allowed(url)));
}

fn robotstxt(robots: &str, url: &str) {
    let mut matcher = robotstxt::DefaultMatcher::default();
    black_box(matcher.one_agent_allowed_by_robots(black_box(robots), AGENT, url));
}

fn robots_txt(robots: &str, url: &str) {
    let robots = robots_txt::Robots::from_str_lossy(black_box(robots));
    let section = robots.choose_section(AGENT);
    black_box(robots_txt::matcher::SimpleMatcher::new(&section.rules).check_path(url));
}

/// A bench for each parser, of files and URLs made in these sizes.
macro_rules! growth {
    ($make:expr; $($parser:ident: $sizes:expr),+) => {
        $(
            #[divan::bench(args = $sizes)]
            fn $parser(bencher: Bencher, size: usize) {
                let (robots, url): (String, String) = $make(size);
                bencher.bench_local(|| super::$parser(robots.as_ref(), &url));
            }
        )+
    };
}

/// Nine wildcards that can be placed in very many ways, none of which will do.
#[divan::bench_group]
mod wildcards {
    use super::*;

    fn make(length: usize) -> (String, String) {
        let robots = "user-agent: *\ndisallow: /*a*a*a*a*a*a*a*a*a*b\n";
        (robots.to_owned(), format!("/{}", "a".repeat(length)))
    }

    growth!(make;
        reference: [50, 500, 5_000, 50_000],
        robotxt: [50, 500, 5_000, 50_000],
        texting_robots: [50, 500, 5_000, 50_000],
        robotstxt: [50, 500, 5_000]);
}

/// A pattern half as long as the URL, which nearly matches everywhere: what
/// makes the cost a product of the two.
#[divan::bench_group]
mod near_matches {
    use super::*;

    fn make(length: usize) -> (String, String) {
        let robots = format!("user-agent: *\ndisallow: /*{}b\n", "a".repeat(length / 2));
        (robots, format!("/{}", "a".repeat(length)))
    }

    growth!(make;
        reference: [50, 500, 5_000, 50_000],
        robotxt: [50, 500, 5_000, 50_000],
        texting_robots: [50, 500, 5_000, 50_000],
        robotstxt: [50, 500]);
}

/// The same with an escape in the URL, so that no comparison is of bytes alone.
#[divan::bench_group]
mod near_matches_of_escapes {
    use super::*;

    fn make(length: usize) -> (String, String) {
        let robots = format!("user-agent: *\ndisallow: /*{}b\n", "a".repeat(length / 2));
        (robots, format!("/%C3%A9{}", "a".repeat(length)))
    }

    growth!(make;
        reference: [50, 500, 5_000, 50_000, 500_000],
        robotxt: [50, 500, 5_000, 50_000],
        texting_robots: [50, 500, 5_000, 50_000]);
}

/// A pattern of which every place of the URL has the characters, but the last of
/// them escaped.
#[divan::bench_group]
mod near_matches_up_to_an_escape {
    use super::*;

    fn make(length: usize) -> (String, String) {
        let robots = format!("user-agent: *\ndisallow: /*{}%3A\n", ":".repeat(length / 2));
        (robots, format!("/{}", ":".repeat(length)))
    }

    growth!(make; reference: [50, 500, 5_000, 50_000, 500_000]);
}

/// Rules of both kinds, all of which match.
#[divan::bench_group]
mod rules {
    use super::*;

    fn make(rules: usize) -> (String, String) {
        let robots = "user-agent: *\n".to_owned() + &"allow: /page\ndisallow: /*.html\n".repeat(rules / 2);
        (robots, "/page.html".to_owned())
    }

    growth!(make;
        reference: [1_000, 10_000, 100_000],
        robotxt: [1_000, 10_000, 100_000],
        texting_robots: [1_000, 10_000, 100_000],
        robotstxt: [1_000, 10_000, 100_000],
        robots_txt: [1_000, 10_000, 100_000]);
}

/// An ordinary site, at last of 1 MB.
#[divan::bench_group]
mod large_files {
    use super::*;

    /// 230 rules are about 10 KB.
    fn make(rules: usize) -> (String, String) {
        (site(rules), "/departments/section-20/public/offers.html".to_owned())
    }

    growth!(make;
        reference: [230, 2_300, 23_000],
        robotxt: [230, 2_300, 23_000],
        texting_robots: [230, 2_300, 23_000],
        robotstxt: [230, 2_300, 23_000],
        robots_txt: [230, 2_300, 23_000]);
}

/// Lines of so many octets, of each sort.
#[divan::bench_group]
mod long_lines {
    use super::*;

    fn make(length: usize) -> (String, String) {
        let (a, space) = ("a".repeat(length), " ".repeat(length));
        let robots = format!(
            "#{a}\n{a}\n{a}: {a}\ndisallow {a}\n{space}user-agent{space}:{space}*{space}\nuser-agent: {a}\ndisallow: /{a}\nallow: /{space}a\n"
        );
        (robots, "/page.html".to_owned())
    }

    growth!(make;
        reference: [1_000, 10_000, 100_000],
        robotxt: [1_000, 10_000, 100_000],
        texting_robots: [1_000, 10_000, 100_000],
        robotstxt: [1_000, 10_000, 100_000],
        robots_txt: [1_000, 10_000, 100_000]);
}

/// A group with so many names.
#[divan::bench_group]
mod names_of_a_group {
    use super::*;

    fn make(lines: usize) -> (String, String) {
        let robots = "user-agent: FooBot\n".repeat(lines) + "disallow: /\n";
        (robots, "/page.html".to_owned())
    }

    growth!(make;
        reference: [500, 5_000, 50_000],
        robotxt: [500, 5_000, 50_000],
        texting_robots: [500, 5_000, 50_000],
        robotstxt: [500, 5_000, 50_000],
        robots_txt: [500, 5_000]);
}

/// So many groups of one name.
#[divan::bench_group]
mod groups_of_a_name {
    use super::*;

    fn make(lines: usize) -> (String, String) {
        let robots = "user-agent: FooBot\ndisallow: /a\n".repeat(lines);
        (robots, "/page.html".to_owned())
    }

    growth!(make;
        reference: [500, 5_000, 50_000],
        robotxt: [500, 5_000, 50_000],
        texting_robots: [500, 5_000, 50_000],
        robotstxt: [500, 5_000, 50_000],
        robots_txt: [500, 5_000]);
}

/// A file that raises every question of the lines and groups, and paths that
/// raise every question of theirs and do not match: the reference follows all
/// readings, and none of them ends the search early.
#[divan::bench_group]
mod every_question {
    use super::*;

    const FILE: &[u8] = b"\xEF\xBB\xBF\
user-agent: FooBot\nallow: /1\n\
user-agent: FooBot/1.2\nallow: /2\n\
user-agent: FooBot and others\nallow: /3\n\
user-agent: FooBot9\nallow: /4\n\
user-agent: Foo*\nallow: /5\n\
user-agent: FOOBOT\nallow: /6\n\
user-agent: FooBo\nallow: /7\n\
user-agent:\nallow: /8\n\
user-agent: FooBot\n\nuser-agent: Another\nsitemap: x\nuser-agent: FooBot\n\
disalow: /a\nallow /b\nallows: /c\nallow: /d\xFF\nallow: /e\x01\nallow: \x0B/f\nallow: /g g\n\
disallow: b/-\ndisallow: */%3A*/-\ndisallow: /*$-\ndisallow: /%62/-\ndisallow: /b/%3A-\n\
disallow: /b/:-\ndisallow: /b/:%2A-\ndisallow: /b/../-\n\
allow: /b/*\nallow: /b/*\xC3\xB6\ndisallow: /\n";
    const PATH: &str = "/b/%3a*/./\u{F6}";

    #[divan::bench(args = Edition::ALL)]
    fn for_agent(bencher: Bencher, edition: Edition) {
        let robots = RobotsTxt::parse(FILE);
        bencher.bench_local(|| robots.for_agent(black_box(edition), AGENT));
    }

    #[divan::bench(args = Edition::ALL)]
    fn ruling(bencher: Bencher, edition: Edition) {
        let robots = RobotsTxt::parse(FILE);
        let rules = robots.for_agent(edition, AGENT);
        bencher.bench_local(|| rules.ruling(black_box(PATH)));
    }
}
