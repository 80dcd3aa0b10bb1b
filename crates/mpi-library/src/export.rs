//! The exports of a binary interface, made from the table of functions.

/// Exports the functions of some lists of the table, `MPI_X` and `PMPI_X`, in a binary interface.
///
/// Tools replace `MPI_X` and call `PMPI_X`. So `MPI_X` only jumps to it.
#[macro_export]
macro_rules! export {
    ($abi:ty: $($list:ident),*) => {
        $($crate::$list!($crate::export_each, ($abi, "MPI_"));)*

        $crate::export_clocks!();
        $crate::export_extension!();

        /// Uses this interface, before any function can be called.
        #[used]
        #[unsafe(link_section = ".init_array")]
        static USES_THIS_INTERFACE: extern "C" fn() = {
            extern "C" fn set() {
                $crate::abi::Runtime::set::<$abi>();
                $crate::clocks::share();
            }
            set
        };
    };
}

/// Exports the functions of a list, with a prefix of their names.
#[macro_export]
macro_rules! export_each {
    (($abi:ty, $prefix:literal) $($form:ident $name:ident $(= $module:ident::$function:ident(
        $($parameter:ident: $kind:ty),*) $(-> $value:ty)?)?;)*) => {$(
        #[allow(non_snake_case)]
        mod $name {
            #[allow(unused_imports)]
            use super::*;
            #[allow(unused_imports)]
            use $crate::{abi::*, calls, c_int};
            $crate::export_one! {
                ($abi, $prefix) $form $name $($module::$function($($parameter: $kind),*) $(-> $value)?)?
            }
        }
    )*};
}

/// Exports one function.
#[doc(hidden)]
#[macro_export]
macro_rules! export_one {
    (($abi:ty, $prefix:literal) plain $name:ident $module:ident::$function:ident(
        $($parameter:ident: $kind:ty),*)) => {
        $crate::export_sized! {
            ($abi) Small (concat!($prefix, stringify!($name))) $module::$function($($parameter: $kind),*)
        }
    };
    (($abi:ty, $prefix:literal) large $name:ident $module:ident::$function:ident(
        $($parameter:ident: $kind:ty),*)) => {
        $crate::export_sized! {
            ($abi) Small (concat!($prefix, stringify!($name))) $module::$function($($parameter: $kind),*)
        }
        mod large {
            use super::*;
            $crate::export_sized! {
                ($abi) Large (concat!($prefix, stringify!($name), "_c"))
                $module::$function($($parameter: $kind),*)
            }
        }
    };
    (($abi:ty, $prefix:literal) value $name:ident $module:ident::$function:ident(
        $($parameter:ident: $kind:ty),*) -> $value:ty) => {
        $crate::export_jump!(concat!($prefix, stringify!($name)) => call);
        #[unsafe(export_name = concat!("P", $prefix, stringify!($name)))]
        extern "C" fn call(
            $($parameter: <$kind as Parameter>::Raw<$abi, Small>),*
        ) -> <$value as Returned>::Raw<$abi> {
            $crate::named(concat!($prefix, stringify!($name)));
            let value = calls::$module::$function($(<$kind as Parameter>::enter::<$abi, Small>($parameter)),*);
            <$value as Returned>::leave::<$abi>(value)
        }
    };
    (($abi:ty, $prefix:literal) missing $name:ident $($ignored:tt)*) => {
        $crate::export_missing!(concat!($prefix, stringify!($name)));
    };
    (($abi:ty, $prefix:literal) missing_large $name:ident $($ignored:tt)*) => {
        $crate::export_missing!(concat!($prefix, stringify!($name)));
        mod large {
            use super::*;
            $crate::export_missing!(concat!($prefix, stringify!($name), "_c"));
        }
    };
}

/// Exports a function with small or large counts, which returns an error code.
#[doc(hidden)]
#[macro_export]
macro_rules! export_sized {
    (($abi:ty) $size:ident ($name:expr) $module:ident::$function:ident($($parameter:ident: $kind:ty),*)) => {
        $crate::export_jump!($name => call);
        #[unsafe(export_name = concat!("P", $name))]
        extern "C" fn call($($parameter: <$kind as Parameter>::Raw<$abi, $size>),*) -> c_int {
            $crate::call($name, || {
                calls::$module::$function($(<$kind as Parameter>::enter::<$abi, $size>($parameter)),*)
            })
        }
    };
}

/// Exports a function that is not there.
#[doc(hidden)]
#[macro_export]
macro_rules! export_missing {
    ($name:expr) => {
        $crate::export_jump!($name => call);
        #[unsafe(export_name = concat!("P", $name))]
        extern "C" fn call() -> c_int {
            $crate::missing($name)
        }
    };
}

/// Exports a jump to a function, whatever its parameters are.
#[doc(hidden)]
#[macro_export]
macro_rules! export_jump {
    ($name:expr => $target:path) => {
        #[unsafe(naked)]
        #[unsafe(export_name = $name)]
        extern "C" fn jump() {
            #[cfg(target_arch = "x86_64")]
            core::arch::naked_asm!("jmp {}", sym $target);
            #[cfg(target_arch = "aarch64")]
            core::arch::naked_asm!("b {}", sym $target);
        }
    };
}
