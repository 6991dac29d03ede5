import EyotContract
import Foundation

/// An activity as the server declares it, with the states that phones may still show.
struct DeclaredActivity: Sendable, Hashable {
    /// A declared state.
    struct State: Sendable, Hashable {
        var version: Int
        var digest: StateDigest
        /// When it was declared.
        var at: Date
    }

    /// How many states are kept. A phone with an older one is behind without a version.
    static let stateLimit = 50

    var name: String
    var generation: Int
    /// The newest version, for whichever cards it was declared.
    var version: Int
    /// The newest version that was declared for all cards; 0 if nothing was.
    var stateVersion: Int
    var type: String?
    var contentState: JSONValue
    var declaredAt: Date?
    var endedAt: Date?
    var isEnded: Bool
    var isHalted: Bool
    /// The states in the order of their versions.
    private(set) var states: [State] = []

    /// Reads the server's report. Nil if it is none.
    init?(report: JSONValue) {
        guard let object = report.object, let name = object["name"]?.string,
            let generation = object["generation"]?.integer, let version = object["version"]?.integer
        else { return nil }
        self.name = name
        self.generation = generation
        self.version = version
        stateVersion = object["stateVersion"]?.integer ?? 0
        type = object["type"]?.string
        contentState = object["contentState"] ?? .null
        declaredAt = object["declaredAt"]?.string.flatMap(RFC3339.date(from:))
        endedAt = object["endedAt"]?.string.flatMap(RFC3339.date(from:))
        isEnded = object["state"]?.string == "ended"
        isHalted = object["halt"] != nil
        if stateVersion > 0, contentState != .null {
            states = [
                State(
                    version: stateVersion, digest: StateDigest(of: contentState),
                    at: declaredAt ?? endedAt ?? .distantPast)
            ]
        }
    }

    /// Keeps the states of an earlier report of the same generation.
    mutating func adopt(_ former: DeclaredActivity) {
        guard former.generation == generation else { return }
        let new = states
        states = former.states.filter { old in !new.contains { $0.version == old.version } } + new
        states.sort { $0.version < $1.version }
        if states.count > Self.stateLimit { states.removeFirst(states.count - Self.stateLimit) }
    }

    /// The newest version with this state; nil if no declaration that is known has it.
    func version(of digest: StateDigest) -> Int? { states.last { $0.digest == digest }?.version }

    /// When the first known state after a version was declared; otherwise when the newest one was.
    func superseded(_ version: Int) -> Date? { states.first { $0.version > version }?.at ?? declaredAt }
}
