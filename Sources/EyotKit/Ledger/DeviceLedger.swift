import EyotContract
import Foundation

/// The books of one installation: what it knows, what it has still to say, and which cards are followed.
///
/// Every change is on disk before the call returns, so an app may die at any moment.
actor DeviceLedger {
    /// A card that a task follows in this launch.
    struct Following {
        /// Tells this following from an earlier one of the same card.
        let number: Int
        var card: KnownCard
        /// Whether we are ending it, so that its end is not taken for a swipe.
        var isEndOurs = false
        /// Whether the server was told that it ended, by us.
        var isEndTold = false
        /// The token that was told since this following began. ActivityKit may give it twice: there, and coming.
        var toldToken: PushToken?
        let commands: AsyncStream<CardCommand>.Continuation
    }

    let clock: any KitClock
    /// The system, for example `18.1`.
    let osVersion: String
    private let file: StateFile
    private let board: StatusBoard
    private let announce: @Sendable (EyotEvent) -> Void
    /// Writes a line to the app's log.
    private let log: @Sendable (String) -> Void
    private let somethingToSend: @Sendable (OutboxSender.Signal) -> Void
    private var isOpen = false
    private var isKnownLocked = false
    var state = KitState.fresh()
    var followed: [String: Following] = [:] { didSet { board.show(statuses) } }
    /// How many followings there have been in this launch.
    var followings = 0
    /// The types whose cards are all followed in this launch.
    var resumedTypes: Set<String> = []
    /// The types of which somebody waits for new cards; more than are resumed, where one was taken back.
    var awaitedTypes: Set<String> = []
    /// Cards that the app changed before they were followed: the next to be followed are asked about first.
    var changedUnfollowed: [String] = []
    /// The types that were resumed when a person left in this launch; nil where nobody has. Of the others nobody could take the cards
    /// away then.
    var resumedAtLogout: Set<String>?
    /// Names whose channels the app was told: cards that it starts under them may follow one, and have no token then.
    var channelNames: [String] = []
    /// The cards of a type that run at the moment, by types that were resumed.
    var present: [String: @Sendable () -> [String]] = [:]
    /// Cards of a person who left that nobody followed then: they go as soon as somebody does.
    var leaving: Set<String> = []
    /// Whether the sender has been told that there is something, and has not looked yet.
    var hasSignalled = false
    /// How often there has been something that presses, and how often the sender has been told so and has tried it.
    var pressings = (all: 0, told: 0, tried: 0)
    /// What the person allows, as it was said last.
    var seenPermissions: DevicePermissions?
    /// The types that are registered in this launch.
    var startTypes: Set<String> = []
    /// How the start token of a type is read once more, by types that were registered in this launch.
    var startTokenLooks: [String: @Sendable () async -> Void] = [:]
    /// The types whose start token is followed; more than are registered, where one was taken back.
    private var followedStartTypes: Set<String> = []

    init(
        file: StateFile, clock: any KitClock, osVersion: String, board: StatusBoard,
        announce: @escaping @Sendable (EyotEvent) -> Void, log: @escaping @Sendable (String) -> Void = { _ in },
        somethingToSend: @escaping @Sendable (OutboxSender.Signal) -> Void
    ) {
        self.file = file
        self.clock = clock
        self.osVersion = osVersion
        self.board = board
        self.announce = announce
        self.log = log
        self.somethingToSend = somethingToSend
    }

    /// How far the card with this id has come, and every change.
    nonisolated func statusUpdates(ofInstance instance: String) -> AsyncStream<CardStatus> {
        board.updates(of: .instance(instance))
    }

    /// Reads what earlier launches left, the first time. Before it nothing else makes sense.
    ///
    /// - Returns: whether that is done; where it is not, it has to be tried again later.
    @discardableResult
    func open() -> Bool {
        guard !isOpen else { return true }
        let found = file.load()
        if case .locked = found {
            if !isKnownLocked { report(.storeLocked) }
            isKnownLocked = true
            return false
        }
        isOpen = true
        switch found {
        case .locked: break
        case .nothing: save()
        case .state(let found):
            state = found
            state.outbox.leaveGap()
        case .corrupt(let path):
            report(.storeCorrupt(setAside: path))
            save()
        }
        return true
    }

    // MARK: Start tokens

    /// The app wants remote starts of this type from now on.
    ///
    /// - Parameters:
    ///   - name: what the app calls the registration; nil where it has no name.
    ///   - look: reads the token once more.
    /// - Returns: whether it is the first time in this launch, so that nobody follows the token yet.
    func beginStarts(of type: String, named name: String?, look: @escaping @Sendable () async -> Void = {}) -> Bool {
        startTypes.insert(type)
        startTokenLooks[type] = look
        if let name, !DeviceLimits.isIdentifier(name) {
            report(.registrationNameInvalid(type: type))
        } else if let name, state.startNames[name] != type {
            // Whoever makes up names at every launch cannot mean those of long ago.
            if state.startNames.count >= KitState.startNameLimit {
                state.startNames = state.startNames.filter { $0.value != type }
            }
            state.startNames[name] = type
            save()
        }
        return followedStartTypes.insert(type).inserted
    }

    /// A start token was read, or came. It is told where the server need not have it.
    func startTokenSeen(type: String, _ token: PushToken) {
        guard startTypes.contains(type) else { return }
        let now = clock.now()
        if let known = state.startTokens[type], known.stillCovers(token, now: now), !known.isDoubtful(under: osVersion)
        {
            return
        }
        let isNew = state.startTokens[type]?.token != token
        state.startTokens[type] = StartTokenRecord(token: token, osVersion: osVersion)
        record(.setStartToken(type: type, token: token), isPressing: isNew)
        say(.startToken(type: type, .seen))
        log("Eyot: the phone has a start token for \(type): \(token)")
    }

    /// Writes that a card has a token, of which a log gets the first and last digits only (R12).
    func logToken(_ token: PushToken, of card: Card) {
        log("Eyot: the card \(card.name) has an update token: \(token)")
    }

    /// The app wants no more remote starts of this type.
    func endStarts(of type: String) {
        let wasRegistered = startTypes.remove(type) != nil
        startTokenLooks[type] = nil
        let wasTold = state.startTokens.removeValue(forKey: type) != nil
        guard wasRegistered || wasTold else { return report(.notRegistered(type: type)) }
        state.startNames = state.startNames.filter { $0.value != type }
        record(.removeStartToken(type: type))
        say(.startToken(type: type, .removed))
    }

    /// A while after a type was registered.
    func checkStartToken(of type: String) {
        guard startTypes.contains(type), state.startTokens[type] == nil else { return }
        report(.startTokenMissing(type: type))
    }

    /// The same, by the name of the registration. One of an earlier launch will do.
    func endStarts(named name: String) {
        guard let type = state.startNames[name] else { return report(.notRegistered(type: name)) }
        endStarts(of: type)
    }

    // MARK: Means

    /// Puts a change into the outbox, and the outbox on disk.
    ///
    /// - Parameter isPressing: whether it is not to wait until a pause between two tries is over: a token that nobody has told before, or
    ///   a card that appeared.
    func record(_ action: DeviceChange.Action, isPressing: Bool = false) {
        let dropped = state.outbox.append(action)
        if dropped > 0 { report(.outboxFull(dropped: dropped)) }
        save()
        if isPressing { pressings.all += 1 }
        if isPressing, pressings.told <= pressings.tried {
            pressings.told = pressings.all
            somethingToSend(.pressing(pressings.all))
        } else if !hasSignalled {
            somethingToSend(.somethingToSend)
        }
        hasSignalled = true
    }

    func save() {
        do {
            try file.save(state)
        } catch {
            report(.storeFailed(reason: "\(error)"))
        }
    }

    func say(_ event: EyotEvent) { announce(event) }

    func report(_ problem: EyotProblem) { announce(.problem(problem)) }
}
