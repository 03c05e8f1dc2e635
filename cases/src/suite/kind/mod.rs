//! The kinds of queries in a file of cases: a module has the format of the rows of a kind, and loads them.

/// Declares the format of the rows of a kind, with the keys that all rows have before its own.
macro_rules! row_format {
    (
        $(#[doc = $about:literal])*
        #[schema($name:literal), expecting($expecting:literal)]
        pub struct $Name:ident { $($own:tt)+ }
    ) => {
        $(#[doc = $about])*
        #[derive(Debug, serde::Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = $name))]
        #[serde(deny_unknown_fields, rename_all = "kebab-case", expecting = $expecting)]
        pub struct $Name {
            /// Unique in the case. Permanent.
            #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Id"))]
            pub id: String,
            /// The clauses that the row tests, where they are not those of its case.
            #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<crate::schema::ClauseId>>", length(min = 1)))]
            pub clauses: Option<Vec<String>>,
            $($own)+
        }
    };
}
pub(super) mod access;
pub(super) mod alike;
pub(super) mod grammar;
pub(super) mod matching;
pub(super) mod scope;
pub(super) mod sitemaps;
pub(super) mod usage;
