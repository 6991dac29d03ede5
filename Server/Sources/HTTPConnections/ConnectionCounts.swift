import NIOCore
import Synchronization

/// The open connections of a listener, in all and by address.
final class ConnectionCounts: Sendable {
    /// The place of one open connection.
    final class Place: Sendable {
        /// Why the connection answers only the reserved paths; nil if it answers all.
        let reserveOnly: Refusals.Kind?
        /// The address that the connection counts for; nil for none.
        fileprivate let network: Mutex<String?>

        init(network: String?, reserveOnly: Refusals.Kind? = nil) {
            self.reserveOnly = reserveOnly
            self.network = Mutex(network)
        }

        var isReserve: Bool { reserveOnly != nil }
    }

    private struct Count {
        var all = 0
        var byNetwork: [String: Int] = [:]

        mutating func add(_ number: Int, _ network: String?) {
            all += number
            guard let network else { return }
            let sum = byNetwork[network, default: 0] + number
            byNetwork[network] = sum > 0 ? sum : nil
        }

        func count(of network: String?) -> Int { network.flatMap { byNetwork[$0] } ?? 0 }
    }

    private struct State {
        var ordinary = Count()
        var reserve = Count()
    }

    private let limits: ConnectionLimits
    private let state = Mutex(State())

    init(_ limits: ConnectionLimits) { self.limits = limits }

    /// Gives a new connection its place.
    ///
    /// - Parameters:
    ///   - address: The address that it counts for. Nil for none, as for a trusted proxy.
    ///   - isLate: Whether the listener is too late for further connections, except those of the reserve.
    /// - Throws: The limit that the connection exceeds.
    func admit(_ address: SocketAddress?, isLate: Bool = false) throws(ConnectionRefusal) -> Place {
        let network = address.flatMap(network(of:))
        let result: Result<Place, ConnectionRefusal> = state.withLock { state in
            if isFull(network, state) { return .failure(ConnectionRefusal(kind: .connectionsPerAddress)) }
            if state.ordinary.all < limits.connections, !isLate {
                state.ordinary.add(1, network)
                return .success(Place(network: network))
            }
            let kind = isLate ? Refusals.Kind.lag : .connections
            guard state.reserve.all < limits.reserve, state.reserve.count(of: network) < limits.reservePerAddress
            else { return .failure(ConnectionRefusal(kind: kind)) }
            state.reserve.add(1, network)
            return .success(Place(network: network, reserveOnly: kind))
        }
        return try result.get()
    }

    /// Counts a connection for another address from now on: the caller for which a proxy uses it.
    ///
    /// - Throws: The limit of that address, if it is reached. The connection then counts as before.
    func move(_ place: Place, to address: SocketAddress?) throws(ConnectionRefusal) {
        let network = address.flatMap(network(of:))
        guard !place.isReserve else { return }
        let isMoved = state.withLock { state in
            let former = place.network.withLock { $0 }
            guard former != network else { return true }
            guard !isFull(network, state) else { return false }
            state.ordinary.add(-1, former)
            state.ordinary.add(1, network)
            place.network.withLock { $0 = network }
            return true
        }
        guard isMoved else { throw ConnectionRefusal(kind: .connectionsPerAddress) }
    }

    private func network(of address: SocketAddress) -> String? {
        address.network ?? (limits.limitsThisMachine ? "this machine" : nil)
    }

    private func isFull(_ network: String?, _ state: State) -> Bool {
        limits.connectionsPerAddress > 0 && state.ordinary.count(of: network) >= limits.connectionsPerAddress
    }

    /// Frees the place of a connection that has ended.
    func release(_ place: Place) {
        state.withLock { state in
            let network = place.network.withLock { $0 }
            if place.isReserve { state.reserve.add(-1, network) } else { state.ordinary.add(-1, network) }
        }
    }

    /// Whether half of the places are taken, in all or for the connection's address. A connection then ends after its
    /// answer, so that no idle connection keeps a place from others.
    func isCrowded(_ place: Place) -> Bool {
        state.withLock { state in
            state.ordinary.all * 2 >= limits.connections
                || limits.connectionsPerAddress > 0
                    && state.ordinary.count(of: place.network.withLock { $0 }) * 2 >= limits.connectionsPerAddress
        }
    }
}

/// A connection or a request that a limit refuses.
struct ConnectionRefusal: Error {
    var kind: Refusals.Kind
}
