import EyotContract
import Foundation

/// The state of one installation: its records, its unsent changes and the cards that are followed.
///
/// Every change is on disk before the call returns, so the app may die at any moment.
actor InstallationLedger {
    /// A card that a task follows in this launch.
    struct Following {
        /// Distinguishes this following from an earlier one of the same card.
        let number: Int
        var card: KnownCard
        /// Whether the SDK is ending the card, so that its end does not count as a swipe.
        var isEndOurs = false
        /// Whether the SDK has reported that it ended the card.
        var isEndTold = false
        /// The state that the card shows, as last seen; nil if it has none that encodes.
        var shown: StateDigest?
        /// The token that was sent since this following began. ActivityKit may give the same token twice, as the
        /// present one and as an update.
        var toldToken: PushToken?
        let commands: AsyncStream<CardCommand>.Continuation
    }

    let clock: any KitClock
    /// The version of iOS, for example `18.1`.
    let osVersion: String
    /// The build, system and server of this instance.
    let build: Build
    /// Changes of cards that the app has announced, with their times, by ActivityKit's ids. Announced without waiting,
    /// because the card changes at once.
    nonisolated let announcedChanges = Guarded<[String: Announced]>([:])
    private let file: StateFile
    private let board: StatusBoard
    private let announce: @Sendable (EyotEvent) -> Void
    /// Writes a line to the app's log.
    private let log: @Sendable (String) -> Void
    private let somethingToSend: @Sendable (OutboxSender.Signal) -> Void
    private var isOpen = false
    private var isKnownLocked = false
    /// The number of tries to claim the folder that failed.
    private var failedClaims = 0
    /// The number of tries to read the file that failed.
    private var failedReads = 0
    /// Whether the state is on disk.
    private(set) var isKept = false
    /// Whether another instance has taken the folder over. This one then writes and sends nothing.
    private(set) var isOvertaken = false
    var state = KitState.fresh()
    var historyPace = HistoryPace()
    /// The histories that the server has left in this launch.
    var formerHistories: [String] = []
    /// How often refused changes were told again in this launch.
    var retelling = Retelling()
    /// When the person switched Live Activities off; nil if that was not seen in this launch.
    var switchedOffAt: Date?
    var followed: [String: Following] = [:] { didSet { board.show(statuses) } }
    /// The number of followings in this launch.
    var followings = 0
    /// The types with all cards followed in this launch.
    var resumedTypes: Set<String> = []
    /// The types with a task that waits for new cards. This includes types that were resumed and then stopped.
    var awaitedTypes: Set<String> = []
    /// Cards that the app changed before they were followed. The change is reported when one of them is followed.
    var changedUnfollowed: [String] = []
    /// The types that were resumed when a user left in this launch; nil if none left. The cards of other types could
    /// not be removed then.
    var resumedAtLogout: Set<String>?
    /// Names with a channel that the app was given. A card that the app starts under such a name may follow the channel
    /// and have no token.
    var channelNames: [String] = []
    /// Closures that return the running cards of a type, by the types that were resumed.
    var present: [String: @Sendable () -> [String]] = [:]
    /// Cards of a user who left that were not followed then. They are removed as soon as they are followed.
    var leaving: Set<String> = []
    /// Whether the sender was signalled and has not looked yet.
    var hasSignalled = false
    /// The counts of urgent changes: all of them, those signalled to the sender, and those that the sender has tried.
    var pressings = (all: 0, told: 0, tried: 0)
    /// The permissions that were last reported by the system.
    var seenPermissions: DevicePermissions?
    /// The types that are registered in this launch.
    var startTypes: Set<String> = []
    /// Closures that read the start token of a type once more, by the types that were registered in this launch.
    var startTokenLooks: [String: @Sendable () async -> Void] = [:]
    /// The types with a followed start token. This includes types that were registered and then unregistered.
    private var followedStartTypes: Set<String> = []

    init(
        file: StateFile, clock: any KitClock, osVersion: String, build: Build = Build(fingerprint: "", home: ""),
        board: StatusBoard,
        announce: @escaping @Sendable (EyotEvent) -> Void, log: @escaping @Sendable (String) -> Void = { _ in },
        somethingToSend: @escaping @Sendable (OutboxSender.Signal) -> Void
    ) {
        self.file = file
        self.clock = clock
        self.osVersion = osVersion
        self.build = build
        self.board = board
        self.announce = announce
        self.log = log
        self.somethingToSend = somethingToSend
    }

    /// Returns a stream of the progress of the card with this id and its changes.
    nonisolated func statusUpdates(ofInstance instance: String) -> AsyncStream<CardStatus> {
        board.updates(of: .instance(instance))
    }

    /// Reads the state of earlier launches, the first time. It must come before everything else.
    ///
    /// - Returns: whether the state is read; if not, the call must be repeated later.
    @discardableResult
    func open() -> Bool {
        guard !isOpen else { return true }
        guard file.claim.take() else {
            failedClaims += 1
            if failedClaims == 2 { report(.folderInUse(path: file.claim.directory.path)) }
            return false
        }
        var found = file.load()
        if case .locked = found {
            failedReads += 1
            if !isKnownLocked { report(.storeLocked) }
            isKnownLocked = true
            guard failedReads >= StateFile.patientTries, let path = file.giveUp() else { return false }
            found = .corrupt(setAside: path)
        }
        isOpen = true
        take(found)
        return true
    }

    /// The state, also before the instance runs. It is read without a claim on the folder then, and nothing is changed.
    var known: KitState {
        guard !isOpen, var found = file.look() else { return state }
        found.move(to: build.home)
        return found
    }

    private func take(_ found: StateFile.Found) {
        switch found {
        case .nothing, .locked: break
        case .corrupt(let path): report(.storeCorrupt(setAside: path))
        case .state(let found): (state, isKept) = (found, true)
        case .damaged(let found, let lines, let path):
            (state, isKept) = (found, true)
            report(.storeDamaged(lines: lines, setAside: path))
        }
        guard isKept else { return save() }
        state.move(to: build.home)
        state.outbox.leaveGap()
        // A registration tells this too.
        if state.registration?.fingerprint == build.fingerprint { tellUntold() }
    }

    /// Gives the folder back to other instances. Nothing is written after it.
    func close() {
        isOvertaken = true
        file.claim.release()
    }

    // MARK: Start tokens

    /// Begins remote starts of this type at the app's request.
    ///
    /// - Parameters:
    ///   - name: the app's name for the registration; nil for none.
    ///   - look: reads the token once more.
    /// - Returns: whether this is the first time in this launch, so that no task follows the token yet.
    func beginStarts(of type: String, named name: String?, look: @escaping @Sendable () async -> Void = {}) -> Bool {
        startTypes.insert(type)
        startTokenLooks[type] = look
        if let name, !DeviceLimits.isIdentifier(name) {
            report(.registrationNameInvalid(type: type))
        } else if let name, state.startNames[name] != type {
            // An app that makes up new names at every launch cannot mean those of long ago.
            if state.startNames.count >= KitState.startNameLimit {
                state.startNames = state.startNames.filter { $0.value != type }
            }
            state.startNames[name] = type
            save()
        }
        return followedStartTypes.insert(type).inserted
    }

    /// Records a start token. It is sent if the server may not have it.
    func startTokenSeen(type: String, _ token: PushToken) {
        guard startTypes.contains(type) else { return }
        let now = clock.now()
        if let known = state.startTokens[type], known.stillCovers(token, now: now), !known.isDoubtful(under: osVersion)
        {
            return
        }
        let isNew = state.startTokens[type]?.token != token
        state.startTokens[type] = StartTokenRecord(token: token, osVersion: osVersion)
        state.endedStartTypes.removeAll { $0 == type }
        record(.setStartToken(type: type, token: token), isPressing: isNew)
        say(.startToken(type: type, .seen))
        log("Eyot: the phone has a start token for \(type): \(token)")
    }

    /// Logs that a card has a token. The log gets only the first and last digits (R12).
    func logToken(_ token: PushToken, of card: Card) {
        log("Eyot: the card \(card.name) has an update token: \(token)")
    }

    /// Ends remote starts of this type at the app's request.
    func endStarts(of type: String) {
        let wasRegistered = startTypes.remove(type) != nil
        startTokenLooks[type] = nil
        let wasTold = state.startTokens.removeValue(forKey: type) != nil
        guard wasRegistered || wasTold else { return report(.notRegistered(type: type)) }
        state.startNames = state.startNames.filter { $0.value != type }
        state.endedStartTypes = (state.endedStartTypes.filter { $0 != type } + [type]).suffix(KitState.startNameLimit)
        record(.removeStartToken(type: type))
        say(.startToken(type: type, .removed))
    }

    /// Reports a missing start token, a while after its type was registered.
    func checkStartToken(of type: String) {
        guard startTypes.contains(type), state.startTokens[type] == nil else { return }
        report(.startTokenMissing(type: type))
    }

    /// Ends remote starts of the type that was registered under this name, in this launch or in an earlier one.
    func endStarts(named name: String) {
        guard let type = state.startNames[name] else { return report(.notRegistered(type: name)) }
        endStarts(of: type)
    }

    // MARK: Means

    /// Adds a change to the outbox and saves it.
    ///
    /// - Parameter isPressing: whether the change must not wait for a pause between two tries. True for a new token and
    ///   for a card that appeared.
    /// - Parameter isLasting: whether a failure of power must not undo it. True when a person leaves.
    func record(_ action: DeviceChange.Action, isPressing: Bool = false, isLasting: Bool = false) {
        let dropped = state.outbox.append(action)
        if dropped > 0 { report(.outboxFull(dropped: dropped)) }
        save(isLasting: isLasting)
        signal(isPressing: isPressing)
    }

    /// Has the sender look.
    func signal(isPressing: Bool = false) {
        if isPressing { pressings.all += 1 }
        if isPressing, pressings.told <= pressings.tried {
            pressings.told = pressings.all
            somethingToSend(.pressing(pressings.all))
        } else if !hasSignalled {
            somethingToSend(.somethingToSend)
        }
        hasSignalled = true
    }

    /// Saves the state.
    ///
    /// - Parameter isLasting: whether a failure of power must not undo it.
    func save(isLasting: Bool = false) {
        guard !isOvertaken else { return }
        do {
            try file.save(state, isLasting: isLasting)
            isKept = true
        } catch StateFile.Fault.overtaken {
            isOvertaken = true
            report(.folderInUse(path: file.claim.directory.path))
        } catch {
            report(.storeFailed(reason: "\(error)"))
        }
    }

    func say(_ event: EyotEvent) { announce(event) }

    func report(_ problem: EyotProblem) { announce(.problem(problem)) }
}
