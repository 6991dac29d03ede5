import EyotCommands
import EyotContract
import EyotDomain
import EyotSQLite
import EyotStore
import Foundation

/// A measurement of one update, one card's own update and one new token in activities of several sizes. Their cost
/// should not depend on the size.
///
/// Every update has a fixed cost, of which each push of a small activity has a larger share. So an activity of one page
/// is measured too and subtracted. The rest is the cost of each further push.
public struct Growth: Sendable {
    /// The number of cards of each measured activity.
    public var sizes: [Int]
    /// The number of rounds.
    public var rounds: Int
    /// The updates of one card, and the new tokens, in each round.
    public var singles: Int

    private static let name = "final"
    private static let patience = 600.0
    private static let onePage = RingPage.capacity
    /// The pause between updates, because no card is pushed twice in a second (R7). This time is not measured.
    private static let apart = Duration.seconds(1.1)
    /// The pushes of one measurement, if that takes a number of updates in ``updates``.
    private static let pushes = 1_000_000
    private static let updates = 3...10
    /// The percentage by which counts may differ between sizes.
    private static let mostDeviation = 20.0

    /// Makes a measurement.
    ///
    /// - Parameters:
    ///   - sizes: numbers of cards, each more than 1,000.
    ///   - rounds: the number of rounds. Each size needs two cards for each single of all rounds.
    ///   - singles: singles of each kind in a round, 1 to 50.
    public init(sizes: [Int], rounds: Int, singles: Int) {
        self.sizes = sizes
        self.rounds = rounds
        self.singles = singles
    }

    /// The cost of each of a number of equal things.
    private struct Figures {
        var statements: Double
        /// The writes that were passed to the writer. Each wakes the writer and then its caller.
        var writes: Double
        var cost: Cost

        static func mean(of all: [Figures]) -> Figures {
            func mean(_ figure: (Figures) -> Double) -> Double { all.map(figure).reduce(0, +) / Double(all.count) }
            return Figures(
                statements: mean(\.statements), writes: mean(\.writes),
                cost: Cost(cpu: mean(\.cost.cpu), written: mean(\.cost.written), wakeUps: mean(\.cost.wakeUps)))
        }

        /// Returns the cost of each thing beyond the first `count`.
        func beyond(_ least: Figures, _ count: Int, of size: Int) -> Figures {
            func rest(_ figure: (Figures) -> Double) -> Double {
                (figure(self) * Double(size) - figure(least) * Double(count)) / Double(size - count)
            }
            return Figures(
                statements: rest(\.statements), writes: rest(\.writes),
                cost: Cost(cpu: rest(\.cost.cpu), written: rest(\.cost.written), wakeUps: rest(\.cost.wakeUps)))
        }
    }

    /// The kinds of measured things.
    private enum Kind: String, CaseIterable {
        case push = "a push of an update for everyone"
        case further = "each push beyond the first page"
        case own = "an update for one card"
        case token = "a new token"
    }

    /// An activity of one size in a store of its own, with its figures for each round.
    private struct Place {
        let size: Int
        let bench: BenchStore
        var figures: [Kind: [Figures]] = [:]
    }

    /// Runs the measurement.
    ///
    /// - Parameter progress: called with lines about the progress.
    public func run(progress: @escaping @Sendable (String) -> Void) async throws -> BenchReport {
        var places: [Place] = []
        for size in [Self.onePage] + sizes {
            progress("filling a store with \(size) cards")
            let bench = try await BenchStore()
            try await bench.fill(Self.name, replicas: size)
            places.append(Place(size: size, bench: bench))
        }
        try await withEngines(places.map(\.bench)[...]) {
            // Not measured: caches fill, and no push leaves in an engine's first second.
            for place in places { for _ in 1...2 { try await update(place.bench) } }
            // The sizes take turns, because the machine's speed may change within minutes.
            for round in 1...rounds {
                for index in places.indices { try await measurePushes(&places[index]) }
                progress("round \(round) of \(rounds): updates for everyone")
            }
            // Singles come last, because cards with a state of their own are of another kind from then on.
            for round in 0..<rounds {
                for index in places.indices.dropFirst() { try await measureSingles(round, &places[index]) }
                progress("round \(round + 1) of \(rounds): updates for one card, and new tokens")
            }
        }
        for place in places { try await place.bench.remove() }
        let least = places.removeFirst().figures[.push] ?? []
        for index in places.indices {
            let (size, pushes) = (places[index].size, places[index].figures[.push] ?? [])
            places[index].figures[.further] = zip(pushes, least).map { $0.beyond($1, Self.onePage, of: size) }
        }
        return report(places)
    }

    private func report(_ places: [Place]) -> BenchReport {
        var report = BenchReport(name: "growth", rounds: rounds)
        for kind in Kind.allCases {
            for place in places {
                let (name, figures) = ("\(kind.rawValue), of \(place.size)", place.figures[kind] ?? [])
                report.add("\(name): statements", figures.map(\.statements), "")
                report.add("\(name): writes handed over", figures.map(\.writes), "")
                report.add("\(name): threads woken", figures.map(\.cost.wakeUps), "")
                report.add(name, figures.map(\.cost))
            }
        }
        let counts: [(String, (Figures) -> Double)] = [
            ("statements", \.statements), ("writes handed over", \.writes), ("written", \.cost.written),
        ]
        for (name, count) in counts {
            let medians = places.map { BenchReport.median(($0.figures[.further] ?? []).map(count)) }
            report.add(
                "\(Kind.further.rawValue), largest deviation between the sizes: \(name)", Self.deviation(medians), "%",
                goal: .atMost(Self.mostDeviation))
        }
        return report
    }

    /// Returns the percentage by which the largest figure exceeds the smallest; NaN if the smallest is not above zero.
    static func deviation(_ figures: [Double]) -> Double {
        guard let least = figures.min(), let most = figures.max(), least > 0 else { return .nan }
        return (most / least - 1) * 100
    }

    /// Runs an engine over each store while the body runs. The idle ones only look once a second.
    private func withEngines(_ benches: ArraySlice<BenchStore>, _ body: () async throws -> Void) async throws {
        guard let bench = benches.first else { return try await body() }
        try await bench.withEngine(pushing: BenchPusher()) { try await withEngines(benches.dropFirst(), body) }
    }

    /// Measures several updates together. In a small activity a few pages of the file matter much for each push.
    private func measurePushes(_ place: inout Place) async throws {
        let (size, bench) = (place.size, place.bench)
        var updates: [Figures] = []
        for _ in 0..<min(max(Self.pushes / size, Self.updates.lowerBound), Self.updates.upperBound) {
            try await Task.sleep(for: Self.apart)
            updates.append(try await each(of: size, bench) { try await update(bench) })
        }
        place.figures[.push, default: []].append(.mean(of: updates))
    }

    private func measureSingles(_ round: Int, _ place: inout Place) async throws {
        let (size, bench) = (place.size, place.bench)
        try await Task.sleep(for: Self.apart)
        let own = try await each(of: singles, bench) {
            for card in cards(round, of: size) { try await updateOne(card, bench) }
        }
        place.figures[.own, default: []].append(own)
        let tokens = try await each(of: singles, bench) {
            for card in cards(round, of: size) { try await rotate(card + 1, bench) }
        }
        place.figures[.token, default: []].append(tokens)
    }

    /// Returns cards that are spread over the whole activity. The next card after each is free for another measurement.
    private func cards(_ round: Int, of size: Int) -> [Int] {
        (0..<singles).map { 1 + 2 * round + $0 * (size / singles) }
    }

    private func each(of count: Int, _ bench: BenchStore, _ body: () async throws -> Void) async throws -> Figures {
        let store = try bench.file()
        let (statements, commits) = (try await store.statementsRun(), store.committed)
        let cost = try await Cost.of(count, body)
        let run = try await store.statementsRun() - statements
        let writes = (store.committed - commits).writes
        return Figures(statements: Double(run) / Double(count), writes: Double(writes) / Double(count), cost: cost)
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
            _ = try ApplyChanges(Transaction(ledger, at: now))(
                DeviceChangeBatch(epoch: device.epoch, changes: [change]), of: device.id)
        }
        try await bench.rest(of: Self.name, within: Self.patience, lookingEvery: .milliseconds(4))
    }
}
