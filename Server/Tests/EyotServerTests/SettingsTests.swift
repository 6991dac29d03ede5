import Foundation
import HTTPConnections
import Logging
import NIOCore
import Testing

@testable import EyotServer

@Suite("Settings")
struct SettingsTests {
    private func text(
        _ setting: Setting, flags: [Setting: String] = [:], environment: [String: String] = [:], file: String? = nil
    ) throws -> String? {
        try SettingValues(flags: flags, environment: environment, file: file.map { ($0, "eyot.yaml") }).text(setting)
    }

    @Test func `The command line wins over the environment, and the environment over the file`() throws {
        let file = "http-port: 1\nlog-level: error\nhttp-host: \"::1\"\n"
        let environment = ["EYOT_HTTP_PORT": "2", "EYOT_LOG_LEVEL": "debug", "PATH": "/bin"]
        let flags = [Setting.httpPort: "3"]
        #expect(try text(.httpPort, flags: flags, environment: environment, file: file) == "3")
        #expect(try text(.logLevel, flags: flags, environment: environment, file: file) == "debug")
        #expect(try text(.httpHost, flags: flags, environment: environment, file: file) == "::1")
        #expect(try text(.databaseURL) == "sqlite:eyot.sqlite")
    }

    @Test(
        "A name that is not a setting is refused and named",
        arguments: [
            (["EYOT_HTTP_PROT": "1"], nil, "EYOT_HTTP_PROT"), ([:], "http-prot: 1", "http-prot in eyot.yaml"),
            ([:], "http:\n  port: 1", "http in eyot.yaml"), ([:], "- 1", "eyot.yaml"), ([:], "a: [", "eyot.yaml"),
        ])
    func refusesUnknown(_ environment: [String: String], _ file: String?, _ named: String) throws {
        let error = #expect(throws: SettingError.self) {
            try text(.httpPort, environment: environment, file: file)
        }
        #expect(error?.description.contains(named) == true)
    }

    @Test(
        "A wrong value is refused, by the name under which it was given and without the value",
        arguments: [
            ("EYOT_HTTP_PORT", "80a"), ("EYOT_HTTP_PORT", "65536"), ("EYOT_HTTP_PORT", "-1"), ("EYOT_HTTP_HOST", ""),
            ("EYOT_HTTP_CONNECTIONS", "0"), ("EYOT_HTTP_CONNECTIONS_PER_ADDRESS", "-1"),
            ("EYOT_HTTP_LAG_MILLISECONDS", "49"), ("EYOT_HTTP_BODY_BYTES", "1000000"),
            ("EYOT_TRUSTED_PROXIES", "10.0.0.0/33"),
            ("EYOT_TRUSTED_PROXIES", "10.0.0.1,"), ("EYOT_PROXY_HEADER", "x-real-ip"), ("EYOT_DATABASE_URL", "mysql:x"),
            ("EYOT_DATABASE_DIRECT_URL", "mysql:x"), ("EYOT_DATABASE_DIRECT_URL", "postgres://a/of-no-use-to-a-file"),
            ("EYOT_DATABASE_URL", "sqlite:"),
            ("EYOT_MASTER_KEY", "c2hvcnQ="),
            ("EYOT_MASTER_KEY_FILE", "/none"),
            ("EYOT_APNS_SANDBOX_URL", "http://localhost"), ("EYOT_APNS_CA_FILE", "/nowhere/ca.pem"),
            ("EYOT_APNS_BROADCAST_URL", "https://a,b"), ("EYOT_APNS_CHANNELS_URL", "https://a,https://b,https://c"),
            ("EYOT_LOG_LEVEL", "loud"), ("EYOT_LOG_FORMAT", "xml"),
            ("EYOT_OTLP_ENDPOINT", "collector:4318"), ("EYOT_TRACE_RATIO", "2"), ("EYOT_LAB_CLOCK", "sundial"),
            ("EYOT_PUSHES_PER_APP", "999"), ("EYOT_PUSHES_PER_APP", "64001"),
            ("EYOT_APNS_CONNECTIONS_PER_KEY", "0"), ("EYOT_DRAIN_SECONDS", "601"),
            ("EYOT_LAB_CLOCK", "stdin:soon"),
            ("EYOT_KEEP_ENDED_DAYS", "0"), ("EYOT_KEEP_DEVICE_DAYS", "1.5"),
        ])
    func refusesWrong(_ variable: String, _ value: String) throws {
        let values = try SettingValues(flags: [:], environment: [variable: value])
        let error = #expect(throws: SettingError.self) { try ServerConfiguration(values) }
        #expect(error?.description.hasPrefix(variable) == true)
    }

    @Test(
        "Where a service is can be said once for both environments, or for each",
        arguments: [
            (nil, "https://api-broadcast.sandbox.push.apple.com", "https://api-broadcast.push.apple.com"),
            ("https://one:1", "https://one:1", "https://one:1"),
            ("https://one:1, https://two:2", "https://one:1", "https://two:2"),
        ])
    func serviceURLs(_ text: String?, _ sandbox: String, _ production: String) throws {
        let environment = text.map { ["EYOT_APNS_BROADCAST_URL": $0] } ?? [:]
        let urls = try ServerConfiguration(SettingValues(flags: [:], environment: environment)).apnsBroadcast
        #expect((urls.sandbox, urls.production) == (sandbox, production))
    }

    @Test func `The engine and the sender get what is set for them`() throws {
        let plain = try ServerConfiguration(SettingValues(flags: [:], environment: [:])).pace
        #expect((plain.engineLimits.pushesPerApp, plain.engineLimits.pushesInFlight) == (4_000, 16_000))
        #expect((plain.connectionsPerKey, plain.drainSeconds) == (4, 0))
        let flags = [Setting.pushesPerApp: "8000", .apnsConnectionsPerKey: "9", .drainSeconds: "10"]
        let set = try ServerConfiguration(SettingValues(flags: flags, environment: [:])).pace
        #expect((set.engineLimits.pushesPerApp, set.engineLimits.pushesInFlight) == (8_000, 32_000))
        #expect((set.connectionsPerKey, set.drainSeconds) == (9, 10))
    }

    @Test func `What Kubernetes says of services is ignored, and a wrong setting is not`() throws {
        let links = [
            "EYOT_PORT": "tcp://10.0.0.1:8080", "EYOT_SERVICE_HOST": "10.0.0.1", "EYOT_SERVICE_PORT": "8080",
            "EYOT_SERVICE_PORT_HTTP": "8080", "EYOT_PORT_8080_TCP": "tcp://10.0.0.1:8080",
            "EYOT_PORT_8080_TCP_PROTO": "tcp", "EYOT_PORT_8080_TCP_PORT": "8080",
            "EYOT_PORT_8080_TCP_ADDR": "10.0.0.1", "EYOT_HTTP_PORT": "tcp://10.0.0.2:80",
            "EYOT_HTTP_PORT_80_TCP": "tcp://10.0.0.2:80", "EYOT_HTTP_SERVICE_HOST": "10.0.0.2",
        ]
        let values = try SettingValues(flags: [:], environment: links)
        #expect(values.ignored == links.keys.sorted())
        #expect(values.text(.httpPort) == "8080")
        for name in ["EYOT_PORT", "EYOT_SERVICE", "EYOT_PORT_HTTP_TCP", "EYOT_SERVICE_HOSTS"] {
            #expect(throws: SettingError.self) { try SettingValues(flags: [:], environment: [name: "8080"]) }
        }
    }

    @Test func `There are no more connections than the process may have open`() {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let limits = ConnectionLimits()
        for (files, listeners, connections) in [
            (nil, 1, 10_000), (20_000, 1, 10_000), (1_024, 1, 752), (1_024, 3, 240), (100, 1, 1),
        ] {
            var wanted = 0
            let raise = { (count: Int) -> Int? in
                wanted = count
                return files
            }
            let fitted = limits.fitted(to: raise, listeners: listeners, logger: logger)
            #expect(fitted.connections == connections)
            #expect(wanted == 10_016 * listeners + 256)
        }
    }

    @Test func `How late a listener may be is a number of milliseconds, or without limit`() throws {
        func lag(_ text: String?) throws -> TimeAmount? {
            let flags = text.map { [Setting.httpLagMilliseconds: $0] } ?? [:]
            return try ServerConfiguration(SettingValues(flags: flags, environment: [:])).connectionLimits.lag
        }
        #expect(try lag(nil) == .milliseconds(500))
        #expect(try lag("50") == .milliseconds(50))
        #expect(try lag("0") == nil)
    }

    @Test func `Two listeners on one port, and two lines for one setting, are named`() throws {
        let shared = try SettingValues(flags: [.httpPort: "9000", .opsPort: "9000"], environment: [:])
        let clash = #expect(throws: SettingError.self) { try ServerConfiguration(shared) }
        #expect(clash?.description.contains("EYOT_OPS_PORT is the port of EYOT_HTTP_PORT") == true)
        let free = try SettingValues(flags: [.httpPort: "0", .opsPort: "0"], environment: [:])
        _ = try ServerConfiguration(free)
        let twice = #expect(throws: SettingError.self) {
            try SettingValues(flags: [:], environment: [:], file: ("http-port: 1\nhttp-port: 2\n", "eyot.yaml"))
        }
        #expect(twice?.description == "eyot.yaml has more than one line for http-port")
    }

    @Test func `A file that is not there is told apart from one that may not be read, and neither is repeated`() throws
    {
        let values = try SettingValues(flags: [:], environment: ["EYOT_MASTER_KEY_FILE": "/none"])
        let error = #expect(throws: SettingError.self) { try values.readableFile(.masterKeyFile) }
        #expect(error?.description == "EYOT_MASTER_KEY_FILE names a file that does not exist")
        #expect(try values.readableFile(.apnsCAFile) == nil)
    }

    @Test func `A wrong secret is not repeated`() throws {
        let values = try SettingValues(flags: [:], environment: ["EYOT_MASTER_KEY": "c2hvcnQ="])
        let error = #expect(throws: SettingError.self) { try ServerConfiguration(values) }
        #expect(error?.description.contains("c2hvcnQ=") == false)
    }

    @Test func `Every setting has a variable of its own and a purpose`() {
        #expect(Set(Setting.allCases.map(\.variable)).count == Setting.allCases.count)
        for setting in Setting.allCases { #expect(setting.purpose.hasSuffix(".")) }
    }
}
