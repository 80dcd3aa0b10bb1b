//! Asking for memory before it is needed. It is a hint: nothing depends on it.

#[cfg(target_arch = "x86_64")]
const LINE_BYTES: usize = 64;

/// Asks for the cache lines of `items`.
#[inline(always)]
pub fn lines<T>(items: &[T]) {
    #[cfg(target_arch = "x86_64")]
    for offset in (0..size_of_val(items)).step_by(LINE_BYTES) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the address lies within `items`, SSE is part of x86-64, and a prefetch changes no state that can be seen.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(items.as_ptr().cast::<i8>().add(offset)) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = items;
}
