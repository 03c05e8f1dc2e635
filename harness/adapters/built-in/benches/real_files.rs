//! Compares the reference with robotxt on the files of real sites, one after the other.
//!
//! `ROBOTSPEC_CORPUS` is a folder of them; `.ci/corpus` fetches one. Machines differ and are busy: read the ratios of one
//! run, never the times. A ratio above one means that the reference is faster.
//!
//! With `--count NAME`, it does the work NAME once and measures nothing: `valgrind --tool=callgrind` then counts the
//! instructions of the work on all files. The works [`WORST`] are about a file that is made for them, in every edition.

#![allow(clippy::print_stdout)] // the comparison

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;
use std::{env, fs, iter};

use robotspec_reference::{Edition, Reading, RobotsTxt};
use robotspec_text::lint::lint;
use robotxt::Robots;

const EDITION: Edition = Edition::Rfc9309;

/// The first is named in many files. The other is not, and follows `*`.
const AGENTS: [&str; 2] = ["Googlebot", "FooBot"];

/// Larger files are left out: a crawler need not read more. In bytes.
const LARGEST: usize = 500_000;

/// A file, and paths that resemble its rules.
struct Site {
    name: String,
    text: String,
    paths: Vec<String>,
}

/// Prepares a work on a site for an agent, and hands it over to what measures it.
type Run = fn(&Site, &str, &mut dyn FnMut(&mut dyn FnMut()));

/// A piece of work on a site for an agent, for the reference or for robotxt.
struct Work {
    name: &'static str,
    reference: Run,
    robotxt: Run,
}

const WORKS: [Work; 3] = [
    Work {
        name: "parse",
        reference: |site, agent, measure| {
            measure(&mut || {
                let robots = RobotsTxt::parse(black_box(site.text.as_bytes()));
                let _ = black_box(robots.for_agent(EDITION, agent).ruling("/"));
            });
        },
        robotxt: |site, agent, measure| {
            measure(&mut || drop(black_box(Robots::parse(black_box(site.text.as_bytes()), agent))));
        },
    },
    Work {
        name: "one-shot",
        reference: |site, agent, measure| {
            measure(&mut || {
                for path in &site.paths {
                    let _ = black_box(
                        RobotsTxt::parse(black_box(site.text.as_bytes())).ruling(EDITION, agent, path),
                    );
                }
            });
        },
        robotxt: |site, agent, measure| {
            measure(&mut || {
                for path in &site.paths {
                    black_box(Robots::parse(black_box(site.text.as_bytes()), agent).is_allowed(path));
                }
            });
        },
    },
    Work {
        name: "match",
        reference: |site, agent, measure| {
            let robots = RobotsTxt::parse(site.text.as_bytes());
            let rules = robots.for_agent(EDITION, agent);
            measure(&mut || {
                site.paths.iter().for_each(|path| drop(black_box(rules.ruling(black_box(path)))))
            });
        },
        robotxt: |site, agent, measure| {
            let robots = Robots::parse(site.text.as_bytes(), agent);
            measure(&mut || {
                for path in &site.paths {
                    black_box(robots.is_allowed(black_box(path)));
                }
            });
        },
    },
];

/// Lines of files that take, or took, the longest: a search found them. `N` is a number, and `STARS` are many of them.
const WORST: [(&str, &str); 12] = [
    ("lint-mark", "\u{feff}user-agent: BotN\ndisallow: /N\n"),
    ("lint-name", "user-agent: Bot N\ndisallow: /N\n"),
    ("lint-no-slash", "disallow: a*b*N\n"),
    ("lint-star", "disallow: *N\n"),
    ("lint-typo", "useragent: BotN\ndisallow: /N\n"),
    ("lint-broken-escape", "disallow: /%zzN\n"),
    ("lint-stars", "disallow: STARSN\n"),
    ("lint-one-path", "disallow: /x\nallow: /x\n"),
    ("explain-mark", "\u{feff}user-agent: BotN\ndisallow: /N\n"),
    ("explain-name", "user-agent: Bot N\ndisallow: /N\n"),
    ("explain-spelling", "disallow: *a*b*cN \nuseragent: BotN\nuser-agent : *A%41N\ndisalow: /#N\n"),
    ("explain-stars", "disallow: STARSN\n"),
];

/// What an explanation of these files is about: a long name, and a long path with escapes.
const LONG: usize = 10_000;

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let mut after = arguments.iter().skip_while(|argument| *argument != "--count");
    let name = after.next().map(|_| after.next().map_or("", String::as_str));
    if let Some((_, line)) = WORST.iter().find(|(worst, _)| Some(*worst) == name) {
        let line = line.replace("STARS", &"a*b*".repeat(50));
        let lines = (0..).map(|number: usize| line.replace('N', &number.to_string()));
        let file: String = iter::once("user-agent: *\n".to_owned()).chain(lines).take(200).collect();
        for edition in Edition::ALL {
            if name.is_some_and(|name| name.starts_with("lint")) {
                drop(black_box(lint(edition, file.as_bytes())));
            } else {
                let (agent, path) = ("a".repeat(LONG), format!("/{}", "é".repeat(LONG)));
                drop(black_box(RobotsTxt::parse(file.as_bytes()).explain(edition, &agent, &path)));
            }
        }
        return;
    }
    let Some(folder) = env::var_os("ROBOTSPEC_CORPUS") else {
        println!("real_files: ROBOTSPEC_CORPUS is not set; it is a folder of robots.txt files");
        return;
    };
    let sites = sites(Path::new(&folder));
    match name {
        Some(name) => count(&sites, name),
        None => WORKS.iter().for_each(|work| compare(&sites, work)),
    }
}

fn sites(folder: &Path) -> Vec<Site> {
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let site = |file: &std::path::PathBuf| {
        let text = String::from_utf8(fs::read(file).ok()?).ok()?;
        let name = file.file_name()?.to_string_lossy().into_owned();
        (!text.is_empty() && text.len() <= LARGEST).then(|| Site { name, paths: paths(&text), text })
    };
    files.iter().filter_map(site).collect()
}

/// Returns paths of any site, and paths that the rules match or nearly match.
fn paths(text: &str) -> Vec<String> {
    let mut paths = ["/", "/index.html", "/a/b/c?d=e", "/search?q=x&page=2"].map(String::from).to_vec();
    let is_rule = |field: &str| ["allow", "disallow"].contains(&&*field.trim().to_ascii_lowercase());
    let rules: Vec<&str> = text
        .lines()
        .filter_map(|line| line.split_once(':'))
        .filter(|(field, _)| is_rule(field))
        .map(|(_, value)| value.split('#').next().unwrap_or_default().trim())
        .filter(|value| value.starts_with('/') && value.is_ascii() && !value.contains(' '))
        .collect();
    for (place, rule) in rules.iter().step_by((rules.len() / 12).max(1)).take(12).enumerate() {
        let mut path = rule.replace('*', "xy").trim_end_matches('$').to_owned();
        if place % 2 == 1 {
            path.insert(1.min(path.len()), 'z');
        }
        paths.push(path);
    }
    paths
}

/// Does a work once on all sites. `reading` is the work `parse` in one reading instead of all.
fn count(sites: &[Site], name: &str) {
    for site in sites {
        for agent in AGENTS {
            let once = &mut |work: &mut dyn FnMut()| work();
            match WORKS.iter().find(|work| work.name == name) {
                Some(work) => (work.reference)(site, agent, once),
                None if name == "reading" => once(&mut || {
                    let robots = RobotsTxt::parse(black_box(site.text.as_bytes()));
                    let _ = black_box(robots.decide(&Reading::plainest(EDITION), agent, "/"));
                }),
                None => panic!("unknown work `{name}`; available: parse, one-shot, match, reading"),
            }
        }
    }
}

/// Prints how the reference compares with robotxt.
fn compare(sites: &[Site], work: &Work) {
    let (mut total, mut total_of_peer, mut ratios) = (0.0, 0.0, Vec::new());
    for site in sites {
        for agent in AGENTS {
            let seconds = |run: Run| {
                let mut seconds = 0.0;
                run(site, agent, &mut |work| seconds = least_seconds(work));
                seconds
            };
            let (own, peer) = (seconds(work.reference), seconds(work.robotxt));
            total += own;
            total_of_peer += peer;
            ratios.push((own / peer, &site.name));
        }
    }
    ratios.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let at = |share: f64| ratios[((ratios.len() - 1) as f64 * share) as usize].0;
    let (slowest, name) = ratios[ratios.len() - 1];
    println!(
        "{:8} {:.2} of the speed of robotxt in total; its time in the files at 50, 90 and 99 %: {:.2} {:.2} {:.2}; slowest: {slowest:.1} ({name})",
        work.name,
        total_of_peer / total,
        at(0.5),
        at(0.9),
        at(0.99),
    );
}

/// Returns the least of five times, each over enough repetitions for 50 µs.
fn least_seconds(work: &mut dyn FnMut()) -> f64 {
    let mut seconds = |times: u32| {
        let start = Instant::now();
        (0..times).for_each(|_| work());
        start.elapsed().as_secs_f64() / f64::from(times)
    };
    let times = (5e-5 / seconds(1).max(1e-9)).clamp(1.0, 1e4) as u32;
    (0..5).map(|_| seconds(times)).fold(f64::MAX, f64::min)
}
