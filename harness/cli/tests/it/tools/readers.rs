//! Reports that other programs read: JUnit and TAP.

use std::path::Path;
use std::process::Command;

use super::require;
use crate::reports::{KNOWN, RUN, write_events_with_all_of_unicode};
use crate::support::{folder, run_in};

#[test]
#[ignore = "needs xmllint"]
fn the_junit_report_conforms_to_the_schema_of_jenkins() {
    require("xmllint", &["--version"]);
    let folder = folder(&[("known.yaml", "known-failures: [{reason: Once., rows: [no/such#row]}]")]);
    // The runs together have every status: passed, failed, crashed, skipped, known and stale.
    for run in [
        "run robots_txt --edition rfc9309 --no-variants --report junit=r.xml",
        "run --adapter 'misbehaving_adapter always-allows' --report junit=r.xml --known-failures known.yaml",
        "run --exec 'no-such-tool {url}' --no-variants --report junit=r.xml",
    ] {
        run_in(folder.path(), run);
        let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/junit-10.xsd");
        let report = folder.path().join("r.xml");
        let done = Command::new("xmllint").args(["--noout", "--schema"]).arg(schema).arg(report).output();
        let done = done.expect("xmllint starts");
        assert!(done.status.success(), "{run}: {}", String::from_utf8_lossy(&done.stderr));
    }
}

#[test]
#[ignore = "needs xmllint and Python"]
fn two_parsers_of_xml_read_every_character_in_the_junit_report() {
    require("xmllint", &["--version"]);
    require("python3", &["--version"]);
    let folder = folder(&[("known.yaml", KNOWN)]);
    write_events_with_all_of_unicode(&folder);
    run_in(folder.path(), "report all.jsonl --report junit=r.xml");
    let expat = "import xml.parsers.expat; xml.parsers.expat.ParserCreate().ParseFile(open('r.xml', 'rb'))";
    for (program, arguments) in
        [("xmllint", ["--huge", "--noout", "r.xml"].as_slice()), ("python3", ["-c", expat].as_slice())]
    {
        let done = Command::new(program).args(arguments).current_dir(folder.path()).output();
        let done = done.expect("the program starts");
        assert!(done.status.success(), "{program}: {}", String::from_utf8_lossy(&done.stderr));
    }
}

#[test]
#[ignore = "needs Perl"]
fn the_parser_of_prove_reads_the_tap_report() {
    require("perl", &["-MTAP::Parser", "-e", "1"]);
    let folder = folder(&[("known.yaml", KNOWN)]);
    run_in(folder.path(), &format!("{RUN} --report tap=r.tap"));
    // Older parsers support version 13 at most; the lines of this report mean the same in both versions.
    let script = r#"
use strict; use TAP::Parser;
local $/; open my $file, '<', 'r.tap' or die; my $tap = <$file>;
$tap =~ s/^TAP version 14$/TAP version 13/m or die if $TAP::Parser::MAX_TAP_VERSION < 14;
my $parser = TAP::Parser->new({ tap => $tap });
my (@first, $yaml);
while (my $result = $parser->next) {
    push @first, $result->description if $result->is_test;
    $yaml ||= $result->data if $result->is_yaml;
}
print join(' ', $parser->tests_run, scalar $parser->passed, scalar $parser->failed, scalar $parser->todo,
    scalar $parser->parse_errors, scalar $parser->skipped), "\n";
print "$first[0]\n$yaml->{clause}: $yaml->{expected}, $yaml->{got}\n";
"#;
    let done =
        Command::new("perl").args(["-e", script]).current_dir(folder.path()).output().expect("perl starts");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let output = String::from_utf8_lossy(&done.stdout);
    assert_eq!(
        output,
        "9 5 4 2 0 0\n- misbehaving rfc9309 M-prefix path-values/fish\\#exact\nM-prefix: disallow, allow\n"
    );
}
