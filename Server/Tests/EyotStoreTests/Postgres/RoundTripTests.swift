import APNSWire
import EyotCommands
import EyotContract
import EyotDomain
import EyotEngine
import EyotStore
import EyotTestKit
import Testing

@testable import EyotPostgres

/// What calls and pages cost on the way to the database. The figures are also in decision 0032.
@Suite("Round trips to PostgreSQL", .timeLimit(.minutes(10)))
struct RoundTripTests {
    /// Runs transactions one after the other on one connection, and counts.
    private final class Desk {
        let connection: PostgresConnection
        var now = Instant(second: 1_700_000_000)
        var core = EngineCore()
        private var phones: [(device: DeviceID, sequence: Int)] = []

        init(_ url: PostgresURL, queuesWrites: Bool) throws {
            var rules = PostgresRules()
            rules.queuesWrites = queuesWrites
            connection = PostgresConnection(url, application: "test", rules: rules)
            try connection.connected()
        }

        /// The statements and round trips of one transaction.
        func write<Result>(
            _ body: (SQLLedger) throws -> Result
        ) throws -> (result: Result, statements: Int, roundTrips: Int) {
            let before = connection.work
            try connection.begin(alone: false)
            let ledger = SQLLedger(connection)
            let result = try body(ledger)
            try ledger.storeCounts()
            try connection.commit()
            let after = connection.work
            return (result, after.statements - before.statements, after.roundTrips - before.roundTrips)
        }

        func report(_ phone: Int, _ action: DeviceChange.Action) throws -> (statements: Int, roundTrips: Int) {
            phones[phone].sequence += 1
            let batch = DeviceChangeBatch(
                epoch: 1, changes: [DeviceChange(sequence: phones[phone].sequence, action: action)])
            let work = try write { try ApplyChanges(Transaction($0, at: now))(batch, of: phones[phone].device) }
            return (work.statements, work.roundTrips)
        }

        func phone(of app: AppID) throws -> Int {
            let new = NewDevice(
                app: app, installation: "\(phones.count)", environment: .sandbox, osVersion: .remoteStart,
                appVersion: "1", permissions: DevicePermissions(activities: true, frequentPushes: true),
                user: "user-\(phones.count)", createdAt: now)
            phones.append((try write { try $0.insert(new).id }.result, 0))
            return phones.count - 1
        }

        func setToken(_ phone: Int) throws -> (statements: Int, roundTrips: Int) {
            let card = Card(instance: "card-\(phone)", name: "m", type: ScenarioWorld.type)
            return try report(phone, .setUpdateToken(card, token: Self.token(phone, of: 1)))
        }

        static func token(_ phone: Int, of kind: UInt8) -> PushToken {
            guard let token = PushToken(bytes: [kind, UInt8(phone >> 8), UInt8(phone & 255)]) else { fatalError() }
            return token
        }

        /// Lets the engine push what is due, all accepted.
        ///
        /// - Returns: The round trips of each of its transactions that wrote pages.
        func push() throws -> [String: [Int]] {
            var costs: [String: [Int]] = [:]
            var inputs: [EngineCore.Input] = [.timer]
            while !inputs.isEmpty {
                for effect in core.step(inputs.removeFirst(), now: now) {
                    switch effect {
                    case .wake: break
                    case .push(let id, _, let page):
                        var verdicts = PageVerdicts(count: page.count)
                        for slot in 0..<page.count { verdicts.verdicts[slot] = .accepted }
                        verdicts.stampedUpTo = now.second
                        inputs.append(.pushed(id, verdicts))
                    default:
                        let work = try write { try PerformEffect(Transaction($0, at: now))(effect) }
                        switch effect {
                        case .take: costs["take", default: []].append(work.roundTrips)
                        case .settle: costs["settle", default: []].append(work.roundTrips)
                        default: break
                        }
                        work.result.map { inputs.append($0) }
                    }
                }
            }
            return costs
        }
    }

    @Test(arguments: [true, false])
    func `Writes wait for no answer of their own`(_ queuesWrites: Bool) async throws {
        let database = try await PostgresDatabase(TestPostgres.shared.database())
        let desk = try Desk(database.url, queuesWrites: queuesWrites)
        let app = try desk.write { ledger in
            try ledger.insertApp(bundleID: "org.example", name: "e", publicKey: "k", at: desk.now).id
        }.result
        func declare(_ request: DeclarationRequest) throws -> Int {
            try desk.write { _ = try Declare(Transaction($0, at: desk.now), app: app)(request) }.roundTrips
        }
        /// - Parameter bound: The most round trips if writes are queued. Without that there are more.
        func note(_ name: String, _ roundTrips: Int, atMost bound: Int) {
            #expect(queuesWrites ? roundTrips <= bound : roundTrips > bound, "\(name): \(roundTrips) round trips")
        }
        let first = try desk.phone(of: app)
        for (name, bound) in [("a new start token", 21), ("the same start token", 7)] {
            let token = DeviceChange.Action.setStartToken(type: ScenarioWorld.type, token: Desk.token(first, of: 0))
            note(name, try desk.report(first, token).roundTrips, atMost: bound)
        }
        note("a start", try declare(Call.start(1, to: .all)), atMost: 37)
        _ = try desk.push()
        note("the token of a card", try desk.setToken(first).roundTrips, atMost: 49)
        for _ in 1..<500 { _ = try desk.setToken(try desk.phone(of: app)) }
        desk.now = desk.now + 60
        _ = try desk.push()
        for isFirst in [true, false] {
            desk.now = desk.now + 60
            note("an update", try declare(Call.update(3)), atMost: 10)
            let costs = try desk.push()
            // The first page of an activity also makes rows for its counts.
            guard !isFirst else { continue }
            note("a page of 500 taken", costs["take"]?.max() ?? 0, atMost: 14)
            note("a page of 500 settled", costs["settle"]?.max() ?? 0, atMost: 11)
        }
        desk.connection.close()
    }
}
