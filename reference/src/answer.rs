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
        $name:ident { $($(#[doc = $meaning:literal])+ $answer:ident = $id:literal,)+ }
    )+) => {$(
        $(#[doc = $doc])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name {
            $($(#[doc = $meaning])+ $answer,)+
        }

        impl Answers for $name {
            const ALL: &'static [Self] = &[$($name::$answer),+];
            const IDS: &'static [&'static str] = &[$($id),+];
            const MEANINGS: &'static [&'static str] = &[$(concat!($($meaning),+)),+];
        }
    )+};
}

answers! {
    /// Whether something that is not valid counts.
    Acceptance {
        /// It counts as if it were valid.
        Accept = "accept",
        /// It is ignored.
        Ignore = "ignore",
    }

    /// Whether a yes-or-no question has the answer yes.
    YesOrNo {
        /// Yes.
        Yes = "yes",
        /// No.
        No = "no",
    }

    /// Whether two forms are the same.
    Equality {
        /// They are the same.
        Equal = "equal",
        /// They are different.
        Different = "different",
    }

    /// What happens to text that does not belong to a field, a value or a URL.
    Removal {
        /// It is kept.
        Keep = "keep",
        /// It is removed.
        Drop = "drop",
    }

    /// The part of a URL that rules are compared with.
    UrlPortion {
        /// The path with its parameters and the query.
        Whole = "whole",
        /// The path with its parameters.
        WithoutQuery = "without-query",
        /// The path alone.
        Path = "path",
    }

    /// What happens to a value that contains text outside the grammar.
    OddText {
        /// The line is ignored.
        Ignore = "ignore",
        /// The value is kept as it is written.
        Keep = "keep",
        /// The value ends before that text.
        Cut = "cut",
    }

    /// What a line is.
    RecordKind {
        /// A rule of its group.
        Rule = "rule",
        /// Another record, which has no effect.
        Other = "other",
    }

    /// What happens to white space other than space and tab.
    Whitespace {
        /// It is kept.
        Keep = "keep",
        /// It is removed.
        Drop = "drop",
        /// It is removed, and a zero-width no-break space too, which Unicode does not call white space.
        DropMark = "drop-mark",
    }

    /// Which known field a misspelling of several stands for.
    MisspeltField {
        /// The field with the fewest edits.
        Nearest = "nearest",
        /// Another field.
        Other = "other",
    }

    /// What happens to a line that contains bytes outside UTF-8.
    InvalidBytes {
        /// The line is ignored.
        Ignore = "ignore",
        /// The bytes are kept.
        Keep = "keep",
        /// The bytes are removed.
        Drop = "drop",
        /// Each sequence of them is replaced by U+FFFD.
        Replace = "replace",
        /// They are decoded as another encoding: as UTF-16 in a file with its byte order mark, else as Latin-1.
        Decode = "decode",
    }

    /// What happens to the part of a line before the size limit.
    PartialLine {
        /// It is ignored.
        Ignore = "ignore",
        /// It counts as a line.
        Keep = "keep",
    }

    /// How much of a file counts.
    CountedSize {
        /// 500,000 bytes.
        Limit500000 = "500000",
        /// 500 KiB: 512,000 bytes.
        Limit512000 = "512000",
        /// All of it.
        Unlimited = "unlimited",
        /// Any number of bytes from 512,000 on.
        Larger = "larger",
    }

    /// Whether letter case makes a difference.
    LetterCase {
        /// It makes no difference.
        Insensitive = "insensitive",
        /// It makes a difference.
        Sensitive = "sensitive",
        /// The agent is in small letters, and the names in the file are as they are written.
        AgentInSmallLetters = "agent-in-small-letters",
    }

    /// What happens to a suffix of a product token.
    Suffix {
        /// It is part of the name.
        Keep = "keep",
        /// The name ends before it.
        Cut = "cut",
        /// The line is ignored.
        Ignore = "ignore",
    }

    /// What the token of a crawler is whose name is not a product token.
    CrawlerName {
        /// The whole name.
        Keep = "keep",
        /// Its first word, without a version.
        Word = "word",
        /// The characters of a product token at its start.
        Token = "token",
        /// The whole name, and a user-agent line with this text names it, although the text may be cut for other crawlers.
        Text = "text",
    }

    /// Which crawlers a token names, other than the crawler of that token.
    TokenMatch {
        /// No other crawler.
        Equal = "equal",
        /// The crawlers whose token starts with it.
        AnyPrefix = "any-prefix",
        /// The crawlers whose token starts with it and a hyphen.
        HyphenPrefix = "hyphen-prefix",
        /// The crawlers whose token is a part of it.
        Contains = "contains",
        /// The crawlers whose token it is a part of.
        PartOf = "part-of",
    }

    /// What a name that contains `*` and other text means.
    StarName {
        /// It means `*`.
        Accept = "accept",
        /// The line is ignored.
        Ignore = "ignore",
        /// It is a name as it is written.
        Keep = "keep",
        /// The name ends before the first character outside a product token.
        Cut = "cut",
        /// `*` in it stands for any text.
        Pattern = "pattern",
    }

    /// Which of the groups that name an agent it follows.
    GroupPrecedence {
        /// The groups with the most specific token.
        MostSpecific = "most-specific",
        /// The first group.
        First = "first",
        /// All groups.
        All = "all",
    }

    /// Which of several groups or rules for the same agent count.
    GroupChoice {
        /// All of them, combined.
        Combine = "combine",
        /// The first of them alone.
        FirstOnly = "first-only",
        /// The last of them alone.
        LastOnly = "last-only",
    }

    /// What a line between two user-agent lines does.
    LineBetween {
        /// The user-agent lines before and after it share one group.
        Transparent = "transparent",
        /// The user-agent lines before it are a group of their own.
        EndsRun = "ends-run",
        /// The next user-agent line is ignored.
        Ignore = "ignore",
    }

    /// What an allow line without a path is.
    EmptyAllow {
        /// The line is ignored.
        Ignore = "ignore",
        /// A rule of its group that allows nothing.
        Keep = "keep",
        /// A rule that allows every URL.
        Accept = "accept",
    }

    /// What a path that does not start with `/` stands for.
    PathStart {
        /// The rule is ignored.
        Ignore = "ignore",
        /// The path as it is written.
        Keep = "keep",
        /// The path with a slash before it.
        AssumeSlash = "assume-slash",
    }

    /// What a wildcard in a path stands for.
    Wildcard {
        /// `*` for any text, `$` at the end for the end of the URL.
        Special = "special",
        /// For itself.
        Literal = "literal",
    }

    /// What the characters of a rule are.
    RuleText {
        /// They stand for themselves.
        Literal = "literal",
        /// The rule is a regular expression, in which `.`, `?` and `+` are operators.
        Expression = "expression",
    }

    /// What an escape in a path is.
    EscapeMeaning {
        /// The byte that it encodes.
        Byte = "byte",
        /// The three characters that it is written as.
        Written = "written",
    }

    /// What a `$` stands for.
    Dollar {
        /// The character.
        Keep = "keep",
        /// The end of the URL.
        End = "end",
    }

    /// What a crawler makes of a text that is not a URL.
    BrokenUrl {
        /// Its characters are compared with the rules as they are.
        Keep = "keep",
        /// No rule matches it.
        Allow = "allow",
        /// It is not fetched.
        Disallow = "disallow",
    }

    /// What a byte outside ASCII in a URL, which is not percent-encoded, is the same as.
    RawByte {
        /// The byte, percent-encoded or not.
        Equal = "equal",
        /// The byte that is not percent-encoded either.
        Written = "written",
        /// Nothing.
        Different = "different",
    }

    /// Whether an escaped unreserved character is the character itself.
    UnreservedEscape {
        /// The two are the same.
        Equal = "equal",
        /// The two are different.
        Different = "different",
        /// The two are the same in the URL, and different in the rule.
        EqualInUrl = "equal-in-url",
    }

    /// Which paths are normalised before they are compared.
    Normalisation {
        /// None.
        Keep = "keep",
        /// The path of the URL.
        NormaliseUrl = "normalise-url",
        /// The path of the URL and that of the rule, whose last segment is the start of a segment.
        NormaliseBoth = "normalise-both",
        /// The path of the URL and that of the rule, whose last segment is a segment.
        NormaliseWhole = "normalise-whole",
    }

    /// What decides about the URL of the robots.txt itself.
    OwnUrl {
        /// The rules.
        ByRules = "by-rules",
        /// Nothing: the URL may be fetched.
        Allow = "allow",
    }

    /// Which of several matching rules decides.
    RulePrecedence {
        /// The most specific rule.
        MostSpecific = "most-specific",
        /// The first rule of the group.
        First = "first",
        /// The last rule of the group.
        Last = "last",
        /// Any allow rule, or else a disallow rule.
        AnyAllow = "any-allow",
        /// Any disallow rule, or else an allow rule.
        AnyDisallow = "any-disallow",
        /// The rule with the shortest path.
        Shortest = "shortest",
    }

    /// Which rule prevails over a rule of another length where a wildcard is involved.
    WildcardConflict {
        /// The rule with the longer path.
        LongerWins = "longer-wins",
        /// The allow rule.
        LeastRestrictive = "least-restrictive",
        /// The disallow rule.
        MostRestrictive = "most-restrictive",
    }

    /// Which of two rules of the same length prevails.
    Tie {
        /// The allow rule.
        Allow = "allow",
        /// The disallow rule.
        Disallow = "disallow",
    }

    /// What the length of a path is.
    PathLength {
        /// The number of its bytes as they are written in the file.
        Written = "written",
        /// The number of its bytes after percent-encoding of the bytes outside ASCII.
        Encoded = "encoded",
        /// The same, where characters that no URI contains are percent-encoded too.
        EncodedUnsafe = "encoded-unsafe",
        /// The same, where reserved characters are percent-encoded too, other than the delimiters of path and query.
        EncodedReserved = "encoded-reserved",
        /// The number of its characters as they are written in the file.
        Characters = "characters",
        /// The number of the bytes of the URL that it matches.
        Matched = "matched",
    }

    /// How the hexadecimal digits of two escapes are compared.
    HexDigits {
        /// Without regard to letter case.
        Equal = "equal",
        /// As they are written.
        Different = "different",
        /// Those of the rule as capitals, those of the URL as they are written.
        RuleInCapitals = "rule-in-capitals",
    }

    /// Whether a redirect is followed.
    Redirection {
        /// It is followed.
        Follow = "follow",
        /// It is not followed.
        Stop = "stop",
    }

    /// Whether a redirect that a page contains is followed.
    PageRedirection {
        /// The page is the file.
        Keep = "keep",
        /// The redirect is followed.
        Follow = "follow",
    }

    /// What a success with another status than 200 means.
    Success {
        /// The content is the file.
        UseBody = "use-body",
        /// As if the file were not found.
        AsNotFound = "as-not-found",
        /// As if the server had failed.
        AsServerError = "as-server-error",
    }

    /// What a response that is not a file counts as.
    Unavailability {
        /// As if the file were not found.
        AsNotFound = "as-not-found",
        /// As if the server had failed.
        AsServerError = "as-server-error",
    }

    /// What a crawler may fetch without a current file.
    AccessWithoutFile {
        /// Everything.
        Allow = "allow",
        /// Nothing.
        Disallow = "disallow",
        /// What the last copy allows.
        UseCopy = "use-copy",
        /// Nothing for twelve hours, then what the last copy allows.
        CopyAfter12Hours = "copy-after-12-hours",
        /// Nothing for twelve hours, then everything.
        AllowAfter12Hours = "allow-after-12-hours",
        /// Nothing for a day, then everything.
        AllowAfterADay = "allow-after-a-day",
        /// Everything if the site answers for other pages, else nothing.
        AllowIfSiteAnswers = "allow-if-site-answers",
    }

    /// How long a crawler may use a result.
    Age {
        /// A day.
        Day = "day",
        /// Seven days.
        Week = "week",
    }

    /// Whether a crawler uses a result that it may still use.
    Reuse {
        /// It uses the result.
        Keep = "keep",
        /// It fetches the file again.
        Refresh = "refresh",
    }
}
