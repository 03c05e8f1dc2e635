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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_one_file_whose_policy_names_each_script() {
        let page = page(b"module");
        assert!(!page.contains("{{ "));
        for text in [HEAD, &[THEME, STYLE].concat()] {
            assert!(page.contains(&hash(text)));
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
        for script in SHARED_SCRIPT.iter().chain(SCRIPT).chain([&WORKER, &HEAD]) {
            for sink in
                ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"]
            {
                assert!(!script.contains(sink), "{sink}");
            }
            assert!(!script.contains("</script"));
        }
    }
}
