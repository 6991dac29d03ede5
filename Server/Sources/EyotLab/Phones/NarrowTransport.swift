import EyotKit
import Foundation
import Synchronization

/// A network that carries some requests at once. The others wait in line before it, where no time-out runs.
///
/// The client of thousands of phones has few connections, and requests that wait inside it time out. Phones in the
/// field have a network each.
struct NarrowTransport: Transport {
    let network: any Transport
    let places: Places

    func post(_ body: [UInt8], to url: URL, bearer: String, secret: String?) async throws -> TransportAnswer {
        try await places.take()
        defer { places.giveBack() }
        return try await network.post(body, to: url, bearer: bearer, secret: secret)
    }
}

/// Places that tasks take in the order in which they come.
final class Places: Sendable {
    private struct State {
        var free: Int
        /// The numbers of those that wait or have gone away, and where the line begins.
        var line: ArraySlice<Int> = []
        var waiting: [Int: AsyncStream<Void>.Continuation] = [:]
        var comers = 0
    }

    private let state: Mutex<State>

    init(_ count: Int) { state = Mutex(State(free: count)) }

    /// Waits for a place.
    ///
    /// - Throws: `CancellationError` if the task was cancelled before it got one.
    func take() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let number: Int? = state.withLock { state in
            guard state.free == 0 else {
                state.free -= 1
                return nil
            }
            state.comers += 1
            state.line.append(state.comers)
            state.waiting[state.comers] = continuation
            return state.comers
        }
        guard let number else { return }
        for await _ in stream {}
        let hasGoneAway = state.withLock { $0.waiting.removeValue(forKey: number) != nil }
        if hasGoneAway { throw CancellationError() }
    }

    /// Gives a place to the next one that waits.
    func giveBack() {
        let next: AsyncStream<Void>.Continuation? = state.withLock { state in
            while let number = state.line.popFirst() {
                if let next = state.waiting.removeValue(forKey: number) { return next }
            }
            state.free += 1
            return nil
        }
        next?.finish()
    }

    /// How many tasks wait.
    var waiting: Int { state.withLock(\.waiting.count) }
}
