//! A new file in `suites` must be embedded, though no source mentions it.

fn main() {
    println!("cargo::rerun-if-changed=suites");
}
