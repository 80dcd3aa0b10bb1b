//! A mapping file is read, or refused with its text line, whatever it holds.

use geometry::Shape;
use messaging::Listed;
use network::Parameters;
use proptest::prelude::*;

proptest! {
    #[test]
    fn garbled_files_are_read_or_refused(
        words in prop::collection::vec("([0-9]{1,11}|-1|#|\\s|x|\u{0}|é){0,6}", 0..12),
    ) {
        let parameters = Parameters::bluegene_l(Shape::torus(&[3, 2]).unwrap(), 1);
        let text = words.join("\n");
        match Listed::parse(&text, &parameters) {
            Ok(listed) => {
                let numbers = listed.numbers(&parameters.shape);
                prop_assert_eq!(Listed::of_numbers(&numbers, &parameters).unwrap(), listed);
            }
            Err(error) => prop_assert!(error.item <= text.lines().count() && !error.problem.is_empty()),
        }
    }
}
