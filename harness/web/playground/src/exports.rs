//! The functions that the browser calls.
//!
//! A page can pass only numbers to WebAssembly. It therefore asks for the address of a buffer, writes a request there, and
//! reads the response at the address that [`playground_respond`] returns. No pointer is dereferenced here, so that no block
//! is unsafe. The attribute `no_mangle` is unsafe because two functions of a program could have the same name; these names
//! start with the name of the page.
#![allow(unsafe_code)]

use std::cell::RefCell;

use crate::respond;

thread_local! {
    static REQUEST: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static RESPONSE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Makes room for a request of this length, in bytes, and returns its address. The memory may grow, so that the caller gets
/// a view of the memory only afterwards.
#[unsafe(no_mangle)]
pub extern "C" fn playground_request(length: usize) -> *mut u8 {
    REQUEST.with_borrow_mut(|request| {
        // The response is not needed any more. A large file would otherwise be in the memory twice.
        RESPONSE.take();
        request.clear();
        request.resize(length, 0);
        request.as_mut_ptr()
    })
}

/// Answers the request and returns the address of the response.
#[unsafe(no_mangle)]
pub extern "C" fn playground_respond() -> *const u8 {
    let response = respond(&REQUEST.take());
    RESPONSE.with_borrow_mut(|kept| {
        *kept = response;
        kept.as_ptr()
    })
}

/// Returns the length of the response, in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn playground_response_length() -> usize {
    RESPONSE.with_borrow(Vec::len)
}
