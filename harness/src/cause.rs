//! The likely causes of many failures: their names, and what to look at.

use robotspec_reference::named_enum;

named_enum! {
    /// A mistake that explains many failures.
    pub enum Cause: "cause" {
        /// Every check ends in an error.
        AlwaysFails = "always-fails",
        /// Allow is reported as disallow, and disallow as allow.
        Inverted = "inverted",
        /// Every answer is allow.
        AllowsEverything = "allows-everything",
        /// Every answer is disallow.
        DisallowsEverything = "disallows-everything",
        /// Paths are matched against the URL with its scheme and host.
        UrlForPath = "url-for-path",
        /// All checks of a file get the same answer.
        OneAnswerAFile = "one-answer-a-file",
        /// A request of several checks gets one verdict.
        FirstCheckAlone = "first-check-alone",
        /// The answer does not depend on the file.
        FileIgnored = "file-ignored",
        /// The answer does not depend on the agent.
        AgentIgnored = "agent-ignored",
        /// The answer does not depend on the URL.
        UrlIgnored = "url-ignored",
        /// The parser receives the URL as the agent, and the agent as the URL.
        Swapped = "swapped",
        /// Files that are not UTF-8 do not reach the parser.
        Base64NotDecoded = "base64-not-decoded",
        /// The parser obeys the first rule that matches.
        FirstMatch = "first-match",
        /// The parser obeys the last rule that matches.
        LastMatch = "last-match",
        /// The parser ignores allow rules.
        NoAllow = "no-allow",
        /// The parser obeys any allow rule that matches, however short.
        AllowWins = "allow-wins",
        /// The parser obeys any disallow rule that matches, however short.
        DisallowWins = "disallow-wins",
        /// The parser obeys the disallow rule where an allow rule has the same length.
        TieDisallows = "tie-disallows",
        /// The parser compares names of agents with their letter case.
        AgentCase = "agent-case",
        /// The parser takes a name that the agent's name starts with for the agent's name.
        AgentPrefix = "agent-prefix",
        /// The parser reads only the first of the groups of an agent.
        FirstGroup = "first-group",
        /// The parser reads only the last of the groups of an agent.
        LastGroup = "last-group",
        /// The parser takes `*` in a path literally.
        StarIsLiteral = "star-is-literal",
        /// The parser takes `$` at the end of a path literally.
        DollarIsLiteral = "dollar-is-literal",
        /// The parser compares percent-encoded characters as they are written.
        EscapesStay = "escapes-stay",
    }
}

named_enum! {
    /// What a piece of evidence for a cause is.
    pub enum Evidence: "evidence" {
        /// A check.
        Check = "check",
        /// A comparison of checks that differ in one respect.
        Comparison = "comparison",
        /// A request.
        Request = "request",
        /// A row.
        Row = "row",
        /// A row that fails.
        FailingRow = "failing row",
    }
}

impl Cause {
    /// The causes that are mistakes of a parser. The others are mistakes of an adapter.
    pub const MISTAKES: [Cause; 13] = [
        Cause::FirstMatch,
        Cause::LastMatch,
        Cause::NoAllow,
        Cause::AllowWins,
        Cause::DisallowWins,
        Cause::TieDisallows,
        Cause::AgentCase,
        Cause::AgentPrefix,
        Cause::FirstGroup,
        Cause::LastGroup,
        Cause::StarIsLiteral,
        Cause::DollarIsLiteral,
        Cause::EscapesStay,
    ];

    /// Returns what is observed: a clause without a full stop.
    pub fn observation(self) -> &'static str {
        match self {
            Cause::AlwaysFails => "every check ends in failure",
            Cause::Inverted => {
                "the verdicts are inverted: allow instead of disallow, and disallow instead of allow"
            }
            Cause::AllowsEverything => "every verdict is allow",
            Cause::DisallowsEverything => "every verdict is disallow",
            Cause::UrlForPath => {
                "the parser receives a URL where it expects a path: no rule such as `/fish` matches, rules such as `*.php` match"
            }
            Cause::OneAnswerAFile => {
                "all checks of a file get the same answer, whatever the agent and the URL"
            }
            Cause::FirstCheckAlone => "the adapter answers only the first check of a request",
            Cause::FileIgnored => {
                "the robots.txt is ignored: an agent and a URL get the same answer whatever the file"
            }
            Cause::AgentIgnored => "the agent is ignored: every agent gets the same answer",
            Cause::UrlIgnored => "the URL is ignored: an agent gets the same answer for every URL of a file",
            Cause::Swapped => {
                "agent and URL are swapped: the rules for `*` are matched against the name of the agent"
            }
            Cause::Base64NotDecoded => "no rule of a file that is not UTF-8 has an effect",
            Cause::FirstMatch => "the first rule that matches decides",
            Cause::LastMatch => "the last rule that matches decides",
            Cause::NoAllow => "allow rules have no effect",
            Cause::AllowWins => "an allow rule that matches decides, however short",
            Cause::DisallowWins => "a disallow rule that matches decides, however short",
            Cause::TieDisallows => "a disallow rule decides where an allow rule has the same length",
            Cause::AgentCase => "names of agents are compared with their letter case",
            Cause::AgentPrefix => {
                "a group applies to an agent although it names only the start of the agent's name"
            }
            Cause::FirstGroup => "only the first of several groups that name an agent is read",
            Cause::LastGroup => "only the last of several groups that name an agent is read",
            Cause::StarIsLiteral => "`*` in a path is taken literally",
            Cause::DollarIsLiteral => "`$` at the end of a path is taken literally",
            Cause::EscapesStay => "percent-encoded characters are compared as they are written",
        }
    }

    /// Returns what to look at, or what the text says: sentences.
    pub fn advice(self) -> &'static str {
        match self {
            Cause::AlwaysFails => {
                "If the parser reports the error, it may expect other arguments: text instead of bytes, or a path instead of a URL."
            }
            Cause::Inverted => {
                "Check what `true`, or an exit status of 0, means to the parser: allowed, or blocked?"
            }
            Cause::AllowsEverything => {
                "If a parser is behind the adapter: does it receive the file, and the agent and the URL in the right order?"
            }
            Cause::DisallowsEverything => {
                "Does the parser receive the file, and the agent and the URL in the right order?"
            }
            Cause::UrlForPath => "Pass the URL to the parser without scheme and host.",
            Cause::OneAnswerAFile => {
                "Is each check of a request put to the parser, with agent and URL in the right order?"
            }
            Cause::FirstCheckAlone => {
                "A request has a list of checks: answer each of them, in `verdicts`, in the same order."
            }
            Cause::FileIgnored => {
                "Does the parser receive the file of each request, or does it keep the first one?"
            }
            Cause::AgentIgnored => {
                "Does the parser receive the `agent` of each check, or always the same name or `*`?"
            }
            Cause::UrlIgnored => {
                "Does the parser receive the `url` of each check, as a URL and not as a path, if it expects a URL?"
            }
            Cause::Swapped => "Does the parser receive the agent and the URL in the right order?",
            Cause::Base64NotDecoded => {
                "Such a file arrives as `robots_base64` instead of `robots`: decode it and pass the bytes on."
            }
            Cause::FirstMatch | Cause::LastMatch => {
                "The longest rule decides, wherever it is in the group, and allow decides between two of the same length."
            }
            Cause::NoAllow | Cause::AllowWins | Cause::DisallowWins => {
                "The longest rule that matches decides, whether it is an allow or a disallow rule."
            }
            Cause::TieDisallows => "The allow rule decides: the least restrictive rule.",
            Cause::AgentCase => "`foobot` and `FooBot` are the same agent: compare without letter case.",
            Cause::AgentPrefix => "The group for `foo` is not the group for `foobot`: compare whole names.",
            Cause::FirstGroup | Cause::LastGroup => "The groups are one group: combine their rules.",
            Cause::StarIsLiteral => "It stands for any number of characters, including none.",
            Cause::DollarIsLiteral => "It stands for the end of the URL.",
            Cause::EscapesStay => {
                "Bring rule and URL to one form first: decode unreserved characters, encode characters that are not ASCII."
            }
        }
    }
}
