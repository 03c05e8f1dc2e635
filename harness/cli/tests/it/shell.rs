//! Shell completions and man pages: the program generates them from its definition of the command line, and
//! the shells and `groff` accept them.

use std::fs;
use std::process::{Command, Output};

use crate::support::{Done, commands, has, robotspec};
use tempfile::TempDir;

const SHELLS: [&str; 5] = ["bash", "elvish", "fish", "powershell", "zsh"];

fn completions(shell: &str) -> Done {
    let done = robotspec(["completions", shell]).run();
    assert_eq!((done.code, &*done.stderr), (Some(0), ""), "{shell}");
    done
}

/// Creates a folder with a file of completions for a shell.
fn folder(shell: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("completions"), completions(shell).stdout).expect("the file can be written");
    folder
}

/// Returns the standard output of a program that succeeded and printed no error.
fn successful_output(done: Output) -> String {
    let errors = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success() && errors.is_empty(), "{}: {errors}", done.status);
    String::from_utf8_lossy(&done.stdout).into_owned()
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
fn bash_completes_commands_options_and_values() {
    if !has("bash", &["--version"], "the completion in bash") {
        return;
    }
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
    assert_eq!(complete(&["robotspec", "run", "--known"]), "--known-failures");
    assert_eq!(complete(&["robotspec", "run", "--edition", "rfc"]), "rfc9309 rfc9309-aipref");
    assert_eq!(complete(&["robotspec", "completions", "zs"]), "zsh");
}

#[test]
fn zsh_and_fish_parse_their_completions() {
    for (shell, check) in [("zsh", "-n"), ("fish", "--no-execute")] {
        if has(shell, &["--version"], "the completion in this shell") {
            let folder = folder(shell);
            let read = Command::new(shell).args([check, "completions"]).current_dir(folder.path()).output();
            assert_eq!(successful_output(read.expect("the shell starts")), "", "{shell}");
        }
    }
}

#[test]
fn every_command_has_a_man_page_that_groff_accepts_without_a_warning() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let done = robotspec(["man", "--out", "man/man1"]).within(folder.path()).run();
    assert_eq!((done.code, done.stdout, done.stderr), (Some(0), String::new(), String::new()));
    let folder = folder.path().join("man/man1");
    let groff = has("groff", &["--version"], "the syntax of the man pages");
    for command in commands("") {
        let page = format!("robotspec {command}").trim_end().replace(' ', "-") + ".1";
        assert!(folder.join(&page).is_file(), "{page}");
        if groff {
            let page = Command::new("groff")
                .args(["-man", "-ww", "-Tutf8", "-P-cbou", &page])
                .current_dir(&folder)
                .output();
            assert!(successful_output(page.expect("groff starts")).contains("SYNOPSIS"));
        }
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
