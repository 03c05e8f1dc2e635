//! Generates the certificates of the servers and the authority that signs them.

use std::sync::{Arc, OnceLock};

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair,
    KeyUsagePurpose,
};
use robotspec_cases::visit::Certificate;
use time::{Duration, OffsetDateTime};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

use crate::error::StartError;

type Authority = CertifiedIssuer<'static, KeyPair>;

/// Returns the authority of this process. There is only one, so that a client has
/// to be configured once. Its key exists only in memory.
pub(crate) fn authority() -> Result<&'static Authority, rcgen::Error> {
    static AUTHORITY: OnceLock<Result<Authority, rcgen::Error>> = OnceLock::new();
    let generate = || {
        let mut params = new_params("robotspec mock authority", &[])?;
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        Authority::self_signed(params, KeyPair::generate()?)
    };
    AUTHORITY.get_or_init(generate).as_ref().map_err(Clone::clone)
}

/// Creates a TLS acceptor with such a certificate.
pub(crate) fn new_acceptor(certificate: Certificate) -> Result<TlsAcceptor, StartError> {
    let hosts: &[&str] = match certificate {
        Certificate::OtherName => &["other.invalid"],
        _ => &["127.0.0.1", "localhost"],
    };
    let mut params = new_params("robotspec mock server", hosts)?;
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    if certificate == Certificate::Expired {
        params.not_before -= Duration::days(60);
        params.not_after = params.not_before + Duration::days(30);
    }
    let key = KeyPair::generate()?;
    let signed = match certificate {
        Certificate::SelfSigned => params.self_signed(&key)?,
        _ => {
            // Strict clients require the identifier of the issuer.
            params.use_authority_key_identifier_extension = true;
            params.signed_by(&key, authority()?)?
        }
    };
    let key = PrivateKeyDer::Pkcs8(key.serialize_der().into());
    // An explicit provider, because the process may have another default or none.
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(vec![signed.into()], key)?;
    Ok(TlsAcceptor::from(Arc::new(config)))
}

/// Creates parameters for these hosts, valid from yesterday for a year: some clients
/// reject a longer validity.
fn new_params(name: &str, hosts: &[&str]) -> Result<CertificateParams, rcgen::Error> {
    let hosts: Vec<String> = hosts.iter().map(|&host| host.to_owned()).collect();
    let mut params = CertificateParams::new(hosts)?;
    params.distinguished_name = rcgen::DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, name);
    let now = OffsetDateTime::now_utc();
    params.not_before = now - Duration::days(1);
    params.not_after = now + Duration::days(365);
    Ok(params)
}
