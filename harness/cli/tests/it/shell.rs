//! Shell completions and man pages, which the program generates from its definition of the command line.

use crate::support::{Done, commands, folder, robotspec};
use tempfile::TempDir;

const SHELLS: [&str; 5] = ["bash", "elvish", "fish", "powershell", "zsh"];

pub(crate) fn completions(shell: &str) -> Done {
    let done = robotspec(["completions", shell]).run();
    assert_eq!((done.code, &*done.stderr), (Some(0), ""), "{shell}");
    done
}

/// Writes the man pages into a folder.
pub(crate) fn man_pages() -> TempDir {
    let folder = folder(&[]);
    let pages = folder.path().to_str().expect("a path in UTF-8");
    let done = robotspec(["man", "--out", pages]).run();
    assert_eq!((done.code, done.stdout, done.stderr), (Some(0), String::new(), String::new()));
    folder
}

#[test]
fn the_completions_of_every_shell_contain_every_command_and_option() {
    for shell in SHELLS {
        let script = completions(shell).stdout;
        for command in commands("").iter().filter_map(|command| command.split(' ').next_back()) {
            assert!(script.contains(command), "the completions for {shell} lack {command}");
        }
        for option in ["known-failures", "max-findings", "no-variants"] {
            assert!(script.contains(option), "the completions for {shell} lack --{option}");
        }
    }
}

#[test]
fn every_command_has_a_man_page() {
    let folder = man_pages();
    for command in commands("") {
        let page = format!("robotspec {command}").trim_end().replace(' ', "-") + ".1";
        assert!(folder.path().join(&page).is_file(), "{page}");
    }
}

#[test]
fn the_main_man_page_names_every_command() {
    let done = robotspec(["man"]).run();
    assert_eq!((done.code, &*done.stderr), (Some(0), ""));
    for command in commands("").iter().filter(|command| !command.is_empty() && !command.contains(' ')) {
        assert!(done.stdout.contains(&format!("robotspec\\-{command}(1)")), "{command}");
    }
}
