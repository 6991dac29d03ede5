/// What a node tells the others on the store about itself.
package struct NodeRecord: Sendable, Hashable {
    package let id: NodeID
    /// What people call it, such as the name of its machine. A process that starts again has the same name.
    package let name: String
    /// The version of its program.
    package let version: String
    package let startedAt: Instant
    /// Rises for as long as the node lives, so that the others need not trust its clock.
    package var beats = 0
    /// When it last raised ``beats``, by its own clock.
    package var seenAt: Instant
    /// Whether an operator wants it to push nothing. It goes on answering calls.
    package var isDrained = false
    /// Whether its clock and the database's are too far apart for it to push.
    package var isClockApart = false

    /// Whether it takes a share of the shards.
    package var takesShare: Bool { !isDrained && !isClockApart }

    package init(id: NodeID, name: String, version: String, at now: Instant) {
        (self.id, self.name, self.version, startedAt, seenAt) = (id, name, version, now, now)
    }
}
