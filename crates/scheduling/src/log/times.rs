//! Dates and times of logs.
//!
//! ```text
//!   2024-03-01T08:00:00        by the clock of a site, whose offset from UTC is not known
//!   2024-03-01T08:00:00+0100   the same with its offset (also +01:00, or Z for none)
//! ```
//!
//! Invariant: times of a clock without an offset and of one with it are never subtracted from each other.

/// The clock by which a time is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// The clock of a site, without time zone: each day has 24 hours.
    Local,
    /// UTC; a time is written with this offset in seconds.
    Utc(i64),
}

impl Clock {
    /// Whether its offset from UTC is not known.
    pub fn is_local(self) -> bool {
        match self {
            Clock::Local => true,
            Clock::Utc(_) => false,
        }
    }
}

/// A date and time, in seconds from the beginning of 1970 by its clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Time {
    /// At least 0, but for offsets on the first day.
    pub seconds: i64,
    /// The clock of the time.
    pub clock: Clock,
}

/// The latest second that can be written: the end of the year 9999.
const LAST_SECOND: i64 = 253_402_300_799;

impl Time {
    /// Seconds since 1970 in UTC, if they are of a year that can be written.
    pub fn of_unix(seconds: i64) -> Option<Self> {
        Some(Time { seconds, clock: Clock::Utc(0) }).filter(|time| time.is_of_a_year())
    }

    /// Whether it is of a year from 1970 to 9999, which can be written.
    pub fn is_of_a_year(self) -> bool {
        (0..=LAST_SECOND).contains(&self.seconds)
    }

    /// Reads a date and time, with an offset or without.
    pub fn read(text: &str) -> Option<Self> {
        let (date, clock) = text.split_once(['T', ' '])?;
        let (clock, offset) = match clock.find(['+', '-', 'Z']) {
            Some(at) => (&clock[..at], Some(offset(&clock[at..])?)),
            None => (clock, None),
        };
        let date: Option<Vec<i64>> = date.split('-').map(digits).collect();
        let clock: Option<Vec<i64>> = clock.split(':').map(digits).collect();
        let [year, month, day] = date?[..] else { return None };
        let [hour, minute, second] = clock?[..] else { return None };
        let is_right = (1970..=9999).contains(&year)
            && (1..=12).contains(&month)
            && (1..=days_of_month(year, month)).contains(&day)
            && hour < 24
            && minute < 60
            && second < 61;
        if !is_right {
            return None;
        }
        let seconds = days_before(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second;
        Some(match offset {
            Some(offset) => Time { seconds: seconds - offset, clock: Clock::Utc(offset) },
            None => Time { seconds, clock: Clock::Local },
        })
    }

    /// Writes it as [`Time::read`] reads it.
    pub fn write(self) -> String {
        match self.clock {
            Clock::Local => write_seconds(self.seconds),
            Clock::Utc(offset) => {
                let sign = if offset < 0 { '-' } else { '+' };
                let minutes = offset.abs() / 60;
                let local = write_seconds(self.seconds + offset);
                format!("{local}{sign}{:02}{:02}", minutes / 60, minutes % 60)
            }
        }
    }

    /// The seconds to this date from `zero`, second 0 of a log.
    ///
    /// # Errors
    /// If only one of them has an offset, so that their distance is not known. A date without an offset is of UTC where
    /// the log's are.
    pub fn since(self, zero: Time) -> Result<i64, &'static str> {
        match (self.clock, zero.clock) {
            (Clock::Utc(_), Clock::Local) => Err("the log's dates have no offset from UTC: leave it out"),
            (Clock::Local, Clock::Utc(offset)) if offset != 0 => {
                Err("the log's dates have an offset from UTC: give one, as in 2024-03-01T08:00:00+0100")
            }
            (Clock::Local | Clock::Utc(_), Clock::Utc(_)) | (Clock::Local, Clock::Local) => {
                Ok(self.seconds - zero.seconds)
            }
        }
    }
}

/// An offset from UTC in seconds: `+0200`, `-03:30` or `Z`.
fn offset(text: &str) -> Option<i64> {
    if text == "Z" {
        return Some(0);
    }
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let text = text[1..].replacen(':', "", 1);
    let number = digits(&text).filter(|_| text.len() == 4)?;
    let (hours, minutes) = (number / 100, number % 100);
    (hours < 24 && minutes < 60).then_some(sign * (hours * 3600 + minutes * 60))
}

/// A number without a sign.
pub(super) fn digits(text: &str) -> Option<i64> {
    (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok()).flatten()
}

fn write_seconds(seconds: i64) -> String {
    let (mut days, clock) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let mut year = 1970 + days / 366;
    while days_before(year + 1, 1, 1) <= days {
        year += 1;
    }
    days -= days_before(year, 1, 1);
    let mut month = 1;
    while days >= days_of_month(year, month) {
        days -= days_of_month(year, month);
        month += 1;
    }
    let [hour, minute, second] = [clock / 3600, clock / 60 % 60, clock % 60];
    format!("{year:04}-{month:02}-{:02}T{hour:02}:{minute:02}:{second:02}", days + 1)
}

fn is_leap_year(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_of_month(year: i64, month: i64) -> i64 {
    match month {
        2 => 28 + i64::from(is_leap_year(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970 to a date.
fn days_before(year: i64, month: i64, day: i64) -> i64 {
    let leap_days = |year: i64| (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400;
    let of_years = (year - 1970) * 365 + leap_days(year) - leap_days(1970);
    of_years + (1..month).map(|month| days_of_month(year, month)).sum::<i64>() + day - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn local(seconds: i64) -> Time {
        Time { seconds, clock: Clock::Local }
    }

    #[test]
    fn times_are_those_of_the_calendar() {
        let cases = [
            ("1970-01-01T00:00:00", 0),
            ("1972-02-29T12:00:01", 68_212_801),
            ("2000-03-01T00:00:00", 951_868_800),
            ("2024-03-01T08:00:00", 1_709_280_000),
            ("2100-03-01T00:00:00", 4_107_542_400),
        ];
        for (text, seconds) in cases {
            assert_eq!(Time::read(text), Some(local(seconds)), "{text}");
            assert_eq!(local(seconds).write(), text);
            assert_eq!(Time::read(&format!("{text}Z")), Time::of_unix(seconds), "{text}");
        }
        for day in (0..80_000).step_by(13) {
            let time = local(day * 86_400 + 7);
            assert_eq!(Time::read(&time.write()), Some(time));
        }
        for text in ["2023-02-29T00:00:00", "2024-13-01T00:00:00", "2024-03-01", "2024-03-01T24:00:00", "T"]
            .into_iter()
            .chain(["9223372036854775807-01-01T00:00:00", "2024-03-01T9223372036854775807:00:00"])
        {
            assert_eq!(Time::read(text), None, "{text}");
        }
    }

    #[test]
    fn offsets_lead_to_utc() {
        for (text, seconds) in [
            ("2024-10-27T02:10:00+0200", 1_729_987_800),
            ("2024-10-27T02:10:00+01:00", 1_729_991_400),
            ("2024-10-26T20:40:00-0330", 1_729_987_800),
            ("2024-10-27T00:10:00Z", 1_729_987_800),
        ] {
            let time = Time::read(text).expect(text);
            assert_eq!(time.seconds, seconds, "{text}");
            assert_eq!(Time::read(&time.write()), Some(time));
        }
        for text in ["+2", "+02", "+02000", "+2400", "+0260", "+-200", "Zulu", "ZZ", "+02:0:0", "+é1"] {
            assert_eq!(Time::read(&format!("2024-10-27T02:10:00{text}")), None, "{text}");
        }
    }

    #[test]
    fn dates_of_different_clocks_have_no_distance() {
        let [with, without] =
            ["2024-10-27T02:10:00+0200", "2024-10-27T02:10:00"].map(|text| Time::read(text).expect("a time"));
        assert_eq!(with.since(Time { clock: Clock::Utc(3600), ..with }), Ok(0));
        assert!(with.since(without).is_err() && without.since(with).is_err());
        assert_eq!(without.since(Time { seconds: 0, clock: Clock::Utc(0) }), Ok(without.seconds));
    }
}
