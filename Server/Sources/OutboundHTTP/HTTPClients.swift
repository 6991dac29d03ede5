import AsyncHTTPClient
import Dispatch
import NIOCore
import NIOPosix

/// Where a call is connected to, and who shares its connections.
package struct OutboundRoute: Sendable, Hashable {
    /// The host and the one address that it was looked up and vetted for; nil to look the host up.
    package var pin: Pin?
    /// What has connections of its own, such as the id of an app.
    package var owner: Int64

    package struct Pin: Sendable, Hashable {
        package var host: String
        package var address: String

        package init(host: String, address: String) { (self.host, self.address) = (host, address) }
    }

    package init(_ pin: Pin? = nil, of owner: Int64 = 0) { (self.pin, self.owner) = (pin, owner) }
}

/// The HTTP clients that are open, one for each route.
///
/// The client of a pinned route connects its host to the one address that was vetted, so no second lookup can lead
/// elsewhere. It is kept for its connections. Beyond a limit, clients that rest are closed.
actor HTTPClients {
    private struct Entry {
        var client: HTTPClient
        var users = 0
    }

    /// How many resting clients are kept.
    private static let limit = 64
    /// How long a client that is closed may take to say goodbye to the other sides.
    private static let farewell = TimeAmount.milliseconds(500)

    private let base: HTTPClient.Configuration
    private var entries: [OutboundRoute: Entry] = [:]
    private var isClosed = false

    init(_ base: HTTPClient.Configuration) { self.base = base }

    /// What an owner that failed has left open is closed behind it.
    deinit { for entry in entries.values { entry.client.shutdown { _ in } } }

    /// Runs `body` with the client of a route; nil if all clients were closed.
    func withClient<Result: Sendable>(
        for route: OutboundRoute, _ body: @Sendable (HTTPClient) async throws -> Result
    ) async throws -> Result? {
        guard !isClosed else { return nil }
        let client = borrow(route)
        let result: Swift.Result<Result, any Error>
        do { result = .success(try await body(client)) } catch { result = .failure(error) }
        await giveBack(route)
        return try result.get()
    }

    /// Closes all clients. Requests under way fail.
    func close() async {
        isClosed = true
        let all = entries.values.map(\.client)
        entries = [:]
        await Self.shutDown(all)
    }

    private func borrow(_ route: OutboundRoute) -> HTTPClient {
        var entry = entries[route] ?? Entry(client: makeClient(for: route))
        entry.users += 1
        entries[route] = entry
        return entry.client
    }

    private func giveBack(_ route: OutboundRoute) async {
        entries[route]?.users -= 1
        guard entries.count > Self.limit, let resting = entries.first(where: { $0.value.users == 0 }) else { return }
        entries[resting.key] = nil
        await Self.shutDown([resting.value.client])
    }

    /// Shuts clients down. A peer that does not close its side of a connection is not waited for.
    private static func shutDown(_ clients: [HTTPClient]) async {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let ends = clients.map { client in
            let promise = loop.makePromise(of: Void.self)
            client.shutdown(queue: .global()) { _ in promise.succeed() }
            return promise.futureResult
        }
        // The first to complete the promise wins.
        let end = loop.makePromise(of: Void.self)
        let timer = loop.scheduleTask(in: farewell) { end.succeed() }
        EventLoopFuture.andAllComplete(ends, on: loop).whenComplete { _ in end.succeed() }
        // It only ever succeeds.
        try? await end.futureResult.get()
        timer.cancel()
    }

    private func makeClient(for route: OutboundRoute) -> HTTPClient {
        var configuration = base
        if let pin = route.pin { configuration.dnsOverride = [pin.host: pin.address] }
        return HTTPClient(eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: configuration)
    }
}
