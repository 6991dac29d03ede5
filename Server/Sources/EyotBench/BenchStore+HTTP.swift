import EyotCommands
import EyotDomain
import EyotHTTP
import EyotVendors
import Foundation
import HTTPConnections
import Hummingbird
import Logging

extension CallLimits {
    /// A key and an app may call as often as they like.
    static var none: CallLimits {
        var limits = CallLimits()
        (limits.keyCallsPerHour, limits.appCallsPerHour) = (0, 0)
        return limits
    }

    /// Limits that count calls and are never reached.
    static var counting: CallLimits {
        var limits = CallLimits()
        (limits.keyCallsPerHour, limits.appCallsPerHour) = (1_000_000_000, 1_000_000_000)
        (limits.deviceCallsPerHour, limits.registrationsPerMinute) = (1_000_000_000, 1_000_000_000)
        return limits
    }
}

extension BenchStore {
    /// Makes a key of the control plane for the app.
    func makeKey() async throws -> Secret {
        let (app, now, secret) = (app, clock.now, Keyring.make(.apiKey))
        try await store.write { ledger in
            _ = try APIKeys(Transaction(ledger, at: now)).create(.init(name: "bench"), of: app, secret: secret)
        }
        return secret.secret
    }

    /// Makes a key of the app for Braze's API, with its `app_id`.
    func makeBrazeKey() async throws -> (secret: Secret, appID: String) {
        let (app, now, rules) = (app, clock.now, Vendor.braze.keys)
        let (made, appID) = (Keyring.make(by: rules), rules.identifier?.make() ?? "")
        try await store.write { ledger in
            _ = try APIKeys(Transaction(ledger, at: now)).create(
                .init(name: "braze", plane: rules.plane, identifier: appID), of: app, secret: made)
        }
        return (made.secret, appID)
    }

    /// Serves the API on a free port while the body runs.
    ///
    /// - Parameters:
    ///   - certificate: nil for no TLS.
    ///   - registrations: without it each report of a phone is applied at once.
    ///   - change: changes the listener's settings.
    ///   - routes: further routes over the same backend.
    func withHTTP(
        limits: CallLimits = CallLimits(), certificate: ServerCertificate? = nil, registrations: Registrations? = nil,
        change: (inout HTTPServer.Settings) -> Void = { _ in }, routes: (Backend) -> [Route] = { _ in [] },
        _ body: (_ port: Int) async throws -> Void
    ) async throws {
        let backend = Backend(
            store: store, clock: clock, sealer: Sealer(MasterKey.make()),
            checkAPNSKey: { _, _, _ in }, registrations: registrations, limits: limits)
        let api = API(backend, vendors: Vendors.all, routes: routes(backend))
        try await Self.serve(api, certificate: certificate, change: change, body)
    }

    /// Serves a responder on a free port with the API's settings while the body runs.
    ///
    /// - Parameters:
    ///   - certificate: nil for no TLS.
    ///   - change: changes the listener's settings.
    static func serve<Responder: HTTPResponder>(
        _ responder: Responder, certificate: ServerCertificate? = nil,
        change: (inout HTTPServer.Settings) -> Void = { _ in }, _ body: (_ port: Int) async throws -> Void
    ) async throws where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        // Otherwise it would log every start, and the connections that end with the measurement.
        var logger = Logger(label: "bench")
        logger.logLevel = .critical
        var settings = HTTPServer.Settings(host: "127.0.0.1", port: 0)
        settings.certificate = certificate
        change(&settings)
        let server = HTTPServer.application(
            responder, settings: settings, guardedBy: settings.guarding(), logger: logger
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
