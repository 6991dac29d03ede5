import Dispatch
import EyotContract
import EyotLab
import Foundation
import Synchronization

/// Prints events as they happen. When a stream ends, it goes on after the last event, so that it misses none.
struct LogFollower {
    /// Seconds before a server is called again: a stream lasts for ten minutes, and a server may be restarted.
    private static let pause = 1.0

    let server: ServerOptions
    /// The path of the events, with the conditions.
    let path: String

    /// Follows until the server refuses the call, or Ctrl-C ends the process with the exit code 0.
    func run() async throws {
        let interruption = Self.exitOnInterruption()
        defer { interruption.cancel() }
        let newest = try await server.call("GET", "/v1/log?limit=1").object?["entries"]?.array?.first
        let printed = PrintedEvents(last: newest?.object?["id"]?.string ?? "0", asJSON: server.json)
        Output.err("Following events. Ctrl-C ends this.")
        while true {
            do {
                try await server.follow(path, after: printed.last) { printed.print($0) }
            } catch let failure as APIClient.Failure {
                Output.err("\(failure) Trying again.")
            }
            try await Task.sleep(for: .seconds(Self.pause))
        }
    }

    /// Ctrl-C is how a person ends this command, and no failure.
    private static func exitOnInterruption() -> any DispatchSourceSignal {
        signal(SIGINT, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler { exit(Main.Code.done.rawValue) }
        source.resume()
        return source
    }
}

/// Prints the events of one stream after the other, and knows the last one.
private final class PrintedEvents: Sendable {
    private let id: Mutex<String>
    private let asJSON: Bool

    init(last: String, asJSON: Bool) {
        id = Mutex(last)
        self.asJSON = asJSON
    }

    /// The id of the last event.
    var last: String { id.withLock { $0 } }

    func print(_ message: EventMessage) {
        Output.out(asJSON ? message.data : Self.line(message))
        if let next = message.id { id.withLock { $0 = next } }
    }

    /// The event in one line: when, what, and what it is about.
    private static func line(_ message: EventMessage) -> String {
        guard let event = (try? JSONValue(parsing: Array(message.data.utf8)))?.object else { return message.data }
        var parts = [event["at"]?.string, message.event, event["activity"]?.string].compactMap(\.self)
        for name in ["ordinal", "device", "user", "version", "reason", "operation"] {
            guard let value = event[name] else { continue }
            parts.append("\(name) \(value.string ?? value.text)")
        }
        return parts.joined(separator: "  ")
    }
}
