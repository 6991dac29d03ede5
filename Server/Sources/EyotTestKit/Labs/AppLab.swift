import EyotContract
import EyotKit
import EyotLab
import Foundation
import PhoneSimulator

/// A lab with one phone that runs an app's own code, and a backend. The server is that of this build.
package struct AppLab: Sendable {
    package let lab: Lab
    package let phone: LabPhone

    /// The failure of a wait or a call, with what was found instead.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Runs a lab while `body` runs.
    ///
    /// - Parameters:
    ///   - types: the types of the app.
    ///   - launch: the app's code at each launch.
    package static func run(
        _ types: [LabType], launch: @escaping @Sendable (Eyot) async throws -> Void,
        _ body: (AppLab) async throws -> Void
    ) async throws {
        // The server is in the folder of the executable that runs the tests.
        let server = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("eyot")
        var configuration = LabConfiguration(phones: 1, executable: server)
        configuration.types = types
        configuration.appLaunch = launch
        configuration.serverLogLevel = "warning"
        try await Lab.run(configuration) { lab in try await body(AppLab(lab: lab, phone: lab.phones[0])) }
    }

    // MARK: The backend

    /// Makes a call about an activity, which must be accepted.
    @discardableResult
    package func declare(_ name: String, _ verb: String, _ body: JSONValue) async throws -> JSONValue {
        let answer = try await lab.api.call("POST", APIClient.path("v1", "activities", name, verb), body: body)
        guard answer.isSuccess else { throw Failure(description: "\(verb) of \(name): \(answer.problem)") }
        return answer.body
    }

    /// Starts a card on the phone, as soon as the server can.
    package func start(_ name: String, _ type: String, attributes: JSONValue, state: JSONValue) async throws {
        try await untilStartable([type])
        try await declare(
            name, "start",
            [
                "type": .string(type), "attributes": attributes, "contentState": state, "audience": ["tag": "fans"],
                "alert": ["title": "Off it goes", "body": "Have a look"],
            ])
    }

    /// Shows a state on the cards of a name, as soon as the server can push to one.
    package func update(_ name: String, state: JSONValue) async throws {
        try await untilLive(name)
        try await declare(name, "update", ["contentState": state])
        try await untilShown(state)
    }

    /// Ends the cards of a name.
    package func end(_ name: String, state: JSONValue) async throws {
        try await declare(name, "end", ["contentState": state])
        try await untilShown(state, .ended)
    }

    // MARK: Waiting

    /// Waits until the server can start cards of exactly these types on the phone.
    package func untilStartable(_ types: Set<String>) async throws {
        try await until("/v1/devices") { body in
            let tokens = body.object?["devices"]?.array?.first?.object?["startTokens"]?.array ?? []
            return Set(tokens.compactMap { $0.object?["type"]?.string }) == types
        }
    }

    /// Waits until the server has this user for the phone.
    package func untilUser(is user: String?) async throws {
        try await until("/v1/devices") { body in
            body.object?["devices"]?.array?.first?.object?["user"]?.string == user
        }
    }

    /// Waits until the server can push to a card of this name.
    package func untilLive(_ name: String) async throws {
        try await until(APIClient.path("v1", "activities", name)) { body in
            body.object?["phases"]?.object?["live"]?.integer == 1
        }
    }

    /// Waits until the server has the report that the card of this name is no longer tracked.
    package func untilForgotten(_ name: String) async throws {
        try await until(APIClient.path("v1", "activities", name)) { body in
            body.object?["phases"]?.object?["untracked"]?.integer == 1
        }
    }

    /// Waits until the newest card on the phone shows a state.
    package func untilShown(_ state: JSONValue, _ phase: CardPhase = .active) async throws {
        do {
            try await lab.until {
                phone.state.cards.last.map { $0.content.state == state && $0.phase == phase } ?? false
            }
        } catch {
            let cards = phone.state.cards.map { "\($0.content.state.text) \($0.phase)" }
            throw Failure(description: "\(state.text) \(phase) is not shown, but \(cards)")
        }
    }

    private func until(_ path: String, _ condition: (JSONValue) -> Bool) async throws {
        let signals = lab.changeSignals()
        while true {
            let body = try await lab.api.call("GET", path).body
            if condition(body) { return }
            for await _ in signals { break }
            if Task.isCancelled { throw Failure(description: "\(path) says \(body.text)") }
        }
    }
}
