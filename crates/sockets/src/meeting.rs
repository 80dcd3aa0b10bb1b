//! How processes find one another.

use crate::ends::End;
use crate::{LOOKS, PAUSE, Sockets};
use base::yields::Yields;
use network::Peers;
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::{Arc, Mutex};
use std::thread::{available_parallelism, sleep};
use std::time::{Duration, Instant};

/// The first bytes of a connection, with the version of what follows.
const MAGIC: &[u8; 16] = b"torusim peers 1\n";

const BREAK: Duration = Duration::from_millis(5);

/// The longest time for which somebody who says nothing is listened to.
const STRANGERS: Duration = Duration::from_secs(1);

/// The longest address.
const MAX_ADDRESS: usize = 1 << 10;

/// Joins process `number` of `count` to the others. Process 0 listens at `address`, which all of them know. While it
/// waits for another one, it asks `look` again and again whether that may still come.
///
/// # Errors
/// When the others have not come within `patience`, when the address cannot be used, and those of `look`.
pub fn join(
    number: usize,
    count: usize,
    address: &str,
    patience: Duration,
    look: &dyn Fn() -> io::Result<()>,
) -> io::Result<Peers> {
    if number >= count {
        return Err(io::Error::other(format!("there is no process {number} of {count}")));
    }
    let meeting = Meeting { number, count, until: Instant::now() + patience, look };
    let ends = if number == 0 { meeting.receive_all(address)? } else { meeting.visit_all(address)? };
    let ends = ends.into_iter().map(|stream| stream.map(Stream::into_end).transpose());
    let ends = Mutex::new(ends.collect::<io::Result<_>>()?);
    let has_own_core = !is_path(address) || available_parallelism().is_ok_and(|cores| count <= cores.get());
    let yields = Yields::new(if has_own_core { LOOKS } else { 0 }, PAUSE);
    Ok(Peers::joined_by(Arc::new(Sockets { number, ends, count, yields })))
}

/// A connection, while processes meet.
#[derive(Debug)]
enum Stream {
    Here(UnixStream),
    Network(TcpStream),
}

/// What listens for connections.
enum Listener {
    Here(UnixListener),
    Network(TcpListener),
}

impl Listener {
    fn at(address: &str) -> io::Result<Self> {
        let listener = match is_path(address) {
            true => UnixListener::bind(address).map(Listener::Here),
            false => TcpListener::bind(address).map(Listener::Network),
        };
        let listener = listener.map_err(|error| io::Error::other(format!("{address}: {error}")))?;
        match &listener {
            Listener::Here(listener) => listener.set_nonblocking(true)?,
            Listener::Network(listener) => listener.set_nonblocking(true)?,
        }
        Ok(listener)
    }

    /// The next connection, if there is one already.
    fn accept(&self) -> io::Result<Option<Stream>> {
        let stream = match self {
            Listener::Here(listener) => listener.accept().map(|(stream, _)| Stream::Here(stream)),
            Listener::Network(listener) => listener.accept().map(|(stream, _)| Stream::Network(stream)),
        };
        match stream {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(None),
            stream => stream.map(Some),
        }
    }
}

impl Stream {
    fn to(address: &str) -> io::Result<Self> {
        match is_path(address) {
            true => UnixStream::connect(address).map(Stream::Here),
            false => TcpStream::connect(address).map(Stream::Network),
        }
    }

    /// Lets reads and writes wait, but not for ever.
    fn set_patience(&self, patience: Duration) -> io::Result<()> {
        let patience = Some(patience.max(BREAK));
        match self {
            Stream::Here(stream) => {
                stream.set_nonblocking(false)?;
                stream.set_read_timeout(patience)?;
                stream.set_write_timeout(patience)
            }
            Stream::Network(stream) => {
                stream.set_nonblocking(false)?;
                stream.set_read_timeout(patience)?;
                stream.set_write_timeout(patience)
            }
        }
    }

    fn into_end(self) -> io::Result<End> {
        let socket = match self {
            Stream::Here(stream) => {
                stream.set_nonblocking(true)?;
                OwnedFd::from(stream)
            }
            Stream::Network(stream) => {
                stream.set_nodelay(true)?;
                stream.set_nonblocking(true)?;
                OwnedFd::from(stream)
            }
        };
        Ok(End::new(socket))
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Stream::Here(stream) => stream.write_all(bytes),
            Stream::Network(stream) => stream.write_all(bytes),
        }
    }

    fn read(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        match self {
            Stream::Here(stream) => stream.read_exact(bytes),
            Stream::Network(stream) => stream.read_exact(bytes),
        }
    }

    fn write_text(&mut self, text: &str) -> io::Result<()> {
        self.write(&(text.len() as u32).to_le_bytes())?;
        self.write(text.as_bytes())
    }

    fn read_number(&mut self) -> io::Result<usize> {
        let mut bytes = [0; 4];
        self.read(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes) as usize)
    }

    fn read_text(&mut self) -> io::Result<String> {
        let length = self.read_number()?;
        if length > MAX_ADDRESS {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let mut bytes = vec![0; length];
        self.read(&mut bytes)?;
        String::from_utf8(bytes).map_err(io::Error::other)
    }

    /// The host of this end, as the other process sees it.
    fn own_host(&self) -> io::Result<String> {
        match self {
            Stream::Here(_) => Ok(String::new()),
            Stream::Network(stream) => stream.local_addr().map(|address| address.ip().to_string()),
        }
    }
}

fn is_path(address: &str) -> bool {
    address.contains('/')
}

/// The connections to processes, by number.
type Streams = Vec<Option<Stream>>;

/// A process that meets the others.
struct Meeting<'a> {
    number: usize,
    count: usize,
    until: Instant,
    /// Fails if a missing process cannot come any more.
    look: &'a dyn Fn() -> io::Result<()>,
}

impl Meeting<'_> {
    fn left(&self) -> Duration {
        self.until.saturating_duration_since(Instant::now())
    }

    fn pause(&self) -> io::Result<()> {
        sleep(BREAK);
        (self.look)()
    }

    /// Process 0: waits for all others, and tells them the addresses.
    fn receive_all(&self, address: &str) -> io::Result<Streams> {
        let listener = Listener::at(address)?;
        let mut streams: Streams = (0..self.count).map(|_| None).collect();
        let mut addresses = vec![String::new(); self.count];
        self.receive(&listener, &mut streams, |number, stream| {
            addresses[number] = stream.read_text()?;
            Ok(())
        })?;
        for (number, stream) in streams.iter_mut().enumerate() {
            let Some(stream) = stream else { continue };
            let written = addresses.iter().try_for_each(|address| stream.write_text(address));
            written.map_err(|_| {
                io::Error::other(format!("process {number} has ended before the run has begun"))
            })?;
        }
        Ok(streams)
    }

    /// Another process: goes to those below it, and waits for those above it.
    fn visit_all(&self, address: &str) -> io::Result<Streams> {
        let mut first = self.greet(address)?;
        let own_address = match is_path(address) {
            true => format!("{address}.{}", self.number),
            false => format!("{}:0", bracketed(&first.own_host()?)),
        };
        let listener = Listener::at(&own_address)?;
        let own_address = match &listener {
            Listener::Here(_) => own_address,
            Listener::Network(listener) => listener.local_addr()?.to_string(),
        };
        first.write_text(&own_address)?;
        let addresses = (0..self.count).map(|_| first.read_text()).collect::<io::Result<Vec<String>>>();
        let addresses = addresses.map_err(|error| self.alone(&error))?;
        let mut streams: Streams = vec![Some(first)];
        for address in &addresses[1..self.number] {
            streams.push(Some(self.greet(address)?));
        }
        streams.resize_with(self.count, || None);
        self.receive(&listener, &mut streams, |_, _| Ok(()))?;
        Ok(streams)
    }

    /// Receives the processes above this one. Strangers, who do not know the first bytes, are sent away.
    fn receive(
        &self,
        listener: &Listener,
        streams: &mut Streams,
        mut listen: impl FnMut(usize, &mut Stream) -> io::Result<()>,
    ) -> io::Result<()> {
        let missing = |streams: &Streams| -> Vec<String> {
            let numbered = streams.iter().enumerate().skip(self.number + 1);
            numbered.filter(|(_, stream)| stream.is_none()).map(|(number, _)| number.to_string()).collect()
        };
        while !missing(streams).is_empty() {
            let Some(mut stream) = listener.accept()? else {
                if self.left().is_zero() {
                    let missing = missing(streams);
                    return Err(io::Error::other(format!(
                        "{} of {} processes have not come: {}",
                        missing.len(),
                        self.count,
                        missing.join(", ")
                    )));
                }
                self.pause()?;
                continue;
            };
            stream.set_patience(self.left().min(STRANGERS))?;
            let Ok((number, count)) = hear_greeting(&mut stream) else { continue };
            stream.set_patience(self.left())?;
            if count != self.count {
                let problem = format!(
                    "process {number} is one of {count}, and this one is of {}: --processes is the same for all",
                    self.count
                );
                return Err(io::Error::other(problem));
            }
            if number <= self.number || number >= count || streams[number].is_some() {
                return Err(io::Error::other(format!("there are two processes {number}")));
            }
            // One that ends meanwhile has not come.
            streams[number] = listen(number, &mut stream).ok().map(|()| stream);
        }
        Ok(())
    }

    /// Connects to a process that may not listen yet, and says which one this is.
    fn greet(&self, address: &str) -> io::Result<Stream> {
        let mut stream = loop {
            match Stream::to(address) {
                Ok(stream) => break stream,
                Err(error) if self.left().is_zero() => {
                    return Err(io::Error::other(format!("no process listens at {address} ({error})")));
                }
                Err(_) => self.pause()?,
            }
        };
        stream.set_patience(self.left())?;
        stream.write(MAGIC)?;
        stream.write(&(self.number as u32).to_le_bytes())?;
        stream.write(&(self.count as u32).to_le_bytes())?;
        Ok(stream)
    }

    fn alone(&self, error: &io::Error) -> io::Error {
        let number = self.number;
        io::Error::other(format!("process 0 has ended, or refused process {number}, and says why ({error})"))
    }
}

fn hear_greeting(stream: &mut Stream) -> io::Result<(usize, usize)> {
    let mut magic = [0; MAGIC.len()];
    stream.read(&mut magic)?;
    if &magic != MAGIC {
        return Err(io::ErrorKind::InvalidData.into());
    }
    Ok((stream.read_number()?, stream.read_number()?))
}

/// An address of IPv6 has colons of its own.
fn bracketed(host: &str) -> String {
    if host.contains(':') { format!("[{host}]") } else { host.to_owned() }
}
