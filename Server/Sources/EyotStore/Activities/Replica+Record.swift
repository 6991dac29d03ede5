import APNSWire
import EyotContract
import EyotDomain

extension Replica: SQLRecord {
    static let table = SQLTable(
        "replicas", key: "activity", "ordinal",
        fixed: ["device", "created_at", "starts_at", "person_number"],
        changing: [
            "phase", "phase_reason", "quarantined", "instance",
            "lease_state", "lease_version", "lease_sent_at", "lease_suspicion", "lease_called_off", "lease_alerted",
            "removal", "restart",
        ] + progress)

    /// Columns that change while a card runs, and are in no index. SQLite writes every index of a column that is set,
    /// even if its value stays the same.
    static let progress = [
        "token", "token_environment", "token_version", "token_set_at", "token_suspicion",
        "scoped", "scoped_as_of", "scoped_alert", "ending", "accepted", "alerted", "blocked", "blocked_reason",
        "last_second", "retry_attempts", "retry_not_before", "retry_version", "appeared_at", "pardoned", "sparing",
        "locally_changed", "following", "closed_version", "token_proven_above", "kept", "kept_as_of", "kept_until",
        "channel", "retry_reason",
    ]

    var values: [SQLValue] {
        [
            SQLValue(activity), SQLValue(ordinal), SQLValue(device), SQLValue(createdAt), SQLValue(startsAt),
            SQLValue(personNumber),
        ]
            + [
                SQLValue(phase.word), SQLValue(phase.reason), SQLValue(phase.isQuarantine), SQLValue(instance),
            ] + Lease.values(lease) + [SQLValue(removal?.rawValue), SQLValue(origin.rawValue)]
            + progressValues
    }

    private var progressValues: [SQLValue] {
        UpdateToken.values(token) + [
            SQLValue(scopedState), SQLValue(scopedAsOf), SQLValue(scopedAlert), SQLValue(ending?.stored),
            SQLValue(acceptedVersion), SQLValue(alertedVersion), SQLValue(blockedVersion),
            SQLValue(blockedReason?.name),
            SQLValue(lastSecond), SQLValue(retry?.attempts), SQLValue(retry?.notBefore),
            SQLValue(retry?.version), SQLValue(appearedAt), SQLValue(isPardoned), SQLValue(isSparing),
            SQLValue(locallyChanged), SQLValue(isFollowing), SQLValue(closedVersion), SQLValue(token?.provenAbove),
            SQLValue(keeping?.state), SQLValue(keeping?.asOf), SQLValue(keeping?.until), SQLValue(following.stored),
            SQLValue(retry?.reason?.name),
        ]
    }

    /// The SQL condition that a card runs and is not in the ring. An index holds these rows, and a query must use the
    /// same words to use it.
    ///
    /// - Parameter table: The prefix of the columns, with its point.
    static func isOutsideTheRing(_ table: String = "") -> String {
        "\(table)joined = 0 AND \(anyOf("\(table)phase", "starting", "waitingForToken", "live", "untracked"))"
    }

    /// The app of a replica while the replica is under suspicion, as the numbered parameter says. It makes an app's
    /// suspects quick to find, however many others have. The activity is the first parameter.
    static func suspectOf(_ parameter: Int) -> SQLTable.Derived {
        ("suspect_of", "CASE WHEN ?\(parameter) = 1 THEN (SELECT a.app FROM activities a WHERE a.id = ?1) END")
    }

    /// The values of the key and of ``progress``.
    var changedProgress: [SQLValue] { [SQLValue(activity), SQLValue(ordinal)] + progressValues }

    /// Whether only ``progress`` has changed. A replica that counts as ended may do so only by its page's credit, which
    /// its row does not show.
    func hasOnlyProgressed(from former: Replica) -> Bool {
        phase != .ended && phase == former.phase && instance == former.instance && lease == former.lease
            && isSuspect == former.isSuspect && removal == former.removal && origin == former.origin
    }

    init(columns: inout SQLColumns) throws {
        let activity = ActivityID(rawValue: try columns.number())
        let ordinal = try columns.integer()
        let device = DeviceID(rawValue: try columns.number())
        let createdAt = try columns.moment()
        let startsAt = try columns.optionalMoment()
        let personNumber = try columns.integer()
        let phase = try Phase(columns: &columns)
        self.init(
            activity: activity, ordinal: ordinal, device: device, phase: phase, startsAt: startsAt, createdAt: createdAt
        )
        self.personNumber = personNumber
        instance = try columns.optionalText()
        lease = try Lease(columns: &columns)
        removal = try columns.optionalText().flatMap(Removal.init)
        origin = Origin(rawValue: try columns.integer()) ?? .asked
        token = try UpdateToken(columns: &columns)
        scopedState = try columns.integer()
        scopedAsOf = try columns.optionalMoment()
        scopedAlert = try columns.integer()
        ending = try columns.optionalInteger().map(Ending.init(stored:))
        acceptedVersion = try columns.integer()
        alertedVersion = try columns.integer()
        blockedVersion = try columns.integer()
        blockedReason = try columns.optionalReason()
        lastSecond = try columns.integer()
        retry = try Retry(columns: &columns)
        appearedAt = try columns.optionalMoment()
        isPardoned = try columns.flag()
        isSparing = try columns.flag()
        locallyChanged = try columns.optionalInteger()
        let isFollowing = try columns.flag()
        closedVersion = try columns.integer()
        let provenAbove = try columns.optionalInteger()
        token?.provenAbove = provenAbove ?? 0
        keeping = try Keeping(columns: &columns)
        following = Following(isFollowing: isFollowing, stored: try columns.optionalInteger())
        let reason = try columns.optionalReason()
        retry?.reason = reason
    }
}

extension Replica.Ending {
    /// The version that ends it; 0 if another card took its place; -1 if the phone has another user.
    fileprivate var stored: Int {
        switch self {
        case .declared(let version): version
        case .replaced: 0
        case .otherPerson: -1
        }
    }

    fileprivate init(stored: Int) {
        switch stored {
        case -1: self = .otherPerson
        case 0: self = .replaced
        default: self = .declared(version: stored)
        }
    }
}

extension Lease {
    fileprivate static func values(_ lease: Lease?) -> [SQLValue] {
        [
            SQLValue(lease?.state.rawValue), SQLValue(lease?.version), SQLValue(lease?.sentAt),
            SQLValue(lease?.suspicion?.name), SQLValue(lease?.cancellation?.rawValue), SQLValue(lease?.alerted),
        ]
    }

    fileprivate init?(columns: inout SQLColumns) throws {
        let state: State? = try columns.optionalWord()
        let version = try columns.optionalInteger()
        let sentAt = try columns.optionalMoment()
        let suspicion = try columns.optionalReason()
        let cancellation: StartFailure? = try columns.optionalWord()
        let alerted = try columns.optionalInteger()
        guard let state, let version else { return nil }
        self.init(state: state, version: version)
        self.sentAt = sentAt
        self.suspicion = suspicion
        self.cancellation = cancellation
        self.alerted = alerted ?? 0
    }
}

extension Following {
    /// The stored value of a channel that is lost.
    private static let lost = -1

    /// The edition that is followed, beside the flag of following; nil for none and for the first edition.
    fileprivate var stored: Int? {
        switch self {
        case .none, .channel(edition: 1): nil
        case .channel(let edition): edition
        case .lostChannel: Self.lost
        }
    }

    fileprivate init(isFollowing: Bool, stored: Int?) {
        if stored == Self.lost {
            self = .lostChannel
        } else {
            self = isFollowing ? .channel(edition: stored ?? 1) : .none
        }
    }
}

extension Keeping {
    fileprivate init?(columns: inout SQLColumns) throws {
        let state = try columns.optionalInteger()
        let asOf = try columns.optionalMoment()
        let until = try columns.optionalInteger()
        guard let state, let until else { return nil }
        self.init(state: state, asOf: asOf, until: until)
    }
}

extension UpdateToken {
    fileprivate static func values(_ token: UpdateToken?) -> [SQLValue] {
        [
            SQLValue(token?.token.bytes), SQLValue(token?.environment.rawValue), SQLValue(token?.version),
            SQLValue(token?.setAt), SQLValue(token?.suspicion?.name),
        ]
    }

    fileprivate init?(columns: inout SQLColumns) throws {
        let token = try columns.optionalToken()
        let environment: PushEnvironment? = try columns.optionalWord()
        let version = try columns.optionalInteger()
        let setAt = try columns.optionalMoment()
        let suspicion = try columns.optionalReason()
        guard let token, let environment, let version, let setAt else { return nil }
        self.init(token: token, environment: environment, version: version, setAt: setAt, suspicion: suspicion)
    }
}

extension Retry {
    fileprivate init?(columns: inout SQLColumns) throws {
        let attempts = try columns.optionalInteger()
        let notBefore = try columns.optionalMoment()
        let version = try columns.optionalInteger()
        guard let attempts, let notBefore else { return nil }
        self.init(attempts: attempts, notBefore: notBefore, version: version)
    }
}
