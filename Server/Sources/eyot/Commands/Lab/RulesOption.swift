import APNSSimulator
import ArgumentParser
import EyotContract
import PhoneSimulator

/// Switches of the phones and of the push service on the command line: `narrow`, `NAME=VALUE`, a JSON object or
/// `@file`.
struct RulesOption: ExpressibleByArgument, Equatable {
    private let text: String

    init(argument: String) { text = argument }

    /// - Throws: `ValidationError`, which names the switch and the error.
    func change(_ rules: inout PhoneRules, _ service: inout APNSRules) throws {
        if text == "narrow" {
            rules = .narrow
            return
        }
        let switches = try switches()
        do throws(JSONFieldError) {
            guard let members = switches.object?.members else {
                try rules.change(switches)
                return
            }
            for member in members {
                if member.name == Self.service, let inner = member.value.object {
                    for one in inner.members {
                        try service.change(one.name, to: one.value, at: "\(Self.service).\(one.name)")
                    }
                } else if APNSRules.names.contains(member.name) {
                    try service.change(member.name, to: member.value, at: member.name)
                } else {
                    try rules.change(.object(JSONObject([(member.name, member.value)])))
                }
            }
        } catch {
            throw ValidationError("--rules: \(Self.words(for: error)).")
        }
    }

    /// The member that `GET /rules` of a lab has for the switches of the push service.
    private static let service = "pushService"

    private func switches() throws -> JSONValue {
        if text.hasPrefix("{") || text.hasPrefix("@") { return try JSONArgument(parsing: text).value }
        let parts = text.split(separator: "=", maxSplits: 1)
        guard parts.count == 2 else {
            throw ValidationError("--rules takes narrow, NAME=VALUE, a JSON object or @file, not \"\(text)\".")
        }
        // A value that is not JSON is a word, as in `startTokenMoment=firstLaunch`.
        let value = (try? JSONValue(parsing: Array(parts[1].utf8))) ?? .string(String(parts[1]))
        return parts[0].split(separator: ".").reversed().reduce(value) { value, name in
            .object(JSONObject([(String(name), value)]))
        }
    }

    private static func words(for error: JSONFieldError) -> String {
        guard error.problem == .unknown else { return "\(error)" }
        return "there is no switch \(error.path); docs/reference/lab.md lists them"
    }
}
