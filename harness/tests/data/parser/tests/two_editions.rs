//! The cases of two editions without variants.

mod mine;

robotspec::conformance!(mine::Mine, variants = false, editions = [Rfc9309, Google2026]);
