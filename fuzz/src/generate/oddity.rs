//! Properties that plain files, agents and URLs do not have.

use robotspec_reference::named_enum;

use super::dice::Dice;

named_enum! {
    /// A property that a plain robots.txt does not have.
    pub enum Oddity: "oddity" {
        // Lines
        /// CR or CR LF at the end of lines.
        LineEnds = "line-ends",
        /// No line end at the end of the file.
        NoFinalNewline = "no-final-newline",
        /// A byte order mark.
        Bom = "bom",
        /// Field names in capitals.
        FieldCase = "field-case",
        /// Spaces and tabs around names and values.
        Spacing = "spacing",
        /// Comments.
        Comment = "comment",
        /// Blank lines.
        BlankLine = "blank-line",
        /// Unknown fields.
        UnknownField = "unknown-field",
        /// Misspelt field names.
        Typo = "typo",
        /// Field names that go on after a known name.
        FieldPrefix = "field-prefix",
        /// Records without a colon.
        MissingColon = "missing-colon",
        /// Bytes that are not UTF-8.
        InvalidUtf8 = "invalid-utf-8",
        /// Control characters.
        ControlCharacter = "control-character",
        /// White space other than spaces and tabs.
        OtherWhitespace = "other-whitespace",
        /// Lines that are not records, or a page of HTML.
        Noise = "noise",
        // Groups
        /// Rules before the first group.
        Orphans = "orphans",
        /// Several user-agent lines in a group.
        AgentRun = "agent-run",
        /// Several groups for an agent.
        SameAgent = "same-agent",
        /// Groups without rules.
        EmptyGroup = "empty-group",
        /// Many groups or rules.
        Many = "many",
        /// Other records between user-agent lines.
        Between = "between",
        // Agents
        /// Names in another letter case.
        AgentCase = "agent-case",
        /// Names with a version or a `*` after the token.
        AgentSuffix = "agent-suffix",
        /// Names with further words.
        AgentText = "agent-text",
        /// Names with characters that a token cannot contain.
        AgentOther = "agent-other",
        /// Names that are the start of others.
        AgentPrefix = "agent-prefix",
        /// Empty names.
        EmptyAgent = "empty-agent",
        /// Names of AdsBot crawlers.
        AdsBot = "ads-bot",
        /// Names of fields as names of agents.
        FieldName = "field-name",
        // Paths
        /// `*` in paths.
        Star = "star",
        /// `*` at the end of paths.
        TrailingStar = "trailing-star",
        /// `$` at the end of paths.
        Dollar = "dollar",
        /// `$` elsewhere in paths.
        MidDollar = "mid-dollar",
        /// Empty paths.
        EmptyPath = "empty-path",
        /// Paths that do not start with a slash.
        NoSlash = "no-slash",
        /// URLs instead of paths.
        FullUrl = "full-url",
        /// Paths that differ in letter case.
        PathCase = "path-case",
        /// Queries.
        Query = "query",
        /// Characters outside ASCII.
        NonAscii = "non-ascii",
        /// Escapes of any byte.
        Escape = "escape",
        /// Punctuation.
        Punctuation = "punctuation",
        /// Escapes of reserved characters.
        ReservedEscape = "reserved-escape",
        /// Escapes of characters that are special in rules.
        SpecialEscape = "special-escape",
        /// Dot segments.
        DotSegments = "dot-segments",
        /// Spaces in paths.
        InnerSpace = "inner-space",
        /// Long paths.
        LongPath = "long-path",
        /// The path of the robots.txt.
        RobotsTxt = "robots-txt",
        /// Fragments.
        Fragment = "fragment",
        /// Texts of few different bytes, with many wildcards.
        Repetition = "repetition",
        /// URLs with user information, ports and addresses.
        Origin = "origin",
        /// Characters that decoders and normalisers treat in their own ways.
        Confusion = "confusion",
        // Precedence
        /// Rules that match the same paths.
        Conflict = "conflict",
        /// Equal rules.
        Duplicate = "duplicate",
    }
}

use Oddity::*;

/// The oddities that an input may have.
#[derive(Debug, Clone, Copy, Default)]
pub struct Oddities(u64);

impl Oddities {
    /// Draws a few oddities; sometimes none, rarely all.
    pub(super) fn draw(dice: &mut Dice) -> Self {
        let count = match dice.below(64) {
            0..=9 => 0,
            10..=31 => 1,
            32..=49 => 2,
            50..=58 => 3,
            59..=62 => 5,
            _ if dice.one_in(64) => return Oddities(u64::MAX),
            _ => 8,
        };
        let mut oddities = Oddities::default();
        for _ in 0..count {
            oddities.0 |= 1 << dice.below(Oddity::ALL.len());
        }
        // Features that decide which rule prevails are combined with all others.
        for (common, one_in) in [
            (Conflict, 3),
            (Star, 4),
            (Dollar, 8),
            (AgentRun, 12),
            (Escape, 16),
            (ReservedEscape, 16),
            (SpecialEscape, 24),
            (Confusion, 12),
            (UnknownField, 16),
            (Typo, 24),
        ] {
            if dice.one_in(one_in) {
                oddities.0 |= 1 << common as u64;
            }
        }
        oddities
    }

    fn has(self, oddity: Oddity) -> bool {
        self.0 & 1 << oddity as u64 != 0
    }

    /// Returns whether the oddity occurs at this place: one time in `one_in` where the input has it.
    pub(super) fn strike(self, dice: &mut Dice, oddity: Oddity, one_in: usize) -> bool {
        self.has(oddity) && dice.one_in(one_in)
    }
}

/// Each oddity has a bit.
const _: () = assert!(Oddity::ALL.len() <= u64::BITS as usize);
