//! Where the text leaves a choice: the questions that a reader must answer
//! before a verdict exists, and the answers that each edition admits.
//!
//! One answer means that the edition decides the question. Several mean that
//! it is silent, ambiguous, or contradicts itself; a verdict is then definite
//! only where every admitted answer gives the same one.
//!
//! This table is what an edition *is*. The evaluator never asks which edition
//! it reads, only what the reading at hand answers.

use std::fmt;

use crate::edition::Edition;

/// A point on which readers of the text may part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)] // each is documented by its row in `TABLE`
pub enum Question {
    // Lines
    Typo,
    MissingColon,
    FieldPrefix,
    InvalidUtf8,
    ControlCharacter,
    OtherWhitespace,
    InnerSpace,
    Bom,
    SizeLimit,
    CutLine,
    NoFinalNewline,
    // Groups and agents
    AgentCase,
    AgentSuffix,
    AgentText,
    AgentOther,
    AgentMatch,
    EmptyAgent,
    StarText,
    SameAgentGroups,
    StarGroups,
    OtherRecordBetweenAgents,
    BlankBetweenAgents,
    AdsBotStar,
    // Paths
    LeadingSlash,
    LeadingStar,
    MidDollar,
    NonAscii,
    AsciiEscape,
    HexCase,
    ReservedEscape,
    PartialEscape,
    EscapedSlash,
    EscapedSpecial,
    Fragment,
    DotSegments,
    DoubleSlash,
    RobotsTxtItself,
    // Precedence
    WildcardPrecedence,
    EqualLength,
    LengthOf,
    TrailingStarCounts,
    // Scope
    IdnHost,
    TrailingDotHost,
    RobotsUrlQuery,
    // Sitemaps
    RelativeSitemap,
    // Access
    HopsBeyondFive,
    EndlessRedirect,
    RedirectToDisallowed,
    ClientRedirect,
    TooManyRequests,
    OtherStatus,
    NetworkFailure,
    Misconfigured5xx,
    UnreachableWithCopy,
    UnreachableWithoutCopy,
    UnreachableLongWithCopy,
    UnreachableLongWithoutCopy,
    // Caching
    YoungResult,
    MaxAge,
}

/// What a reading says to a question. Each question has its own few.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Answer {
    /// Take it as if it were the proper thing.
    Accept,
    /// Take it as if it were not there.
    Ignore,
    /// Leave it as it is written.
    Keep,
    /// Remove the part in doubt and go on with the rest.
    Drop,
    /// Keep what comes before the part in doubt.
    Cut,
    /// The two forms are the same.
    Equal,
    /// The two forms are not the same.
    Different,
    /// The URL is brought to its normal form, the rule is not.
    EqualInUrl,
    /// Bring the URL to its normal form.
    NormaliseUrl,
    /// Bring both the rule and the URL to their normal forms.
    NormaliseBoth,
    /// Put a slash before it.
    AssumeSlash,
    /// It stands for the end of the URL wherever it is.
    End,
    /// A `*` in it stands for any text.
    Pattern,
    /// Letter case makes no difference.
    Insensitive,
    /// Letter case makes a difference.
    Sensitive,
    /// A token names the crawlers whose token starts with it and a hyphen.
    HyphenPrefix,
    /// A token names the crawlers whose token starts with it.
    AnyPrefix,
    /// All of them together.
    Combine,
    /// The first of them alone.
    FirstOnly,
    /// The user-agent lines before and after it share one group.
    Transparent,
    /// The user-agent lines before it are a group of their own.
    EndsRun,
    /// Yes.
    Yes,
    /// No.
    No,
    /// 500,000 octets.
    Limit500000,
    /// 500 KiB: 512,000 octets.
    Limit512000,
    /// No limit that the file reaches.
    Unlimited,
    /// The rules decide.
    ByRules,
    /// The URL may be fetched.
    Allow,
    /// The URL must not be fetched.
    Disallow,
    /// The longer path wins.
    LongerWins,
    /// The allow rule wins.
    LeastRestrictive,
    /// The disallow rule wins.
    MostRestrictive,
    /// The octets as written in the file.
    Written,
    /// The octets after percent-encoding.
    Encoded,
    /// With hexadecimal digits in capitals.
    Capitals,
    /// With hexadecimal digits in small letters.
    SmallLetters,
    /// Go where it leads.
    Follow,
    /// Go no further.
    Stop,
    /// As if the file were not found.
    AsNotFound,
    /// As if the server had failed.
    AsServerError,
    /// The copy that was fetched last.
    UseCopy,
    /// The URL must not be fetched for twelve hours; then the copy.
    CopyAfter12Hours,
    /// The URL must not be fetched for twelve hours; then it may.
    AllowAfter12Hours,
    /// The URL may be fetched if the site answers for other pages.
    AllowIfSiteAnswers,
    /// Ask for the file again.
    Refresh,
}

/// A row of the questions table.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// The question of this row.
    pub question: Question,
    /// The question in a sentence.
    pub asks: &'static str,
    /// The admitted answers, a column for each of [`Edition::ALL`].
    answers: [&'static [Answer]; Edition::ALL.len()],
    /// Why the editions stand as they do: the place in the text.
    pub because: &'static str,
}

impl Row {
    /// The answers that the edition admits, the plainest reading first.
    pub fn answers(&self, edition: Edition) -> &'static [Answer] {
        self.answers[edition.column()]
    }
}

use Answer::*;

const fn everywhere(
    question: Question,
    asks: &'static str,
    answers: &'static [Answer],
    because: &'static str,
) -> Row {
    Row { question, asks, answers: [answers; Edition::ALL.len()], because }
}

const fn row(
    question: Question,
    asks: &'static str,
    answers: [&'static [Answer]; Edition::ALL.len()],
    because: &'static str,
) -> Row {
    Row { question, asks, answers, because }
}

/// The questions table, in the order of [`Question`].
///
/// Columns: `google-pre-2019`, `google-2019`, `google-2021`, `rfc9309`,
/// `google-2026`.
#[rustfmt::skip]
pub const TABLE: &[Row] = &[
    // ---- Lines ----
    row(Question::Typo,
        "a field name within two edits of a known one, without its hyphen, or with a space for it",
        [&[Ignore, Accept], &[Ignore], &[Ignore], &[Ignore, Accept], &[Ignore]],
        "google-pre-2019 leaves simple errors undefined; 2019 and 2021 do not support them; RFC 9309 2.2.4 may accept misspellings of other records"),
    row(Question::MissingColon,
        "a known field name, white space and a value, without a colon",
        [&[Ignore, Accept], &[Ignore, Accept], &[Ignore, Accept], &[Ignore, Accept], &[Ignore]],
        "only valid lines count, yet parsers are told to be lenient; google-2026 has no such advice"),
    row(Question::FieldPrefix,
        "a field name that goes on after a known one by a character or two (`disallowed`, `user-agents`)",
        [&[Ignore, Accept], &[Ignore], &[Ignore], &[Ignore], &[Ignore]],
        "field names are exact; google-pre-2019 leaves simple errors undefined, and these are such"),
    everywhere(Question::InvalidUtf8,
        "a line with octets that are not UTF-8 outside its comment",
        &[Keep, Ignore, Drop],
        "other encodings may be read wrongly; RFC 9309 2.2.2 may bridge encoding mismatches"),
    everywhere(Question::ControlCharacter,
        "a control character inside a value",
        &[Keep, Ignore, Cut],
        "outside the grammar, which is to be read leniently"),
    everywhere(Question::OtherWhitespace,
        "white space other than space and tab at the edge of a field or value",
        &[Keep, Drop],
        "the grammar's WS is space and tab; the prose says white space"),
    everywhere(Question::InnerSpace,
        "a space or tab inside a path",
        &[Keep, Cut, Ignore],
        "outside the grammar, which is to be read leniently"),
    row(Question::Bom,
        "a byte order mark at the start of the file",
        [&[Drop], &[Drop], &[Drop], &[Drop, Keep], &[Drop]],
        "Google's editions ignore it; RFC 9309 does not mention it"),
    row(Question::SizeLimit,
        "how much of a large file counts",
        [&[Limit512000, Limit500000, Unlimited], &[Limit512000], &[Limit512000], &[Limit512000, Unlimited], &[Limit512000]],
        "google-pre-2019 says 500 KB, and that the rest may be ignored; RFC 9309 2.5 says at least 500 KiB"),
    everywhere(Question::CutLine,
        "the line that the size limit cuts in two",
        &[Keep, Ignore],
        "no text"),
    everywhere(Question::NoFinalNewline,
        "a last line without a line end",
        &[Accept],
        "the prose speaks of the end of the line or file, though the grammar wants a line end"),
    // ---- Groups and agents ----
    row(Question::AgentCase,
        "letter case of an agent's name",
        [&[Insensitive], &[Insensitive, Sensitive], &[Insensitive, Sensitive], &[Insensitive], &[Insensitive]],
        "2019 and 2021 call it case-sensitive, while their tables name one crawler in two cases"),
    row(Question::AgentSuffix,
        "an agent's name followed by `/` and a version, or by `*`",
        [&[Cut], &[Cut], &[Cut], &[Cut, Keep], &[Cut]],
        "Google's editions take `googlebot/1.2` and `googlebot*` for `googlebot`; RFC 9309's grammar knows neither"),
    row(Question::AgentText,
        "an agent's name followed by other text (`a, b`, `a b`)",
        [&[Keep, Cut], &[Cut, Keep, Ignore], &[Cut, Keep, Ignore], &[Cut, Keep, Ignore], &[Cut, Keep, Ignore]],
        "outside the grammar, but for google-pre-2019, whose grammar takes any text, while its prose ignores text that does not match"),
    row(Question::AgentOther,
        "an agent's name with digits, dots or other characters outside a product token",
        [&[Keep], &[Keep, Cut, Ignore], &[Keep, Cut, Ignore], &[Keep, Cut, Ignore], &[Keep, Cut, Ignore]],
        "google-pre-2019's grammar takes any text; the others' tokens are letters, `-` and `_`"),
    row(Question::AgentMatch,
        "a token that differs from the crawler's, but starts it",
        [&[HyphenPrefix, AnyPrefix], &[HyphenPrefix, AnyPrefix], &[HyphenPrefix, AnyPrefix], &[Equal], &[HyphenPrefix, AnyPrefix]],
        "Google's table lets `googlebot-images` follow the group of `googlebot`; RFC 9309 2.2.1 asks for the product token itself"),
    everywhere(Question::EmptyAgent,
        "a user-agent line without a name",
        &[Accept, Ignore],
        "no text: it starts a group that names nobody, or is no valid line"),
    everywhere(Question::StarText,
        "`*` together with other text as an agent's name (`* foo`, `*bot`)",
        &[Keep, Accept, Pattern, Cut, Ignore],
        "the guide of google-2021 speaks of `*` as a prefix or suffix; no grammar does, and what none derives may be cut or dropped"),
    row(Question::SameAgentGroups,
        "two groups that name the agent",
        [&[Combine, FirstOnly], &[Combine], &[Combine], &[Combine], &[Combine]],
        "google-pre-2019 does not say; the guide of google-2021 says first, its specification combines"),
    row(Question::StarGroups,
        "two groups for `*`",
        [&[Combine, FirstOnly], &[Combine, FirstOnly], &[Combine, FirstOnly], &[Combine, FirstOnly], &[Combine]],
        "the texts combine the groups of a specific agent, and speak of the group of `*`; google-2026 combines those too"),
    row(Question::OtherRecordBetweenAgents,
        "a line that is no rule between two user-agent lines",
        [&[Transparent, EndsRun], &[Transparent, EndsRun], &[Transparent, EndsRun], &[Transparent], &[Transparent]],
        "RFC 9309 2.2.4 forbids other records to interfere; google-2026 has an example"),
    row(Question::BlankBetweenAgents,
        "a blank line or comment between two user-agent lines",
        [&[Transparent, EndsRun], &[Transparent], &[Transparent], &[Transparent], &[Transparent]],
        "google-pre-2019's grammar wants them to follow each other; the others' has `emptyline` among them"),
    row(Question::AdsBotStar,
        "whether `*` covers a crawler whose token starts with AdsBot",
        [&[Yes, No], &[Yes, No], &[No], &[Yes], &[No]],
        "the guide of google-2021 wants AdsBot crawlers named (Google-specific)"),
    // ---- Paths ----
    row(Question::LeadingSlash,
        "a path that starts with neither `/` nor `*`",
        [&[AssumeSlash], &[Ignore, Keep, AssumeSlash], &[Ignore, Keep, AssumeSlash], &[Ignore, Keep, AssumeSlash], &[Ignore, Keep]],
        "google-pre-2019 assumes the slash; the others say that a path must start with `/`, not what follows where it does not"),
    row(Question::LeadingStar,
        "a path that starts with `*`",
        [&[Keep, AssumeSlash], &[Keep, AssumeSlash, Ignore], &[Keep, AssumeSlash, Ignore], &[Keep, AssumeSlash], &[Keep, AssumeSlash, Ignore]],
        "the grammars forbid it; RFC 9309's own example in 5.1 uses it (erratum 7995)"),
    everywhere(Question::MidDollar,
        "`$` before the end of a path",
        &[Keep, End],
        "`$` designates the end of the URL"),
    everywhere(Question::NonAscii,
        "an octet outside ASCII against its percent-encoded form",
        &[Equal],
        "every edition names both forms as the same"),
    row(Question::AsciiEscape,
        "an escaped unreserved character against the character (`%62`, `b`)",
        [&[Equal, Different], &[Equal, Different], &[Equal, Different], &[Equal, EqualInUrl], &[Equal, Different]],
        "RFC 9309 2.2.2 decodes them in the URI; nothing is said of the rule"),
    everywhere(Question::HexCase,
        "the hexadecimal digits of an escaped ASCII octet in another case",
        &[Equal, Different],
        "RFC 3986 calls them equivalent; no edition speaks of it"),
    everywhere(Question::ReservedEscape,
        "an escaped ASCII octet that is not unreserved against the octet itself (`%3A`, `:`)",
        &[Equal, Different],
        "RFC 9309 2.2.2 and its table pull two ways; the others are silent"),
    everywhere(Question::PartialEscape,
        "whether an escape may be matched in part, and as it is spelled in which way (`/a%` or `*3%83` against `/a%E3%83%84`)",
        &[No, Written, Capitals, SmallLetters],
        "RFC 9309 2.2.2 compares octets once they are percent-encoded, and does not say whether an escape is then one of them or three"),
    everywhere(Question::EscapedSlash,
        "`%2F` against `/` in the path",
        &[Different],
        "a slash is a delimiter, its escape is data (RFC 3986 2.2)"),
    row(Question::EscapedSpecial,
        "`%2A` or `%24` in a rule against `*` or `$` in the URL",
        [&[Equal, Different], &[Equal, Different], &[Equal, Different], &[Equal], &[Equal, Different]],
        "RFC 9309 2.2.3 writes the verbatim characters so"),
    everywhere(Question::Fragment,
        "the fragment of the URL",
        &[Drop],
        "no part of a URL that is requested (RFC 1738, RFC 3986)"),
    everywhere(Question::DotSegments,
        "`.` and `..` as segments of a path",
        &[Keep, NormaliseUrl, NormaliseBoth],
        "RFC 3986 6.2.2.3 may remove them; no edition speaks of it"),
    everywhere(Question::DoubleSlash,
        "two slashes in a row",
        &[Keep],
        "RFC 3986 does not merge them"),
    row(Question::RobotsTxtItself,
        "the URL of the robots.txt itself",
        [&[ByRules, Allow], &[ByRules, Allow], &[ByRules, Allow], &[Allow], &[ByRules, Allow]],
        "RFC 9309 2.2.2 allows it implicitly; the others are silent"),
    // ---- Precedence ----
    row(Question::WildcardPrecedence,
        "rules of different length that conflict, one of them with a wildcard",
        [&[LongerWins, LeastRestrictive, MostRestrictive], &[LongerWins, LeastRestrictive], &[LongerWins, LeastRestrictive], &[LongerWins], &[LongerWins]],
        "google-pre-2019 leaves it undefined; in 2019 and 2021 the text and its table contradict each other"),
    row(Question::EqualLength,
        "an allow and a disallow rule of the same length",
        [&[Allow, Disallow], &[Allow], &[Allow], &[Allow], &[Allow]],
        "google-pre-2019 has no such row; RFC 9309 2.2.2 should use allow"),
    everywhere(Question::LengthOf,
        "what is counted as the length of a path",
        &[Written, Encoded],
        "the length of the path entry, or its octets after percent-encoding"),
    everywhere(Question::TrailingStarCounts,
        "whether a trailing `*` counts in precedence",
        &[No, Yes],
        "a trailing wildcard is ignored, yet the length of the entry decides"),
    // ---- Scope ----
    row(Question::IdnHost,
        "an internationalised host name against its punycode",
        [&[Equal], &[Equal], &[Equal], &[Equal, Different], &[Equal]],
        "Google's table has the row; RFC 9309 speaks of the authority alone"),
    everywhere(Question::TrailingDotHost,
        "a host name with a final dot against the name without it",
        &[Different, Equal],
        "no text: one host to the resolver, two to a comparison of authorities"),
    everywhere(Question::RobotsUrlQuery,
        "a query after `/robots.txt`",
        &[Ignore, Accept],
        "no text: the path is right, the URL is another one"),
    // ---- Sitemaps ----
    everywhere(Question::RelativeSitemap,
        "a sitemap that is no absolute URL",
        &[Ignore, Accept],
        "the value is an absolute URL; no text says what follows where it is not"),
    // ---- Access ----
    row(Question::HopsBeyondFive,
        "more than five redirects in a row",
        [&[Stop], &[Stop, Follow], &[Stop, Follow], &[Stop, Follow], &[Stop, Follow]],
        "google-pre-2019 stops after five, and takes that for a 404; the others follow at least five"),
    row(Question::EndlessRedirect,
        "redirects that never end, or lead nowhere, once they are not followed any more",
        [&[AsNotFound], &[AsNotFound], &[AsNotFound], &[AsNotFound, AsServerError], &[AsNotFound]],
        "Google's editions take that for a 404; RFC 9309 2.3.1.2 may take the file for unavailable"),
    row(Question::RedirectToDisallowed,
        "a redirect to a URL that rules of another file disallow",
        [&[Follow, Stop], &[Follow], &[Follow], &[Follow], &[Follow]],
        "google-pre-2019 leaves it undefined; no rules have been fetched yet, say 2019 and 2021"),
    row(Question::ClientRedirect,
        "a page that redirects by frame, script or meta tag",
        [&[Keep, Follow], &[Keep], &[Keep], &[Keep], &[Keep]],
        "google-pre-2019 leaves it undefined; 2019 and 2021 use the content of the first page"),
    row(Question::TooManyRequests,
        "the status 429",
        [&[AsNotFound], &[AsNotFound], &[AsNotFound], &[AsNotFound, AsServerError], &[AsServerError]],
        "a client error by its number; google-2026 takes it for a server error, and RFC 9309 lets crawlers choose what a client error means"),
    everywhere(Question::OtherStatus,
        "a status that is no success, no redirect with a place to go to, and no error of client or server",
        &[AsServerError, AsNotFound],
        "no text"),
    row(Question::NetworkFailure,
        "no answer, or none that is HTTP: DNS, time-out, reset, broken chunks",
        [&[AsServerError, AsNotFound], &[AsServerError], &[AsServerError], &[AsServerError], &[AsServerError]],
        "google-pre-2019 leaves it undefined"),
    row(Question::Misconfigured5xx,
        "a site that answers with a server error for pages that do not exist",
        [&[AsNotFound, AsServerError], &[AsNotFound, AsServerError], &[AsNotFound, AsServerError], &[AsServerError], &[AsServerError]],
        "taken for a 404 where one can tell (Google-specific, before google-2026)"),
    row(Question::UnreachableWithCopy,
        "a server error while there is an earlier copy",
        [&[Disallow, UseCopy], &[Disallow, UseCopy], &[Disallow, UseCopy], &[Disallow, UseCopy], &[CopyAfter12Hours]],
        "a server error disallows everything, yet a copy may be kept longer where it cannot be refreshed; google-2026 tells the hours"),
    row(Question::UnreachableWithoutCopy,
        "a server error, and no earlier copy",
        [&[Disallow], &[Disallow], &[Disallow], &[Disallow], &[Disallow, AllowAfter12Hours]],
        "a server error disallows everything; google-2026 speaks of the last copy alone once twelve hours are over"),
    row(Question::UnreachableLongWithCopy,
        "a server error for more than 30 days, with an earlier copy",
        [&[Disallow, UseCopy, Allow], &[UseCopy], &[UseCopy], &[UseCopy, Allow, Disallow], &[AllowIfSiteAnswers]],
        "google-pre-2019 leaves permanent errors undefined; RFC 9309 2.3.1.4 may take either way"),
    row(Question::UnreachableLongWithoutCopy,
        "a server error for more than 30 days, without an earlier copy",
        [&[Disallow, Allow], &[Allow], &[Allow], &[Allow, Disallow], &[AllowIfSiteAnswers]],
        "google-pre-2019 leaves permanent errors undefined; RFC 9309 2.3.1.4 may take the file for unavailable"),
    // ---- Caching ----
    everywhere(Question::YoungResult,
        "a result that is young enough to be kept",
        &[Keep, Refresh],
        "a result is kept for up to a day; a crawler may ask again earlier"),
    everywhere(Question::MaxAge,
        "how long a result is young, where `Cache-Control` has a `max-age`",
        &[Accept, Ignore],
        "Google's editions may lengthen or shorten a day by it; RFC 9309 2.4 may use standard cache control"),
];

impl Question {
    /// The row of this question.
    pub fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }

    /// The question's permanent name.
    pub fn id(self) -> String {
        format!("{self:?}")
    }

    /// The question with this [name](Question::id).
    pub fn from_id(id: &str) -> Option<Question> {
        TABLE.iter().map(|row| row.question).find(|question| question.id() == id)
    }
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.id())
    }
}

impl Answer {
    /// The answer's permanent name, in kebab case.
    pub fn id(self) -> &'static str {
        match self {
            Accept => "accept",
            Ignore => "ignore",
            Keep => "keep",
            Drop => "drop",
            Cut => "cut",
            Equal => "equal",
            Different => "different",
            EqualInUrl => "equal-in-url",
            NormaliseUrl => "normalise-url",
            NormaliseBoth => "normalise-both",
            AssumeSlash => "assume-slash",
            End => "end",
            Pattern => "pattern",
            Insensitive => "insensitive",
            Sensitive => "sensitive",
            HyphenPrefix => "hyphen-prefix",
            AnyPrefix => "any-prefix",
            Combine => "combine",
            FirstOnly => "first-only",
            Transparent => "transparent",
            EndsRun => "ends-run",
            Yes => "yes",
            No => "no",
            Limit500000 => "500000",
            Limit512000 => "512000",
            Unlimited => "unlimited",
            ByRules => "by-rules",
            Allow => "allow",
            Disallow => "disallow",
            LongerWins => "longer-wins",
            LeastRestrictive => "least-restrictive",
            MostRestrictive => "most-restrictive",
            Written => "written",
            Encoded => "encoded",
            Capitals => "capitals",
            SmallLetters => "small-letters",
            Follow => "follow",
            Stop => "stop",
            AsNotFound => "as-not-found",
            AsServerError => "as-server-error",
            UseCopy => "use-copy",
            CopyAfter12Hours => "copy-after-12-hours",
            AllowAfter12Hours => "allow-after-12-hours",
            AllowIfSiteAnswers => "allow-if-site-answers",
            Refresh => "refresh",
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_their_questions() {
        for (index, row) in TABLE.iter().enumerate() {
            assert_eq!(row.question as usize, index, "{}", row.question);
        }
        assert_eq!(TABLE.len(), Question::MaxAge as usize + 1);
    }

    #[test]
    fn every_edition_admits_an_answer_and_none_twice() {
        for row in TABLE {
            for edition in Edition::ALL {
                let answers = row.answers(edition);
                assert!(!answers.is_empty(), "{} has no answer in {edition}", row.question);
                for (index, answer) in answers.iter().enumerate() {
                    assert!(!answers[..index].contains(answer), "{} in {edition}", row.question);
                }
            }
        }
    }

    #[test]
    fn a_question_is_found_by_its_name() {
        for row in TABLE {
            assert_eq!(Question::from_id(&row.question.id()), Some(row.question));
        }
        assert_eq!(Question::from_id("typo"), None);
    }
}
