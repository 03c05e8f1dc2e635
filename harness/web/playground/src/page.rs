//! The page: one file, which contains the module, the scripts and the styles.
//!
//! Its content security policy permits only these scripts and styles, by their hashes, and no connection at all.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use minijinja::{Environment, context};
use robotspec_reference::Edition;
use robotspec_web::{SHARED_SCRIPT, THEME, compress};
use sha2::{Digest, Sha256};

const TEMPLATE: &str = include_str!("../page/playground.html");
/// It runs before the page is drawn.
const HEAD: &str = include_str!("../page/head.js");
const WORKER: &str = include_str!("../page/worker.js");
const STYLE: &str = include_str!("../page/playground.css");
const SCRIPT: &[&str] = &[
    include_str!("../page/script/limits.js"),
    include_str!("../page/script/bytes.js"),
    include_str!("../page/script/state.js"),
    include_str!("../page/script/address.js"),
    include_str!("../page/script/engine.js"),
    include_str!("../page/script/examples.js"),
    include_str!("../page/script/editor.js"),
    include_str!("../page/script/answers.js"),
    include_str!("../page/script/copy.js"),
    include_str!("../page/script/main.js"),
];

/// Returns the page with this WebAssembly module.
pub(crate) fn page(module: &[u8]) -> String {
    let script =
        format!("\n(async () => {{\n\"use strict\";\n{}}})();\n", [SHARED_SCRIPT, SCRIPT].concat().concat());
    let style = [THEME, STYLE].concat();
    let editions: Vec<String> = Edition::ALL.iter().map(|edition| format!("\"{edition}\"")).collect();
    let values = context! {
        version => env!("CARGO_PKG_VERSION"),
        head_hash => hash(HEAD),
        script_hash => hash(&script),
        style_hash => hash(&style),
        editions => format!("[{}]", editions.join(",")),
        module => compress(module),
        worker => WORKER,
        head => HEAD,
        style,
        script,
    };
    Environment::new().render_str(TEMPLATE, values).expect("the template is correct")
}

/// Returns a source of a content security policy (Content Security Policy Level 3, 2.3.1).
fn hash(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)))
}
