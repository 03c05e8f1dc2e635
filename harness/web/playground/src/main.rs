//! Writes the page: `robotspec-playground MODULE PAGE`. The script `build` makes the module and runs this program.

#[cfg(not(target_family = "wasm"))]
mod page;

#[cfg(not(target_family = "wasm"))]
fn main() -> std::process::ExitCode {
    use std::process::ExitCode;
    use std::{env, fs};

    let arguments: Vec<_> = env::args_os().skip(1).collect();
    let [module, page] = arguments.as_slice() else {
        eprintln!("usage: robotspec-playground MODULE PAGE");
        return ExitCode::from(2);
    };
    match fs::read(module).and_then(|module| fs::write(page, page::page(&module))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cannot write {} from {}: {error}", page.display(), module.display());
            ExitCode::FAILURE
        }
    }
}

#[cfg(target_family = "wasm")]
fn main() {}
