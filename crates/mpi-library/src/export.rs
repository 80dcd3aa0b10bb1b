//! The exports of a binary interface, made from the table of functions.

/// Exports all functions, `MPI_X` and `PMPI_X`, in a binary interface.
///
/// Tools replace `MPI_X` and call `PMPI_X`. So `MPI_X` only jumps to it.
#[macro_export]
macro_rules! export {
    ($abi:ty) => {
        $crate::functions!($crate::export_each, ($abi));

        /// Uses this interface, before any function can be called.
        #[used]
        #[unsafe(link_section = ".init_array")]
        static USES_THIS_INTERFACE: extern "C" fn() = {
            extern "C" fn set() {
                $crate::abi::Runtime::set::<$abi>();
            }
            set
        };
    };
}

/// Exports the functions of a part of the table.
#[doc(hidden)]
#[macro_export]
macro_rules! export_each {
    (($abi:ty) $($form:ident $name:ident $(= $module:ident::$function:ident($($parameter:ident: $kind:ty),*)
        $(-> $value:ty)?)?;)*) => {$(
        #[allow(non_snake_case)]
        mod $name {
            #[allow(unused_imports)]
            use super::*;
            #[allow(unused_imports)]
            use $crate::{abi::*, calls, c_int};
            $crate::export_one! {
                ($abi) $form $name $($module::$function($($parameter: $kind),*) $(-> $value)?)?
            }
        }
    )*};
}

/// Exports one function.
#[doc(hidden)]
#[macro_export]
macro_rules! export_one {
    (($abi:ty) plain $name:ident $module:ident::$function:ident($($parameter:ident: $kind:ty),*)) => {
        $crate::export_sized! {
            ($abi) Small (stringify!($name)) $module::$function($($parameter: $kind),*)
        }
    };
    (($abi:ty) large $name:ident $module:ident::$function:ident($($parameter:ident: $kind:ty),*)) => {
        $crate::export_sized! {
            ($abi) Small (stringify!($name)) $module::$function($($parameter: $kind),*)
        }
        mod large {
            use super::*;
            $crate::export_sized! {
                ($abi) Large (concat!(stringify!($name), "_c")) $module::$function($($parameter: $kind),*)
            }
        }
    };
    (($abi:ty) value $name:ident $module:ident::$function:ident($($parameter:ident: $kind:ty),*) -> $value:ty) => {
        $crate::export_jump!(stringify!($name));
        #[unsafe(export_name = concat!("PMPI_", stringify!($name)))]
        extern "C" fn call($($parameter: <$kind as Parameter>::Raw<$abi, Small>),*) -> $value {
            $crate::named(concat!("MPI_", stringify!($name)));
            calls::$module::$function($(<$kind as Parameter>::enter::<$abi, Small>($parameter)),*)
        }
    };
    (($abi:ty) missing $name:ident) => {
        $crate::export_jump!(stringify!($name));
        #[unsafe(export_name = concat!("PMPI_", stringify!($name)))]
        extern "C" fn call() -> c_int {
            $crate::missing(concat!("MPI_", stringify!($name)))
        }
    };
    (($abi:ty) missing_large $name:ident) => {
        $crate::export_one!(($abi) missing $name);
        mod large {
            use super::*;
            $crate::export_jump!(concat!(stringify!($name), "_c"));
            #[unsafe(export_name = concat!("PMPI_", stringify!($name), "_c"))]
            extern "C" fn call() -> c_int {
                $crate::missing(concat!("MPI_", stringify!($name), "_c"))
            }
        }
    };
}

/// Exports a function with small or large counts, which returns an error code.
#[doc(hidden)]
#[macro_export]
macro_rules! export_sized {
    (($abi:ty) $size:ident ($name:expr) $module:ident::$function:ident($($parameter:ident: $kind:ty),*)) => {
        $crate::export_jump!($name);
        #[unsafe(export_name = concat!("PMPI_", $name))]
        extern "C" fn call($($parameter: <$kind as Parameter>::Raw<$abi, $size>),*) -> c_int {
            $crate::call(concat!("MPI_", $name), || {
                calls::$module::$function($(<$kind as Parameter>::enter::<$abi, $size>($parameter)),*)
            })
        }
    };
}

/// Exports `MPI_X` as a jump to `PMPI_X`, whatever its parameters are.
#[doc(hidden)]
#[macro_export]
macro_rules! export_jump {
    ($name:expr) => {
        #[unsafe(naked)]
        #[unsafe(export_name = concat!("MPI_", $name))]
        extern "C" fn jump() {
            #[cfg(target_arch = "x86_64")]
            core::arch::naked_asm!("jmp {}", sym call);
            #[cfg(target_arch = "aarch64")]
            core::arch::naked_asm!("b {}", sym call);
        }
    };
}
