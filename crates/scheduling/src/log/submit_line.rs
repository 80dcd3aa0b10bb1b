//! The command line with which a job of Slurm was submitted, as far as it says on which jobs that one depends.
//!
//! ```text
//!   sbatch -N 4 -t10 --dep afterok:1 job.sh -d afterok:2
//!          \___ options of sbatch ___/      \_ arguments of the script: not sbatch's
//! ```
//!
//! sacct's column SubmitLine has the words with one blank between them and without the shell's quotes, so that a value
//! may continue behind a blank (`--wrap sleep 3`). Options are those of `common_options` in Slurm's
//! `src/common/slurm_opt.c` (26.05), which getopt_long reads until the first word that is none: long ones may be
//! abbreviated, and the value of a short one may follow without a blank.

/// The dependency that a command line names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Dependency {
    /// Nothing.
    None,
    /// The value of the last `--dependency`.
    Value(String),
    /// There may be a dependency, but it is not known whether it is sbatch's: it follows an option that Slurm itself
    /// does not have, or a command of several words.
    Unclear,
}

/// Short options with a value.
const SHORT_WITH_VALUE: &str = "AabBcCdDeFGiJLmMnNopqrStTwx";

/// Short options whose value, if any, follows without a blank.
const SHORT_WITH_ATTACHED_VALUE: &str = "IKk";

/// Long options with a value.
const LONG_WITH_VALUE: &str = "accel-bind account acctg-freq argv array autocomplete batch bb bbf bcast-exclude begin \
    chdir cluster cluster-constraint clusters comment constraint container container-id context core-spec \
    cores-per-socket cpu-bind cpu-freq cpu_bind cpus-per-gpu cpus-per-task deadline delay-boot dependency distribution \
    environment epilog error exclude export export-file extra extra-node-info gid gpu-bind gpu-freq gpus gpus-per-node \
    gpus-per-socket gpus-per-task gres gres-flags het-group hint ignore-signals input job-name jobid \
    kill-on-invalid-dep licenses mail-type mail-user mcs-label mem mem-bind mem-per-cpu mem-per-gpu mem-update mincpus \
    mpi msg-timeout network nodefile nodelist nodes ntasks ntasks-per-core ntasks-per-gpu ntasks-per-node \
    ntasks-per-socket ntasks-per-tres open-mode output pack-group partition power prefer priority profile prolog qos \
    relative reservation resources runtime segment signal slurmd-debug sockets-per-node switches task-epilog \
    task-prolog tasks-per-node thread-spec threads threads-per-core time time-min tmp treewidth tres-bind \
    tres-per-task uid wait-all-nodes wckey wrap";

/// Long options without a value, or with one that `=` joins.
const LONG_WITHOUT_VALUE: &str = "async bcast bell compress consolidate-segments contiguous debugger-test \
    disable-status exact exclusive external external-launcher get-user-env help hold ignore-pbs immediate interactive \
    kill-command kill-on-bad-exit label multi-prog nice no-allocate no-bell no-kill no-requeue no-shell oom-kill-step \
    overcommit overlap oversubscribe parsable preserve-env propagate pty quiet quit-on-interrupt reboot requeue \
    resv-ports send-libs share spread-job spread-segments stepmgr test-only unbuffered usage use-min-nodes verbose \
    version wait wait-for-children whole x11";

/// Finds the dependencies in a command line of sbatch, salloc or srun.
pub(super) fn dependency(command: &str) -> Dependency {
    let words = words(command);
    let mut reader = Reader { words: &words, next: 1, found: Dependency::None };
    // A value of --wrap that no quote ends may go on, and what looks like options may be its own.
    let is_clear = reader.options();
    let rest = &reader.words[reader.next.min(words.len())..];
    let may_follow = || !is_clear && rest.iter().any(|word| looks_like_dependency(&word.text));
    if reader.found == Dependency::None && may_follow() { Dependency::Unclear } else { reader.found }
}

fn looks_like_dependency(word: &str) -> bool {
    word.starts_with("-d") || word.starts_with("--dep")
}

struct Reader<'w> {
    words: &'w [Word],
    next: usize,
    found: Dependency,
}

/// Reads options: each method returns whether another option or the script follows. Otherwise it may be a value.
impl Reader<'_> {
    /// Reads the options up to the script; returns whether it is known that they end there.
    fn options(&mut self) -> bool {
        while let Some(word) = self.words.get(self.next) {
            let is_clear = match word.text.strip_prefix("--") {
                Some("") => {
                    self.next += 1;
                    return true;
                }
                Some(long) => self.long(long),
                // A colon separates the components of a heterogeneous job.
                None if word.text == ":" => {
                    self.next += 1;
                    true
                }
                None => match word.text.strip_prefix('-') {
                    Some(letters) if !letters.is_empty() => self.short(letters),
                    _ => return true,
                },
            };
            if !is_clear {
                return false;
            }
        }
        true
    }

    fn find(&mut self, value: Option<&str>) {
        self.found = value.map_or(Dependency::Unclear, |value| Dependency::Value(value.to_owned()));
    }

    fn long(&mut self, text: &str) -> bool {
        let (name, joined) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (text, None),
        };
        let Some((name, takes_value)) = long_option(name) else {
            self.next += 1;
            return joined.is_some();
        };
        if joined.is_none() && takes_value {
            self.next += 1;
        }
        if name == "dependency" {
            self.find(joined.or_else(|| self.words.get(self.next).map(|word| &*word.text)));
        }
        let is_closed = self.words.get(self.next).is_some_and(|word| word.is_quoted);
        self.next += 1;
        name != "wrap" || is_closed
    }

    /// A word of short options, of which the last may have a value.
    fn short(&mut self, letters: &str) -> bool {
        self.next += 1;
        let is_srun = self.words.first().is_some_and(|word| word.text.ends_with("srun"));
        for (at, letter) in letters.char_indices() {
            let attached = &letters[at + letter.len_utf8()..];
            // -W is --wait, which has a value in srun alone.
            let has_value = SHORT_WITH_VALUE.contains(letter) || letter == 'W' && is_srun;
            if !has_value {
                if SHORT_WITH_ATTACHED_VALUE.contains(letter) {
                    break;
                }
                continue;
            }
            let value = if attached.is_empty() {
                self.next += 1;
                self.words.get(self.next - 1).map(|word| &*word.text)
            } else {
                Some(attached)
            };
            if letter == 'd' {
                self.find(value);
            }
            break;
        }
        true
    }
}

/// The long option that a name stands for, and whether its value is the next word: an option, or the beginning of one
/// alone.
fn long_option(name: &str) -> Option<(&'static str, bool)> {
    let of =
        |list: &'static str, takes_value| list.split_whitespace().map(move |option| (option, takes_value));
    let all = || of(LONG_WITH_VALUE, true).chain(of(LONG_WITHOUT_VALUE, false));
    if let Some(exact) = all().find(|(option, _)| *option == name) {
        return Some(exact);
    }
    let mut beginnings = all().filter(|(option, _)| option.starts_with(name));
    let first = beginnings.next()?;
    // Some options are those of one command only, so that others of that beginning do not matter if they are alike.
    let is_alone = beginnings.all(|other| other.1 == first.1 && other.0 != "dependency");
    is_alone.then_some(first)
}

/// A word of a command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Word {
    text: String,
    /// Whether quotes were around some of it.
    is_quoted: bool,
}

/// Splits a line at its blanks, but for those within quotes. A quote that nothing closes is a letter.
fn words(line: &str) -> Vec<Word> {
    let mut words = vec![];
    let mut word: Option<Word> = None;
    let mut rest = line.chars();
    while let Some(letter) = rest.next() {
        if letter.is_whitespace() {
            words.extend(word.take());
            continue;
        }
        let word = word.get_or_insert_default();
        let quoted = matches!(letter, '"' | '\'').then(|| rest.as_str().split_once(letter)).flatten();
        let Some((quoted, after)) = quoted else {
            word.text.push(letter);
            continue;
        };
        word.text.push_str(quoted);
        word.is_quoted = true;
        rest = after.chars();
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Command lines, and the value of the dependency; "?" where it is unclear.
    const CASES: &[(&str, &str)] = &[
        ("sbatch a.sh", ""),
        ("sbatch --dependency=afterok:1 b.sh", "afterok:1"),
        ("sbatch --depend=afterok:1 b.sh", "afterok:1"),
        ("sbatch --dep afterok:1 b.sh", "afterok:1"),
        ("sbatch -dafterok:1 b.sh", "afterok:1"),
        ("sbatch -d afterok:1 b.sh", "afterok:1"),
        ("sbatch -Hdafterok:1 b.sh", "afterok:1"),
        ("sbatch -QHd afterok:1 b.sh", "afterok:1"),
        ("sbatch \"--dependency=afterok:1\" b.sh", "afterok:1"),
        ("sbatch --dependency='afterok:1' b.sh", "afterok:1"),
        ("sbatch b.sh -d afterok:1", ""),
        ("sbatch -- b.sh --dependency=afterok:1", ""),
        ("sbatch -N 4 -n16 -t 1:00:00 -p batch -d afterok:1 b.sh", "afterok:1"),
        ("sbatch --nodes 4 --time=5 --exclusive --array 1-9%2 -d afterok:1 b.sh", "afterok:1"),
        ("sbatch --exclusive -d afterok:1 b.sh", "afterok:1"),
        ("sbatch --exclusive=user -W -d afterok:1 b.sh", "afterok:1"),
        ("srun -W 5 -l -n2 -d afterok:1 ./a.out -d afterok:2", "afterok:1"),
        ("/usr/bin/salloc -I60 -K --no-shell -d afterok:1", "afterok:1"),
        ("sbatch -J d --comment --dependency=afterok:9 b.sh", ""),
        ("sbatch -J -d -N1 b.sh", ""),
        ("sbatch -d afterok:1 -d afterany:2 b.sh", "afterany:2"),
        ("sbatch -n1 : -n1 -d afterok:1 --wrap sleep 1", "afterok:1"),
        ("sbatch -n1 --dependency=afterok:1 --wrap sleep 1 -d 2", "afterok:1"),
        ("sbatch --wrap tool -d afterok:5", "?"),
        ("sbatch --wrap=tool --depend=afterok:5", "?"),
        ("sbatch --wrap 'tool -x' -d afterok:5", "afterok:5"),
        ("sbatch --wrap=\"tool -d 3\" --qos=high", ""),
        ("sbatch --wrap sleep 1", ""),
        ("sbatch --of-a-plugin on -d afterok:1 b.sh", "?"),
        ("sbatch --of-a-plugin=on -d afterok:1 b.sh", "afterok:1"),
        ("sbatch --comment=it's -d afterok:1 b.sh", "afterok:1"),
        ("sbatch -d", "?"),
        ("sbatch --dependency", "?"),
        ("sbatch --dependency= b.sh", "="),
        ("sbatch --kill-on-invalid-dep=yes --de=afterok:1 b.sh", ""),
        ("", ""),
        ("sbatch - -d afterok:1", ""),
        ("sbatch --wrap", ""),
    ];

    #[test]
    fn options_are_read_as_getopt_does() {
        for (command, expected) in CASES {
            let expected = match *expected {
                "" => Dependency::None,
                "?" => Dependency::Unclear,
                "=" => Dependency::Value(String::new()),
                value => Dependency::Value(value.to_owned()),
            };
            assert_eq!(dependency(command), expected, "{command}");
        }
    }
}
