import EyotContract
import EyotKit
import Foundation
import PhoneSimulator
import Synchronization

/// A phone of a lab: a simulated phone with the real SDK, and its user.
public final class LabPhone: Sendable {
    /// How many states that the SDK applied are kept. Older ones are dropped.
    public static let appliedStateLimit = 100
    /// How many problems of one process are remembered, so that each counts once.
    static let problemLimit = 1_000

    /// The simulated phone.
    public let phone: SimulatedPhone
    /// The user's tags at the time the phone was added.
    public let tags: [String]
    let app: AppBuild
    let changes: FleetChanges
    private let inner: Mutex<Inner>

    struct Inner: Sendable {
        var user: String?
        /// The SDK in the current process, or in the last one.
        var session: Session?
        /// Names that were given to cards from outside, by card id.
        var cardNames: [String: String]
        var confirmedChanges = 0
        var applied: [AppliedState] = []
        var build: PhoneBuild
        /// The server's id of the installation.
        var deviceID: String?
        /// The problems that the SDK has reported in the current process.
        var problems: Set<EyotProblem> = []
    }

    /// The SDK in one process of the app.
    struct Session: Sendable {
        let process: PhoneProcess
        let eyot: Eyot
    }

    /// A state that the SDK applied to a card because of the server's answer.
    public struct AppliedState: Sendable, Hashable {
        /// The card's name.
        public var name: String
        /// The declaration's version.
        public var version: Int
        /// The time of the change, by the lab's clock.
        public var time: Date
    }

    init(
        _ phone: SimulatedPhone, user: String?, tags: [String], app: AppBuild, changes: FleetChanges,
        build: PhoneBuild = PhoneBuild(), restoring kept: KeptPhone? = nil
    ) {
        self.phone = phone
        self.tags = tags
        self.app = app
        self.changes = changes
        inner = Mutex(
            Inner(user: user, cardNames: kept?.cardNames ?? [:], build: build, deviceID: kept?.deviceID))
    }

    /// The phone's name.
    public var id: String { phone.id }
    /// The logged-in user of the app; nil if there is none.
    public var user: String? { inner.withLock { $0.user } }
    /// The current state of the phone and its cards.
    public var state: PhoneState { phone.state }
    /// How many of its changes the server has accepted since the lab began.
    public var confirmedChanges: Int { inner.withLock { $0.confirmedChanges } }
    /// The states that the SDK applied last, oldest first.
    public var appliedStates: [AppliedState] { inner.withLock { $0.applied } }
    /// The server's id of this installation; nil until the server has accepted its registration.
    public var deviceID: String? { inner.withLock { $0.deviceID } }
    /// The installed build of the app.
    public var build: PhoneBuild { inner.withLock { $0.build } }
    var cardNames: [String: String] { inner.withLock { $0.cardNames } }

    /// Returns a card's name on the server; nil if it has none.
    public func name(of card: SimulatedCard) -> String? {
        inner.withLock { $0.cardNames[card.id] } ?? app.types[card.type]?.name(in: card.attributes)
    }

    func set(user: String?) { inner.withLock { $0.user = user } }
    func set(build: PhoneBuild) { inner.withLock { $0.build = build } }
    func forgetDevice() { inner.withLock { $0.deviceID = nil } }

    /// Remembers a name that no attribute contains. Forgets the names of cards that the phone no longer has.
    func remember(name: String, ofCard id: String) {
        let known = Set(phone.state.cards.map(\.id))
        inner.withLock { inner in
            inner.cardNames = inner.cardNames.filter { known.contains($0.key) }
            inner.cardNames[id] = name
        }
    }

    // MARK: The app

    /// Returns the SDK in the running process. The first caller makes it: the app's run, or a call soon after a launch.
    func session() -> Session? {
        guard let process = phone.process else { return nil }
        if let session = session(of: process) { return session }
        let state = phone.state
        // Made without the lock, because the app already calls the SDK here. If two callers race, the second instance
        // never runs.
        let eyot = app.boot(phone: phone, installation: state.installation, user: user, version: build.version)
        let session = Session(process: process, eyot: eyot)
        return inner.withLock { inner in
            if let first = inner.session, first.process.generation == process.generation { return first }
            inner.session = session
            inner.problems = []
            return session
        }
    }

    private func session(of process: PhoneProcess) -> Session? {
        inner.withLock { $0.session }.flatMap { $0.process.generation == process.generation ? $0 : nil }
    }

    /// Runs the app whenever the phone has a process for it, until the task is cancelled.
    func run() async {
        let events = phone.processEvents()
        var last = 0
        if let session = session() {
            last = session.process.generation
            await run(session)
        }
        for await event in events {
            guard case .launched = event, let session = session(), session.process.generation > last else { continue }
            last = session.process.generation
            await run(session)
        }
    }

    /// Runs the SDK. Returns when the process is over and the SDK has released its folder.
    private func run(_ session: Session) async {
        let (process, eyot) = (session.process, session.eyot)
        await PhoneProcess.$current.withValue(process) {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await eyot.run() }
                group.addTask { for await event in eyot.events { self.note(event) } }
                group.addTask { await self.runOwnCode(on: eyot) }
                group.addTask {
                    for await event in self.phone.processEvents() {
                        if case .moved(_, .foreground) = event { eyot.retryNow() }
                    }
                }
                // Each stream of the process ends with it.
                for await _ in process.startTokens() {}
                group.cancelAll()
            }
        }
        changes.signal()
    }

    private func runOwnCode(on eyot: Eyot) async {
        guard let launch = app.launch else { return }
        do {
            try await eyot.asShared { try await launch(eyot) }
        } catch {
            app.report("\(id): the app's own code failed at launch: \(error)")
        }
    }

    private func note(_ event: EyotEvent) {
        let now = app.clock.now()
        inner.withLock { inner in
            switch event {
            case .registered(let device): inner.deviceID = device
            case .confirmed(let changes): inner.confirmedChanges += changes
            case .stateApplied(let name, let version):
                inner.applied.append(AppliedState(name: name, version: version, time: now))
                if inner.applied.count > Self.appliedStateLimit { inner.applied.removeFirst() }
            default: break
            }
        }
        if case .problem(let problem) = event, isNew(problem) { phone.note(fault: "\(problem)") }
        changes.signal()
    }

    private func isNew(_ problem: EyotProblem) -> Bool {
        inner.withLock { inner in
            if inner.problems.count >= Self.problemLimit { inner.problems = [] }
            return inner.problems.insert(problem).inserted
        }
    }
}
