//! What happens when a server is asked for its robots.txt, as data.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::tagged;

/// What a server does when it is asked for its robots.txt.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Visit {
    /// The statuses of the redirects before the answer.
    pub hops: Vec<u16>,
    /// How the redirects say where to.
    pub location: Location,
    /// What comes at the end.
    pub answer: Answer,
    /// What the origin speaks.
    #[serde(deserialize_with = "tagged::deserialize")]
    pub scheme: Scheme,
    /// Pages in HTML, by their paths at the first origin.
    pub pages: BTreeMap<String, String>,
}

/// How redirects say where to. A first file at `/robots.txt` leads to
/// `/robots-1.txt`, that to `/robots-2.txt`, and so on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Location {
    /// By path.
    #[default]
    Relative,
    /// By URL, on the same origin.
    Absolute,
    /// By URL, to another origin: a port that speaks the same scheme, with a
    /// good certificate if it has one. Further hops stay there.
    OtherPort,
    /// Not at all: there is no `Location`.
    Missing,
    /// By what is no URL.
    Invalid,
    /// By path, and the last hop leads back to the first.
    Loop,
    /// To `/private/robots.txt` on another port, where that port's own
    /// `/robots.txt` disallows `/private`. Further hops stay there.
    Disallowed,
    /// To another port that speaks HTTPS, with a good certificate; the second
    /// hop leads back, the third there again.
    ToHttps,
}

/// What comes at the end of the redirects.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Answer {
    /// The status, which need not be one that HTTP knows. One below 200 is
    /// all that is sent.
    pub status: u16,
    /// Header fields, beside those that go with the body. They win over them.
    pub headers: BTreeMap<String, String>,
    /// The body. If there is none: [`Body::Rules`] for a success, and for all
    /// else rules that contradict what the status means, so that a client that
    /// reads them is found out: `disallow: /` below 500, `allow: /` from there.
    #[serde(deserialize_with = "tagged::optional")]
    pub body: Option<Body>,
    /// What goes wrong.
    pub fault: Option<Fault>,
    /// What goes wrong, over FTP.
    pub ftp: Option<FtpFault>,
    /// The status of other pages, which do not exist.
    pub missing_pages: u16,
}

impl Default for Answer {
    fn default() -> Self {
        Answer {
            status: 200,
            headers: BTreeMap::new(),
            body: None,
            fault: None,
            ftp: None,
            missing_pages: 404,
        }
    }
}

/// The body of an answer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Body {
    /// A file that disallows `/private` for everybody.
    #[default]
    Rules,
    /// A file that disallows these paths for everybody.
    Disallow(Vec<String>),
    /// Nothing.
    Empty,
    /// A page in HTML.
    Html,
    /// A page with a `meta` element that leads to `/elsewhere.txt`, a file that
    /// disallows `/elsewhere`.
    MetaRefresh,
    /// A page with a frame that shows `/elsewhere.txt`.
    Frame,
    /// A page with a script that leads to `/elsewhere.txt`.
    Script,
    /// The rules behind a byte order mark.
    Bom,
    /// The rules, compressed by gzip, whatever the client accepts.
    Gzip,
    /// The rules, compressed by Brotli, whatever the client accepts.
    Brotli,
    /// The rules, then comments up to more than 512,000 octets, then
    /// `disallow: /late`.
    Large,
    /// This text.
    Text(String),
}

/// What goes wrong between a server and a client, up to the last octet.
///
/// What the first three do happens before a request is read, so behind redirects
/// they need a [`Location`] on another port.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Fault {
    /// Nobody listens.
    Refused,
    /// The connection is reset as soon as it stands.
    ResetAtAccept,
    /// The connection stands, and nothing is ever read or sent.
    SilentAtConnect,
    /// The origin is `http://robotspec-nowhere.invalid`, a name that no
    /// resolver knows; behind redirects, the last one leads there.
    NameNotFound,
    /// The connection is reset once the request is read.
    ResetAfterRequest,
    /// The connection is reset in the middle of the header.
    ResetInHeader,
    /// The connection is reset in the middle of the body.
    ResetInBody,
    /// Nothing comes after the middle of the header.
    SilentInHeader,
    /// Nothing comes after the middle of the body.
    SilentInBody,
    /// Everything comes, one octet at a time.
    SlowBytes,
    /// The body ends before the length that the header says.
    ShortBody,
    /// After the length that the header says, `disallow: /beyond` follows.
    LongBody,
    /// After half of the body, what should be the size of a chunk is none.
    BrokenChunk,
    /// The connection is closed in the middle of a chunk.
    UnfinishedChunk,
    /// The header has no status line.
    NoStatusLine,
    /// Octets that mean nothing.
    BinaryNoise,
    /// A header that never ends.
    EndlessHeader,
    /// A body that never ends: the one asked for, then comments.
    EndlessBody,
    /// The request is read and the connection closed.
    CloseWithoutAnswer,
    /// A body without a header, as in HTTP/0.9.
    Http09,
    /// The answer, then a second one that says otherwise: `disallow: /second`.
    TwoAnswers,
}

/// What goes wrong over FTP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum FtpFault {
    /// Nobody may log in, under any name.
    LoginRefused,
    /// There is no `/robots.txt`.
    MissingFile,
    /// The transfer is given up in the middle of the file.
    DropTransfer,
}

/// What an origin speaks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", rename_all_fields = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(transform = crate::tagged::https_alone))]
pub enum Scheme {
    /// HTTP/1.1.
    #[default]
    Http,
    /// HTTP/1.1 over TLS. In YAML, `https` alone is one with a good certificate.
    Https {
        /// What the server shows of itself.
        #[serde(default)]
        certificate: Certificate,
    },
    /// FTP, with an anonymous login.
    Ftp,
}

impl Scheme {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Scheme::Http => "http",
            Scheme::Https { .. } => "https",
            Scheme::Ftp => "ftp",
        }
    }
}

/// The certificate of a server.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Certificate {
    /// In order, if the client trusts [`certificate_authority`](crate::MockServer::certificate_authority).
    #[default]
    Good,
    /// Signed by itself only.
    SelfSigned,
    /// In order until it expired.
    Expired,
    /// In order, but for another host.
    OtherName,
}
