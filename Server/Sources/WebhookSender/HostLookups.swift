import EyotDomain
import NIOCore
import NIOPosix
import Synchronization

/// The look-ups of hosts for all apps, on threads of their own, because the system's resolver blocks.
///
/// ``LookupTurns`` decides which app has a turn. A look-up that nothing waits for any more is dropped before it begins.
final class HostLookups: Sendable {
    /// Finds the addresses of a host, and blocks until then. The ports in the result do not count.
    typealias Resolve = @Sendable (_ host: String) throws -> [SocketAddress]

    struct Unknown: Error {}
    struct TimedOut: Error {}

    private struct State {
        var turns = LookupTurns()
        var waiters: [LookupTurns.Place: [Int: EventLoopPromise<[SocketAddress]>]] = [:]
        var number = 0
    }

    private static let threads: NIOThreadPool = {
        let pool = NIOThreadPool(numberOfThreads: LookupTurns.strange + LookupTurns.known)
        pool.start()
        return pool
    }()

    private let resolve: Resolve
    private let threads: NIOThreadPool
    private let state = Mutex(State())

    /// - Parameters:
    ///   - resolve: Nil for the system's resolver.
    ///   - threads: Nil for those of the process.
    init(_ resolve: Resolve? = nil, threads: NIOThreadPool? = nil) {
        self.resolve = resolve ?? SystemResolver.addresses(of:)
        self.threads = threads ?? Self.threads
    }

    /// - Throws: ``Unknown``, ``TimedOut`` after the deadline, or the error of a cancelled task.
    func addresses(
        of host: String, port: Int, for app: AppID, until deadline: NIODeadline
    ) async throws -> [SocketAddress] {
        if let literal = SystemResolver.literal(host) { return Self.with(port, [literal]) }
        let place = LookupTurns.Place(app: app, host: host)
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        // The first to complete the promise wins.
        let promise = loop.makePromise(of: [SocketAddress].self)
        guard let number = enter(place, promise) else {
            promise.fail(TimedOut())
            throw TimedOut()
        }
        let timer = loop.scheduleTask(deadline: deadline) { promise.fail(TimedOut()) }
        defer {
            timer.cancel()
            leave(place, number)
        }
        begin()
        let found = try await withTaskCancellationHandler {
            try await promise.futureResult.get()
        } onCancel: {
            promise.fail(CancellationError())
        }
        return Self.with(port, found)
    }

    private static func with(_ port: Int, _ addresses: [SocketAddress]) -> [SocketAddress] {
        addresses.map { address in
            var address = address
            address.port = port
            return address
        }
    }

    private func enter(_ place: LookupTurns.Place, _ promise: EventLoopPromise<[SocketAddress]>) -> Int? {
        state.withLock { state in
            guard state.turns.add(place) else { return nil }
            state.number += 1
            state.waiters[place, default: [:]][state.number] = promise
            return state.number
        }
    }

    private func leave(_ place: LookupTurns.Place, _ number: Int) {
        state.withLock { state in
            state.waiters[place]?[number] = nil
            guard state.waiters[place]?.isEmpty == true else { return }
            state.waiters[place] = nil
            state.turns.drop(place)
        }
    }

    /// Gives threads to all that may have one.
    private func begin() {
        while let place = state.withLock({ $0.turns.next() }) {
            threads.submit { [self] _ in
                let start = NIODeadline.now()
                let result = Result { try resolve(place.host) }
                end(place, result, after: Double((NIODeadline.now() - start).nanoseconds) / 1e9)
            }
        }
    }

    private func end(_ place: LookupTurns.Place, _ result: Result<[SocketAddress], any Error>, after seconds: Double) {
        let isFound = (try? result.get()) != nil
        let waiters = state.withLock { state in
            state.turns.end(place, after: isFound ? seconds : nil)
            return state.waiters.removeValue(forKey: place)
        }
        for promise in (waiters ?? [:]).values { promise.completeWith(result) }
        begin()
    }
}
