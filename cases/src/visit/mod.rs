//! A visit: the behaviour of a server when a crawler requests its `robots.txt`, as data. The mock server plays it.

mod body;

use std::collections::BTreeMap;
use std::fmt;

use robotspec_reference::named_enum;
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};

pub use body::{ALLOW_ALL, DISALLOW_ALL, ELSEWHERE, ELSEWHERE_RULES, FILLER, PRIVATE, RULES, html};

/// Reads an enum from `name` or `{name: value}`, as in JSON. `serde_yaml` requires a tag, `!name value`.
fn named<'de, T: DeserializeOwned, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    let written = Value::deserialize(from)?;
    // The fields of a name alone have their defaults.
    let with_defaults = written.as_str().map(|name| json!({ name: {} }));
    let fix = "write a name, or a map from a name to its value";
    serde_json::from_value(written)
        .or_else(|error| serde_json::from_value(with_defaults.unwrap_or_default()).map_err(|_| error))
        .map_err(|error| D::Error::custom(format!("{error}; {fix}")))
}

/// Does the same with the value of an optional key that is present.
fn optional<'de, T: DeserializeOwned, D: Deserializer<'de>>(from: D) -> Result<Option<T>, D::Error> {
    named(from).map(Some)
}

/// The behaviour of a server when a crawler requests its `robots.txt`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Visit {
    /// The statuses of the redirects before the final response.
    pub hops: Vec<u16>,
    /// The target of the redirects.
    pub location: Location,
    /// The final response.
    #[serde(rename = "answer")]
    pub response: Response,
    /// The protocol of the origin.
    #[serde(deserialize_with = "named")]
    #[cfg_attr(feature = "schema", schemars(schema_with = "scheme"))]
    pub scheme: Scheme,
    /// The pages of the site, for a crawler. An implementation that only fetches the file is asked where it is `links`.
    pub site: Site,
    /// HTML pages, by their paths at the first origin.
    pub pages: BTreeMap<String, String>,
}

named_enum! {
    /// The target of the redirects. `/robots.txt` redirects to `/robots-1.txt`,
    /// which redirects to `/robots-2.txt`, and so on.
    pub enum Location: "value of `location`", default Relative {
        Relative = "relative": "A path.",
        Absolute = "absolute": "A URL on the same origin.",
        OtherPort = "other-port": "A URL on another port with the same scheme, and with a good certificate \
            for HTTPS. Later redirects stay on that port.",
        Missing = "missing": "No `Location` field.",
        Invalid = "invalid": "A value that is not a URL.",
        Loop = "loop": "A path. The last redirect leads back to the first.",
        Disallowed = "disallowed": "`/private/robots.txt` on another port, where the `/robots.txt` of that \
            port disallows `/private`. Later redirects stay on that port.",
        RelativePath = "relative-path": "A path without a slash at its start: `rules/robots-1.txt`, which \
            redirects to `robots-2.txt` of the same folder, and so on.",
        NetworkPath = "network-path": "`//`, the authority with another port, and a path. The target of \
            later redirects is a path, which is therefore on that port.",
        ToHttps = "to-https": "A URL on another port with HTTPS and a good certificate. The second redirect \
            leads back to the first port, the third to the other port again.",
    }
}

named_enum! {
    /// The pages of a site that a crawler visits.
    pub enum Site: "value of `site`", default Links {
        Links = "links": "The start page, `/`, links to every path of the query.",
        Moved = "moved": "The start page links to `/moved` instead of `/private`, and `/moved` redirects to \
            `/private`.",
        MovedToOtherPort = "moved-to-other-port": "The start page links to `/moved` instead of `/private`, \
            and `/moved` redirects to `/private?there` on another port, whose `/robots.txt` disallows \
            everything.",
        Folder = "folder": "There is also a file `/folder/robots.txt`, which disallows nothing.",
    }
}

/// The response after the redirects.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Response {
    /// The status; HTTP need not define it. After a status below 200 the server
    /// sends nothing else.
    pub status: u16,
    /// Additional header fields. They replace the fields that belong to the body.
    pub headers: BTreeMap<String, String>,
    /// The body. The default for a 2xx status is `rules`. For any other
    /// status the default contradicts the status, which exposes a client that
    /// parses it: `disallow: /` below 500, `allow: /` from 500.
    #[serde(deserialize_with = "optional")]
    pub body: Option<Body>,
    /// The fault of the connection or of HTTP.
    pub fault: Option<NetworkFault>,
    /// The fault of FTP.
    pub ftp: Option<FtpFault>,
    /// The status of pages that do not exist.
    pub missing_pages: u16,
}

impl Default for Response {
    fn default() -> Self {
        Response {
            status: 200,
            headers: BTreeMap::new(),
            body: None,
            fault: None,
            ftp: None,
            missing_pages: 404,
        }
    }
}

/// The body of a response.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Body {
    /// A file that disallows `/private` for all agents.
    #[default]
    Rules,
    /// A file that disallows these paths for all agents.
    Disallow(Vec<String>),
    /// No bytes.
    Empty,
    /// An HTML page.
    Html,
    /// An HTML page with a `meta` element that redirects to `/elsewhere.txt`,
    /// a file that disallows `/elsewhere`.
    MetaRefresh,
    /// An HTML page with a frame that shows `/elsewhere.txt`.
    Frame,
    /// An HTML page with a script that redirects to `/elsewhere.txt`.
    Script,
    /// The rules after a byte order mark.
    Bom,
    /// The rules, compressed with gzip even if the client does not accept it.
    Gzip,
    /// The rules, compressed with Brotli even if the client does not accept it.
    Brotli,
    /// The rules, then comments up to more than 512,000 bytes, then
    /// `allow: /late`.
    Large,
    /// This text.
    Text(String),
}

impl fmt::Display for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Body::Disallow(paths) => write!(f, "disallow [{}]", paths.join(", ")),
            Body::Text(text) => write!(f, "text \"{}\"", text.escape_debug()),
            without_fields => without_fields.serialize(f),
        }
    }
}

named_enum! {
    /// A fault between server and client, from the connection to the last byte.
    ///
    /// The first three faults happen before the server reads a request. After
    /// redirects they need a location on another port. FTP has these three faults,
    /// and a reset, silence, slow bytes and endless bytes in a transfer.
    pub enum NetworkFault: "value of `fault`" {
        Refused = "refused": "The port refuses connections.",
        ResetAtAccept = "reset-at-accept": "The server resets the connection as soon as it accepted it.",
        SilentAtConnect = "silent-at-connect": "The server accepts the connection, but never reads or sends \
            a byte.",
        NameNotFound = "name-not-found": "The origin is `http://robotspec-nowhere.invalid`, a name that no \
            resolver knows. After redirects, the last one leads to this name.",
        ResetAfterRequest = "reset-after-request": "The server reads the request and resets the connection.",
        ResetInHeader = "reset-in-header": "The server resets the connection in the middle of the header.",
        ResetInBody = "reset-in-body": "The server resets the connection in the middle of the body.",
        SilentInHeader = "silent-in-header": "The server sends nothing after the middle of the header.",
        SilentInBody = "silent-in-body": "The server sends nothing after the middle of the body.",
        SlowBytes = "slow-bytes": "The server sends the whole response one byte at a time.",
        ShortBody = "short-body": "The body is shorter than its `Content-Length`.",
        LongBody = "long-body": "`disallow: /beyond` follows after the `Content-Length` of the body.",
        BrokenChunk = "broken-chunk": "After half of the body, the size of a chunk is not a number.",
        UnfinishedChunk = "unfinished-chunk": "The server closes the connection in the middle of a chunk.",
        NoStatusLine = "no-status-line": "The response has no status line.",
        BinaryNoise = "binary-noise": "The response consists of bytes without a meaning.",
        EndlessHeader = "endless-header": "The header never ends.",
        EndlessBody = "endless-body": "The body never ends: comments follow the body of the response.",
        CloseWithoutAnswer = "close-without-answer": "The server reads the request and closes the \
            connection.",
        Http09 = "http09": "The response is a body without a header, as in HTTP/0.9.",
        TwoAnswers = "two-answers": "A second response with `disallow: /second` follows the first one.",
    }
}

named_enum! {
    /// A fault of an FTP server.
    pub enum FtpFault: "value of `ftp`" {
        LoginRefused = "login-refused": "The server refuses every login.",
        MissingFile = "missing-file": "`/robots.txt` does not exist.",
        DropTransfer = "drop-transfer": "The server aborts the transfer in the middle of the file.",
    }
}

/// The protocol of an origin.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case", rename_all_fields = "kebab-case")]
pub enum Scheme {
    /// HTTP/1.1.
    #[default]
    Http,
    /// HTTP/1.1 over TLS.
    Https {
        /// The certificate of the server.
        #[serde(default)]
        certificate: Certificate,
    },
    /// FTP with an anonymous login.
    Ftp,
}

/// Returns the schema of the scheme of a visit.
#[cfg(feature = "schema")]
fn scheme(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
    let scheme = generator.subschema_for::<Scheme>();
    if generator.contract().is_serialize() {
        return scheme;
    }
    let https = schemars::json_schema!({
        "description": "HTTP/1.1 over TLS, with a good certificate.",
        "const": "https",
    });
    schemars::json_schema!({ "anyOf": [scheme, https] })
}

impl Scheme {
    /// Returns the scheme of the origin's URLs.
    pub fn id(self) -> &'static str {
        match self {
            Scheme::Http => "http",
            Scheme::Https { .. } => "https",
            Scheme::Ftp => "ftp",
        }
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())?;
        match self {
            Scheme::Https { certificate } if *certificate != Certificate::Good => {
                write!(f, " (certificate {certificate})")
            }
            _ => Ok(()),
        }
    }
}

named_enum! {
    /// The certificate of a server.
    pub enum Certificate: "value of `certificate`", default Good {
        Good = "good": "Valid for a client that trusts the certificate authority of the server.",
        SelfSigned = "self-signed": "Signed only by itself.",
        Expired = "expired": "Expired, otherwise good.",
        OtherName = "other-name": "Issued for another host, otherwise good.",
    }
}
