//! The table of questions, in the order of the chapters of the specification.

use super::{Choice, Row, TypedQuestion, alike};
use crate::answer::*;
use crate::edition::Edition;

questions! {
    // ---- Lines ----

    Typo: Acceptance = "a field name within two edits of a known one, without its hyphen, or with a space for it" {
        Koster1994 | Koster1996 | GooglePre2019 | Rfc9309 | Rfc9309Aipref => [Ignore, Accept],
        Google2019 | Google2021 | Google2026 => [Ignore],
    } because "google-pre-2019 does not define simple errors; google-2019 and google-2021 do not support them; RFC 9309 2.2.4 allows crawlers to accept misspellings of other records"
    about ["L-typo", "L-unknown"];

    TypoOfTwo: MisspeltField = "a misspelling of two fields (`sallow`)" {
        Koster1994 | Koster1996 | GooglePre2019 | Rfc9309 | Rfc9309Aipref => [Nearest, Other],
        _ => [Nearest],
    } because "no text that allows misspellings says which field they stand for";

    MissingColon: Acceptance = "a known field name, white space and a value, without a colon" {
        Koster1994 | Koster1996 | GooglePre2019 | Google2019 | Google2021 | Rfc9309 | Rfc9309Aipref => [Ignore, Accept],
        Google2026 => [Ignore],
    } because "only valid lines count, but the texts advise parsers to be lenient; google-2026 does not"
    about ["L-record", "L-valid-only"];

    FieldPrefix: Acceptance = "a longer word that starts with a known field name (`disallowed`, `user-agents`)" {
        Koster1994 | Koster1996 | GooglePre2019 | Rfc9309 | Rfc9309Aipref => [Ignore, Accept],
        Google2019 | Google2021 | Google2026 => [Ignore],
    } because "field names are exact; google-pre-2019 does not define simple errors such as these, and RFC 9309 2.2.4 allows to be lenient with common misspellings"
    about ["L-typo", "L-unknown"];

    Markup: Acceptance = "a record inside mark-up (`<li>disallow: /a</li>`)" {
        Rfc9309 | Rfc9309Aipref => [Ignore, Accept],
        _ => [Ignore],
    } because "Google's editions ignore invalid lines such as mark-up; RFC 9309 2.3.1.5 requires to try to parse each line, and advises nothing about what may be found in it; the other texts know a record alone"
    about ["L-valid-only"];

    KnownExtension: Acceptance = "a record of an extension by which others forbid paths (`noindex`, `visit-time`, `request-rate`)" {
        GooglePre2019 | Rfc9309 | Rfc9309Aipref => [Ignore, Accept],
        _ => [Ignore],
    } because "RFC 9309 2.2.4 allows crawlers to interpret other records, and google-pre-2019 says that other fields can be ignored; the other texts ignore them"
    about ["L-unknown"]
    mistakes {
        Accept: "records of extensions such as `visit-time` and `noindex` forbid paths",
    } advice "The text ignores fields that it does not define.";

    FieldSpace: Acceptance = "white space before the name of a field, or between the name and the colon" {
        Koster1994 | Koster1996 => [Accept, Ignore],
        _ => [Accept],
    } because "neither text before Google's derives it: in koster-1994 a line is `<field>:<optionalspace><value><optionalspace>`, in koster-1996 3.3 space follows the colon alone; the later texts have it on both sides"
    about ["L-record", "L-field-start"];

    NonAsciiLine: Acceptance = "a line with characters outside ASCII" {
        Koster1996 => [Accept, Ignore],
        _ => [Accept],
    } because "in the grammar of koster-1996, 3.3, a character is one of US-ASCII, also in a comment; the later texts are about UTF-8, and koster-1994 names no encoding";

    AllowField: Acceptance = "the field `allow`" {
        Koster1994 => [Ignore],
        _ => [Accept],
    } because "koster-1994 has the field `disallow` alone, and ignores other fields";

    ContentUsage: RecordKind = "a line with the field `content-usage`" {
        Rfc9309Aipref => [Rule],
        _ => [Other],
    } because "the draft adds it to the rules of a group; in the other texts it is an unknown field";

    UsageValue: RecordKind = "a line with the field `content-usage` whose value is not a preference" {
        Rfc9309Aipref => [Rule, Other],
        _ => [Other],
    } because "the grammar of the draft does not derive it, and the texts advise parsers to be lenient";

    UsageTypo: RecordKind = "a misspelling of `content-usage`, also without a colon" {
        Rfc9309Aipref => [Other, Rule],
        _ => [Other],
    } because "RFC 9309 2.2.4 allows crawlers to accept misspellings, and the draft does not exclude its field";

    UsageTie: GroupChoice = "usage rules of the same length whose paths are not identical" {
        Rfc9309Aipref => [Combine, FirstOnly, LastOnly],
        _ => [Combine],
    } because "the draft says of identical paths alone that their preferences apply separately; the other texts have no usage rules";

    UsageLength: PathLength = "the length of the path of a usage rule" {
        Rfc9309Aipref => [Encoded, EncodedUnsafe, EncodedReserved],
        _ => [Encoded],
    } because "the draft counts the bytes of the encoded path; RFC 9309 encodes more characters in its table than in its text";

    UsageConflict: YesOrNo = "whether a parser itself settles a conflict of preferences for one path (`train-ai=n`, `train-ai=y`)" {
        Rfc9309Aipref => [No, Yes],
        _ => [No],
    } because "the preferences apply separately, and what they amount to is the subject of another draft";

    OtherLineEnd: LineEnd = "whether a line ends at another character than CR and LF (VT, FF, FS, GS, RS, U+0085, U+2028, U+2029)" {
        _ => [No],
    } because "the texts name CR, LF and CR LF as the ends of a line"
    about ["L-eol"]
    mistakes {
        Yes: "lines also end at other characters, such as form feed or U+2028",
        LineFeed: "a line does not end at a CR alone",
    } advice "A line ends at CR, LF or CR LF, and at no other character, also where a language splits lines at more.";

    InvalidUtf8: InvalidBytes = "a line with bytes that are not UTF-8 outside its comment" {
        _ => [Keep, Ignore, Drop, Replace, Decode],
    } because "Google's editions say that other encodings may be parsed incorrectly, or that characters may be ignored; RFC 9309 2.2.2 allows crawlers to bridge encoding mismatches; the texts of 1994 and 1996 name no encoding"
    about ["L-encoding"]
    mistakes {
        IgnoreFile: "a file with bytes that are not UTF-8 has no rules",
    } advice "Other encodings may be read incorrectly, and the lines in ASCII still count.";

    OddComment: Acceptance = "a record before a comment with control characters, or with bytes that are not UTF-8" {
        Rfc9309 | Rfc9309Aipref => [Accept, Ignore],
        _ => [Accept],
    } because "the grammar of RFC 9309 does not derive such a line, and 2.3.1.5 requires the parseable rules alone; the other texts ignore a comment, whatever it contains"
    about ["L-valid-only", "L-comment"];

    Comment: Removal = "a comment after a value" {
        _ => [Drop],
    } because "every text allows a comment after a value, and ignores it"
    about ["L-comment"]
    mistakes {
        Keep: "a comment after a value is a part of the value",
    } advice "The value ends before the first `#`.";

    ControlCharacter: OddText = "a control character inside a value" {
        _ => [Keep, Ignore, Cut],
    } because "the grammar does not derive it, but the texts advise parsers to be lenient; RFC 9309, 3, advises to reject it"
    about ["L-out-of-bound"];

    OtherWhitespace: Whitespace = "white space other than space and tab at the start or end of a field or value" {
        _ => [Keep, Drop, DropMark],
    } because "in the grammar, WS is space and tab; the prose says white space"
    about ["L-trim"];

    InnerSpace: OddText = "a space or tab inside a path" {
        _ => [Keep, Cut, Ignore],
    } because "the grammar does not derive it, but the texts advise parsers to be lenient";

    Bom: Removal = "a byte order mark at the start of the file" {
        GooglePre2019 | Google2019 | Google2021 | Google2026 => [Drop],
        Koster1994 | Koster1996 | Rfc9309 | Rfc9309Aipref => [Drop, Keep],
    } because "Google's editions ignore it; the other texts do not mention it"
    about ["L-bom"];

    SizeLimit: CountedSize = "how much of a large file counts" {
        Koster1994 | Koster1996 | GooglePre2019 => [Limit512000, Limit500000, Unlimited, Larger],
        Google2019 | Google2021 => [Limit512000, Unlimited],
        Rfc9309 | Rfc9309Aipref => [Limit512000, Unlimited, Larger],
        Google2026 => [Limit512000],
    } because "the texts of 1994 and 1996 have no limit; google-pre-2019 says 500 KB, and that crawlers may ignore the rest; google-2019 and google-2021 say that a limit may be enforced; RFC 9309 2.5 says at least 500 KiB"
    about ["L-size", "L-size-minimum"];

    CutLine: PartialLine = "the line that the size limit cuts in two" {
        _ => [Keep, Ignore],
    } because "no text says anything about it";

    NoFinalNewline: Acceptance = "a last line without a line end" {
        _ => [Accept],
    } because "the prose mentions the end of the line or of the file, although the grammar requires a line end";

    // ---- Groups and agents ----

    AgentCase: LetterCase = "the letter case of an agent's name" {
        Google2019 | Google2021 => [Insensitive, Sensitive],
        _ => [Insensitive],
    } because "google-2019 and google-2021 call it case-sensitive, but their tables write the name of one crawler in two cases"
    about ["A-case"]
    mistakes {
        Sensitive: "names of agents are compared with their letter case",
        AgentInSmallLetters: "the agent is in small letters before its name is compared, and the names in the file are not",
    } advice "`foobot` and `FooBot` are the same agent: compare without letter case.";

    AgentFold: Equality = "the Kelvin sign and the long s in an agent's name, compared with the letters `k` and `s`" {
        _ => [Different, Equal],
    } because "names are compared without regard to case, and no text says whether by ASCII or by Unicode; RFC 9309 2.2.1 names the letters of ASCII alone"
    about ["A-case"];

    CrawlerName: CrawlerName = "the name of a crawler that is not a product token (`Foo Bar`, `Foo/1.0`)" {
        GooglePre2019 => [Text],
        _ => [Keep, Word, Token],
    } because "the grammar of google-pre-2019 derives any text as a name, such as `MJ12bot`; no other text says which token such a crawler has";

    HttpToken: YesOrNo = "whether a token of HTTP (`MJ12bot`, `bot.example`) is an agent's name as a whole" {
        Koster1996 => [Yes],
        _ => [No],
    } because "in koster-1996, 3.3, an agent is a token as HTTP defines it (RFC 2068, 2.2); the tokens of the other texts are other ones"
    about ["A-token"];

    AgentSuffix: Suffix = "an agent's name followed by `/` and a version, or by `*`" {
        Koster1994 => [Keep, Cut],
        Koster1996 => [Keep, Cut, Ignore],
        GooglePre2019 | Google2019 | Google2021 | Google2026 => [Cut],
        Rfc9309 | Rfc9309Aipref => [Cut, Keep, Ignore],
    } because "koster-1996 searches the whole value, and its grammar derives tokens alone; Google's editions treat `googlebot/1.2` and `googlebot*` as `googlebot`; the grammar of RFC 9309 derives neither"
    about ["A-suffix", "A-token"];

    AgentText: OddText = "an agent's name followed by other text (`a, b`, `a b`, `a.b`)" {
        Koster1994 => [Keep, Cut],
        GooglePre2019 | Google2026 => [Cut],
        Koster1996 => [Keep, Cut, Ignore],
        Google2019 | Google2021 | Rfc9309 | Rfc9309Aipref => [Cut, Keep, Ignore],
    } because "Google's editions ignore all text that does not match, as in `googlebot/1.2`; the grammars of google-2019, google-2021 and RFC 9309 derive a token alone (RFC 9309, erratum 8895), as does that of koster-1996, which searches the whole value"
    about ["A-token"];

    AgentOther: OddText = "an agent's name with digits or other characters outside a product token" {
        Koster1994 => [Keep],
        GooglePre2019 => [Keep, Cut],
        Google2026 => [Cut],
        Koster1996 | Google2019 | Google2021 | Rfc9309 | Rfc9309Aipref => [Keep, Cut, Ignore],
    } because "koster-1994 has no grammar of a name; that of google-pre-2019 derives any text, and its prose ignores text that does not match, as does that of google-2026, which refers to the tokens of RFC 9309; the tokens of koster-1996 are those of HTTP, and those of the other editions consist of letters, `-` and `_`"
    about ["A-token"];

    AgentMatch: TokenMatch = "a token that is not the crawler's token, but a part of it, or that contains it" {
        Koster1994 => [Contains, PartOf, Equal],
        Koster1996 => [Contains],
        GooglePre2019 | Google2019 | Google2021 => [HyphenPrefix, AnyPrefix, Equal],
        Google2026 => [Equal, HyphenPrefix, AnyPrefix],
        Rfc9309 | Rfc9309Aipref => [Equal],
    } because "koster-1994 recommends a substring match, koster-1996 searches the name in the value; Google's table shows it for `googlebot` alone, and in google-2026 no longer; RFC 9309 2.2.1 requires the product token itself"
    about ["A-specific", "A-one"]
    mistakes {
        HyphenPrefix: "a group applies to an agent although it names only the part of the agent's name before a hyphen",
        AnyPrefix: "a group applies to an agent although it names only the start of the agent's name",
        PartOf: "a group applies to an agent although it names only a part of the agent's name",
    } advice "The group for `foo` is not the group for `foobot`: compare whole names." alike GooglebotMatch;

    GooglebotMatch: TokenMatch = "the token `googlebot` and the crawlers `googlebot-image`, `googlebot-images` and `googlebot-news`" {
        Koster1994 => [Contains, PartOf, Equal],
        Koster1996 => [Contains],
        GooglePre2019 | Google2019 | Google2021 => [HyphenPrefix],
        Google2026 => [Equal, HyphenPrefix, AnyPrefix],
        Rfc9309 | Rfc9309Aipref => [Equal],
    } because "in Google's table before google-2026, `googlebot-images` follows the group of `googlebot`; the other texts make no exception for it";

    EmptyAgent: Acceptance = "a user-agent line without a name" {
        _ => [Accept, Ignore],
    } because "no text says anything about it: it starts a group that names no crawler, or it is not a valid line"
    about ["A-required"];

    StarText: StarName = "`*` together with other text as an agent's name (`* foo`, `*bot`)" {
        _ => [Keep, Accept, Pattern, Cut, Ignore],
    } because "the guide of google-2021 mentions `*` as a prefix or suffix; no grammar derives it, and a parser may cut or ignore text that no grammar derives"
    about ["A-star"];

    AgentPrecedence: GroupPrecedence = "several groups whose tokens name the agent" {
        Koster1994 => [First, MostSpecific, All],
        Koster1996 => [First],
        Rfc9309 | Rfc9309Aipref => [MostSpecific, All],
        _ => [MostSpecific],
    } because "koster-1996 uses the first record that names the robot; koster-1994 does not specify it; Google's editions use the most specific token, and RFC 9309 2.2.1 combines the matching groups";

    SameAgentGroups: GroupChoice = "two groups that name the agent" {
        Koster1994 | GooglePre2019 => [Combine, FirstOnly],
        Koster1996 => [FirstOnly],
        Google2019 | Google2021 | Rfc9309 | Google2026 | Rfc9309Aipref => [Combine],
    } because "google-pre-2019 does not specify it; the guide of google-2021 uses the first group, its specification combines the groups; koster-1996 uses the first record"
    about ["G-merge"]
    mistakes {
        FirstOnly: "only the first of several groups that name an agent is read",
        LastOnly: "only the last of several groups that name an agent is read",
    } advice "The groups are one group: combine their rules." alike StarGroups;

    StarAdded: YesOrNo = "whether the rules for `*` also apply to an agent that another group names" {
        _ => [No],
    } because "a crawler follows the rules for `*` only where no group names it (RFC 9309, 2.2.1)"
    about ["G-merge-alone", "A-one"]
    mistakes {
        Yes: "the rules for `*` also apply to an agent that has a group of its own",
    } advice "The group for `*` is for agents that no other group names.";

    StarIsShort: YesOrNo = "whether a group for `*` before the agent's own is as specific as a token of one letter" {
        _ => [No],
    } because "a crawler follows the group for `*` only where no group names it (RFC 9309, 2.2.1), whatever the length of its name"
    about ["A-specific", "A-one"]
    mistakes {
        Yes: "a token of one letter is as specific as `*`, so that the first of the two groups applies",
    } advice "The group for `*` is for agents that no other group names.";

    StarGroups: GroupChoice = "two groups for `*`" {
        Koster1996 => [FirstOnly],
        _ => [Combine, FirstOnly],
    } because "the texts combine the groups of a specific agent, and do not say so of `*`; koster-1994 forbids a second one; koster-1996 uses the first"
    about ["G-merge"];

    BlankLine: LineBetween = "a blank line inside a group" {
        Koster1994 | Koster1996 => [EndsRun],
        _ => [Transparent],
    } because "in the texts of 1994 and 1996 blank lines separate the records";

    AgentAfterRule: LineBetween = "a user-agent line after a rule, without a blank line between them" {
        Koster1994 | Koster1996 => [EndsRun, Transparent, Ignore],
        _ => [EndsRun],
    } because "it starts a group; in the texts of 1994 and 1996 only a blank line ends a record, and the agents of a record are before its rules";

    OtherRecordBetweenAgents: LineBetween = "a record other than a rule between two user-agent lines" {
        Koster1996 => [Transparent, EndsRun, Ignore],
        Koster1994 | GooglePre2019 | Google2019 | Google2021 => [Transparent, EndsRun],
        Rfc9309 | Google2026 | Rfc9309Aipref => [Transparent],
    } because "RFC 9309 2.2.4 forbids that other records interfere; google-2026 has an example; in the grammar of koster-1996, 3.3, another record is a rule line, and agents are before the rules"
    about ["G-nongroup", "L-unknown"];

    InvalidLineBetweenAgents: LineBetween = "a line that is no record (no word before a colon, or `user-agent` without a name) between two user-agent lines" {
        Koster1996 => [Transparent, EndsRun, Ignore],
        Google2026 => [Transparent],
        _ => [Transparent, EndsRun],
    } because "google-2026 ignores invalid lines; in Google's earlier editions such a line may be a record without its colon, and what a record does there is open; RFC 9309 2.3.1.5 requires the parseable rules, and 2.2.4 is about other records alone; the texts of 1994 and 1996 do not mention it"
    about ["G-run", "L-valid-only"];

    BlankBetweenAgents: LineBetween = "a blank line or comment between two user-agent lines" {
        GooglePre2019 => [Transparent, EndsRun],
        _ => [Transparent],
    } because "in the grammar of google-pre-2019 user-agent lines follow each other; the later grammars allow `emptyline` between them; in the texts of 1994 and 1996 a comment does not separate records"
    about ["G-blank"];

    EmptyRule: LineBetween = "an allow or disallow line without a path between two user-agent lines" {
        GooglePre2019 => [EndsRun, Transparent],
        _ => [EndsRun],
    } because "the grammar of google-pre-2019 has no rule without a path; google-2026 refers to RFC 9309, whose rules may have an empty path, and a rule that is ignored restricts nothing";

    EmptyRecord: Acceptance = "a group without rules" {
        Koster1994 | Koster1996 => [Accept, Ignore],
        _ => [Accept],
    } because "in koster-1994 a record has at least one disallow line, and the grammar of koster-1996, 3.3, has `1*ruleline`: a robot that such a record names may follow the record of `*`; in the later texts the last group may have no rules"
    about ["G-empty-last", "G-record-rule"];

    AdsBotStar: YesOrNo = "whether `*` covers a crawler whose token starts with AdsBot" {
        GooglePre2019 | Google2019 => [Yes, No],
        Google2021 => [No],
        Google2026 => [Yes, No],
        Koster1994 | Koster1996 | Rfc9309 | Rfc9309Aipref => [Yes],
    } because "the guide of google-2021 requires that a group names AdsBot crawlers (Google-specific); google-2026 does not mention it"
    about ["A-adsbot"];

    // ---- Paths ----

    StarInPath: Wildcard = "`*` in a path" {
        Koster1994 | Koster1996 => [Literal],
        _ => [Special],
    } because "the texts of 1994 and 1996 have no wildcards"
    about ["M-star"]
    mistakes {
        Literal: "`*` in a path is taken literally",
    } advice "It stands for any number of characters, including none.";

    DollarInPath: EndAnchor = "`$` in a path" {
        Koster1994 | Koster1996 => [Literal],
        _ => [Special],
    } because "the texts of 1994 and 1996 have no wildcards"
    about ["M-dollar"]
    mistakes {
        Literal: "`$` at the end of a path is taken literally",
        Either: "`$` at the end of a path is the end of the URL or the character itself",
    } advice "It stands for the end of the URL.";

    LeadingSlash: PathStart = "a path that starts with neither `/` nor `*`" {
        GooglePre2019 => [AssumeSlash],
        _ => [Keep, Ignore, AssumeSlash],
    } because "google-pre-2019 assumes the slash; the other editions say that a path must start with `/`, and do not specify the effect of one that does not"
    about ["M-root", "M-first-octet"];

    UnsafeInRule: Acceptance = "a rule with a character that the path of no URL contains (`|`, `<`, `?`, a `%` that starts no escape)" {
        Koster1996 => [Accept, Ignore],
        _ => [Accept],
    } because "the grammar of koster-1996, 3.3, has the characters of the path of a URL alone (RFC 1738, 5), although its table has a `~`; the later grammars have all characters but spaces and controls";

    LeadingStar: PathStart = "a path that starts with `*`" {
        GooglePre2019 | Rfc9309 | Rfc9309Aipref => [Keep, AssumeSlash],
        _ => [Keep, AssumeSlash, Ignore],
    } because "the grammars forbid it; the example of RFC 9309 5.1 uses it (erratum 7995)"
    about ["M-root", "M-first-octet"];

    EmptyDisallow: Acceptance = "whether a disallow line without a path allows everything" {
        Koster1994 | Koster1996 => [Ignore, Accept],
        _ => [Ignore],
    } because "in koster-1994 it means that every URL may be retrieved, even where the record has other lines; the later texts ignore it";

    EmptyAllow: EmptyAllow = "an allow line without a path" {
        Koster1996 => [Ignore, Keep, Accept],
        _ => [Keep],
    } because "in koster-1996 an empty path is the start of every URL, but the grammar does not derive it; the later texts ignore it";

    PathPortion: UrlPortion = "the parameters and the query of the URL (`;a`, `?b`)" {
        Koster1996 => [Whole, Path],
        _ => [Whole],
    } because "koster-1996, 3.2.2, compares the path portion of the URL, which contains neither (RFC 1808, 2.1); the later texts have examples with a query"
    about ["M-query"]
    mistakes {
        WithoutQuery: "the query of the URL is dropped before rules are compared with it",
        WithoutEmptyQuery: "the `?` of an empty query is dropped from the URL before rules are compared with it",
        WithoutEmptyParts: "the `?` of an empty query and the `;` of empty parameters are dropped from the URL before rules are compared with it",
    } advice "A rule is compared with the path and the query.";

    RuleCharacters: RuleText = "the characters of a rule other than `*` and `$`" {
        _ => [Literal],
    } because "the texts compare them with the characters of the URL, and define no further special ones"
    about ["M-prefix"]
    mistakes {
        Expression: "a rule is used as a regular expression, so that `.`, `?` and `+` do not stand for themselves",
    } advice "No other characters than `*` and `$` are special in a rule: escape them where it becomes a regular expression.";

    MatchAnywhere: MatchStart = "whether a rule also matches behind the first byte of the path" {
        _ => [First],
    } because "a rule is compared with the start of the path; `*` at its start is for other places"
    about ["M-first-octet", "M-prefix"]
    mistakes {
        Any: "a rule matches anywhere in the path",
        AnyWithWildcard: "a rule with a wildcard matches anywhere in the path",
    } advice "A rule matches from the first byte of the path on.";

    MidDollar: Dollar = "`$` before the end of a path" {
        _ => [Keep, End],
    } because "`$` designates the end of the URL"
    about ["M-dollar"];

    Escapes: EscapeMeaning = "an escape in a path (`%62`)" {
        _ => [Byte],
    } because "every text that mentions escapes compares the bytes that they encode; how each byte compares with its escape is the subject of the next questions"
    about ["M-percent", "M-non-ascii"]
    mistakes {
        Written: "percent-encoded characters are compared as they are written",
        WrittenInQuery: "percent-encoded characters of a query are compared as they are written",
    } advice "Bring rule and URL to one form first: decode unreserved characters, encode characters that are not ASCII.";

    NonAscii: Equality = "a byte outside ASCII compared with its percent-encoded form" {
        Koster1994 => [Equal, Different],
        _ => [Equal],
    } because "every edition says that the two forms are the same, other than koster-1994, which does not mention escapes"
    about ["M-non-ascii"];

    ReplacedBytes: YesOrNo = "whether bytes of a path that are not UTF-8 are replaced by U+FFFD" {
        _ => [No],
    } because "every text compares bytes, other than koster-1994, which does not mention them"
    about ["M-non-ascii"]
    mistakes {
        Yes: "bytes that are not UTF-8 are replaced, so that a rule with a part of a character (`*%A9`) does not match it",
    } advice "Compare bytes, not characters.";

    RawUrl: RawByte = "a byte outside ASCII in the URL that is not percent-encoded" {
        Rfc9309 | Google2026 | Rfc9309Aipref => [Equal],
        _ => [Equal, Written, Different],
    } because "RFC 9309 2.2.2 encodes the bytes of the URI, and google-2026 compares percent-encoded forms; a URL of RFC 1738, on which the older texts rest, has no such bytes";

    AsciiEscape: UnreservedEscape = "an escaped unreserved character compared with the character (`%62`, `b`)" {
        Koster1996 => [Equal],
        Rfc9309 | Rfc9309Aipref => [Equal, EqualInUrl],
        _ => [Equal, Different],
    } because "koster-1996 decodes both; RFC 9309 2.2.2 decodes them in the URI, and does not specify whether they are decoded in the rule"
    about ["M-percent", "M-non-ascii"];

    HexCase: HexDigits = "the hexadecimal digits of an escaped byte other than `/` in another letter case" {
        Koster1996 => [Equal],
        _ => [Equal, Different],
    } because "RFC 3986 calls them equivalent; no edition mentions it, and koster-1996 decodes both"
    about ["M-percent", "M-non-ascii"]
    mistakes {
        RuleInCapitals: "the digits of an escape become capitals in a rule and not in the URL, so that a rule with small letters does not match the URL that is written in the same way",
    } advice "Escapes of the rule and of the URL are written in the same way before they are compared." alike SlashDigits;

    SlashDigits: HexDigits = "the hexadecimal digit of an escaped slash in another letter case (`%2f`, `%2F`)" {
        _ => [Equal, Different],
    } because "RFC 3986 calls them equivalent; no edition mentions it, and koster-1996 does not decode them";

    ReservedEscape: Equality = "an escaped ASCII byte that is not unreserved compared with the byte itself (`%3A`, `:`)" {
        Koster1996 => [Equal],
        _ => [Equal, Different],
    } because "koster-1996 decodes both; RFC 9309 2.2.2 and its table contradict each other; the other editions are silent"
    about ["M-percent", "M-non-ascii"];

    ReservedByte: ReservedCharacter = "a character such as `=` or `'`, which some encoders escape, compared with itself" {
        _ => [Equal],
    } because "it is the same character in every text, whatever its escape is"
    about ["M-prefix"]
    mistakes {
        DifferentInQuery: "a rule with a character such as `=` or `'` does not match the same character in a query, as if only one of them were percent-encoded",
        DifferentInPath: "a rule with a character such as `=` or `'` does not match the same character in a path, as if only one of them were percent-encoded",
    } advice "Rule and URL are percent-encoded in the same way before they are compared.";

    QueryEscape: Equality = "`:` or `/` in a query, compared with its escape (`%3A`, `%2F`)" {
        Koster1996 | Rfc9309 | Rfc9309Aipref => [Equal],
        _ => [Equal, Different],
    } because "koster-1996 decodes both; RFC 9309 2.2.2 requires to percent-encode reserved characters, and its table does so with these two in a query; the other editions are silent"
    about ["M-percent", "M-query"];

    PartialEscape: YesOrNo = "whether a rule that may match a part of an escape, in some spelling, matches (`/a%` or `*3%83` compared with `/a%E3%83%84`)" {
        _ => [No, Yes],
    } because "RFC 9309 2.2.2 compares bytes after percent-encoding, and does not specify whether an escape is then one byte or three";

    EscapedSlash: Equality = "`%2F` compared with `/` in the path" {
        Koster1994 => [Different, Equal],
        _ => [Different],
    } because "a slash is a delimiter, and its escape is data (RFC 3986 2.2, koster-1996); koster-1994 does not mention escapes"
    about ["M-percent", "M-non-ascii"]
    mistakes {
        Equal: "`%2F` in a path is the same as `/`",
    } advice "A slash separates segments, and its escape does not: do not decode it.";

    EscapedSpecial: SpecialEscape = "`%2A` or `%24` in a rule compared with `*` or `$` in the URL" {
        Koster1996 | Rfc9309 | Rfc9309Aipref => [Equal],
        _ => [Equal, Different],
    } because "RFC 9309 2.2.3 writes the verbatim characters in this way; koster-1996 decodes both"
    about ["M-literal", "M-percent"]
    mistakes {
        Wildcard: "`%2A` and `%24` in a rule are wildcards, and not the characters `*` and `$`",
    } advice "Find the wildcards of a rule before its escapes are decoded.";

    BrokenEscape: BrokenUrl = "a `%` of the URL that starts no escape (`/100%`)" {
        _ => [Keep, Allow, Disallow],
    } because "such a text is not a URL (RFC 1738, 2.2; RFC 3986, 2.1), and no edition says what a crawler makes of it"
    about ["M-percent"];

    Fragment: Removal = "the fragment of the URL" {
        _ => [Drop],
    } because "a fragment is not part of the URL that a client requests (RFC 1738, RFC 3986)";

    DotSegments: Normalisation = "`.` and `..` as segments of a path" {
        _ => [Keep, NormaliseUrl, NormaliseBoth, NormaliseWhole],
    } because "RFC 3986 6.2.2.3 allows clients to remove them; no edition mentions it";

    EscapedDot: YesOrNo = "whether an escaped dot is a dot of such a segment (`%2e%2e`), where they are removed"  {
        _ => [Yes, No],
    } because "RFC 3986 5.2.4 removes segments of dots, 6.2.2.2 decodes their escapes; no edition mentions either";

    DoubleSlash: Slashes = "two slashes in a row" {
        _ => [Keep],
    } because "RFC 3986 does not merge them"
    mistakes {
        Drop: "slashes in a row are compared as one",
        DropInUrl: "slashes in a row are one in the URL and several in a rule",
        Host: "a rule that starts with `//` is read as a host with a path",
    } advice "A rule is compared with the path of the URL as it is written, and is no URL itself.";

    RootPath: EmptyPath = "a URL without a path (`http://example.com`) compared with the path `/`" {
        _ => [Equal],
    } because "RFC 3986 6.2.3 calls them equivalent, and a request has the path `/` for both"
    about ["M-prefix"]
    mistakes {
        Different: "no rule matches a URL without a path",
        DifferentWithQuery: "no rule matches a URL that has a query and no path",
    } advice "Use the path `/` where the URL has none.";

    RobotsTxtItself: OwnUrl = "the URL of the robots.txt itself, where no rule names it" {
        Koster1996 | Rfc9309 | Rfc9309Aipref => [Allow],
        _ => [ByRules, Allow],
    } because "koster-1996 and RFC 9309 2.2.2 allow it; the other editions are silent"
    about ["M-robots-txt"];

    RobotsTxtNamed: OwnUrl = "the URL of the robots.txt itself, where a rule names it" {
        Koster1996 => [Allow],
        _ => [ByRules, Allow],
    } because "koster-1996 allows it always; RFC 9309 2.2.2 allows it implicitly, which a rule may contradict; the other editions are silent";

    EscapedRobotsTxt: Equality = "`/robots.txt` with escaped characters (`/r%6Fbots.txt`) compared with the plain path" {
        _ => [Equal, Different],
    } because "RFC 9309 2.2.2 decodes escapes before a comparison with rules, and mentions the URI /robots.txt; no other edition mentions it"
    about ["M-robots-txt"];

    // ---- Precedence ----

    FirstRule: RulePrecedence = "several matching rules" {
        Koster1994 => [First, MostSpecific],
        Koster1996 => [First],
        _ => [MostSpecific],
    } because "in koster-1996 the first match decides, in the later texts the most specific match; koster-1994 has no allow rules"
    about ["O-longest", "O-first"]
    mistakes {
        First: "the first rule that matches decides",
        Last: "the last rule that matches decides",
        AnyAllow: "an allow rule that matches decides, however short",
        AnyDisallow: "a disallow rule that matches decides, as if there were no allow rules",
        Shortest: "the shortest rule that matches decides",
        FirstWildcard: "the first rule with a wildcard that matches decides, whatever its length",
    } advice "The longest rule decides, wherever it is in the group, and allow decides between two of the same length.";

    WildcardPrecedence: WildcardConflict = "two conflicting rules of different length, one of them with a wildcard" {
        GooglePre2019 => [LongerWins, LeastRestrictive, MostRestrictive],
        Google2019 | Google2021 => [LongerWins, LeastRestrictive],
        _ => [LongerWins],
    } because "google-pre-2019 does not define it; in google-2019 and google-2021 the text and its table contradict each other"
    about ["O-wildcard", "O-longest"];

    EqualLength: Tie = "an allow and a disallow rule of the same length" {
        GooglePre2019 => [Allow, Disallow],
        _ => [Allow],
    } because "google-pre-2019 has no row for it; by RFC 9309 2.2.2 a crawler should use the allow rule"
    about ["O-tie"]
    mistakes {
        Disallow: "a disallow rule decides where an allow rule has the same length",
        First: "the first of an allow and a disallow rule of the same length decides",
        Last: "the last of an allow and a disallow rule of the same length decides",
    } advice "The allow rule decides: the least restrictive rule." alike Equivalent;

    Equivalent: Tie = "an allow and a disallow rule of the same length whose paths differ" {
        GooglePre2019 | Rfc9309 | Rfc9309Aipref => [Allow, Disallow],
        _ => [Allow],
    } because "RFC 9309 2.2.2 prefers the allow rule of two equivalent rules, and does not specify whether rules of the same length are equivalent; Google's later editions prefer the least restrictive rule";

    LengthOf: PathLength = "what the length of a path is" {
        Rfc9309 | Rfc9309Aipref => [Written, Encoded, EncodedUnsafe, EncodedReserved],
        Google2026 => [Written, Encoded, EncodedUnsafe, EncodedReserved, Characters],
        _ => [Written, Encoded, EncodedUnsafe, Characters],
    } because "Google's editions mention the length of the path entry, and do not say in which unit; google-2026 compares percent-encoded forms; RFC 9309 2.2.2 counts bytes, and its table encodes reserved characters in a query"
    about ["O-longest"]
    mistakes {
        Matched: "the length of a rule is that of the stretch of the URL that it matches",
    } advice "The length that counts is that of the path in the file, not of what its wildcards stand for.";

    TrailingStarCounts: YesOrNo = "whether a trailing `*` counts in precedence" {
        _ => [No, Yes],
    } because "a trailing wildcard is ignored, but the length of the entry decides"
    about ["M-trailing-star"];

    // ---- Scope ----

    DefaultPort: Equality = "the default port of a scheme, written or not (`http://example.com:80`, `http://example.com`)" {
        _ => [Equal],
    } because "both are the same port of the same host"
    about ["S-default-port"]
    mistakes {
        Different: "a URL with the default port of its scheme is of another origin than one without it",
    } advice "Add the default port of the scheme before ports are compared.";

    IdnHost: Equality = "an internationalised host name compared with its punycode" {
        GooglePre2019 | Google2019 | Google2021 | Google2026 => [Equal],
        Koster1994 | Koster1996 | Rfc9309 | Rfc9309Aipref => [Equal, Different],
    } because "Google's table has a row for it; RFC 9309 mentions the authority alone";

    HostForm: Equality = "another spelling of an IP address (`127.1`), or a name that IDNA 2003 and IDNA 2008 encode differently (`faß.de`)" {
        _ => [Equal, Different],
    } because "RFC 3986 has only dotted decimals; the texts cite RFC 3492, and not the mapping before it";

    TrailingDotHost: Equality = "a host name with a final dot compared with the name without it" {
        _ => [Different, Equal],
    } because "no text says anything about it: a resolver finds the same host, a comparison of authorities finds a difference";

    RobotsUrlQuery: Acceptance = "a query after `/robots.txt`, in the URL of the file and in a URL that an agent may fetch" {
        _ => [Ignore, Accept],
    } because "no text says anything about it: the path is the right one, but the URL differs";

    // ---- Sitemaps ----

    RelativeSitemap: Acceptance = "a sitemap that is not an absolute URL" {
        _ => [Ignore, Accept],
    } because "the value is an absolute URL; no text specifies the effect of another value";

    // ---- Access ----

    HopsBeyondFive: Redirection = "more than five redirects in a row" {
        GooglePre2019 => [Stop],
        _ => [Stop, Follow],
    } because "google-pre-2019 stops after five, and treats the result as a 404; the other editions follow at least five";

    EndlessRedirect: Unavailability = "redirects that do not end or lead nowhere, once a crawler stops following them" {
        GooglePre2019 | Google2019 | Google2021 | Google2026 => [AsNotFound],
        Koster1994 | Koster1996 | Rfc9309 | Rfc9309Aipref => [AsNotFound, AsServerError],
    } because "Google's editions treat them as a 404; RFC 9309 2.3.1.2 allows crawlers to treat the file as unavailable";

    RedirectToDisallowed: Redirection = "a redirect to a URL that the rules of another file disallow" {
        Koster1994 | GooglePre2019 => [Follow, Stop],
        _ => [Follow],
    } because "google-pre-2019 does not define it; by google-2019 and google-2021 no rules have been fetched yet";

    ClientRedirect: PageRedirection = "a page that redirects by frame, script or meta tag" {
        Google2019 | Google2021 | Google2026 => [Keep],
        _ => [Keep, Follow],
    } because "google-2019 and google-2021 use the content of the first page; google-pre-2019 does not define it, and the other texts do not mention it";

    OtherSuccess: Success = "a status of success other than 200" {
        Koster1994 | Rfc9309 | Rfc9309Aipref => [UseBody, AsNotFound, AsServerError],
        _ => [UseBody],
    } because "koster-1996 and Google's editions name all statuses 2xx; RFC 9309 2.3.1.1 names none, and a partial or deferred content need not be the file"
    about ["H-2xx"];

    OtherMediaType: Acceptance = "the rules of a file with another media type than `text/plain`" {
        Rfc9309 | Rfc9309Aipref => [Accept, Ignore],
        _ => [Accept],
    } because "RFC 9309 2.3 requires `text/plain` of a robots.txt, so that another file may be none; the other editions name no media type"
    about ["H-media-type"];

    NotFound: AccessWithoutFile = "the status 404, or a response that counts as one" {
        Koster1996 | Rfc9309 | Rfc9309Aipref => [Allow, Disallow],
        _ => [Allow],
    } because "there are no restrictions: by koster-1994 all robots are welcome; koster-1996 and RFC 9309 2.3.1.3 permit access, and a crawler that stays away does nothing that they forbid";

    Unauthorized: AccessWithoutFile = "the status 401 or 403" {
        Koster1996 => [Disallow],
        Koster1994 | Rfc9309 | Rfc9309Aipref => [Allow, Disallow],
        _ => [Allow],
    } because "koster-1996 recommends a complete restriction; for the later texts it is a client error like others";

    ClientError: AccessWithoutFile = "the status of another client error" {
        GooglePre2019 | Google2019 | Google2021 | Google2026 => [Allow],
        _ => [Allow, Disallow],
    } because "Google's editions assume no restrictions; RFC 9309 2.3.1.3 permits access; the texts of 1994 and 1996 do not mention it";

    TooManyRequests: Unavailability = "the status 429" {
        GooglePre2019 | Google2019 | Google2021 => [AsNotFound],
        Google2026 => [AsServerError],
        _ => [AsNotFound, AsServerError],
    } because "its number is that of a client error; google-2026 treats it as a server error, and RFC 9309 allows crawlers to choose what a client error means";

    OtherStatus: Unavailability = "a status that is not a success, a redirect with a location, a client error or a server error" {
        _ => [AsServerError, AsNotFound],
    } because "no text says anything about it";

    NetworkFailure: Unavailability = "no response, or a response that is not HTTP: DNS failure, timeout, connection reset, broken chunks" {
        Koster1994 | Koster1996 | GooglePre2019 => [AsServerError, AsNotFound],
        _ => [AsServerError],
    } because "google-pre-2019 does not define it";

    Misconfigured5xx: Unavailability = "a site that responds with a server error for pages that do not exist" {
        GooglePre2019 | Google2019 | Google2021 => [AsNotFound, AsServerError],
        _ => [AsServerError],
    } because "a crawler that detects it treats it as a 404 (Google-specific, before google-2026)";

    UnreachableWithCopy: AccessWithoutFile = "a server error where there is an earlier copy" {
        Koster1994 => [Disallow, UseCopy, Allow],
        Google2026 => [CopyAfter12Hours],
        _ => [Disallow, UseCopy],
    } because "a server error disallows everything, but a crawler may keep a copy longer where it cannot be refreshed; google-2026 specifies the hours";

    UnreachableWithoutCopy: AccessWithoutFile = "a server error where there is no earlier copy" {
        Koster1994 => [Disallow, Allow],
        Rfc9309 | Rfc9309Aipref => [Disallow, AllowAfterADay],
        Google2026 => [AllowAfter12Hours],
        _ => [Disallow],
    } because "a server error disallows everything; RFC 9309 2.3.1.4 lets crawlers assume that the file is unavailable after a reasonably long time, of which 30 days are an example; google-2026 assumes no restrictions after twelve hours without a copy; koster-1996 recommends to defer visits";

    UnreachableLongWithCopy: AccessWithoutFile = "a server error for more than 30 days, with an earlier copy" {
        Google2019 | Google2021 => [UseCopy],
        Google2026 => [AllowIfSiteAnswers],
        Koster1994 | Koster1996 | GooglePre2019 | Rfc9309 | Rfc9309Aipref => [UseCopy, Allow, Disallow],
    } because "google-pre-2019 does not define permanent errors; RFC 9309 2.3.1.4 allows either";

    UnreachableLongWithoutCopy: AccessWithoutFile = "a server error for more than 30 days, without an earlier copy" {
        Google2019 | Google2021 => [Allow],
        Google2026 => [AllowIfSiteAnswers],
        Koster1994 | Koster1996 | GooglePre2019 | Rfc9309 | Rfc9309Aipref => [Allow, Disallow],
    } because "google-pre-2019 does not define permanent errors; RFC 9309 2.3.1.4 allows crawlers to treat the file as unavailable";

    // ---- Caching ----

    YoungResult: Reuse = "a result that is recent enough to be used again" {
        _ => [Keep, Refresh],
    } because "a crawler may use a result for up to a day, and may fetch the file again earlier";

    OldResultWithoutFile: Reuse = "a result other than a file, such as a 404, that is older than a result may be" {
        Rfc9309 | Rfc9309Aipref => [Refresh, Keep],
        _ => [Refresh],
    } because "RFC 9309 2.4 limits the use of a cached version, also there not while the file is unreachable, and does not say when to ask again where there is none; the other texts limit the age of any result"
    about ["C-24h"];

    ResultAge: Age = "how long a result may be used without `Cache-Control`" {
        Koster1994 => [Day, Week],
        Koster1996 => [Week],
        _ => [Day],
    } because "koster-1996 has a default of seven days, the later texts have a day; koster-1994 does not mention it";

    MaxAge: Acceptance = "how long a result may be used, where `Cache-Control` has a `max-age`" {
        _ => [Accept, Ignore],
    } because "Google's editions allow crawlers to lengthen or shorten the day according to it; RFC 9309 2.4 allows crawlers to use standard cache control";
}
