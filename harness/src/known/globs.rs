//! The globs of a list of known failures.

use globset::{Error, Glob, GlobSet, GlobSetBuilder};

/// The number of globs that are matched together. Larger sets take longer for globs with several stars, and can be too large
/// to compile.
const TOGETHER: usize = 64;

/// Globs in the order of a list.
#[derive(Debug, Clone, Default)]
pub(super) struct Globs {
    globs: Vec<String>,
    sets: Vec<GlobSet>,
}

impl Globs {
    /// Returns globs that can be matched.
    ///
    /// # Errors
    ///
    /// A glob is too large.
    pub(super) fn new(globs: &[Glob]) -> Result<Self, Error> {
        let set = |globs: &[Glob]| {
            let mut set = GlobSetBuilder::new();
            for glob in globs {
                set.add(glob.clone());
            }
            set.build()
        };
        let sets = globs.chunks(TOGETHER).map(set).collect::<Result<_, _>>()?;
        Ok(Globs { globs: globs.iter().map(|glob| glob.glob().to_owned()).collect(), sets })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.globs.is_empty()
    }

    /// Returns the globs that match a name, in their order.
    pub(super) fn matching(&self, name: &str) -> impl Iterator<Item = &str> {
        let sets = self.sets.iter().zip(self.globs.chunks(TOGETHER));
        sets.flat_map(move |(set, globs)| set.matches(name).into_iter().map(|place| globs[place].as_str()))
    }
}
