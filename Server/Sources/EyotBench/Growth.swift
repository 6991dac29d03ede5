import EyotCommands
import EyotContract
import EyotDomain
import Foundation

/// What one update, one card's own update and one new token cost in activities of several sizes: it should not depend on the
/// size.
///
/// Every update costs something whatever its size, of which each push of a small activity has the larger share. So an activity of
/// one page is measured too, and taken off: what is left is what each further push costs.
public struct Growth: Sendable {
    /// Cards, for each activity that is measured.
    public var sizes: [Int]
    /// How often each is measured.
    public var rounds: Int
    /// Updates of one card, and new tokens, in each round.
    public var singles: Int

    private static let name = "final"
    private static let patience = 600.0
    private static let onePage = RingPage.capacity

    /// - Parameters:
    ///   - sizes: cards, each more than 1,000.
    ///   - rounds: how often each is measured: of each size two cards for each single of all rounds are needed.
    ///   - singles: how many of each kind in a round, 1 to 50.
    public init(sizes: [Int], rounds: Int, singles: Int) {
        self.sizes = sizes
        self.rounds = rounds
        self.singles = singles
    }

    /// What each of a number of like things took.
    private struct Figures {
        var statements: Double
        var cost: Cost

        /// What each thing took beyond so many others.
        func beyond(_ least: Figures, _ count: Int, of size: Int) -> Figures {
            func rest(_ figure: (Figures) -> Double) -> Double {
                (figure(self) * Double(size) - figure(least) * Double(count)) / Double(size - count)
            }
            return Figures(
                statements: rest(\.statements),
                cost: Cost(cpu: rest(\.cost.cpu), written: rest(\.cost.written), wakeUps: rest(\.cost.wakeUps)))
        }
    }

    /// What is measured.
    private enum Kind: String, CaseIterable {
        case push = "a push of an update for everyone"
        case further = "each push beyond the first page"
        case own = "an update for one card"
        case token = "a new token"
    }

    /// - Parameter progress: told what is going on.
    public func run(progress: @escaping @Sendable (String) -> Void) async throws -> BenchReport {
        var figures: [Kind: [[Figures]]] = [:]
        progress("filling a store with \(Self.onePage) cards")
        let least = try await measure(Self.onePage, alsoSingles: false)[.push] ?? []
        for size in sizes {
            progress("filling a store with \(size) cards")
            for (kind, ofKind) in try await measure(size) { figures[kind, default: []].append(ofKind) }
            figures[.further, default: []].append(
                zip(figures[.push]?.last ?? [], least).map { $0.beyond($1, Self.onePage, of: size) })
        }
        var report = BenchReport(name: "growth", rounds: rounds)
        for kind in Kind.allCases {
            for (size, figures) in zip(sizes, figures[kind] ?? []) {
                let name = "\(kind.rawValue), of \(size)"
                report.add("\(name): statements", figures.map(\.statements), "")
                report.add("\(name): threads woken", figures.map(\.cost.wakeUps), "")
                report.add(name, figures.map(\.cost))
            }
        }
        return report
    }

    private func measure(_ size: Int, alsoSingles: Bool = true) async throws -> [Kind: [Figures]] {
        let bench = try await BenchStore()
        try await bench.fill(Self.name, replicas: size)
        var figures: [Kind: [Figures]] = [:]
        try await bench.withEngine(pushing: BenchPusher()) {
            // Not measured: caches fill, and no push leaves in the engine's first second.
            for _ in 1...2 { try await update(bench) }
            for _ in 0..<rounds {
                figures[.push, default: []].append(try await each(of: size, bench) { try await update(bench) })
            }
            // Afterwards, since cards with a state of their own are of other kinds than the others from then on.
            for round in 0..<(alsoSingles ? rounds : 0) {
                let own = try await each(of: singles, bench) {
                    for card in cards(round, of: size) { try await updateOne(card, bench) }
                }
                figures[.own, default: []].append(own)
                let tokens = try await each(of: singles, bench) {
                    for card in cards(round, of: size) { try await rotate(card + 1, bench) }
                }
                figures[.token, default: []].append(tokens)
            }
        }
        try await bench.remove()
        return figures
    }

    /// Spread over the whole activity. The one behind each is free for something else.
    private func cards(_ round: Int, of size: Int) -> [Int] {
        (0..<singles).map { 1 + 2 * round + $0 * (size / singles) }
    }

    private func each(of count: Int, _ bench: BenchStore, _ body: () async throws -> Void) async throws -> Figures {
        let statements = try await bench.store.statementsRun()
        let cost = try await Cost.of(count, body)
        let run = try await bench.store.statementsRun() - statements
        return Figures(statements: Double(run) / Double(count), cost: cost)
    }

    private func update(_ bench: BenchStore) async throws {
        let state: JSONValue = ["at": .string("\(bench.clock.now.microseconds)")]
        try await bench.declare(DeclarationRequest(verb: .update, name: Self.name, content: Content(state: state)))
        try await bench.rest(of: Self.name, within: Self.patience, lookingEvery: .milliseconds(25))
    }

    private func updateOne(_ card: Int, _ bench: BenchStore) async throws {
        var request = DeclarationRequest(
            verb: .update, name: Self.name, content: Content(state: ["own": .integer(card)]))
        request.scope = .device(DeviceID(rawValue: Int64(card)))
        try await bench.declare(request)
        try await bench.rest(of: Self.name, within: Self.patience, lookingEvery: .milliseconds(4))
    }

    private func rotate(_ card: Int, _ bench: BenchStore) async throws {
        let now = bench.clock.now
        try await bench.store.write { ledger in
            guard let device = try ledger.device(DeviceID(rawValue: Int64(card))),
                let token = PushToken(bytes: BenchStore.token(-card))
            else { return }
            let change = DeviceChange(
                sequence: device.sequence + 1,
                action: .setUpdateToken(
                    Card(instance: BenchStore.instance(card), name: Self.name, type: BenchStore.type), token: token))
            _ = try ApplyChanges(ledger: ledger, now: now)(
                DeviceChangeBatch(epoch: device.epoch, changes: [change]), of: device.id)
        }
        try await bench.rest(of: Self.name, within: Self.patience, lookingEvery: .milliseconds(4))
    }
}
