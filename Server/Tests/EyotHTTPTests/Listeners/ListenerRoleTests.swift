import EyotCommands
import EyotTestKit
import Foundation
import HTTPConnections
import Hummingbird
import HummingbirdTesting
import Logging
import Testing

@testable import EyotHTTP
@testable import EyotServer

/// Which listener answers what.
@Suite("Listeners", .timeLimit(.minutes(10)))
struct ListenerRoleTests {
    private static let health = ["/healthz", "/readyz", "/v1/errors", "/v1/errors/keyMissing"]
    private static let device = ["/v1/device/register", "/v1/device/changes", "/v1/device/card", "/v1/device/channel"]
    private static let control = ["/v1/apps", "/v1/status", "/v1/devices", "/openapi.json", "/v1/activities/a/start"]

    @Test(
        "A listener answers its own paths and health",
        arguments: [
            ([.http], health + device, control), ([.control], health + control, device),
            ([.ops], health + ["/metrics"], device + control),
            ([.http, .ops], health + device, control + ["/metrics"]),
            ([.http, .control, .ops], health + device + control, ["/metrics"]),
        ] as [(Set<ListenerRole>, [String], [String])])
    func paths(roles: Set<ListenerRole>, answered: [String], unknown: [String]) async throws {
        let backend = Backend(
            store: MemoryStore(), clock: StandingClock(), sealer: Sealer(MasterKey.make()),
            checkAPNSKey: { _, _, _ in })
        let api = API(backend).serving(roles)
        try await Application(responder: api).test(.router) { client in
            for (paths, isKnown) in [(answered, true), (unknown, false)] {
                for path in paths {
                    let answer = try await client.executeRequest(uri: path, method: .get, headers: [:], body: nil)
                    #expect((answer.status != .notFound) == isKnown, "\(path)")
                    #expect(isKnown || String(buffer: answer.body).contains(#""code":"routeUnknown""#), "\(path)")
                }
            }
        }
    }

    @Test func `What has no listener of its own is on the first`() {
        #expect(Listeners.roles(on: .http, of: [.http]) == [.http, .control, .ops])
        #expect(Listeners.roles(on: .http, of: [.http, .control]) == [.http, .ops])
        #expect(Listeners.roles(on: .http, of: [.http, .control, .ops]) == [.http])
        #expect(Listeners.roles(on: .control, of: [.http, .control]) == [.control])
    }

    @Test func `The panel is never where phones call`() {
        #expect(!Listeners.roles(on: .http, of: [.http]).contains(.panel))
        #expect(!Listeners.roles(on: .http, of: [.http, .control]).contains(.panel))
        #expect(Listeners.roles(on: .ops, of: [.http, .ops]) == [.ops, .panel])
        #expect(Listeners.roles(on: .ops, of: [.http, .ops, .panel]) == [.ops])
        #expect(Listeners.roles(on: .panel, of: [.http, .ops, .panel]) == [.panel])
    }

    @Test(
        "Settings of a listener belong together",
        arguments: [
            (["EYOT_HTTP_TLS_CERTIFICATE_FILE": "/dev/null"], "EYOT_HTTP_TLS_KEY_FILE"),
            (["EYOT_OPS_PORT": "0", "EYOT_OPS_TLS_KEY_FILE": "/dev/null"], "EYOT_OPS_TLS_CERTIFICATE_FILE"),
            (
                [
                    "EYOT_CONTROL_TLS_CERTIFICATE_FILE": "/dev/null", "EYOT_CONTROL_TLS_KEY_FILE": "/dev/null",
                ], "EYOT_CONTROL_PORT"
            ),
            (["EYOT_CONTROL_PORT": "80a"], "EYOT_CONTROL_PORT"), (["EYOT_OPS_HOST": ""], "EYOT_OPS_HOST"),
            (["EYOT_HTTP_TLS_KEY_FILE": "/none"], "EYOT_HTTP_TLS_KEY_FILE"),
        ])
    func settings(environment: [String: String], named: String) throws {
        let values = try SettingValues(flags: [:], environment: environment)
        let error = #expect(throws: SettingError.self) { try ServerConfiguration(values) }
        #expect(error?.description.contains(named) == true)
    }

    @Test(
        "An address of this machine is told from others",
        arguments: [
            ("127.0.0.1", true), ("::1", true), ("localhost", true), ("0.0.0.0", false), ("::", false),
            ("203.0.113.7", false), ("eyot.example.org", false),
        ])
    func isLocal(host: String, isLocal: Bool) {
        #expect(ListenerSettings(host: host, port: 0, tls: nil).isLocal == isLocal)
    }

    @Test func `A server has three listeners, and SIGHUP changes a certificate and stops nothing`() async throws {
        try await TestFolder.certified { folder, first in
            let (files, second) = (folder.files, try TestCertificate())
            let configuration = try ServerConfiguration(
                SettingValues(
                    flags: [:],
                    environment: [
                        "EYOT_DATABASE_URL": "sqlite:\(folder.path)/eyot.sqlite", "EYOT_HTTP_PORT": "0",
                        "EYOT_CONTROL_PORT": "0", "EYOT_OPS_PORT": "0",
                        "EYOT_CONTROL_TLS_CERTIFICATE_FILE": files.certificate, "EYOT_CONTROL_TLS_KEY_FILE": files.key,
                    ]))
            // Until the server takes the signal, it would end the tests.
            signal(SIGHUP, SIG_IGN)
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let (starts, start) = AsyncStream.makeStream(of: ServerAddresses.self)
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask { try? await EyotServer(configuration, logger: logger).run { start.yield($0) } }
                let addresses = try #require(await starts.first { _ in true })
                let http = try Self.port(addresses.http, "http")
                let ops = try Self.port(addresses.ops, "http")
                let control = try Self.port(addresses.control, "https")
                #expect(await TLSTests.isAnswered(nil, at: http))
                #expect(await TLSTests.isAnswered(nil, at: ops))
                #expect(try await TLSTests.isAnswered(first.client(), at: control))
                try second.write(to: files)
                while try await !TLSTests.isAnswered(second.client(), at: control) { kill(getpid(), SIGHUP) }
                #expect(await TLSTests.isAnswered(nil, at: http))
                tasks.cancelAll()
            }
        }
    }

    private static func port(_ address: String?, _ scheme: String) throws -> Int {
        let url = try #require(address.flatMap { URL(string: $0) })
        #expect(url.scheme == scheme)
        return try #require(url.port)
    }
}
