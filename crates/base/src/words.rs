//! The words that are the values of a key.

use schemars::Schema;

/// Adds each word with its meaning to the first sentence of a key's description.
pub fn describe_words(schema: &mut Schema) {
    let words = schema.get("oneOf").and_then(|words| words.as_array()).into_iter().flatten();
    let meanings = words.filter_map(|word| {
        let meaning = word["description"].as_str()?.replace('\n', " ");
        Some(format!("\"{}\" ({})", word["const"].as_str()?, meaning.trim_end_matches('.')))
    });
    let meanings = meanings.collect::<Vec<_>>().join("; ");
    let key = schema.get("description").and_then(|key| key.as_str()).unwrap_or_default();
    let (first, rest) = key.split_once(". ").unwrap_or((key.trim_end_matches('.'), ""));
    let description = format!("{first}: {meanings}. {rest}").trim_end().to_owned();
    schema.insert("description".into(), description.into());
}
