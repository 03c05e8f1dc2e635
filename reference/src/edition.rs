//! The documents that specify robots.txt, in the order of their publication.

named_enum! {
    /// An edition of the specification, oldest first. Its content is a column of the table of questions.
    pub enum Edition: "edition" {
        Koster1994 = "koster-1994": "A Standard for Robot Exclusion, June 1994.",
        Koster1996 = "koster-1996": "The Internet draft of December 1996.",
        GooglePre2019 = "google-pre-2019": "Google's specification before July 2019.",
        Google2019 = "google-2019": "Google's specification as of July 2019.",
        Google2021 = "google-2021": "Google's specification and guides as of January 2021.",
        Rfc9309 = "rfc9309": "RFC 9309, September 2022.",
        Google2026 = "google-2026": "Google's documentation as of 2026.",
        Rfc9309Aipref = "rfc9309-aipref": "RFC 9309 as the Internet draft of August 2026 on usage \
            preferences updates it.",
    }
}

impl Edition {
    /// Returns the title of the document.
    pub const fn title(self) -> &'static str {
        match self {
            Edition::Koster1994 => "A Standard for Robot Exclusion, June 1994",
            Edition::Koster1996 => "draft-koster-robots-00, A Method for Web Robots Control, December 1996",
            Edition::GooglePre2019 => "Google's specification before July 2019",
            Edition::Google2019 => "Google's specification as of July 2019",
            Edition::Google2021 => "Google's specification and guides as of January 2021",
            Edition::Rfc9309 => "RFC 9309, Robots Exclusion Protocol, September 2022",
            Edition::Google2026 => "Google's documentation as of 2026",
            Edition::Rfc9309Aipref => "RFC 9309 with draft-ietf-aipref-attach-05, August 2026 (experimental)",
        }
    }

    /// The editions that implementations are judged by unless others are named: not those that have been replaced
    /// since 1996, which few parsers claim, and not the drafts.
    pub const USUAL: [Edition; 5] = [
        Edition::GooglePre2019,
        Edition::Google2019,
        Edition::Google2021,
        Edition::Rfc9309,
        Edition::Google2026,
    ];

    /// Returns the edition that this edition updates. What it does not change is as in that edition.
    pub const fn base(self) -> Option<Edition> {
        match self {
            Edition::Rfc9309Aipref => Some(Edition::Rfc9309),
            _ => None,
        }
    }

    /// Returns the place of this edition in [`Edition::ALL`].
    pub(crate) const fn column(self) -> usize {
        self as usize
    }
}
