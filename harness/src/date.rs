//! The date of a run.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A moment in UTC, such as `2026-11-23T08:05:00Z`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(with = "String"))]
#[serde(into = "String", try_from = "String")]
pub struct Date(
    /// In seconds since 1970.
    pub u64,
);

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (days, seconds) = (self.0 / 86_400, self.0 % 86_400);
        // The proleptic Gregorian calendar, in eras of 400 years that start in March.
        let shifted = days + 719_468;
        let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
        let year = era * 400 + year_of_era + u64::from(month <= 2);
        let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
    }
}

impl From<Date> for String {
    fn from(date: Date) -> String {
        date.to_string()
    }
}

impl TryFrom<String> for Date {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let error = || format!("`{text}` is not a date such as 2026-11-23T08:05:00Z");
        let part = |range: std::ops::Range<usize>| text.get(range)?.parse::<u64>().ok();
        let parts =
            (|| Some([part(0..4)?, part(5..7)?, part(8..10)?, part(11..13)?, part(14..16)?, part(17..19)?]))(
            );
        let [year, month, day, hour, minute, second] = parts.ok_or_else(error)?;
        if year < 1970 || !(1..=12).contains(&month) || day == 0 {
            return Err(error());
        }
        let (year_from_march, month_from_march) =
            if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
        let (era, year_of_era) = (year_from_march / 400, year_from_march % 400);
        let day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
        let days =
            era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468;
        let date = Date(days * 86_400 + hour * 3600 + minute * 60 + second);
        // A day that does not exist becomes another one.
        if date.to_string() == text { Ok(date) } else { Err(error()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_read_as_it_is_written() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_798_761_599, "2026-12-31T23:59:59Z"),
        ] {
            assert_eq!(Date(seconds).to_string(), text);
            assert_eq!(Date::try_from(text.to_owned()), Ok(Date(seconds)));
        }
        for wrong in ["", "2026-02-30T00:00:00Z", "2026-11-23", "2026-11-23T08:05:00+01:00"] {
            assert!(Date::try_from(wrong.to_owned()).is_err(), "{wrong}");
        }
    }
}
