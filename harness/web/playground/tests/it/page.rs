//! The page as the program writes it.

use std::fs;
use std::process::Command;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use robotspec_web::{SHARED_SCRIPT, THEME};
use sha2::{Digest, Sha256};

/// Returns the page with a module.
fn page() -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (module, page) = (folder.path().join("module.wasm"), folder.path().join("page.html"));
    fs::write(&module, "module").expect("the folder is writable");
    let mut program = Command::new(env!("CARGO_BIN_EXE_robotspec-playground"));
    let done = program.args([&module, &page]).status().expect("the program starts");
    assert!(done.success());
    fs::read_to_string(page).expect("the program wrote the page")
}

#[test]
fn the_page_is_one_file_whose_policy_names_each_script() {
    let page = page();
    assert!(!page.contains("{{ "));
    let style = [THEME, include_str!("../../page/playground.css")].concat();
    for text in [include_str!("../../page/head.js"), &style] {
        assert!(page.contains(&format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)))));
    }
    let scripts = page.matches("<script>").count();
    let policy = page.split("script-src ").nth(1).and_then(|rest| rest.split(';').next());
    assert_eq!(policy.expect("a policy").matches("sha256-").count(), scripts);
    assert!(!policy.expect("a policy").contains("unsafe-inline"));
    // Nothing else is loaded.
    for attribute in [" src=", "<link rel=\"stylesheet\"", "@import", "url("] {
        assert!(!page.contains(attribute), "{attribute}");
    }
}

#[test]
fn no_text_becomes_html() {
    let page = page();
    assert!(SHARED_SCRIPT.iter().all(|script| page.contains(script)));
    for sink in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"] {
        assert!(!page.contains(sink), "{sink}");
    }
    assert_eq!(page.matches("</script").count(), page.matches("<script").count());
}
