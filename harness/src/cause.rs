//! The likely causes of many failures: their names, and what to look at.

use std::fmt;

use robotspec_cases::{Clause, Variant};
use robotspec_reference::{Choice, named_enum};
use serde::{Deserialize, Serialize};

/// What explains many failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Cause {
    /// A mistake of an adapter.
    Adapter(AdapterMistake),
    /// A mistake of a parser: an answer to a question that the edition does not admit.
    Answer(
        #[cfg_attr(
            feature = "schema",
            schemars(with = "String", extend("pattern" = "^[A-Z][A-Za-z0-9]*=[a-z0-9-]+$"))
        )]
        Choice,
    ),
    /// Files that are rewritten in a way that changes nothing get other answers.
    Rewriting(Variant),
}

/// Declares the mistakes of an adapter: each with its description, what is observed, and what to look at.
macro_rules! adapter_mistakes {
    ($($Name:ident = $id:literal: $about:literal, $observed:literal, $advice:literal,)+) => {
        named_enum! {
            /// A mistake of an adapter.
            pub enum AdapterMistake: "mistake of an adapter" {
                $($Name = $id: $about,)+
            }
        }

        impl AdapterMistake {
            /// Returns what is observed, and what to look at.
            fn texts(self) -> (&'static str, &'static str) {
                match self {
                    $(AdapterMistake::$Name => ($observed, $advice),)+
                }
            }
        }
    };
}

adapter_mistakes! {
    AlwaysFails = "always-fails": "Every check ends in an error.",
        "every check ends in failure",
        "If the parser reports the error, it may expect other arguments: text instead of bytes, or a path instead of a URL.",
    Inverted = "inverted": "Allow is reported as disallow, and disallow as allow.",
        "the verdicts are inverted: allow instead of disallow, and disallow instead of allow",
        "Check what `true`, or an exit status of 0, means to the parser: allowed, or blocked?",
    AllowsEverything = "allows-everything": "Every answer is allow.",
        "every verdict is allow",
        "If a parser is behind the adapter: does it receive the file, and the agent and the URL in the right order?",
    DisallowsEverything = "disallows-everything": "Every answer is disallow.",
        "every verdict is disallow",
        "Does the parser receive the file, and the agent and the URL in the right order?",
    UrlForPath = "url-for-path": "Paths are matched against the URL with its scheme and host.",
        "the parser receives a URL where it expects a path: no rule such as `/fish` matches, rules such as `*.php` match",
        "Pass the URL to the parser without scheme and host.",
    OneAnswerAFile = "one-answer-a-file": "All checks of a file get the same answer.",
        "all checks of a file get the same answer, whatever the agent and the URL",
        "Is each check of a request passed to the parser, with agent and URL in the right order?",
    FirstCheckAlone = "first-check-alone": "A request of several checks gets one verdict.",
        "the adapter answers only the first check of a request",
        "A request has a list of checks: answer each of them, in `verdicts`, in the same order.",
    FileIgnored = "file-ignored": "The answer does not depend on the file.",
        "the robots.txt is ignored: an agent and a URL get the same answer whatever the file",
        "Does the parser receive the file of each request, or does it keep the first one?",
    AgentIgnored = "agent-ignored": "The answer does not depend on the agent.",
        "the agent is ignored: every agent gets the same answer",
        "Does the parser receive the `agent` of each check, or always the same name or `*`?",
    UrlIgnored = "url-ignored": "The answer does not depend on the URL.",
        "the URL is ignored: an agent gets the same answer for every URL of a file",
        "Does the parser receive the `url` of each check, as a URL and not as a path, if it expects a URL?",
    Swapped = "swapped": "The parser receives the URL as the agent, and the agent as the URL.",
        "agent and URL are swapped: the rules for `*` are matched against the name of the agent",
        "Does the parser receive the agent and the URL in the right order?",
    Base64NotDecoded = "base64-not-decoded": "Files that are not UTF-8 do not reach the parser.",
        "no rule of a file that is not UTF-8 has an effect",
        "Such a file arrives as `robots_base64` instead of `robots`: decode it and pass the bytes on. A parser that ignores such files has the same answers.",
}

named_enum! {
    /// What a piece of evidence for a cause is.
    pub enum Evidence: "evidence" {
        Check = "check": "A check.",
        Comparison = "comparison": "A comparison of checks that differ in one respect.",
        Request = "request": "A request.",
        Row = "row": "A row.",
        FailingRow = "failing row": "A row that fails.",
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::Adapter(mistake) => mistake.fmt(f),
            Cause::Answer(choice) => f.pad(&choice.name()),
            Cause::Rewriting(variant) => variant.fmt(f),
        }
    }
}

impl Cause {
    /// Returns what is observed: a clause without a full stop.
    pub fn observation(self) -> &'static str {
        match self {
            Cause::Adapter(mistake) => mistake.texts().0,
            Cause::Answer(choice) => choice.observation().unwrap_or_else(|| choice.meaning()),
            Cause::Rewriting(variant) => observation_of(variant),
        }
    }

    /// Returns what to look at, or what the text says: sentences.
    pub fn advice(self) -> &'static str {
        match self {
            Cause::Adapter(mistake) => mistake.texts().1,
            Cause::Answer(choice) => choice.question.row().advice,
            Cause::Rewriting(variant) => {
                Clause::find(variant.clause()).map_or("", |clause| &clause.statement)
            }
        }
    }
}

fn observation_of(variant: Variant) -> &'static str {
    match variant {
        Variant::Crlf => "files whose lines end with CR LF get other answers",
        Variant::Cr => "files whose lines end with CR get other answers",
        Variant::NoFinalNewline => "files without a line end after the last line get other answers",
        Variant::Bom => "files that start with a byte order mark get other answers",
        Variant::CapitalFields => "files with field names in capitals get other answers",
        Variant::Spaced => "files with white space around fields and values get other answers",
        Variant::Commented => "files with comments get other answers",
        Variant::BlankLines => "files with further blank lines get other answers",
        Variant::ReversedRules => "files with their rules in reverse get other answers",
        Variant::DoubledRules => "files with each rule twice get other answers",
        Variant::ReversedGroups => "files with their groups in reverse get other answers",
        Variant::UnrelatedGroup => "files with further groups for other crawlers get other answers",
    }
}
