//! What people read: [documents](document), foreign text made safe to show, excerpts of files, and reasons in sentences.

mod brief;
pub mod document;
pub mod excerpt;
pub mod inert;
pub mod lint;
pub mod markup;
pub mod remark;
pub mod sentences;
mod visible;

pub use brief::{brief, brief_list, grouped};
pub use visible::{escaped, is_invisible, visible, visible_bytes, visible_lines, visible_path};
