//! Rules that descriptions and options name by words, and reasons in tables.

/// Declares an enum whose variants have words: the first word of each is its name, others are former ones. `$what` is what
/// a word is, in errors.
macro_rules! words {
    (
        $(#[$of_enum:meta])*
        pub enum $name:ident, $what:literal {
            $($(#[$of_variant:meta])* $variant:ident = $word:literal $(| $former:literal)*,)*
        }
    ) => {
        $(#[$of_enum])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$of_variant])* $variant,)*
        }

        impl $name {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The name.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }
        }

        impl std::str::FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                match text {
                    $($word $(| $former)* => Ok(Self::$variant),)*
                    _ => {
                        let words = [$($word, $($former,)*)*];
                        let nearest = input::nearest(text, words.into_iter());
                        Err(format!(concat!("{:?} is not ", $what, "; {}"), text, nearest))
                    }
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str(self.name())
            }
        }
    };
}

pub(crate) use words;
