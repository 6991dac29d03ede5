import APNSWire
import EyotContract
import EyotDomain
import EyotTestKit

@testable import EyotEngine

/// A drive of the core over a ledger in memory, with several apps and with verdicts that a test decides. It performs
/// every effect at once.
final class EngineDrive {
    struct Push: Hashable {
        var app: AppID
        var environment: PushEnvironment
        var token: [UInt8]
        /// The number that its state carries.
        var state: Int?
        /// The title of its alert.
        var title: String?

        /// The ordinal of the card, in an activity of very many.
        var ordinal: Int { Int(token[0]) << 8 | Int(token[1]) }
    }

    let ledger = MemoryLedger()
    /// Whether Apple has taken a push to the tokens of cards before.
    var isProven = true
    var now = Instant(second: 1_700_000_000)
    /// What Apple says of each push; it takes it unless a test says otherwise.
    var verdict: (Push) -> PushVerdict = { _ in .accepted }
    /// Apps of which Apple answers no push, as long as a test runs.
    var hanging: Set<AppID> = []
    /// Pages in the order in which they left.
    private(set) var pages: [[Push]] = []
    /// Transactions that looked at activities.
    private(set) var takes = 0
    private var core: EngineCore
    private let limits: EngineCore.Limits

    init(limits: EngineCore.Limits = EngineCore.Limits()) {
        self.limits = limits
        core = EngineCore(limits: limits)
    }

    var pushes: [Push] { pages.flatMap(\.self) }

    /// An app with an activity that has one state, and cards with these tokens.
    func app(_ name: String, cards: [(token: UInt8, environment: PushEnvironment)]) throws -> App {
        let app = ledger.insertApp(bundleID: name, name: name, publicKey: name, at: now)
        var activity = ledger.insertActivity(named: name, in: app.id, generation: 1, type: "T", at: now)
        for card in cards {
            let device = ledger.insert(
                .phone("\(name)-\(card.token)", in: app.id, environment: card.environment, at: now))
            var replica = Replica(
                activity: activity.id, ordinal: activity.nextOrdinal, device: device.id, phase: .live, createdAt: now)
            replica.token = PushToken(bytes: [card.token]).map {
                UpdateToken(
                    token: $0, environment: card.environment, version: 1, setAt: now, provenAbove: isProven ? -1 : 0)
            }
            ledger.insert(replica)
            activity.nextOrdinal += 1
        }
        ledger.update(activity)
        return app
    }

    /// Makes an app with an activity that has no state yet, and enough cards for it to go by pages of the ring.
    ///
    /// - Parameters:
    ///   - user: the user of a card, by the card's ordinal.
    ///   - environment: the environment of a card's phone, by the card's ordinal.
    func app(
        _ name: String, cards: Int, user: (Int) -> String? = { _ in nil },
        environment: (Int) -> PushEnvironment = { _ in .production }
    ) throws -> App {
        let app = ledger.insertApp(bundleID: name, name: name, publicKey: name, at: now)
        var activity = ledger.insertActivity(named: name, in: app.id, generation: 1, type: "T", at: now)
        for ordinal in 1...cards {
            let device = ledger.insert(
                .phone(
                    "\(name)-\(ordinal)", in: app.id, environment: environment(ordinal), user: user(ordinal), at: now))
            var replica = Replica(
                activity: activity.id, ordinal: ordinal, device: device.id, phase: .live, createdAt: now)
            replica.token = PushToken(bytes: [UInt8(ordinal >> 8), UInt8(ordinal & 255)]).map {
                UpdateToken(token: $0, environment: environment(ordinal), version: 1, setAt: now, provenAbove: -1)
            }
            ledger.insert(replica)
        }
        activity.nextOrdinal = cards + 1
        ledger.update(activity)
        return app
    }

    /// Declares the next state of an app's activity.
    func declare(_ app: App) throws {
        guard var activity = ledger.newestActivity(named: app.name, in: app.id) else { return }
        ledger.insert(activity.declare(.state, Content(state: ["n": .integer(activity.version)]), at: now))
        ledger.update(activity)
        ledger.woken.insert(activity.id)
    }

    /// More transactions than any test needs to come to rest.
    private static let mostTakes = 10_000

    struct Restless: Error, CustomStringConvertible {
        let description = "The engine looks at activities again and again, without an end."
    }

    /// The process dies and starts again.
    func restart() { core = EngineCore(limits: limits) }

    /// Takes the ledger's hints, and goes on until there is nothing to do at this moment.
    ///
    /// - Parameter limit: the number of transactions that may look at activities. Afterwards no effect is performed,
    ///   even if it is under way.
    /// - Throws: ``Restless`` if there is always something to do.
    func run(upToTakes limit: Int = .max) throws {
        let before = takes
        let woken = ledger.woken.sorted { $0.rawValue < $1.rawValue }
        ledger.woken = []
        var inputs: [EngineCore.Input] = [.woken(woken), .timer]
        while !inputs.isEmpty {
            for effect in core.step(inputs.removeFirst(), now: now) {
                guard takes - before < limit else { return }
                guard takes - before < Self.mostTakes else { throw Restless() }
                let answer = try perform(effect)
                // What a test declares while a page is on its way is known before the page is back.
                if !ledger.woken.isEmpty { inputs.append(.woken(ledger.woken.sorted { $0.rawValue < $1.rawValue })) }
                ledger.woken = []
                answer.map { inputs.append($0) }
            }
        }
    }

    private static func aps(_ template: PushTemplate) -> JSONObject? {
        let body = try? JSONValue(parsing: template.body(timestamp: 1_700_000_000))
        return body?.object?["aps"]?.object
    }

    private func perform(_ effect: EngineCore.Effect) throws -> EngineCore.Input? {
        switch effect {
        case .push(let id, let app, let page):
            let pushes = (0..<page.count).map {
                let aps = Self.aps(page.template(at: $0))
                return Push(
                    app: app, environment: page.environment, token: Array(page.token(at: $0)),
                    state: aps?["content-state"]?.object?["n"]?.integer,
                    title: aps?["alert"]?.object?["title"]?.string)
            }
            pages.append(pushes)
            guard !hanging.contains(app) else { return nil }
            var verdicts = PageVerdicts(count: page.count)
            for (slot, push) in pushes.enumerated() { verdicts.verdicts[slot] = verdict(push) }
            return .pushed(id, verdicts)
        default:
            if case .take = effect { takes += 1 }
            return try PerformEffect(Transaction(ledger, at: now))(effect)
        }
    }
}
