//! The page of results in a browser.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use robotspec_test_support::browser::chromium;

use super::require;
use crate::html_report::hostile;
use crate::support::{folder, run_in};

#[test]
#[ignore = "needs Chromium and Node"]
fn the_page_works_in_a_browser() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/browser");
    require("node", &["--version"]);
    let chromium = chromium().expect("there is no Chromium; set CHROMIUM, or install it");
    assert!(tests.join("node_modules/playwright-core").exists(), "run `npm ci` in {}", tests.display());
    let site = folder(&[("hostile.jsonl", &hostile())]);
    let run = |line: &str| run_in(site.path(), line);
    run("run reference robotxt --report jsonl=run.jsonl");
    // It claims another edition. By these, it also fails rows in variants only.
    run("run robots_txt --edition google-2019 --edition rfc9309 --report jsonl=old.jsonl");
    run("run --exec 'true {url}' --no-variants --filter clause:M-* --report jsonl=lenient.jsonl");
    let files = ["run.jsonl", "old.jsonl", "hostile.jsonl", "lenient.jsonl"];
    let done = run(&format!("report --html site --commit 0123abc {}", files.join(" ")));
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    // The pictures of the book depend on fonts and on the browser, so that only their names are compared.
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/src/images");
    let pictures = match env::var("SNAPSHOTS").as_deref() {
        Ok("overwrite") => book.clone(),
        _ => site.path().join("pictures"),
    };
    fs::create_dir_all(&pictures).expect("the folder can be created");
    let parsers = "reference robotxt texting_robots robotstxt";
    run(&format!("run {parsers} --no-variants --report jsonl=pictured.jsonl"));
    fs::create_dir(site.path().join("real")).expect("the folder is writable");
    fs::write(site.path().join("real/php.txt"), "user-agent: *\ndisallow: /*.php$\n").expect("a file");
    let search = run("fuzz robotxt robotstxt --files real --seed 1 --format jsonl").stdout;
    fs::write(site.path().join("search.jsonl"), search).expect("the folder is writable");
    run("report pictured.jsonl --report html=pictured.html --real-files search.jsonl");
    // Its author expects something that the text contradicts.
    let own = "suite: shop\ntitle: Shop\nsource: shop.yaml\ncases:\n  - id: cart\n    clauses: [M-prefix]\n    robots: |\n      \
        user-agent: *\n      disallow: /cart\n    rows:\n      - {id: basket, url: /cart, expect: allow}\n";
    fs::write(site.path().join("shop.yaml"), own).expect("the folder is writable");
    run("run robotxt --suite shop.yaml --edition rfc9309 --no-variants --report html=own.html");
    let output = Command::new("node")
        // This reporter ends with the failures.
        .args(["--test", "--test-reporter=spec", "page.test.mjs"])
        .env("ROBOTSPEC_PICTURES", &pictures)
        .env("ROBOTSPEC_PICTURED", site.path().join("pictured.html"))
        .env("ROBOTSPEC_SEARCH", site.path().join("search.jsonl"))
        .env("ROBOTSPEC_OWN", site.path().join("own.html"))
        .current_dir(&tests)
        .env("ROBOTSPEC_PAGE", site.path().join("site/index.html"))
        .env(
            "ROBOTSPEC_EVENTS",
            env::join_paths(files.map(|file| site.path().join(file))).expect("plain names"),
        )
        .env("ROBOTSPEC_CHROMIUM", chromium)
        .output()
        .expect("node starts");
    assert!(
        output.status.success(),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    let names = |folder: &Path| -> Vec<_> {
        let files = folder.read_dir().expect("the folder can be read");
        let names = files.map(|file| file.expect("an entry").file_name().to_string_lossy().into_owned());
        let mut names: Vec<_> = names.filter(|name| name.ends_with(".png")).collect();
        names.sort();
        names
    };
    assert_eq!(names(&pictures), names(&book), "SNAPSHOTS=overwrite writes the pictures of the book");
}
