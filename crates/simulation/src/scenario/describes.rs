//! Choices of a scenario that are those of a parameter.

/// Defines a choice of the scenario that has the variants of a type of parameters, and its conversion to that type and
/// back. What users see, such as the name and the schema, is here.
macro_rules! describes {
    ($(#[$attribute:meta])* $vis:vis enum $name:ident of $target:ident { $($variant:ident),+ $(,)? }) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "kebab-case")]
        $vis enum $name {
            $($variant,)+
        }

        impl From<$name> for $target {
            fn from(described: $name) -> Self {
                match described {
                    $($name::$variant => $target::$variant,)+
                }
            }
        }

        impl From<$target> for $name {
            fn from(parameter: $target) -> Self {
                match parameter {
                    $($target::$variant => $name::$variant,)+
                }
            }
        }
    };
}

pub(crate) use describes;
