//! The page in a browser, and its module compared with the native program.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use robotspec_playground::request::Request;
use robotspec_playground::respond;
use robotspec_reference::Edition;
use robotspec_test_support::browser::chromium;
use serde_json::{Value, json};

use crate::{match_rows, written};

/// The size of the largest file of which copies are compared too, in bytes.
const LARGEST_COPIED: usize = 4096;

#[test]
#[ignore = "needs Chromium, Node and the target wasm32-unknown-unknown"]
fn the_page_works_in_a_browser_and_answers_as_the_native_program() {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tests = crate_folder.join("../browser");
    let chromium = chromium().expect("there is no Chromium; set CHROMIUM, or install it");
    assert!(tests.join("node_modules/playwright-core").exists(), "run `npm ci` in {}", tests.display());
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (page, rows) = (folder.path().join("playground.html"), folder.path().join("rows.json"));
    let built = Command::new(crate_folder.join("build")).arg(&page).output().expect("the script starts");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    fs::write(&rows, responses().to_string()).expect("the folder is writable");
    let output = Command::new("node")
        // This reporter ends with the failures.
        .args(["--test", "--test-reporter=spec", "playground.test.mjs"])
        .current_dir(&tests)
        .env("ROBOTSPEC_PLAYGROUND", page)
        .env("ROBOTSPEC_ROWS", rows)
        .env("ROBOTSPEC_CHROMIUM", chromium)
        .output()
        .expect("node starts");
    assert!(
        output.status.success(),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Returns requests about every row, with the responses of the native program. Each file occurs once.
fn responses() -> Value {
    let mut files: Vec<Vec<u8>> = Vec::new();
    let mut places: HashMap<Vec<u8>, usize> = HashMap::new();
    let mut requests = Vec::new();
    for row in match_rows() {
        let (agent, url, edition) = (row.agent, row.url, Edition::Rfc9309);
        let mut of_row = vec![Request::Answer { agent: agent.clone(), urls: vec![url.clone()], selected: 0 }];
        let place = *places.entry(row.robots.clone()).or_insert_with(|| {
            files.push(row.robots.clone());
            of_row.push(Request::Lint { edition });
            files.len() - 1
        });
        if row.robots.len() <= LARGEST_COPIED {
            of_row.push(Request::Case { agent: agent.clone(), url: url.clone(), edition });
            of_row.push(Request::Issue { agent, url, link: None });
        }
        for request in of_row {
            let response = String::from_utf8(respond(&written(&request, &row.robots))).expect("JSON");
            requests.push(json!({
                "id": row.check.id.to_string(), "head": request, "file": place, "response": response,
            }));
        }
    }
    json!({ "files": files.iter().map(|file| STANDARD.encode(file)).collect::<Vec<_>>(), "requests": requests })
}
