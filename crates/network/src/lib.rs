//! The torus network: packets, routers, links, nodes, and the engines that run them.
