import Foundation

/// All nodes of a lab, which share a database.
final class LabNodes: Sendable {
    /// Which of them the calls of phones and lab go to.
    let round: NodeRound
    /// In the order of their numbers, from 1.
    private let children: [ServerChild]

    /// - Parameter make: Makes a process with this name and number, which opens and closes its address in the round.
    init(
        count: Int, _ make: (_ name: String, _ number: Int, _ round: NodeRound) throws -> ServerChild
    ) rethrows {
        let round = NodeRound()
        self.round = round
        children = try (1...max(count, 1)).map { try make("node-\($0)", $0, round) }
    }

    /// The first node. It makes the tables, and the lab's commands have its settings.
    var first: ServerChild { children[0] }

    /// All of them as they are now.
    var all: [LabNode] {
        get async {
            var all: [LabNode] = []
            for child in children { all.append(await child.node) }
            return all
        }
    }

    /// Returns the node with this name or number.
    ///
    /// - Throws: ``LabError/noSuchNode(_:)``.
    func child(_ word: String) throws(LabError) -> ServerChild {
        let number = Int(word) ?? children.firstIndex { $0.name == word }.map { $0 + 1 } ?? 0
        guard (1...children.count).contains(number) else { throw .noSuchNode(word) }
        return children[number - 1]
    }

    /// Starts all nodes. The first one makes the tables alone.
    func start() async throws {
        try await first.start()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for child in children.dropFirst() { group.addTask { try await child.start() } }
            try await group.waitForAll()
        }
    }

    /// Stops all nodes, also paused ones, and returns when they have ended.
    func stop() async {
        await withTaskGroup(of: Void.self) { group in
            for child in children { group.addTask { await child.stop() } }
        }
    }

    /// Brings the clocks of the running nodes to the lab's.
    func keepTime() async {
        for child in children { await child.keepTime() }
    }
}
