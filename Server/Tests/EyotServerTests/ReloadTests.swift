import EyotHTTP
import Foundation
import Logging
import Synchronization
import Testing

@testable import EyotServer

@Suite("Settings that are read again")
struct ReloadTests {
    /// The settings of a server. A test changes its environment.
    private final class Rig: Sendable {
        let environment = Mutex<[String: String]>([:])
        let limits = Mutex<[CallLimits]>([])
        let threshold = LogThreshold(.info)

        func settings() throws -> RunningSettings {
            let read: @Sendable () throws -> ServerConfiguration = {
                try ServerConfiguration(
                    SettingValues(flags: [:], environment: self.environment.withLock(\.self)))
            }
            return RunningSettings(try read(), source: SettingsSource(threshold: threshold, read: read)) { limits in
                self.limits.withLock { $0.append(limits) }
            }
        }
    }

    @Test func `Level, limits and retention hold at once, and everything else waits for a restart`() throws {
        let rig = Rig()
        let settings = try rig.settings()
        rig.environment.withLock {
            $0 = [
                "EYOT_LOG_LEVEL": "debug", "EYOT_KEY_CALLS_PER_HOUR": "7", "EYOT_KEEP_EVENT_DAYS": "3",
                "EYOT_HTTP_PORT": "1234",
            ]
        }
        let changes = try settings.reload()
        #expect(changes.applied == [.keyCallsPerHour, .keepEventDays, .logLevel])
        #expect(changes.waiting == [.httpPort])
        #expect(rig.threshold.level == .debug)
        #expect(settings.retention.events == 3 * 86_400)
        let limits = rig.limits.withLock(\.self)
        #expect(limits.last?.keyCallsPerHour == 7)
        // A second look applies nothing anew, and the restart is still needed.
        #expect(try settings.reload() == RunningSettings.Changes(applied: [], waiting: [.httpPort]))
        // What goes back to its value at the start needs no restart.
        rig.environment.withLock { $0 = [:] }
        #expect(try settings.reload().waiting.isEmpty)
    }

    @Test func `A wrong setting changes nothing`() throws {
        let rig = Rig()
        let settings = try rig.settings()
        rig.environment.withLock { $0 = ["EYOT_LOG_LEVEL": "debug", "EYOT_KEEP_EVENT_DAYS": "none"] }
        #expect(throws: SettingError.self) { try settings.reload() }
        #expect(rig.threshold.level == .info)
        #expect(settings.retention.events == 30 * 86_400)
        let limits = rig.limits.withLock(\.self)
        #expect(limits.isEmpty)
    }

    @Test func `A secret in a file that has changed waits for a restart`() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try "one\n".write(toFile: path, atomically: true, encoding: .utf8)
        let rig = Rig()
        rig.environment.withLock {
            $0 = [
                "EYOT_PANEL_OIDC_ISSUER": "https://id.example.org", "EYOT_PANEL_OIDC_CLIENT_ID": "eyot",
                "EYOT_PANEL_OIDC_CLIENT_SECRET_FILE": path,
            ]
        }
        let settings = try rig.settings()
        #expect(try settings.reload().waiting.isEmpty)
        try "two\n".write(toFile: path, atomically: true, encoding: .utf8)
        #expect(try settings.reload().waiting == [.panelOIDCClientSecretFile])
    }

    @Test func `All loggers follow the level, except those with their own`() {
        let threshold = LogThreshold(.info)
        let first = Logger(label: "first") { LogFormat.json.handler(label: $0, threshold: threshold) }
        var second = first
        second.logLevel = .error
        #expect((first.logLevel, second.logLevel) == (.info, .error))
        threshold.level = .trace
        #expect((first.logLevel, second.logLevel) == (.trace, .error))
    }
}
