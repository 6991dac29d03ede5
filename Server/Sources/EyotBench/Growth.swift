import EyotCommands
import EyotContract
import EyotDomain
import EyotSQLite
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
    /// No card is pushed twice in a second (R7); how long that takes is not asked here.
    private static let apart = Duration.seconds(1.1)
    /// Pushes that one measurement is of, where so many updates make as many.
    private static let pushes = 1_000_000
    private static let updates = 3...10
    /// Percent by which counts may differ between sizes.
    private static let mostDeviation = 20.0

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
        /// Writes that were handed to the writer: each wakes it, and then who waits for it.
        var writes: Double
        var cost: Cost

        static func mean(of all: [Figures]) -> Figures {
            func mean(_ figure: (Figures) -> Double) -> Double { all.map(figure).reduce(0, +) / Double(all.count) }
            return Figures(
                statements: mean(\.statements), writes: mean(\.writes),
                cost: Cost(cpu: mean(\.cost.cpu), written: mean(\.cost.written), wakeUps: mean(\.cost.wakeUps)))
        }

        /// What each thing took beyond so many others.
        func beyond(_ least: Figures, _ count: Int, of size: Int) -> Figures {
            func rest(_ figure: (Figures) -> Double) -> Double {
                (figure(self) * Double(size) - figure(least) * Double(count)) / Double(size - count)
            }
            return Figures(
                statements: rest(\.statements), writes: rest(\.writes),
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

    /// An activity of one size, in a store of its own, and what was measured of it in each round.
    private struct Place {
        let size: Int
        let bench: BenchStore
        var figures: [Kind: [Figures]] = [:]
    }

    /// - Parameter progress: told what is going on.
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
            // In turns, since the machine may be slower or faster in a few minutes' time.
            for round in 1...rounds {
                for index in places.indices { try await measurePushes(&places[index]) }
                progress("round \(round) of \(rounds): updates for everyone")
            }
            // Afterwards, since cards with a state of their own are of other kinds than the others from then on.
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

    /// By how many percent the largest of some figures exceeds the smallest; nothing can be said where that is not above zero.
    static func deviation(_ figures: [Double]) -> Double {
        guard let least = figures.min(), let most = figures.max(), least > 0 else { return .nan }
        return (most / least - 1) * 100
    }

    /// Each store has an engine of its own; those of the others only look once a second.
    private func withEngines(_ benches: ArraySlice<BenchStore>, _ body: () async throws -> Void) async throws {
        guard let bench = benches.first else { return try await body() }
        try await bench.withEngine(pushing: BenchPusher()) { try await withEngines(benches.dropFirst(), body) }
    }

    /// Of a small activity a few pages of the file more or less are much for each push: several updates are one measurement.
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

    /// Spread over the whole activity. The one behind each is free for something else.
    private func cards(_ round: Int, of size: Int) -> [Int] {
        (0..<singles).map { 1 + 2 * round + $0 * (size / singles) }
    }

    private func each(of count: Int, _ bench: BenchStore, _ body: () async throws -> Void) async throws -> Figures {
        let (statements, commits) = (try await bench.store.statementsRun(), bench.store.committed)
        let cost = try await Cost.of(count, body)
        let run = try await bench.store.statementsRun() - statements
        let writes = (bench.store.committed - commits).writes
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
            _ = try ApplyChanges(ledger: ledger, now: now)(
                DeviceChangeBatch(epoch: device.epoch, changes: [change]), of: device.id)
        }
        try await bench.rest(of: Self.name, within: Self.patience, lookingEvery: .milliseconds(4))
    }
}
