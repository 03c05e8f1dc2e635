//! The answers that questions have, a type for each kind of answer.
//!
//! Questions whose answers mean the same share a type. The permanent name of an answer stands next to its variant.

/// A type of answers.
pub trait Answers: Copy + 'static {
    /// Every answer, in order.
    const ALL: &'static [Self];
    /// The permanent names of the answers, in the same order.
    const IDS: &'static [&'static str];
    /// What the answers mean, in the same order: a sentence each.
    const MEANINGS: &'static [&'static str];
}

macro_rules! answers {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident { $($answer:ident = $id:literal: $meaning:literal,)+ }
    )+) => {$(
        $(#[doc = $doc])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name {
            $(#[doc = $meaning] $answer,)+
        }

        impl Answers for $name {
            const ALL: &'static [Self] = &[$($name::$answer),+];
            const IDS: &'static [&'static str] = &[$($id),+];
            const MEANINGS: &'static [&'static str] = &[$($meaning),+];
        }
    )+};
}

answers! {
    /// Whether something that is not valid counts.
    Acceptance {
        Accept = "accept": "It counts as if it were valid.",
        Ignore = "ignore": "It is ignored.",
    }

    /// Whether a yes-or-no question has the answer yes.
    YesOrNo {
        Yes = "yes": "Yes.",
        No = "no": "No.",
    }

    /// Whether two forms are the same.
    Equality {
        Equal = "equal": "They are the same.",
        Different = "different": "They are different.",
    }

    /// What a line ends at.
    LineEnd {
        Yes = "yes": "Also at other characters.",
        No = "no": "At CR, LF and CR LF alone.",
        LineFeed = "line-feed": "At LF and CR LF alone.",
    }

    /// What a URL without a path is.
    EmptyPath {
        Equal = "equal": "The same as with the path `/`.",
        Different = "different": "Different.",
        DifferentWithQuery = "different-with-query": "Different where it has a query.",
    }

    /// How a reserved character compares with itself.
    ReservedCharacter {
        Equal = "equal": "It is the same.",
        DifferentInQuery = "different-in-query": "It is different in a query.",
        DifferentInPath = "different-in-path": "It is different before a query.",
    }

    /// What happens to text that does not belong to a field, a value or a URL.
    Removal {
        Keep = "keep": "It is kept.",
        Drop = "drop": "It is removed.",
    }

    /// The part of a URL that rules are compared with.
    UrlPortion {
        Whole = "whole": "The path with its parameters and the query.",
        WithoutQuery = "without-query": "The path with its parameters.",
        WithoutEmptyQuery = "without-empty-query": "The same without a query of no characters (`/?`).",
        WithoutEmptyParts = "without-empty-parts": "The same without a query and parameters of no characters \
            (`/?`, `/;`).",
        Path = "path": "The path alone.",
    }

    /// What happens to a value that contains text outside the grammar.
    OddText {
        Ignore = "ignore": "The line is ignored.",
        Keep = "keep": "The value is kept as it is written.",
        Cut = "cut": "The value ends before that text.",
    }

    /// What a line is.
    RecordKind {
        Rule = "rule": "A rule of its group.",
        Other = "other": "Another record, which has no effect.",
    }

    /// What happens to white space other than space and tab.
    Whitespace {
        Keep = "keep": "It is kept.",
        Drop = "drop": "It is removed.",
        DropMark = "drop-mark": "It is removed, and a zero-width no-break space too, which Unicode does not \
            call white space.",
    }

    /// Which known field a misspelling of several stands for.
    MisspeltField {
        Nearest = "nearest": "The field with the fewest edits.",
        Other = "other": "Another field.",
    }

    /// What happens to a line that contains bytes outside UTF-8.
    InvalidBytes {
        Ignore = "ignore": "The line is ignored.",
        Keep = "keep": "The bytes are kept.",
        Drop = "drop": "The bytes are removed.",
        Replace = "replace": "Each sequence of them is replaced by U+FFFD.",
        Decode = "decode": "They are decoded as another encoding: as UTF-16 in a file with its byte order \
            mark, else as Latin-1.",
        IgnoreFile = "ignore-file": "The whole file is ignored.",
    }

    /// What happens to the part of a line before the size limit.
    PartialLine {
        Ignore = "ignore": "It is ignored.",
        Keep = "keep": "It counts as a line.",
    }

    /// How much of a file counts.
    CountedSize {
        Limit500000 = "500000": "500,000 bytes.",
        Limit512000 = "512000": "500 KiB: 512,000 bytes.",
        Unlimited = "unlimited": "All of it.",
        Larger = "larger": "Any number of bytes from 512,000 on.",
    }

    /// Whether letter case makes a difference.
    LetterCase {
        Insensitive = "insensitive": "It makes no difference.",
        Sensitive = "sensitive": "It makes a difference.",
        AgentInSmallLetters = "agent-in-small-letters": "The agent is in small letters, and the names in the \
            file are as they are written.",
    }

    /// What happens to a suffix of a product token.
    Suffix {
        Keep = "keep": "It is part of the name.",
        Cut = "cut": "The name ends before it.",
        Ignore = "ignore": "The line is ignored.",
    }

    /// What the token of a crawler is whose name is not a product token.
    CrawlerName {
        Keep = "keep": "The whole name.",
        Word = "word": "Its first word, without a version.",
        Token = "token": "The characters of a product token at its start.",
        Text = "text": "The whole name, and a user-agent line with this text names it, although the text may \
            be cut for other crawlers.",
    }

    /// Which crawlers a token names, other than the crawler of that token.
    TokenMatch {
        Equal = "equal": "No other crawler.",
        AnyPrefix = "any-prefix": "The crawlers whose token starts with it.",
        HyphenPrefix = "hyphen-prefix": "The crawlers whose token starts with it and a hyphen.",
        Contains = "contains": "The crawlers whose token is a part of it.",
        PartOf = "part-of": "The crawlers whose token it is a part of.",
    }

    /// What a name that contains `*` and other text means.
    StarName {
        Accept = "accept": "It means `*`.",
        Ignore = "ignore": "The line is ignored.",
        Keep = "keep": "It is a name as it is written.",
        Cut = "cut": "The name ends before the first character outside a product token.",
        Pattern = "pattern": "`*` in it stands for any text.",
    }

    /// Which of the groups that name an agent it follows.
    GroupPrecedence {
        MostSpecific = "most-specific": "The groups with the most specific token.",
        First = "first": "The first group.",
        All = "all": "All groups.",
    }

    /// Which of several groups or rules for the same agent count.
    GroupChoice {
        Combine = "combine": "All of them, combined.",
        FirstOnly = "first-only": "The first of them alone.",
        LastOnly = "last-only": "The last of them alone.",
    }

    /// What a line between two user-agent lines does.
    LineBetween {
        Transparent = "transparent": "The user-agent lines before and after it share one group.",
        EndsRun = "ends-run": "The user-agent lines before it are a group of their own.",
        Ignore = "ignore": "The next user-agent line is ignored.",
    }

    /// What an allow line without a path is.
    EmptyAllow {
        Ignore = "ignore": "The line is ignored.",
        Keep = "keep": "A rule of its group that allows nothing.",
        Accept = "accept": "A rule that allows every URL.",
    }

    /// What a path that does not start with `/` stands for.
    PathStart {
        Ignore = "ignore": "The rule is ignored.",
        Keep = "keep": "The path as it is written.",
        AssumeSlash = "assume-slash": "The path with a slash before it.",
    }

    /// What a wildcard in a path stands for.
    Wildcard {
        Special = "special": "`*` for any text, `$` at the end for the end of the URL.",
        Literal = "literal": "For itself.",
    }

    /// What a `$` at the end of a path stands for.
    EndAnchor {
        Special = "special": "The end of the URL.",
        Literal = "literal": "Itself.",
        Either = "either": "Either of the two.",
    }

    /// Where a rule may match.
    MatchStart {
        First = "no": "At the first byte of the path.",
        Any = "yes": "At any byte.",
        AnyWithWildcard = "with-wildcard": "At any byte where the rule has a wildcard, and otherwise at the \
            first.",
    }

    /// What an escaped `*` or `$` of a rule is.
    SpecialEscape {
        Equal = "equal": "The character.",
        Different = "different": "Another character than `*` and `$`.",
        Wildcard = "wildcard": "The wildcard.",
    }

    /// What slashes in a row are.
    Slashes {
        Keep = "keep": "Characters like others.",
        Drop = "drop": "One slash.",
        DropInUrl = "drop-in-url": "One slash in the URL, and characters like others in a rule.",
        Host = "host": "At the start of a rule, the mark of a host, which is not a part of its path.",
    }

    /// What the characters of a rule are.
    RuleText {
        Literal = "literal": "They stand for themselves.",
        Expression = "expression": "The rule is a regular expression, in which `.`, `?` and `+` are \
            operators.",
    }

    /// What an escape in a path is.
    EscapeMeaning {
        Byte = "byte": "The byte that it encodes.",
        Written = "written": "The three characters that it is written as.",
        WrittenInQuery = "written-in-query": "The same in a query, and elsewhere the byte that it encodes.",
    }

    /// What a `$` stands for.
    Dollar {
        Keep = "keep": "The character.",
        End = "end": "The end of the URL.",
    }

    /// What a crawler makes of a text that is not a URL.
    BrokenUrl {
        Keep = "keep": "Its characters are compared with the rules as they are.",
        Allow = "allow": "No rule matches it.",
        Disallow = "disallow": "It is not fetched.",
    }

    /// What a byte outside ASCII in a URL, which is not percent-encoded, is the same as.
    RawByte {
        Equal = "equal": "The byte, percent-encoded or not.",
        Written = "written": "The byte that is not percent-encoded either.",
        Different = "different": "Nothing.",
    }

    /// Whether an escaped unreserved character is the character itself.
    UnreservedEscape {
        Equal = "equal": "The two are the same.",
        Different = "different": "The two are different.",
        EqualInUrl = "equal-in-url": "The two are the same in the URL, and different in the rule.",
    }

    /// Which paths are normalised before they are compared.
    Normalisation {
        Keep = "keep": "None.",
        NormaliseUrl = "normalise-url": "The path of the URL.",
        NormaliseBoth = "normalise-both": "The path of the URL and that of the rule, whose last segment is \
            the start of a segment.",
        NormaliseWhole = "normalise-whole": "The path of the URL and that of the rule, whose last segment is \
            a segment.",
    }

    /// What decides about the URL of the robots.txt itself.
    OwnUrl {
        ByRules = "by-rules": "The rules.",
        Allow = "allow": "Nothing: the URL may be fetched.",
    }

    /// Which of several matching rules decides.
    RulePrecedence {
        MostSpecific = "most-specific": "The most specific rule.",
        First = "first": "The first rule of the group.",
        Last = "last": "The last rule of the group.",
        AnyAllow = "any-allow": "Any allow rule, or else a disallow rule.",
        AnyDisallow = "any-disallow": "Any disallow rule, or else an allow rule.",
        Shortest = "shortest": "The rule with the shortest path.",
        FirstWildcard = "first-wildcard": "The first rule with a wildcard, or else the most specific rule.",
    }

    /// Which rule prevails over a rule of another length where a wildcard is involved.
    WildcardConflict {
        LongerWins = "longer-wins": "The rule with the longer path.",
        LeastRestrictive = "least-restrictive": "The allow rule.",
        MostRestrictive = "most-restrictive": "The disallow rule.",
    }

    /// Which of two rules of the same length prevails.
    Tie {
        Allow = "allow": "The allow rule.",
        Disallow = "disallow": "The disallow rule.",
        First = "first": "The first of them in the file.",
        Last = "last": "The last of them in the file.",
    }

    /// What the length of a path is.
    PathLength {
        Written = "written": "The number of its bytes as they are written in the file.",
        Encoded = "encoded": "The number of its bytes after percent-encoding of the bytes outside ASCII.",
        EncodedUnsafe = "encoded-unsafe": "The same, where characters that no URI contains are percent- \
            encoded too.",
        EncodedReserved = "encoded-reserved": "The same, where reserved characters are percent-encoded too, \
            other than the delimiters of path and query.",
        Characters = "characters": "The number of its characters as they are written in the file.",
        Matched = "matched": "The number of the bytes of the URL that it matches.",
    }

    /// How the hexadecimal digits of two escapes are compared.
    HexDigits {
        Equal = "equal": "Without regard to letter case.",
        Different = "different": "As they are written.",
        RuleInCapitals = "rule-in-capitals": "Those of the rule as capitals, those of the URL as they are \
            written.",
    }

    /// Whether a redirect is followed.
    Redirection {
        Follow = "follow": "It is followed.",
        Stop = "stop": "It is not followed.",
    }

    /// Whether a redirect that a page contains is followed.
    PageRedirection {
        Keep = "keep": "The page is the file.",
        Follow = "follow": "The redirect is followed.",
    }

    /// What a success with another status than 200 means.
    Success {
        UseBody = "use-body": "The content is the file.",
        AsNotFound = "as-not-found": "As if the file were not found.",
        AsServerError = "as-server-error": "As if the server had failed.",
    }

    /// What a response that is not a file counts as.
    Unavailability {
        AsNotFound = "as-not-found": "As if the file were not found.",
        AsServerError = "as-server-error": "As if the server had failed.",
    }

    /// What a crawler may fetch without a current file.
    AccessWithoutFile {
        Allow = "allow": "Everything.",
        Disallow = "disallow": "Nothing.",
        UseCopy = "use-copy": "What the last copy allows.",
        CopyAfter12Hours = "copy-after-12-hours": "Nothing for twelve hours, then what the last copy allows.",
        AllowAfter12Hours = "allow-after-12-hours": "Nothing for twelve hours, then everything.",
        AllowAfterADay = "allow-after-a-day": "Nothing for a day, then everything.",
        AllowIfSiteAnswers = "allow-if-site-answers": "Everything if the site answers for other pages, else \
            nothing.",
    }

    /// How long a crawler may use a result.
    Age {
        Day = "day": "A day.",
        Week = "week": "Seven days.",
    }

    /// Whether a crawler uses a result that it may still use.
    Reuse {
        Keep = "keep": "It uses the result.",
        Refresh = "refresh": "It fetches the file again.",
    }
}
