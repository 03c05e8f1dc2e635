//! The questions that an edition does not answer alike, and the answers that each edition admits.
//!
//! One admitted answer means that the edition decides the question. Several admitted answers mean that the edition is
//! silent, is ambiguous or contradicts itself. A ruling is then definite only where every admitted answer leads to the
//! same verdict.
//!
//! The table of questions in this file defines the editions: the evaluator does not know which edition it evaluates,
//! only the answers of the reading that it is given. Questions appear in the order of the chapters of the
//! specification. The answers are defined in [`answer`](crate::answer).

use std::fmt;
use std::marker::PhantomData;

use crate::answer::*;
use crate::edition::Edition;

/// An answer to a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Choice {
    /// The question.
    pub question: Question,
    /// The place of the answer among [`Answers::ALL`] of its type.
    answer: u8,
}

impl Choice {
    /// Returns the permanent name of the answer, in kebab case.
    pub fn id(self) -> &'static str {
        self.question.row().ids[usize::from(self.answer)]
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

/// A question with the type of its answers. There is one for each question, in [`typed`].
#[derive(Debug)]
pub struct TypedQuestion<A> {
    question: Question,
    answers: PhantomData<A>,
}

impl<A> Clone for TypedQuestion<A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A> Copy for TypedQuestion<A> {}

impl<A: Answers> TypedQuestion<A> {
    const fn new(question: Question) -> Self {
        TypedQuestion { question, answers: PhantomData }
    }

    /// Returns the question.
    pub fn question(self) -> Question {
        self.question
    }

    /// Returns the answer as a choice.
    pub fn choice(self, answer: A) -> Choice
    where
        A: PartialEq,
    {
        let place = A::ALL.iter().take_while(|other| **other != answer).count();
        Choice { question: self.question, answer: place as u8 }
    }

    /// Returns the choice as an answer, where it is a choice of this question.
    pub(crate) fn answer(self, choice: Choice) -> A {
        assert_eq!(choice.question, self.question);
        A::ALL[usize::from(choice.answer)]
    }
}

/// A row of the table of questions.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// The question of this row.
    pub question: Question,
    /// What the question is about.
    pub asks: &'static str,
    /// The permanent names of the answers of its type.
    ids: &'static [&'static str],
    /// The admitted answers, a column for each of [`Edition::ALL`].
    answers: [&'static [Choice]; Edition::ALL.len()],
    /// The places in the text that the admitted answers rest on.
    pub because: &'static str,
}

impl Row {
    /// Returns the answers that the edition admits, the plainest reading first.
    pub fn answers(&self, edition: Edition) -> &'static [Choice] {
        self.answers[edition.column()]
    }
}

impl Question {
    /// Returns the row of this question.
    pub fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }

    /// Returns the question with this [id](Question::id).
    pub fn from_id(id: &str) -> Option<Question> {
        TABLE.iter().map(|row| row.question).find(|question| question.id() == id)
    }

    /// Returns the answer to this question with this [id](Choice::id).
    pub fn choice(self, id: &str) -> Option<Choice> {
        let place = self.row().ids.iter().position(|other| *other == id)?;
        Some(Choice { question: self, answer: place as u8 })
    }
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

/// Declares the questions. A row has the form
///
/// ```text
/// Question: TypeOfAnswers = "what the question is about" {
///     Edition | Edition => [Answer, Answer],
///     Edition => [Answer],
/// } because "the places in the text";
/// ```
///
/// `_` stands for every edition.
macro_rules! questions {
    ($(
        $question:ident: $answers:ident = $asks:literal { $($editions:pat => [$($answer:ident),+],)+ }
        because $because:literal;
    )+) => {
        /// A point on which readings of the text may differ.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Question {
            $(#[doc = concat!("Subject: ", $asks, ".")] $question,)+
        }

        impl Question {
            /// Returns the permanent name of the question.
            pub const fn id(self) -> &'static str {
                match self {
                    $(Question::$question => stringify!($question),)+
                }
            }
        }

        /// The questions with the types of their answers.
        #[allow(non_upper_case_globals)] // named like their variants
        pub mod typed {
            use super::*;

            $(#[doc = concat!("Subject: ", $asks, ".")]
            pub const $question: TypedQuestion<$answers> = TypedQuestion::new(Question::$question);)+
        }

        /// The table of questions, in the order of [`Question`].
        pub const TABLE: &[Row] = {
            use Edition::*;
            &[$({
                const fn answers(edition: Edition) -> &'static [Choice] {
                    match edition {
                        $($editions => {
                            &[$(Choice { question: Question::$question, answer: $answers::$answer as u8 }),+]
                        })+
                    }
                }
                let mut columns: [&[Choice]; Edition::ALL.len()] = [&[]; Edition::ALL.len()];
                let mut column = 0;
                while column < columns.len() {
                    columns[column] = answers(Edition::ALL[column]);
                    column += 1;
                }
                Row {
                    question: Question::$question,
                    asks: $asks,
                    ids: <$answers as Answers>::IDS,
                    answers: columns,
                    because: $because,
                }
            }),+]
        };
    };
}

questions! {
    // ---- Lines ----

    Typo: Acceptance = "a field name within two edits of a known one, without its hyphen, or with a space for it" {
        GooglePre2019 | Rfc9309 => [Ignore, Accept],
        Google2019 | Google2021 | Google2026 => [Ignore],
    } because "google-pre-2019 does not define simple errors; google-2019 and google-2021 do not support them; RFC 9309 2.2.4 allows crawlers to accept misspellings of other records";

    MissingColon: Acceptance = "a known field name, white space and a value, without a colon" {
        GooglePre2019 | Google2019 | Google2021 | Rfc9309 => [Ignore, Accept],
        Google2026 => [Ignore],
    } because "only valid lines count, but the texts advise parsers to be lenient; google-2026 does not";

    FieldPrefix: Acceptance = "a known field name with one or two characters added at its end (`disallowed`, `user-agents`)" {
        GooglePre2019 | Rfc9309 => [Ignore, Accept],
        Google2019 | Google2021 | Google2026 => [Ignore],
    } because "field names are exact; google-pre-2019 does not define simple errors such as these, and RFC 9309 2.2.4 allows to be lenient with common misspellings";

    InvalidUtf8: InvalidBytes = "a line with bytes that are not UTF-8 outside its comment" {
        _ => [Keep, Ignore, Drop],
    } because "crawlers may misread other encodings; RFC 9309 2.2.2 allows them to bridge encoding mismatches";

    ControlCharacter: OddText = "a control character inside a value" {
        _ => [Keep, Ignore, Cut],
    } because "the grammar does not derive it, but the texts advise parsers to be lenient";

    OtherWhitespace: Removal = "white space other than space and tab at the start or end of a field or value" {
        _ => [Keep, Drop],
    } because "in the grammar, WS is space and tab; the prose says white space";

    InnerSpace: OddText = "a space or tab inside a path" {
        _ => [Keep, Cut, Ignore],
    } because "the grammar does not derive it, but the texts advise parsers to be lenient";

    Bom: Removal = "a byte order mark at the start of the file" {
        GooglePre2019 | Google2019 | Google2021 | Google2026 => [Drop],
        Rfc9309 => [Drop, Keep],
    } because "Google's editions ignore it; RFC 9309 does not mention it";

    SizeLimit: CountedSize = "how much of a large file counts" {
        GooglePre2019 => [Limit512000, Limit500000, Unlimited],
        Google2019 | Google2021 | Rfc9309 => [Limit512000, Unlimited],
        Google2026 => [Limit512000],
    } because "google-pre-2019 says 500 KB, and that crawlers may ignore the rest; google-2019 and google-2021 say that a limit may be enforced; RFC 9309 2.5 says at least 500 KiB";

    CutLine: PartialLine = "the line that the size limit cuts in two" {
        _ => [Keep, Ignore],
    } because "no text says anything about it";

    NoFinalNewline: Acceptance = "a last line without a line end" {
        _ => [Accept],
    } because "the prose mentions the end of the line or of the file, although the grammar requires a line end";

    // ---- Groups and agents ----

    AgentCase: LetterCase = "the letter case of an agent's name" {
        GooglePre2019 | Rfc9309 | Google2026 => [Insensitive],
        Google2019 | Google2021 => [Insensitive, Sensitive],
    } because "google-2019 and google-2021 call it case-sensitive, but their tables write the name of one crawler in two cases";

    AgentSuffix: Suffix = "an agent's name followed by `/` and a version, or by `*`" {
        GooglePre2019 | Google2019 | Google2021 | Google2026 => [Cut],
        Rfc9309 => [Cut, Keep],
    } because "Google's editions treat `googlebot/1.2` and `googlebot*` as `googlebot`; the grammar of RFC 9309 derives neither";

    AgentText: OddText = "an agent's name followed by other text (`a, b`, `a b`)" {
        GooglePre2019 => [Keep, Cut],
        Google2019 | Google2021 | Rfc9309 | Google2026 => [Cut, Keep, Ignore],
    } because "the grammar derives it in google-pre-2019 alone, whose prose ignores text that does not match";

    AgentOther: OddText = "an agent's name with digits, dots or other characters outside a product token" {
        GooglePre2019 => [Keep],
        Google2019 | Google2021 | Rfc9309 | Google2026 => [Keep, Cut, Ignore],
    } because "the grammar of google-pre-2019 accepts any text; the tokens of the other editions consist of letters, `-` and `_`";

    AgentMatch: TokenMatch = "a token that is not the crawler's token, but the start of it" {
        GooglePre2019 | Google2019 | Google2021 | Google2026 => [HyphenPrefix, AnyPrefix],
        Rfc9309 => [Equal],
    } because "in Google's table `googlebot-images` follows the group of `googlebot`; RFC 9309 2.2.1 requires the product token itself";

    EmptyAgent: Acceptance = "a user-agent line without a name" {
        _ => [Accept, Ignore],
    } because "no text says anything about it: it starts a group that names no crawler, or it is not a valid line";

    StarText: StarName = "`*` together with other text as an agent's name (`* foo`, `*bot`)" {
        _ => [Keep, Accept, Pattern, Cut, Ignore],
    } because "the guide of google-2021 mentions `*` as a prefix or suffix; no grammar derives it, and a parser may cut or ignore text that no grammar derives";

    SameAgentGroups: GroupChoice = "two groups that name the agent" {
        GooglePre2019 => [Combine, FirstOnly],
        Google2019 | Google2021 | Rfc9309 | Google2026 => [Combine],
    } because "google-pre-2019 does not specify it; the guide of google-2021 uses the first group, its specification combines the groups";

    StarGroups: GroupChoice = "two groups for `*`" {
        _ => [Combine, FirstOnly],
    } because "the texts combine the groups of a specific agent, and do not say so of `*`";

    OtherRecordBetweenAgents: LineBetween = "a line that is not a rule between two user-agent lines" {
        GooglePre2019 | Google2019 | Google2021 => [Transparent, EndsRun],
        Rfc9309 | Google2026 => [Transparent],
    } because "RFC 9309 2.2.4 forbids that other records interfere; google-2026 has an example";

    BlankBetweenAgents: LineBetween = "a blank line or comment between two user-agent lines" {
        GooglePre2019 => [Transparent, EndsRun],
        Google2019 | Google2021 | Rfc9309 | Google2026 => [Transparent],
    } because "in the grammar of google-pre-2019 user-agent lines follow each other; the other grammars allow `emptyline` between them";

    AdsBotStar: YesOrNo = "whether `*` covers a crawler whose token starts with AdsBot" {
        GooglePre2019 | Google2019 => [Yes, No],
        Google2021 | Google2026 => [No],
        Rfc9309 => [Yes],
    } because "the guide of google-2021 requires that a group names AdsBot crawlers (Google-specific)";

    // ---- Paths ----

    LeadingSlash: PathStart = "a path that starts with neither `/` nor `*`" {
        GooglePre2019 => [AssumeSlash],
        Google2019 | Google2021 | Rfc9309 | Google2026 => [Ignore, Keep, AssumeSlash],
    } because "google-pre-2019 assumes the slash; the other editions say that a path must start with `/`, and do not specify the effect of one that does not";

    LeadingStar: PathStart = "a path that starts with `*`" {
        GooglePre2019 | Rfc9309 => [Keep, AssumeSlash],
        Google2019 | Google2021 | Google2026 => [Keep, AssumeSlash, Ignore],
    } because "the grammars forbid it; the example of RFC 9309 5.1 uses it (erratum 7995)";

    MidDollar: Dollar = "`$` before the end of a path" {
        _ => [Keep, End],
    } because "`$` designates the end of the URL";

    NonAscii: Equality = "a byte outside ASCII compared with its percent-encoded form" {
        _ => [Equal],
    } because "every edition says that the two forms are the same";

    AsciiEscape: UnreservedEscape = "an escaped unreserved character compared with the character (`%62`, `b`)" {
        GooglePre2019 | Google2019 | Google2021 | Google2026 => [Equal, Different],
        Rfc9309 => [Equal, EqualInUrl],
    } because "RFC 9309 2.2.2 decodes them in the URI, and does not specify whether they are decoded in the rule";

    HexCase: Equality = "the hexadecimal digits of an escaped ASCII byte in another letter case" {
        _ => [Equal, Different],
    } because "RFC 3986 calls them equivalent; no edition mentions it";

    ReservedEscape: Equality = "an escaped ASCII byte that is not unreserved compared with the byte itself (`%3A`, `:`)" {
        _ => [Equal, Different],
    } because "RFC 9309 2.2.2 and its table contradict each other; the other editions are silent";

    PartialEscape: EscapeSpelling = "whether a rule may match a part of an escape, and in which spelling (`/a%` or `*3%83` compared with `/a%E3%83%84`)" {
        _ => [No, Written, Capitals, SmallLetters],
    } because "RFC 9309 2.2.2 compares bytes after percent-encoding, and does not specify whether an escape is then one byte or three";

    EscapedSlash: Equality = "`%2F` compared with `/` in the path" {
        _ => [Different],
    } because "a slash is a delimiter, and its escape is data (RFC 3986 2.2)";

    EscapedSpecial: Equality = "`%2A` or `%24` in a rule compared with `*` or `$` in the URL" {
        GooglePre2019 | Google2019 | Google2021 | Google2026 => [Equal, Different],
        Rfc9309 => [Equal],
    } because "RFC 9309 2.2.3 writes the verbatim characters in this way";

    Fragment: Removal = "the fragment of the URL" {
        _ => [Drop],
    } because "a fragment is not part of the URL that a client requests (RFC 1738, RFC 3986)";

    DotSegments: Normalisation = "`.` and `..` as segments of a path" {
        _ => [Keep, NormaliseUrl, NormaliseBoth],
    } because "RFC 3986 6.2.2.3 allows clients to remove them; no edition mentions it";

    DoubleSlash: Removal = "two slashes in a row" {
        _ => [Keep],
    } because "RFC 3986 does not merge them";

    RobotsTxtItself: OwnUrl = "the URL of the robots.txt itself" {
        GooglePre2019 | Google2019 | Google2021 | Google2026 => [ByRules, Allow],
        Rfc9309 => [Allow],
    } because "RFC 9309 2.2.2 allows it implicitly; the other editions are silent";

    // ---- Precedence ----

    WildcardPrecedence: WildcardConflict = "two conflicting rules of different length, one of them with a wildcard" {
        GooglePre2019 => [LongerWins, LeastRestrictive, MostRestrictive],
        Google2019 | Google2021 => [LongerWins, LeastRestrictive],
        Rfc9309 | Google2026 => [LongerWins],
    } because "google-pre-2019 does not define it; in google-2019 and google-2021 the text and its table contradict each other";

    EqualLength: Tie = "an allow and a disallow rule of the same length" {
        GooglePre2019 => [Allow, Disallow],
        Google2019 | Google2021 | Rfc9309 | Google2026 => [Allow],
    } because "google-pre-2019 has no row for it; by RFC 9309 2.2.2 a crawler should use the allow rule";

    LengthOf: PathLength = "what the length of a path is" {
        _ => [Written, Encoded],
    } because "the texts mention the length of the path entry, and its bytes after percent-encoding";

    TrailingStarCounts: YesOrNo = "whether a trailing `*` counts in precedence" {
        _ => [No, Yes],
    } because "a trailing wildcard is ignored, but the length of the entry decides";

    // ---- Scope ----

    IdnHost: Equality = "an internationalised host name compared with its punycode" {
        GooglePre2019 | Google2019 | Google2021 | Google2026 => [Equal],
        Rfc9309 => [Equal, Different],
    } because "Google's table has a row for it; RFC 9309 mentions the authority alone";

    TrailingDotHost: Equality = "a host name with a final dot compared with the name without it" {
        _ => [Different, Equal],
    } because "no text says anything about it: a resolver finds the same host, a comparison of authorities finds a difference";

    RobotsUrlQuery: Acceptance = "a query after `/robots.txt`" {
        _ => [Ignore, Accept],
    } because "no text says anything about it: the path is the right one, but the URL differs";

    // ---- Sitemaps ----

    RelativeSitemap: Acceptance = "a sitemap that is not an absolute URL" {
        _ => [Ignore, Accept],
    } because "the value is an absolute URL; no text specifies the effect of another value";

    // ---- Access ----

    HopsBeyondFive: Redirection = "more than five redirects in a row" {
        GooglePre2019 => [Stop],
        Google2019 | Google2021 | Rfc9309 | Google2026 => [Stop, Follow],
    } because "google-pre-2019 stops after five, and treats the result as a 404; the other editions follow at least five";

    EndlessRedirect: Unavailability = "redirects that do not end or lead nowhere, once a crawler stops following them" {
        GooglePre2019 | Google2019 | Google2021 | Google2026 => [AsNotFound],
        Rfc9309 => [AsNotFound, AsServerError],
    } because "Google's editions treat them as a 404; RFC 9309 2.3.1.2 allows crawlers to treat the file as unavailable";

    RedirectToDisallowed: Redirection = "a redirect to a URL that the rules of another file disallow" {
        GooglePre2019 => [Follow, Stop],
        Google2019 | Google2021 | Rfc9309 | Google2026 => [Follow],
    } because "google-pre-2019 does not define it; by google-2019 and google-2021 no rules have been fetched yet";

    ClientRedirect: PageRedirection = "a page that redirects by frame, script or meta tag" {
        GooglePre2019 => [Keep, Follow],
        Google2019 | Google2021 | Rfc9309 | Google2026 => [Keep],
    } because "google-pre-2019 does not define it; google-2019 and google-2021 use the content of the first page";

    TooManyRequests: Unavailability = "the status 429" {
        GooglePre2019 | Google2019 | Google2021 => [AsNotFound],
        Rfc9309 => [AsNotFound, AsServerError],
        Google2026 => [AsServerError],
    } because "its number is that of a client error; google-2026 treats it as a server error, and RFC 9309 allows crawlers to choose what a client error means";

    OtherStatus: Unavailability = "a status that is not a success, a redirect with a location, a client error or a server error" {
        _ => [AsServerError, AsNotFound],
    } because "no text says anything about it";

    NetworkFailure: Unavailability = "no response, or a response that is not HTTP: DNS failure, timeout, connection reset, broken chunks" {
        GooglePre2019 => [AsServerError, AsNotFound],
        Google2019 | Google2021 | Rfc9309 | Google2026 => [AsServerError],
    } because "google-pre-2019 does not define it";

    Misconfigured5xx: Unavailability = "a site that responds with a server error for pages that do not exist" {
        GooglePre2019 | Google2019 | Google2021 => [AsNotFound, AsServerError],
        Rfc9309 | Google2026 => [AsServerError],
    } because "a crawler that detects it treats it as a 404 (Google-specific, before google-2026)";

    UnreachableWithCopy: AccessWhileUnreachable = "a server error where there is an earlier copy" {
        GooglePre2019 | Google2019 | Google2021 | Rfc9309 => [Disallow, UseCopy],
        Google2026 => [CopyAfter12Hours],
    } because "a server error disallows everything, but a crawler may keep a copy longer where it cannot be refreshed; google-2026 specifies the hours";

    UnreachableWithoutCopy: AccessWhileUnreachable = "a server error where there is no earlier copy" {
        GooglePre2019 | Google2019 | Google2021 | Rfc9309 => [Disallow],
        Google2026 => [Disallow, AllowAfter12Hours],
    } because "a server error disallows everything; google-2026 mentions only the last copy for the time after twelve hours";

    UnreachableLongWithCopy: AccessWhileUnreachable = "a server error for more than 30 days, with an earlier copy" {
        GooglePre2019 => [Disallow, UseCopy, Allow],
        Google2019 | Google2021 => [UseCopy],
        Rfc9309 => [UseCopy, Allow, Disallow],
        Google2026 => [AllowIfSiteAnswers],
    } because "google-pre-2019 does not define permanent errors; RFC 9309 2.3.1.4 allows either";

    UnreachableLongWithoutCopy: AccessWhileUnreachable = "a server error for more than 30 days, without an earlier copy" {
        GooglePre2019 => [Disallow, Allow],
        Google2019 | Google2021 => [Allow],
        Rfc9309 => [Allow, Disallow],
        Google2026 => [AllowIfSiteAnswers],
    } because "google-pre-2019 does not define permanent errors; RFC 9309 2.3.1.4 allows crawlers to treat the file as unavailable";

    // ---- Caching ----

    YoungResult: Reuse = "a result that is recent enough to be used again" {
        _ => [Keep, Refresh],
    } because "a crawler may use a result for up to a day, and may fetch the file again earlier";

    MaxAge: Acceptance = "how long a result may be used, where `Cache-Control` has a `max-age`" {
        _ => [Accept, Ignore],
    } because "Google's editions allow crawlers to lengthen or shorten the day according to it; RFC 9309 2.4 allows crawlers to use standard cache control";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_edition_admits_an_answer_and_no_answer_twice() {
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
    fn a_question_is_found_by_its_id_and_its_answers_by_theirs() {
        for row in TABLE {
            assert_eq!(Question::from_id(row.question.id()), Some(row.question));
            for choice in Edition::ALL.iter().flat_map(|&edition| row.answers(edition)) {
                assert_eq!(row.question.choice(choice.id()), Some(*choice));
            }
        }
        assert_eq!(Question::from_id("typo"), None);
        assert_eq!(Question::Typo.choice("keep"), None);
    }

    #[test]
    fn a_typed_question_turns_an_answer_into_a_choice_and_back() {
        let choice = typed::AgentCase.choice(LetterCase::Sensitive);
        assert_eq!((choice.question, choice.id()), (Question::AgentCase, "sensitive"));
        assert_eq!(typed::AgentCase.answer(choice), LetterCase::Sensitive);
    }
}
