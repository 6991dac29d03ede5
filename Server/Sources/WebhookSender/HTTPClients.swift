import AsyncHTTPClient
import NIOCore
import NIOPosix

/// The HTTP clients that are open, one for each host and address.
///
/// A client connects its host to the one address that was vetted, so no second lookup can lead elsewhere. It is kept
/// for its connections. Beyond a limit, clients that rest are closed.
actor HTTPClients {
    struct Place: Hashable {
        var host: String
        var address: String
    }

    private struct Entry {
        var client: HTTPClient
        var users = 0
    }

    /// How many resting clients are kept.
    private static let limit = 64
    /// Connections of one client.
    static let connections = 8

    private let base: HTTPClient.Configuration
    private var entries: [Place: Entry] = [:]
    private var isClosed = false

    init(_ base: HTTPClient.Configuration) { self.base = base }

    /// Runs `body` with the client of a place; nil if all clients were closed.
    func withClient<Result: Sendable>(
        for place: Place, _ body: @Sendable (HTTPClient) async throws -> Result
    ) async throws -> Result? {
        guard !isClosed else { return nil }
        let client = borrow(place)
        let result: Swift.Result<Result, any Error>
        do { result = .success(try await body(client)) } catch { result = .failure(error) }
        await giveBack(place)
        return try result.get()
    }

    /// Closes all clients. Requests under way fail.
    func close() async {
        isClosed = true
        let all = entries.values.map(\.client)
        entries = [:]
        for client in all { try? await client.shutdown() }
    }

    private func borrow(_ place: Place) -> HTTPClient {
        var entry = entries[place] ?? Entry(client: makeClient(for: place))
        entry.users += 1
        entries[place] = entry
        return entry.client
    }

    private func giveBack(_ place: Place) async {
        entries[place]?.users -= 1
        guard entries.count > Self.limit, let resting = entries.first(where: { $0.value.users == 0 }) else { return }
        entries[resting.key] = nil
        try? await resting.value.client.shutdown()
    }

    private func makeClient(for place: Place) -> HTTPClient {
        var configuration = base
        configuration.dnsOverride = [place.host: place.address]
        return HTTPClient(eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: configuration)
    }
}
