//! Tests of what people read: excerpts of files, remarks, and reasons in sentences.

mod excerpt;
mod remark;
mod sentences;
