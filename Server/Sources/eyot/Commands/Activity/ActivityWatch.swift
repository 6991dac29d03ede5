import ArgumentParser
import EyotContract
import EyotLab
import Foundation

struct ActivityWatch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Follow an activity until it has ended on all cards.",
        discussion: """
            Prints a line at each change: the version, cards by phase, how many cards are behind and for how long, and \
            pushes by outcome. A terminal shows one line for each version, which is rewritten at each change. With \
            --json each line is an answer of the server.

            eyot activity watch final-2022 --every 5
            """)

    @Argument(help: "The activity's name.")
    var name: String

    @Option(help: "Seconds between two reads, 0.2 to 3600.")
    var every = 1.0

    @OptionGroup var server: ServerOptions

    func validate() throws {
        guard (0.2...3_600).contains(every) else { throw ValidationError("--every is 0.2 to 3600 seconds.") }
    }

    func run() async throws {
        var former: JSONValue?
        while true {
            let body = try await server.call("GET", APIClient.path("v1", "activities", name))
            if body != former { show(body, after: former) }
            former = body
            if ActivityProgress(body).isOver { return finish() }
            try await Task.sleep(for: .seconds(every))
        }
    }

    private func show(_ body: JSONValue, after former: JSONValue?) {
        guard !server.json else { return Output.out(body.text) }
        let (progress, last) = (ActivityProgress(body), former.map(ActivityProgress.init))
        guard Terminal.output.isTerminal else {
            if progress.text != last?.text { Output.out(progress.text) }
            return
        }
        let begins = last.map { $0.version != progress.version } ?? false
        let text = progress.text.cut(to: (Terminal.output.width ?? 80) - 1)
        Output.rewrite((begins ? "\n" : "") + text)
    }

    private func finish() {
        if Terminal.output.isTerminal, !server.json { Output.out("") }
    }
}

/// What `eyot activity watch` says of an activity.
struct ActivityProgress: Equatable {
    let version: Int
    private let state: String
    private let phases: String
    private let behind: Int
    private let isEstimated: Bool
    private let seconds: Double
    private let tally: String

    /// - Parameter body: the answer to `GET /v1/activities/{name}`.
    init(_ body: JSONValue) {
        let object = body.object
        version = object?["version"]?.integer ?? 0
        state = object?["halt"] == nil ? object?["state"]?.string ?? "" : "halted"
        phases = Self.counts(object?["phases"])
        tally = Self.counts(object?["tally"])
        let now = object?["stateAge"]?.object?["now"]?.object
        behind = now?["behind"]?.integer ?? 0
        isEstimated = now?["estimated"] == true
        seconds = now?["maxSeconds"]?.double ?? 0
    }

    /// Whether it has ended and no card is behind.
    var isOver: Bool { state == "ended" && behind == 0 && !isEstimated }

    /// The progress as a line.
    var text: String {
        let number = "\(isEstimated ? "about " : "")\(behind)"
        let wait = String(format: "%.1f", seconds)
        let lag = behind == 0 && !isEstimated ? "all up to date" : "\(number) behind for \(wait) s"
        return ["version \(version), \(state)", phases, lag, tally].filter { !$0.isEmpty }.joined(separator: " | ")
    }

    private static func counts(_ value: JSONValue?) -> String {
        let members = value?.object?.members.filter { ($0.value.integer ?? 0) != 0 } ?? []
        return members.map { "\($0.name) \($0.value.text)" }.joined(separator: ", ")
    }
}
