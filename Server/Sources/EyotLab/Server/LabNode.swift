import EyotContract

/// A server of a lab: a process with a name and an address of its own.
public struct LabNode: Sendable, Hashable {
    /// What its process does.
    public enum State: String, Sendable {
        /// It runs.
        case running
        /// SIGSTOP has paused it. Its connections are open, and nothing is answered.
        case paused
        /// It has ended, or was not started yet.
        case stopped
    }

    /// What a lab does to a node.
    public enum Action: String, CaseIterable, Sendable {
        /// Ends the process with SIGKILL, like a crash.
        case kill
        /// Ends the process with SIGTERM, like an operator, and waits for its end.
        case stop
        /// Pauses the process with SIGSTOP, like a machine that stalls.
        case pause
        /// Continues a paused process with SIGCONT.
        case `continue`
        /// Starts a new process under the same name and address.
        case start
    }

    /// The node's name: `node-1`, `node-2` and so on.
    public var name: String
    /// The base URL of its listener. It stays the same when the node is started again.
    public var http: String
    /// The base URL of its listener for health and metrics.
    public var ops: String
    /// The process id; nil if it is stopped.
    public var pid: Int32?
    /// What the process does.
    public var state: State
    /// How the last process ended without the lab's doing, such as `signal 9`; nil if it did not.
    public var failure: String?

    /// The node as the control API shows it.
    public var json: JSONValue {
        var object = JSONObject([
            ("name", .string(name)), ("http", .string(http)), ("ops", .string(ops)),
            ("pid", pid.map { .integer($0) } ?? .null), ("state", .string(state.rawValue)),
        ])
        object["failure"] = failure.map(JSONValue.string)
        return .object(object)
    }
}
