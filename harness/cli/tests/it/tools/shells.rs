//! Shells read the completions, and groff the man pages.

use std::process::{Command, Output};

use tempfile::TempDir;

use super::require;
use crate::shell::{completions, man_pages};
use crate::support;

/// Creates a folder with a file of completions for a shell.
fn folder(shell: &str) -> TempDir {
    support::folder(&[("completions", &completions(shell).stdout)])
}

/// Returns the standard output of a program that succeeded and printed no error.
fn successful_output(done: Output) -> String {
    let errors = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success() && errors.is_empty(), "{}: {errors}", done.status);
    String::from_utf8_lossy(&done.stdout).into_owned()
}

#[test]
#[ignore = "needs bash"]
fn bash_completes_commands_options_and_values() {
    require("bash", &["--version"]);
    let folder = folder("bash");
    let complete = |words: &[&str]| {
        let last = words.last().expect("a word");
        let script = format!(
            "source completions; COMP_WORDS=({0}); COMP_CWORD={1}; _robotspec robotspec '{last}' '{2}'; \
             echo \"${{COMPREPLY[*]}}\"",
            words.join(" "),
            words.len() - 1,
            words[words.len() - 2],
        );
        let bash = Command::new("bash").args(["--norc", "-uc", &script]).current_dir(folder.path()).output();
        successful_output(bash.expect("bash starts")).trim_end().to_owned()
    };
    assert_eq!(complete(&["robotspec", "kn"]), "known");
    assert_eq!(complete(&["robotspec", "known", "up"]), "update");
    assert_eq!(complete(&["robotspec", "run", "--known"]), "--known-failures --known");
    assert_eq!(complete(&["robotspec", "run", "--edition", "rfc"]), "rfc9309 rfc9309-aipref");
    assert_eq!(complete(&["robotspec", "completions", "zs"]), "zsh");
}

#[test]
#[ignore = "needs zsh and fish"]
fn zsh_and_fish_parse_their_completions() {
    for (shell, check) in [("zsh", "-n"), ("fish", "--no-execute")] {
        require(shell, &["--version"]);
        let folder = folder(shell);
        let read = Command::new(shell).args([check, "completions"]).current_dir(folder.path()).output();
        assert_eq!(successful_output(read.expect("the shell starts")), "", "{shell}");
    }
}

#[test]
#[ignore = "needs groff"]
fn groff_accepts_every_man_page_without_a_warning() {
    require("groff", &["--version"]);
    let pages = man_pages();
    for page in pages.path().read_dir().expect("a folder") {
        let page = page.expect("an entry").path();
        let formatted = Command::new("groff").args(["-man", "-ww", "-Tutf8", "-P-cbou"]).arg(&page).output();
        assert!(
            successful_output(formatted.expect("groff starts")).contains("SYNOPSIS"),
            "{}",
            page.display()
        );
    }
}
