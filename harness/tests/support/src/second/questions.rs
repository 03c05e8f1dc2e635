//! What a reading has to answer, and the answers that RFC 9309 and google-2026 admit.

use robotspec_reference::Edition;

use Answer::*;
use Question::*;

/// Declares the questions, and the list of them.
macro_rules! questions {
    ($(#[doc = $doc:literal] $Question:ident,)+) => {
        /// A point on which readings of the text may differ.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Question {
            $(#[doc = $doc] $Question,)+
        }

        impl Question {
            pub const ALL: [Question; 46] = [$($Question),+];
        }
    };
}

questions! {
    /// A field name within two edits of a known one.
    Typo,
    /// Which field a name means that is within two edits of two.
    TypoOfTwo,
    /// A known field name, white space and a value.
    MissingColon,
    /// A longer word that starts with a known field name.
    FieldPrefix,
    /// Bytes outside UTF-8, outside a comment.
    InvalidUtf8,
    /// A control character in a value.
    ControlCharacter,
    /// A control character, or bytes outside UTF-8, in a comment behind a record.
    OddComment,
    /// A field by which others forbid paths.
    KnownExtension,
    /// A record inside mark-up.
    Markup,
    /// White space other than space and tab around a field or value.
    OtherWhitespace,
    /// A space or tab inside a path.
    InnerSpace,
    /// A byte order mark at the start of the file.
    Bom,
    /// The number of bytes that count: an [`At`].
    SizeLimit,
    /// The line that the limit cuts.
    CutLine,
    /// A token followed by `/` and a version, or by `*`.
    AgentSuffix,
    /// A token followed by other words.
    AgentText,
    /// A name with characters outside a token.
    AgentOther,
    /// The Kelvin sign and the long s as letters of ASCII.
    AgentFold,
    /// A name of a crawler with characters outside a token.
    AgentAsking,
    /// The start of a crawler's token as the name of a group.
    AgentMatch,
    /// A user-agent line without a name.
    EmptyAgent,
    /// A line that is no record, between user-agent lines.
    InvalidBetweenAgents,
    /// Groups whose names for the crawler differ.
    AgentPrecedence,
    /// `*` together with other text as a name.
    StarText,
    /// Two groups for `*`.
    StarGroups,
    /// Whether `*` covers AdsBot crawlers.
    AdsBotStar,
    /// A path that starts with neither `/` nor `*`.
    LeadingSlash,
    /// A path that starts with `*`.
    LeadingStar,
    /// `$` before the end of a path.
    MidDollar,
    /// An escaped unreserved character.
    AsciiEscape,
    /// The letter case of hexadecimal digits.
    HexCase,
    /// The same in the escape of a slash.
    SlashDigits,
    /// Any other escaped ASCII character.
    ReservedEscape,
    /// An escaped `:` or `/` in a query.
    QueryEscape,
    /// Whether a rule may match a part of an escape, and in which spelling.
    PartialEscape,
    /// Whether reserved bytes are percent-encoded where a rule may match a part of an escape.
    EncodesReserved,
    /// `%2A` and `%24` in a rule.
    EscapedSpecial,
    /// A `%` of the URL that starts no escape.
    BrokenEscape,
    /// `.` and `..` as segments.
    DotSegments,
    /// Whether an escaped dot makes a dot segment where it is not the same as a dot.
    EscapedDot,
    /// The URL of the robots.txt.
    RobotsTxtItself,
    /// The same with escaped characters.
    EscapedRobotsTxt,
    /// The same with a query.
    RobotsTxtQuery,
    /// What the length of a path counts.
    LengthOf,
    /// Rules of the same length whose paths differ.
    Equivalent,
    /// Whether a trailing `*` counts.
    TrailingStarCounts,
}

/// An answer to one of the questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Answer {
    Accept,
    Ignore,
    Nearest,
    Farther,
    Keep,
    Drop,
    /// Also U+FEFF, which Unicode does not count as white space.
    DropMark,
    Cut,
    /// The first word, without a version.
    Word,
    Replace,
    Decode,
    Equal,
    Different,
    /// Only in the URL.
    EqualInUrl,
    HyphenPrefix,
    AnyPrefix,
    Pattern,
    /// It has no effect.
    Transparent,
    /// A group starts after it.
    EndsRun,
    Combine,
    FirstOnly,
    Yes,
    No,
    Literal,
    AssumeSlash,
    End,
    /// As the escapes are written.
    Written,
    Capitals,
    SmallLetters,
    Url,
    /// Also in the rule, except its last segment, which may go on.
    Both,
    /// Also in the whole rule.
    Whole,
    ByRules,
    Allow,
    Disallow,
    All,
    MostSpecific,
    /// With bytes outside ASCII percent-encoded.
    Encoded,
    /// Also with characters that no URI contains.
    EncodedUnsafe,
    /// Also with reserved characters.
    EncodedReserved,
    Characters,
    /// A number of bytes.
    At(usize),
}

impl Question {
    /// Returns the admitted answers, the plainest one first.
    pub fn admitted(self, edition: Edition) -> &'static [Answer] {
        let is_google = match edition {
            Edition::Rfc9309 => false,
            Edition::Google2026 => true,
            other => panic!("no table for {other}"),
        };
        match self {
            // RFC 9309 2.2.4: "crawlers may accept common misspellings". google-2026 uses valid lines only.
            Typo | MissingColon | FieldPrefix if is_google => &[Ignore],
            Typo | MissingColon | FieldPrefix => &[Ignore, Accept],
            TypoOfTwo => &[Nearest, Farther],
            // RFC 9309 2.2.2: "Implementors MAY bridge encoding mismatches".
            InvalidUtf8 => &[Keep, Ignore, Drop, Replace, Decode],
            // The grammar of RFC 9309 does not derive such a line, and 2.3.1.5 requires the parseable rules.
            OddComment if is_google => &[Accept],
            OddComment => &[Accept, Ignore],
            KnownExtension if is_google => &[Ignore],
            KnownExtension => &[Ignore, Accept],
            Markup if is_google => &[Ignore],
            Markup => &[Ignore, Accept],
            ControlCharacter | InnerSpace => &[Keep, Ignore, Cut],
            OtherWhitespace => &[Drop, Keep, DropMark],
            Bom if is_google => &[Drop],
            Bom => &[Drop, Keep],
            // 500 KiB; in RFC 9309 2.5 "at least": see `lines`, which knows the places that make a difference.
            SizeLimit => &[At(512_000)],
            CutLine => &[Keep, Drop],
            // "googlebot/1.2 and googlebot* are equivalent to googlebot"; the grammar of RFC 9309 derives neither.
            AgentSuffix if is_google => &[Cut],
            AgentSuffix => &[Cut, Keep, Ignore],
            // "All non-matching text is ignored": also where it is not a version.
            AgentText | AgentOther if is_google => &[Cut],
            // No text says whether "case-insensitive" is that of ASCII.
            AgentFold => &[Different, Equal],
            AgentText | AgentOther => &[Cut, Keep, Ignore],
            AgentAsking => &[Keep, Cut, Word],
            AgentMatch if is_google => &[HyphenPrefix, AnyPrefix, Equal],
            AgentMatch => &[Equal],
            EmptyAgent => &[Accept, Ignore],
            // "Google ignores invalid lines"; RFC 9309 2.3.1.5 is about the parseable rules.
            InvalidBetweenAgents if is_google => &[Transparent],
            InvalidBetweenAgents => &[Transparent, EndsRun],
            // RFC 9309 2.2.1: "the matching groups' rules MUST be combined".
            AgentPrecedence if is_google => &[MostSpecific],
            AgentPrecedence => &[All, MostSpecific],
            StarText => &[Keep, Accept, Pattern, Cut, Ignore],
            StarGroups => &[Combine, FirstOnly],
            // Only the guide of 2021 makes this exception.
            AdsBotStar if is_google => &[No, Yes],
            AdsBotStar => &[Yes],
            LeadingSlash => &[Ignore, Literal, AssumeSlash],
            LeadingStar if is_google => &[Literal, AssumeSlash, Ignore],
            LeadingStar => &[Literal, AssumeSlash],
            MidDollar => &[Literal, End],
            // RFC 9309 2.2.2: "encountered in the URI, it MUST be unencoded".
            AsciiEscape if is_google => &[Equal, Different],
            AsciiEscape => &[Equal, EqualInUrl],
            QueryEscape if !is_google => &[Equal],
            HexCase | SlashDigits | ReservedEscape | QueryEscape => &[Equal, Different],
            PartialEscape => &[No, Written, Capitals, SmallLetters],
            EncodesReserved => &[No, Yes],
            EscapedSpecial if is_google => &[Equal, Different],
            EscapedSpecial => &[Equal],
            // Such a text is not a URI.
            BrokenEscape => &[Keep, Allow, Disallow],
            DotSegments => &[Keep, Url, Both, Whole],
            EscapedDot => &[Yes, No],
            // By RFC 9309 the rules count only where one names the file: see `rulings`.
            RobotsTxtItself => &[Allow, ByRules],
            // "The /robots.txt URI": decoding is "prior to comparison" with rules, and no text mentions a query.
            EscapedRobotsTxt => &[Equal, Different],
            RobotsTxtQuery => &[Ignore, Accept],
            // "most octets" in RFC 9309; "length of the rule path" in google-2026.
            LengthOf if is_google => &[Written, Encoded, EncodedUnsafe, EncodedReserved, Characters],
            LengthOf => &[Written, Encoded, EncodedUnsafe, EncodedReserved],
            // RFC 9309 2.2.2 does not say when two rules "are equivalent".
            Equivalent if is_google => &[Allow],
            Equivalent => &[Allow, Disallow],
            TrailingStarCounts => &[No, Yes],
        }
    }
}
