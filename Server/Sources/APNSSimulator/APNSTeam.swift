import APNSWire
import Crypto
import EyotContract

/// A developer team as Apple knows it: its apps and its APNs keys.
public struct APNSTeam: Sendable {
    /// The ten characters of the claim `iss`.
    public var id: String
    /// The bundle ids that this team may push to.
    public var bundleIDs: Set<String>
    /// The apps without broadcast, because it is not switched on at Apple.
    public var appsWithoutBroadcast: Set<String> = []
    /// The keys that sign this team's provider tokens.
    public var keys: [APNSTeamKey]

    /// A team with its apps and keys.
    public init(id: String, bundleIDs: Set<String>, keys: [APNSTeamKey]) {
        self.id = id
        self.bundleIDs = bundleIDs
        self.keys = keys
    }
}

/// The public half of an APNs key, and where it may be used.
public struct APNSTeamKey: Sendable {
    /// The ten characters of `kid`.
    public var id: String
    /// The key that signatures are checked with.
    public var publicKey: P256.Signing.PublicKey
    /// The environments that the key is for. Apple's older keys are for both.
    public var environments: Set<PushEnvironment>

    /// A key as it is registered with Apple.
    public init(
        id: String, publicKey: P256.Signing.PublicKey,
        environments: Set<PushEnvironment> = Set(PushEnvironment.allCases)
    ) {
        self.id = id
        self.publicKey = publicKey
        self.environments = environments
    }
}

/// All teams that a simulator knows, by the ids that requests contain.
struct APNSTeams: Sendable {
    private var teams: [String: APNSTeam] = [:]

    init(_ teams: [APNSTeam]) {
        for team in teams { self[team.id] = team }
    }

    subscript(id: String) -> APNSTeam? {
        get { teams[id] }
        set { teams[id] = newValue }
    }

    func key(_ id: String, of teamID: String) -> APNSTeamKey? {
        teams[teamID]?.keys.first { $0.id == id }
    }

    /// Splits a topic into the bundle id of a known app and the rest. The longest bundle id wins, because one app's id
    /// may be the beginning of another's.
    func app(ofTopic topic: String) -> (bundleID: String, suffix: String)? {
        let bundleIDs = teams.values.flatMap(\.bundleIDs).filter { topic == $0 || topic.hasPrefix($0 + ".") }
        guard let bundleID = bundleIDs.max(by: { $0.utf8.count < $1.utf8.count }) else { return nil }
        return (bundleID, String(topic.dropFirst(bundleID.count)))
    }
}
