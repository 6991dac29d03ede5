import APNSWire
import EyotCommands
import EyotContract
import EyotDomain
import EyotEngine
import EyotTestKit
import Testing

/// An app with a key for the sandbox, and Apple's answers as a test says them.
final class ChannelWorld {
    static let apple = "dHN0LXNyY2gtY2hubA=="

    let ledger = MemoryLedger()
    let app: App
    private(set) var now = Instant(second: 1_700_000_000)
    /// What was asked of Apple: `make`, `delete`, or the event and version of a broadcast.
    private(set) var asked: [String] = []
    private(set) var pages: [PushPage] = []
    private var made = 0

    init(environments: [PushEnvironment] = [.sandbox]) {
        app = ledger.insertApp(bundleID: "org.example.one", name: "one", publicKey: "key", at: now)
        for environment in environments {
            ledger.put(
                APNSKey(
                    app: app.id, environment: environment, teamID: "TEAM000001", keyID: "KEY0000001",
                    sealed: SealedSecret(masterKeyID: "m", box: []), addedAt: now))
        }
    }

    func advance(_ seconds: Double) { now = now + seconds }

    @discardableResult
    func declare(
        _ verb: DeclarationRequest.Verb, _ name: String = "m", score: Int = 0, alert: String? = nil,
        wantsChannel: Bool = false, scope: Audience? = nil, urgent: Bool = false
    ) throws -> Operation {
        var request = DeclarationRequest(verb: verb, name: name, content: Content(state: ["n": .integer(score)]))
        request.type = verb == .put ? "Match" : nil
        request.wantsChannel = wantsChannel
        request.scope = scope
        request.content.isUrgent = urgent
        request.content.alert = alert.map { Alert(body: ["title": .string($0)], expiresAt: now + 300) }
        return try Declare(Transaction(ledger, at: now), app: app.id)(request)
    }

    /// Does what is due, until nothing is, with this verdict on each broadcast.
    ///
    /// - Parameter looks: at the store, at most.
    func work(
        _ verdict: PushVerdict = .accepted, answer: ChannelAnswer? = nil, looks: Int = 20
    ) throws {
        for _ in 0..<looks {
            let tasks = try begin()
            guard !tasks.isEmpty else { return }
            for task in tasks { try settle(task, verdict, answer) }
        }
    }

    /// What is begun now, where so much is under way already.
    func begin(beside turns: ChannelTurns? = nil) throws -> [ChannelTask] {
        try TakeChannels(Transaction(ledger, at: now))(in: (turns ?? ChannelTurns()).room())
    }

    func settle(_ task: ChannelTask, _ verdict: PushVerdict, _ answer: ChannelAnswer? = nil) throws {
        let outcome: ChannelOutcome
        switch task.job {
        case .make:
            asked.append("make")
            made += 1
            let new = try #require(APNSChannelID("\(Self.apple.prefix(15))\(made % 10)AAA="))
            outcome = .answered(answer ?? .made(new))
        case .delete:
            asked.append("delete")
            outcome = .answered(answer ?? .deleted)
        case .broadcast(let push, let page, let isUrgent):
            asked.append("\(push.event.rawValue) \(push.version)")
            pages.append(page)
            outcome = .broadcast(push, verdict, stampedUpTo: now.second, isUrgent: isUrgent)
        }
        try SettleChannel(Transaction(ledger, at: now))(task, outcome)
    }

    func activity(_ name: String = "m") throws -> Activity {
        try #require(ledger.newestActivity(named: name, in: app.id))
    }

    func channel(_ name: String = "m") throws -> Channel {
        try #require(ledger.channels(of: try activity(name).id).first)
    }

    /// The body of the last broadcast.
    var lastBody: JSONValue? {
        pages.last.flatMap { try? JSONValue(parsing: $0.template(at: 0).body(timestamp: now.second)) }
    }

    /// The alert of the last broadcast.
    var lastAlert: JSONValue? { lastBody?.object?["aps"]?.object?["alert"] }
}
