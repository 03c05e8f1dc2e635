//! Tests of `robotspec survey`.

use std::fs;

use crate::support::{assert_output, folder, json_lines, run_in};

/// A file that RFC 9309 decides, one that it leaves open, and one in a folder below.
fn files() -> tempfile::TempDir {
    let folder = folder(&[
        ("sites/decided.example", b"user-agent: FooBot\ndisallow: /a*b$\n".as_slice()),
        ("sites/open.example", b"\xef\xbb\xbfuser-agent: *\ndisallow: /fish\n"),
        ("sites/below/latin-1.example", b"user-agent: *\ndisallow: /caf\xe9\ndisallow: /tea\n"),
    ]);
    fs::create_dir(folder.path().join("empty")).expect("a folder can be made");
    folder
}

#[test]
fn survey_counts_open_questions_and_contradictions() {
    let files = files();
    let line = "survey --files sites robotxt --adapter 'misbehaving_adapter always-allows'";
    assert_output!(run_in(files.path(), line).transcript());
}

#[test]
fn survey_prints_the_counts_as_json() {
    let files = files();
    let line = "survey --files sites --format json --adapter 'misbehaving_adapter always-allows'";
    let survey = &json_lines(&run_in(files.path(), line).stdout)[0];
    assert_eq!((&survey["files"], &survey["queries"]), (&3.into(), &8.into()));
    assert_eq!(survey["questions"]["Bom"]["files"], 1);
    let implementation = &survey["implementations"][0];
    assert_eq!((&implementation["judged"], &implementation["contradicted"]), (&7.into(), &2.into()));
    assert_eq!(implementation["example"]["expected"], "disallow");
}

#[test]
fn survey_refuses_a_folder_without_files() {
    let files = files();
    for (line, message) in
        [("survey --files empty", "empty contains no file"), ("survey --files none", "cannot read none")]
    {
        let done = run_in(files.path(), line);
        assert_eq!(done.code, Some(2), "{}", done.stderr);
        assert!(done.stderr.contains(message), "{}", done.stderr);
    }
}
