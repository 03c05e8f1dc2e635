//! `robotspec fuzz --files` and `--replay`: files instead of generated inputs.

use serde_json::json;
use tempfile::TempDir;

use crate::support::{assert_output, folder, json_lines, run_in, write};

/// Three files, of which one shows whether a parser ignores the case of paths, and one has a rule about `/tea`.
fn files() -> TempDir {
    folder(&[
        ("sites/case.example", "user-agent: *\ndisallow: /Fish\nallow: /fish\ncrawl-delay: 2\n"),
        ("sites/plain.example", "user-agent: *\ndisallow: /\n"),
        ("sites/tea.yaml", "user-agent: FooBot\ndisallow: /tea\n"),
        ("sites/below/one.example", "user-agent: *\ndisallow: /FISH\n"),
        ("empty/below/one.example", ""),
    ])
}

#[test]
fn the_shares_of_wrong_answers_come_before_the_findings() {
    let line =
        "fuzz robotxt --adapter 'misbehaving_adapter ignores-path-case' --files sites --seed 1 --jobs 1";
    let done = run_in(files().path(), line);
    assert_eq!(done.code, Some(1), "{}", done.stderr);
    assert_output!(done.transcript(); [(r"in [^ ]+ s \(\d+ a second\)", "in [TIME]")]);
}

#[test]
fn an_error_in_place_of_an_answer_is_neither_right_nor_wrong() {
    let files = files();
    let adapter = "--adapter 'misbehaving_adapter fails-on-the-request guilty=http'";
    let done =
        run_in(files.path(), &format!("fuzz {adapter} --files sites --seed 1 --jobs 1 --format jsonl"));
    assert_eq!(done.code, Some(1), "{}", done.stderr);
    let events = json_lines(&done.stdout);
    let [found, .., finished] = &events[..] else { panic!("{}", done.stdout) };
    assert_eq!((&found["kind"], &found["file"]), (&json!("error"), &json!("sites/plain.example")));
    assert_eq!(finished["inputs"], 3);
    assert_eq!(
        finished["accuracy"],
        json!([{
            "implementation": "misbehaving", "version": null, "edition": "rfc9309", "inputs": 0, "wrong-inputs": 0, "queries": 0,
            "wrong-queries": 0, "unanswered": finished["checks"],
        }])
    );
}

#[test]
fn an_input_of_libfuzzer_is_searched_again_alone() {
    let group = "user-agent: a\ndisallow: /Fish\n";
    let input = format!("a http://example.com/tea\na http://example.com/fish\n\n{group}");
    let files = folder(&[("crash", &input), ("robots.txt", group)]);
    // The queries about a file without any follow from its bytes.
    for file in ["crash", "robots.txt"] {
        let line =
            format!("fuzz --adapter 'misbehaving_adapter ignores-path-case' --replay {file} --format jsonl");
        let done = run_in(files.path(), &line);
        assert_eq!(done.code, Some(1), "{file}: {}", done.stderr);
        let events = json_lines(&done.stdout);
        let [found, finished] = &events[..] else { panic!("{}", done.stdout) };
        assert_eq!((&found["in-play"], &finished["inputs"]), (&json!("M-case"), &json!(1)), "{file}");
    }
    run_in(files.path(), "fuzz reference --replay nothing").assert_refused("nothing");
}

#[test]
fn runs_bound_the_files_and_robotspec_toml_does_not() {
    let files = files();
    for number in 0..70 {
        write(&files, format!("sites/{number}"), "");
    }
    write(&files, "robotspec.toml", "[fuzz]\nruns = 1\nseed = 1\n");
    for (line, shares) in [
        ("fuzz reference --files sites", "73 files, judged by rfc9309 "),
        ("fuzz reference --files sites --runs 1 --against reference", "64 of 73 files, judged by "),
    ] {
        let printed = run_in(files.path(), line).stdout;
        assert!(printed.starts_with(shares), "{printed}");
    }
}

#[test]
fn a_folder_that_cannot_be_searched_is_refused() {
    let files = files();
    let refusal = |line: &str| {
        let done = run_in(files.path(), line);
        assert_eq!(done.code, Some(2), "{line}: {}", done.stderr);
        done.stderr
    };
    for (line, message) in [
        ("fuzz robotxt --files none", "error: cannot read none: No such file"),
        ("fuzz robotxt --files sites/tea.yaml", "error: cannot read sites/tea.yaml: "),
        ("fuzz robotxt --files empty", "error: empty has no file; files in folders below it are not read"),
        ("fuzz robotxt --files sites --access 5", "'--files <DIR>' cannot be used with '--access <N>'"),
        ("fuzz robotxt --files sites --out sites", "this command also reads sites/tea.yaml"),
    ] {
        let refused = refusal(line);
        assert!(refused.contains(message), "{line}: {refused}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("nowhere", files.path().join("sites/link")).expect("a link");
        assert!(refusal("fuzz robotxt --files sites").contains("error: cannot read sites/link: "));
    }
}
