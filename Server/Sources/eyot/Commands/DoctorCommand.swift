import APNSSender
import ArgumentParser
import EyotContract
import EyotServer
import Foundation

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check the settings, the APNs key, the clock, the database and the connection to Apple.",
        discussion: """
            Checks the EYOT_ settings in the environment, which `eyot serve` would use. Sends no push. Exit code 1 \
            means that a check failed.

            eyot doctor --p8 AuthKey_ABCDEFGHIJ.p8
            """)

    @Option(help: "An APNs key file to check.")
    var p8: String?

    @Flag(help: "Print the findings as a JSON object.")
    var json = false

    func run() async throws {
        var findings: [Finding] = []
        if let p8 { findings.append(Doctor.key(at: p8)) }
        findings.append(Doctor.clock(Date()))
        do throws(SettingError) {
            let values = try SettingValues(flags: [:], environment: ProcessInfo.processInfo.environment)
            let settings = try ServerConfiguration(values)
            findings.append(Finding("settings", .good, "all of EYOT_… can be used"))
            findings.append(Doctor.database(settings.database))
            findings.append(Doctor.files(settings))
            findings += await Doctor.apns(settings)
        } catch {
            findings.append(Finding("settings", .bad, "\(error)"))
        }
        if json {
            Output.out(JSONValue.object(JSONObject([("checks", .array(findings.map(\.json)))])).text)
        } else {
            for finding in findings { Output.out(finding.line) }
        }
        if findings.contains(where: { $0.state == .bad }) { throw ExitCode.failure }
    }
}

/// The result of a check.
struct Finding: Sendable, Equatable {
    enum State: String, Sendable {
        case good, bad
        /// Something is missing that not every server needs.
        case warning
    }

    var check: String
    var state: State
    /// The result, and what to do if it is bad.
    var words: String

    init(_ check: String, _ state: State, _ words: String) {
        (self.check, self.state, self.words) = (check, state, words)
    }

    var line: String { state.rawValue.padding(to: 9) + check.padding(to: 28) + words }
    var json: JSONValue {
        ["check": .string(check), "state": .string(state.rawValue), "finding": .string(words)]
    }
}
