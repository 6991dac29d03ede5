import NIOCore

/// The limits of a listener's connections.
package struct ConnectionLimits: Sendable {
    /// Connections at a time.
    package var connections = 10_000
    /// Connections of one address at a time; 0 for no limit. This machine has no limit.
    package var connectionsPerAddress = 1_000
    /// Whether this machine is limited like any other address.
    package var limitsThisMachine = false
    /// How late an event loop may be while it takes new TLS connections; nil for any time. A handshake costs as much as
    /// many calls, so that too many at a time hold up all connections.
    package var lag: TimeAmount?
    /// Connections beyond ``connections``, or while a loop is late, which answer only requests for health.
    package var reserve = 16
    /// The same for one address, so that it cannot take the whole reserve.
    package var reservePerAddress = 4
    /// From the first byte of a request, or the beginning of the connection, to the end of the request's head.
    package var headTime = TimeAmount.seconds(15)
    /// The same on a connection of the reserve.
    package var reserveHeadTime = TimeAmount.seconds(2)
    /// From the end of a request's head to the end of its body.
    package var bodyTime = TimeAmount.seconds(30)
    /// From the first byte of a request to the last byte of its answer.
    package var requestTime = TimeAmount.seconds(120)
    /// The same for a stream of events, from the head of its answer. The streams themselves end earlier.
    package var streamTime = TimeAmount.minutes(15)
    /// From an answer to the first byte of the next request.
    package var idleTime = TimeAmount.seconds(60)
    /// From the last answer of a connection to its end. Input is dropped meanwhile, so that the client reads the answer
    /// before it notices the end.
    package var lingerTime = TimeAmount.seconds(1)

    package init() {}
}
