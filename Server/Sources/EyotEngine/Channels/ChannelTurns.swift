import EyotDomain

/// What is under way for channels, and how much more may begin. Decides; whoever performs it tells what has begun and ended.
package struct ChannelTurns: Sendable {
    /// Requests under way at a time. What is due beyond that waits in the store.
    static let limit = 50

    /// Channels for which something is under way.
    package private(set) var busy: Set<ChannelID> = []
    private let beginsAt: Instant

    /// - Parameter beginsAt: the moment before which nothing leaves: who broadcast before may have done so up to then, and no
    ///   channel is pushed to twice in a second (R7).
    package init(beginsAt: Instant) { self.beginsAt = beginsAt }

    /// How many may begin now.
    package func room(at now: Instant) -> Int { now < beginsAt ? 0 : max(0, Self.limit - busy.count) }

    package mutating func begin(_ tasks: [ChannelTask]) { busy.formUnion(tasks.map(\.channel.id)) }

    package mutating func end(_ task: ChannelTask) { busy.remove(task.channel.id) }
}
