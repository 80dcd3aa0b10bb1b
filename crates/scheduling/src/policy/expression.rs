//! A score written as an expression in `wait`, `walltime` (both in seconds) and `nodes`: `(wait / walltime) ^ 3 *
//! nodes`.
//!
//! ```text
//!   sum     = product (("+" | "-") product)*
//!   product = factor (("*" | "/") factor)*
//!   factor  = "-" factor | atom ("^" factor)?
//!   atom    = number | wait | walltime | nodes | name "(" sum ("," sum)* ")" | "(" sum ")"
//! ```
//!
//! The parser is our own: it is short, reports the position of an error, and defines the result of a power. Existing
//! crates are large, unmaintained, or under incompatible licenses.

use super::Policy;
use super::wfp::power;
use crate::job::Job;
use std::fmt;
use std::str::FromStr;

/// The variables of an expression.
const VARIABLES: [&str; 3] = ["wait", "walltime", "nodes"];

/// The functions.
const FUNCTIONS: [(&str, Step); 5] = [
    ("min", Step::Two(Two::Least)),
    ("max", Step::Two(Two::Largest)),
    ("sqrt", Step::One(One::Root)),
    ("log", Step::One(One::Logarithm)),
    ("abs", Step::One(One::Magnitude)),
];

/// Maximum nesting depth; deeper nesting would only serve to overflow the stack.
const DEEPEST: usize = 100;

/// A score as text, and as steps of a stack machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    text: String,
    steps: Vec<Step>,
}

/// An error in an expression, and its character position, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpressionError {
    text: String,
    place: usize,
    problem: String,
}

impl fmt::Display for ExpressionError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ExpressionError { text, place, problem } = self;
        write!(
            formatter,
            "{text:?}: {problem} at character {place}: must be {}, or an expression in {}, such as \
             \"(wait / walltime) ^ 3 * nodes\"",
            Policy::NAMES.join(", "),
            VARIABLES.join(", ")
        )
    }
}

impl std::error::Error for ExpressionError {}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Step {
    Number(f64),
    Variable(usize),
    One(One),
    Two(Two),
}

/// Operations on the top of the stack.
#[derive(Clone, Copy, Debug, PartialEq)]
enum One {
    Negate,
    Root,
    Logarithm,
    Magnitude,
}

/// Operations on the top of the stack and the value below it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Two {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Least,
    Largest,
}

impl Expression {
    /// The text of the expression.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The score of a job; NaN (0 / 0) counts as the lowest score.
    pub fn score(&self, job: &Job, now: i64) -> f64 {
        let variables = [(now - job.submit) as f64, job.walltime as f64, f64::from(job.nodes)];
        let mut stack = [0.0; 2 * DEEPEST];
        let mut height = 0;
        for step in &self.steps {
            height = step.apply(&mut stack, height, &variables);
        }
        if stack[0].is_nan() { f64::NEG_INFINITY } else { stack[0] }
    }
}

impl Step {
    /// Applies the step to the top of the stack, and returns the new height.
    fn apply(self, stack: &mut [f64], height: usize, variables: &[f64; 3]) -> usize {
        let start = height - self.operands();
        stack[start] = match self {
            Step::Number(number) => number,
            Step::Variable(index) => variables[index],
            Step::One(one) => one.of(stack[start]),
            Step::Two(two) => two.of(stack[start], stack[start + 1]),
        };
        start + 1
    }

    /// The values that it takes from the stack; it leaves one.
    fn operands(self) -> usize {
        match self {
            Step::Number(_) | Step::Variable(_) => 0,
            Step::One(_) => 1,
            Step::Two(_) => 2,
        }
    }
}

impl One {
    fn of(self, value: f64) -> f64 {
        match self {
            One::Negate => -value,
            One::Root => value.sqrt(),
            One::Logarithm => value.ln(),
            One::Magnitude => value.abs(),
        }
    }
}

impl Two {
    fn of(self, left: f64, right: f64) -> f64 {
        match self {
            Two::Add => left + right,
            Two::Subtract => left - right,
            Two::Multiply => left * right,
            Two::Divide => left / right,
            Two::Power => power(left, right),
            Two::Least => left.min(right),
            Two::Largest => left.max(right),
        }
    }
}

impl FromStr for Expression {
    type Err = ExpressionError;

    fn from_str(text: &str) -> Result<Self, ExpressionError> {
        let mut parser = Parser { text, place: 0, depth: 0, height: 0, steps: vec![] };
        parser.sum()?;
        match parser.peek() {
            None => Ok(Expression { text: text.to_owned(), steps: parser.steps }),
            Some(letter) => Err(parser.error(format!("{letter:?} is not expected"))),
        }
    }
}

/// A recursive-descent parser with one method for each line of the grammar.
struct Parser<'a> {
    text: &'a str,
    /// Position in `text`, in bytes.
    place: usize,
    depth: usize,
    /// Height of the stack after `steps`.
    height: usize,
    steps: Vec<Step>,
}

impl Parser<'_> {
    fn error(&self, problem: impl Into<String>) -> ExpressionError {
        let place = self.text[..self.place].chars().count() + 1;
        ExpressionError { text: self.text.to_owned(), place, problem: problem.into() }
    }

    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.place..];
        self.place += rest.len() - rest.trim_start().len();
        self.text[self.place..].chars().next()
    }

    fn take(&mut self, wanted: char) -> bool {
        let is_next = self.peek() == Some(wanted);
        if is_next {
            self.place += wanted.len_utf8();
        }
        is_next
    }

    fn expect(&mut self, wanted: char) -> Result<(), ExpressionError> {
        if self.take(wanted) { Ok(()) } else { Err(self.error(format!("{wanted:?} is missing"))) }
    }

    fn push(&mut self, step: Step) -> Result<(), ExpressionError> {
        self.height = self.height + 1 - step.operands();
        if self.height > DEEPEST {
            return Err(self.error("nested too deeply"));
        }
        self.steps.push(step);
        Ok(())
    }

    fn sum(&mut self) -> Result<(), ExpressionError> {
        self.product()?;
        loop {
            let step = if self.take('+') {
                Step::Two(Two::Add)
            } else if self.take('-') {
                Step::Two(Two::Subtract)
            } else {
                return Ok(());
            };
            self.product()?;
            self.push(step)?;
        }
    }

    fn product(&mut self) -> Result<(), ExpressionError> {
        self.factor()?;
        loop {
            let step = if self.take('*') {
                Step::Two(Two::Multiply)
            } else if self.take('/') {
                Step::Two(Two::Divide)
            } else {
                return Ok(());
            };
            self.factor()?;
            self.push(step)?;
        }
    }

    fn factor(&mut self) -> Result<(), ExpressionError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.error("nested too deeply"));
        }
        if self.take('-') {
            self.factor()?;
            self.push(Step::One(One::Negate))?;
        } else {
            self.atom()?;
            if self.take('^') {
                self.factor()?;
                self.push(Step::Two(Two::Power))?;
            }
        }
        self.depth -= 1;
        Ok(())
    }

    fn atom(&mut self) -> Result<(), ExpressionError> {
        match self.peek() {
            Some('(') => {
                self.take('(');
                self.sum()?;
                self.expect(')')
            }
            Some(letter) if letter.is_ascii_digit() || letter == '.' => self.number(),
            Some(letter) if letter.is_ascii_alphabetic() => self.name(),
            Some(letter) => Err(self.error(format!("{letter:?} is not expected"))),
            None => Err(self.error("an operand is missing")),
        }
    }

    /// The longest prefix of the remaining text whose characters satisfy `is_of_kind`.
    fn run_of(&mut self, is_of_kind: impl Fn(char) -> bool) -> &str {
        let rest = &self.text[self.place..];
        &rest[..rest.find(|letter| !is_of_kind(letter)).unwrap_or(rest.len())]
    }

    fn number(&mut self) -> Result<(), ExpressionError> {
        let digits = self.run_of(|letter| letter.is_ascii_digit() || letter == '.').to_owned();
        let number = digits.parse().map_err(|_| self.error(format!("{digits:?} is not a number")))?;
        self.place += digits.len();
        self.push(Step::Number(number))
    }

    fn name(&mut self) -> Result<(), ExpressionError> {
        let name = self.run_of(|letter| letter.is_ascii_alphanumeric() || letter == '_').to_owned();
        if let Some(index) = VARIABLES.iter().position(|known| *known == name) {
            self.place += name.len();
            return self.push(Step::Variable(index));
        }
        match FUNCTIONS.iter().find(|(known, _)| *known == name) {
            Some((_, function)) => {
                self.place += name.len();
                self.call(*function)
            }
            None => Err(self.error(format!("{name:?} is not known"))),
        }
    }

    fn call(&mut self, function: Step) -> Result<(), ExpressionError> {
        self.expect('(')?;
        self.sum()?;
        for _ in 1..function.operands() {
            self.expect(',')?;
            self.sum()?;
        }
        self.expect(')')?;
        self.push(function)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_expressions() {
        // After 40 seconds: wait 40, walltime 20, nodes 8.
        let job = Job { submit: 10, walltime: 20, nodes: 8, ..Job::default() };
        let cases = [
            ("wait", 40.0),
            ("(wait / walltime) ^ 3 * nodes", 64.0),
            ("-nodes ^ 2", -64.0),
            ("2 ^ 3 ^ 2", 512.0),
            ("10 - 4 - 3", 3.0),
            ("max(wait, nodes) - min(1, 2)", 39.0),
            ("sqrt(nodes * 2)", 4.0),
            ("0 / 0", f64::NEG_INFINITY),
            ("2 ^ -1", 0.5),
        ];
        for (text, value) in cases {
            assert_eq!(text.parse::<Expression>().unwrap().score(&job, 50), value, "{text}");
        }
    }

    #[test]
    fn errors_give_their_position() {
        let cases = [
            ("wait +", 7, "missing"),
            ("wait ** 2", 7, "'*' is not expected"),
            ("(wait", 6, "')' is missing"),
            ("best", 1, "\"best\" is not known"),
            ("1.2.3", 1, "not a number"),
            ("wait nodes", 6, "'n' is not expected"),
            ("", 1, "missing"),
            ("wait $", 6, "'$' is not expected"),
        ];
        for (text, place, problem) in cases {
            let error = text.parse::<Expression>().unwrap_err();
            assert_eq!(error.place, place, "{error}");
            assert!(error.problem.contains(problem), "{error}");
        }
        assert!("(".repeat(5000).parse::<Expression>().unwrap_err().problem.contains("deep"));
        assert!(
            format!("{}1", "1+(".repeat(5000)).parse::<Expression>().unwrap_err().problem.contains("deep")
        );
    }
}
