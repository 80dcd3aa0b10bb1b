//! Messages above packets: the packetizer and the ranks that send and receive.
