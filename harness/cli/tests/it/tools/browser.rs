//! The page of results in a browser.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use robotspec_test_support::browser::chromium;

use super::require;
use crate::html_report::{hostile, site};

#[test]
#[ignore = "needs Chromium and Node"]
fn the_page_works_in_a_browser() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/browser");
    require("node", &["--version"]);
    let chromium = chromium().expect("there is no Chromium; set CHROMIUM, or install it");
    assert!(tests.join("node_modules/playwright-core").exists(), "run `npm ci` in {}", tests.display());
    let site = site();
    let run = site.run("run.jsonl", &["reference", "robotxt"]);
    // It claims another edition. By these, it also fails rows in variants only.
    let newer = ["--edition", "google-2019", "--edition", "rfc9309"];
    let old = site.run("old.jsonl", &[&["robots_txt"], &newer[..]].concat());
    let hostile = site.write("hostile.jsonl", hostile());
    let lenient = ["--exec", "true {url}", "--no-variants", "--filter", "clause:M-*"];
    let lenient = site.run("lenient.jsonl", &lenient);
    let files = [&run, &old, &hostile, &lenient].map(PathBuf::as_path);
    let done = site.report_with(&["--commit", "0123abc"], &files);
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    // The pictures of the book depend on fonts and on the browser, so that only their names are compared.
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/src/images");
    let pictures = match env::var("SNAPSHOTS").as_deref() {
        Ok("overwrite") => book.clone(),
        _ => site.file("pictures"),
    };
    fs::create_dir_all(&pictures).expect("the folder can be created");
    let pictured = crate::html_report::site();
    let parsers = ["reference", "robotxt", "texting_robots", "robotstxt", "--no-variants"];
    let done = pictured.report(&[&pictured.run("run.jsonl", &parsers)]);
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let output = Command::new("node")
        // This reporter ends with the failures.
        .args(["--test", "--test-reporter=spec", "page.test.mjs"])
        .env("ROBOTSPEC_PICTURES", &pictures)
        .env("ROBOTSPEC_PICTURED", pictured.page())
        .current_dir(&tests)
        .env("ROBOTSPEC_PAGE", site.page())
        .env("ROBOTSPEC_EVENTS", env::join_paths([run, old, hostile, lenient]).expect("plain names"))
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
