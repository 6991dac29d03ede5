import APNSSender
import ArgumentParser
import EyotContract
import EyotLab
import EyotServer
import Foundation

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check the settings, the APNs key, the clock, the database and the connection to Apple.",
        discussion: """
            Checks the settings that `eyot serve` would use, from the same options, variables and file. Sends no push. \
            With EYOT_API_KEY it also asks the running server what keeps the app, or an activity, from being pushed to. \
            Exit code 1 means that a check failed.

            eyot doctor --p8 AuthKey_ABCDEFGHIJ.p8
            """)

    @Option(help: "An APNs key file to check.")
    var p8: String?

    @Option(help: "An activity that the running server is asked about.")
    var activity: String?

    @Option(help: "The running server's base URL. [env: EYOT_URL] (default: http://127.0.0.1:8080)")
    var url: String?

    @Option(help: "The bundle identifier of the app. Only the operator's key needs it.")
    var app: String?

    @OptionGroup(visibility: .hidden) var settings: SettingOptions

    @Flag(help: "Print the findings as a JSON object.")
    var json = false

    func run() async throws {
        var findings: [Finding] = []
        if let p8 { findings.append(Doctor.key(at: p8)) }
        findings.append(Doctor.clock(Date()))
        do {
            let settings = try settings.configuration()
            findings.append(Finding("settings", .good, "all of options, EYOT_… and file can be used"))
            findings.append(Doctor.database(settings.database))
            findings.append(Doctor.files(settings))
            findings.append(Doctor.masterKey(settings))
            findings += await Doctor.apns(settings)
        } catch {
            findings.append(Finding("settings", .bad, "\(error)"))
        }
        findings += await asked()
        if json {
            Output.out(JSONValue.object(JSONObject([("checks", .array(findings.map(\.json)))])).text)
        } else {
            for finding in findings { Output.out(finding.line) }
        }
        if findings.contains(where: { $0.state == .bad }) { throw ExitCode.failure }
    }

    /// The checks of the running server that fail. Its answer is a problem if it is not ready.
    private func readiness(of server: ServerOptions) async -> [Finding] {
        do {
            return Doctor.checks(try await server.call("GET", "/readyz"))
        } catch let failure as CommandFailure {
            return failure.problem.map { Doctor.checks(.object($0)) } ?? [Finding("server", .bad, "\(failure)")]
        } catch {
            return [Finding("server", .bad, "\(error)")]
        }
    }

    /// What the running server says of the app; nothing without a key of it.
    private func asked() async -> [Finding] {
        guard ServerOptions.hasKey else { return [] }
        var server = ServerOptions()
        (server.url, server.app, server.json) = (url, app, true)
        let query = activity.map { "?activity=\(APIClient.path($0).dropFirst())" } ?? ""
        do {
            let findings = Doctor.findings(try await server.call("GET", "/v1/findings\(query)"))
            return findings + (await readiness(of: server))
        } catch let failure as CommandFailure {
            return [Doctor.finding(of: failure)]
        } catch {
            return [Finding("server", .bad, "\(error)")]
        }
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
    /// The code of the server's finding; nil for a check of the command itself.
    var code: String?
    /// What to do, of the server's finding.
    var remedy: String?

    init(_ check: String, _ state: State, _ words: String, code: String? = nil) {
        (self.check, self.state, self.words, self.code) = (check, state, words, code)
    }

    /// A fault that would keep the server from starting.
    init(_ check: String, _ fault: StartFault) {
        self.init(check, .bad, fault.description)
        code = fault.code.rawValue
    }

    var line: String {
        let parts = [words, remedy, code.map { "[\($0)]" }].compactMap(\.self)
        return state.rawValue.padding(to: 9) + check.padding(to: 28) + parts.joined(separator: " ")
    }

    var json: JSONValue {
        var object = JSONObject([
            ("check", .string(check)), ("state", .string(state.rawValue)), ("finding", .string(words)),
        ])
        object["code"] = code.map(JSONValue.string)
        object["remedy"] = remedy.map(JSONValue.string)
        return .object(object)
    }
}
