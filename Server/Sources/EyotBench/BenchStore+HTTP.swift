import EyotCommands
import EyotDomain
import EyotHTTP
import Foundation
import Logging

extension BenchStore {
    /// A key of the control plane for the app.
    func makeKey() async throws -> Secret {
        let (app, now, secret) = (app, clock.now, Keyring.make(.apiKey))
        try await store.write { ledger in
            _ = try APIKeys(ledger: ledger, now: now).create(name: "bench", of: app, secret: secret)
        }
        return secret.secret
    }

    /// Serves the API on a free port for as long as the body takes.
    func withHTTP(_ body: (_ port: Int) async throws -> Void) async throws {
        let backend = Backend(
            store: store, clock: clock, sealer: Sealer(MasterKey.make()),
            checkAPNSKey: { _, _, _ in })
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        let server = HTTPServer(
            API(backend), settings: .init(host: "127.0.0.1", port: 0), logger: Logger(label: "bench")
        ) { continuation.yield($0) }
        try await withThrowingTaskGroup { group in
            group.addTask { try await server.run() }
            for await port in ports {
                try await body(port)
                break
            }
            group.cancelAll()
        }
    }
}
