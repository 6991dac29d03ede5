import ArgumentParser
import EyotContract
import EyotLab

struct OperationShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show an operation and whether it is done or superseded.",
        discussion: "eyot operation show 2 --wait --timeout 60")

    @Argument(help: "The operation's id, from the answer of the call.")
    var id: String

    @Flag(help: "Wait until the operation is done or superseded.")
    var wait = false

    @Option(help: "With --wait: seconds until the command gives up, more than 0 and at most 86400.")
    var timeout = 300.0

    @OptionGroup var server: ServerOptions

    /// The time between two reads.
    private static let pause = Duration.milliseconds(250)

    func validate() throws {
        guard timeout > 0, timeout <= 86_400 else {
            throw ValidationError("--timeout takes up to 86,400 seconds, and more than none.")
        }
    }

    func run() async throws {
        let clock = ContinuousClock()
        let deadline = clock.now + .seconds(timeout)
        var shown = try await show()
        while wait, !Self.isComplete(shown) {
            guard clock.now < deadline else {
                Output.value(shown, asJSON: server.json)
                throw CommandFailure("operation \(id) is not complete after \(Int(timeout)) s")
            }
            try await clock.sleep(for: Self.pause)
            shown = try await show()
        }
        Output.value(shown, asJSON: server.json)
    }

    private func show() async throws -> JSONValue {
        try await server.call("GET", APIClient.path("v1", "operations", id))
    }

    static func isComplete(_ operation: JSONValue) -> Bool {
        ["done", "superseded"].contains(operation.object?["state"]?.string)
    }
}
