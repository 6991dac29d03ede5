import EyotContract
import EyotDomain

extension NodeStanding {
    /// The node as an answer and a list show it.
    package var json: JSONValue {
        [
            "name": .string(node.name), "state": .string(state.rawValue), "shards": .integer(shards),
            "version": .string(node.version), "startedAt": .string(node.startedAt.rfc3339),
            "seenAt": .string(node.seenAt.rfc3339), "id": .string(node.id.rawValue),
        ]
    }
}
