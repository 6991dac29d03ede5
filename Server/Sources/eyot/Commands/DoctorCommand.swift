import APNSSender
import ArgumentParser
import EyotContract
import EyotServer
import Foundation

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Look for what commonly goes wrong: key, clock, database, the way to Apple.",
        discussion: """
            Looks at the settings in the environment that `eyot serve` would use. Sends no push. Exit code 1 means that \
            something has to be mended.
            """)

    @Option(help: "A key's file to look at.")
    var p8: String?

    @Flag(help: "Print the findings as one object.")
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
