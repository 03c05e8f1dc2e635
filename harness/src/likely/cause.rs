//! What a cause is called, and what to look at.

use super::Mistake;

/// A mistake that explains many failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// Every check comes to nothing.
    AlwaysFails,
    /// Allow is told as disallow, and the other way round.
    Inverted,
    /// Whatever is asked, the answer is allow.
    AllowsEverything,
    /// Whatever is asked, the answer is disallow.
    DisallowsEverything,
    /// Paths are matched against the URL with its scheme and host.
    UrlForPath,
    /// All checks of a file get one and the same answer.
    OneAnswerAFile,
    /// There is one verdict for a request of several checks.
    FirstCheckAlone,
    /// The answer does not depend on the file.
    FileIgnored,
    /// The answer does not depend on the agent.
    AgentIgnored,
    /// The answer does not depend on the URL.
    UrlIgnored,
    /// The parser gets the URL for the agent, and the agent for the URL.
    Swapped,
    /// Files that are not UTF-8 do not arrive.
    Base64NotDecoded,
    /// The parser itself makes a mistake that explains a good part of the failures.
    Mistake(Mistake),
}

impl Cause {
    /// All but the mistakes of a parser.
    const OF_ADAPTERS: [Cause; 12] = [
        Cause::AlwaysFails,
        Cause::Inverted,
        Cause::AllowsEverything,
        Cause::DisallowsEverything,
        Cause::UrlForPath,
        Cause::OneAnswerAFile,
        Cause::FirstCheckAlone,
        Cause::FileIgnored,
        Cause::AgentIgnored,
        Cause::UrlIgnored,
        Cause::Swapped,
        Cause::Base64NotDecoded,
    ];

    /// The cause with this id, if there is one.
    pub fn find(id: &str) -> Option<Self> {
        let mistakes = Mistake::ALL.into_iter().map(Cause::Mistake);
        Self::OF_ADAPTERS.into_iter().chain(mistakes).find(|cause| cause.id() == id)
    }

    /// What it is called in reports.
    pub fn id(self) -> &'static str {
        match self {
            Cause::AlwaysFails => "always-fails",
            Cause::Inverted => "inverted",
            Cause::AllowsEverything => "allows-everything",
            Cause::DisallowsEverything => "disallows-everything",
            Cause::UrlForPath => "url-for-path",
            Cause::OneAnswerAFile => "one-answer-a-file",
            Cause::FirstCheckAlone => "first-check-alone",
            Cause::FileIgnored => "file-ignored",
            Cause::AgentIgnored => "agent-ignored",
            Cause::UrlIgnored => "url-ignored",
            Cause::Swapped => "swapped",
            Cause::Base64NotDecoded => "base64-not-decoded",
            Cause::Mistake(mistake) => mistake.id(),
        }
    }

    /// What is observed, and what to look at, as a sentence each.
    pub fn told(self) -> (&'static str, &'static str) {
        match self {
            Cause::AlwaysFails => (
                "every check ends in failure",
                "If the parser raises that, it may want other arguments: text for bytes, a path for a URL.",
            ),
            Cause::Inverted => (
                "the verdicts are inverted: allow where it is to be disallow, and the other way round",
                "What does `true`, or an exit status of 0, mean to the parser: allowed, or blocked?",
            ),
            Cause::AllowsEverything => (
                "it allows everything",
                "If the parser is in its place: does it get the file, and the agent and the URL in the order that it wants?",
            ),
            Cause::DisallowsEverything => (
                "it disallows everything",
                "Does the parser get the file, and the agent and the URL in the order that it wants?",
            ),
            Cause::UrlForPath => (
                "a URL is taken where a path is wanted: no rule that begins with `/` ever matches, others do",
                "Hand the parser the URL without scheme and host.",
            ),
            Cause::OneAnswerAFile => (
                "all checks of a file get the same answer, whatever the agent and the URL",
                "Is each check of a request asked of the parser, and are agent and URL in the order that it wants?",
            ),
            Cause::FirstCheckAlone => (
                "only the first check of a request is answered",
                "A request has a list of checks: answer each of them, in `verdicts`, in their order.",
            ),
            Cause::FileIgnored => (
                "the robots.txt is ignored: an agent and a URL get the same answer whatever the file",
                "Is the file handed over anew for each request, and not the first one kept?",
            ),
            Cause::AgentIgnored => (
                "the agent is ignored: the answer is the same whoever asks",
                "Is the `agent` of each check handed to the parser, and not one fixed name or `*`?",
            ),
            Cause::UrlIgnored => (
                "the URL is ignored: an agent gets the same answer for every URL of a file",
                "Is the `url` of each check handed to the parser, and as a URL, not as a path, if it wants one?",
            ),
            Cause::Swapped => (
                "agent and URL are swapped: the rules for `*` are held against the agent's name",
                "Does the parser get the agent and the URL in the order that it wants?",
            ),
            Cause::Mistake(mistake) => mistake.told(),
            Cause::Base64NotDecoded => (
                "no rule is seen in a file that is not UTF-8",
                "Such a file comes as `robots_base64` in place of `robots`: decode it, and hand over the bytes.",
            ),
        }
    }
}

impl Mistake {
    fn id(self) -> &'static str {
        match self {
            Mistake::FirstMatch => "first-match",
            Mistake::LastMatch => "last-match",
            Mistake::NoAllow => "no-allow",
            Mistake::AllowWins => "allow-wins",
            Mistake::DisallowWins => "disallow-wins",
            Mistake::TieDisallows => "tie-disallows",
            Mistake::AgentCase => "agent-case",
            Mistake::AgentPrefix => "agent-prefix",
            Mistake::FirstGroup => "first-group",
            Mistake::LastGroup => "last-group",
            Mistake::StarIsLiteral => "star-is-literal",
            Mistake::DollarIsLiteral => "dollar-is-literal",
            Mistake::EscapesStay => "escapes-stay",
        }
    }

    fn told(self) -> (&'static str, &'static str) {
        match self {
            Mistake::FirstMatch => (
                "the first rule that matches decides",
                "The longest does, wherever it stands, and allow where two are as long.",
            ),
            Mistake::LastMatch => (
                "the last rule that matches decides",
                "The longest does, wherever it stands, and allow where two are as long.",
            ),
            Mistake::NoAllow => {
                ("allow rules do nothing", "The longest rule that matches decides, be it allow or disallow.")
            }
            Mistake::AllowWins => (
                "an allow rule that matches decides, however short",
                "The longest rule that matches decides, be it allow or disallow.",
            ),
            Mistake::DisallowWins => (
                "a disallow rule that matches decides, however short",
                "The longest rule that matches decides, be it allow or disallow.",
            ),
            Mistake::TieDisallows => {
                ("disallow decides where an allow rule is as long", "Allow does: the least restrictive rule.")
            }
            Mistake::AgentCase => (
                "names of agents are compared with their case",
                "`foobot` and `FooBot` are one agent: compare without case.",
            ),
            Mistake::AgentPrefix => (
                "a group is taken for an agent of which it names only the beginning",
                "The group for `foo` is not that of `foobot`: compare the whole names.",
            ),
            Mistake::FirstGroup => (
                "of several groups that name an agent, only the first is read",
                "They are one group: combine their rules.",
            ),
            Mistake::LastGroup => (
                "of several groups that name an agent, only the last is read",
                "They are one group: combine their rules.",
            ),
            Mistake::StarIsLiteral => {
                ("`*` in a path stands for itself", "It stands for any number of octets, none included.")
            }
            Mistake::DollarIsLiteral => {
                ("`$` at the end of a path stands for itself", "It stands for the end of the URL.")
            }
            Mistake::EscapesStay => (
                "percent-encoding is compared as it is written",
                "Bring rule and URL to one form first: unreserved characters decoded, what is not ASCII encoded.",
            ),
        }
    }
}
