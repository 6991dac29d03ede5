import EyotContract

/// What was handed over in one launch.
struct JoinSecretsOfLaunch: Sendable {
    var secrets = JoinSecretList()
    /// Whether the person has left since: what was handed over before, in earlier launches too, is not theirs who come.
    var hasForgotten = false

    /// The person leaves.
    static let forgotten = JoinSecretsOfLaunch(hasForgotten: true)
}

/// The join secrets that the app handed over, by the names of activities: the latest ones.
struct JoinSecretList: Sendable, Equatable {
    private struct Entry: Sendable, Equatable {
        var name: String
        var secret: JoinSecret
    }

    /// Secrets that are kept. Further ones take the places of the oldest.
    static let limit = 64

    /// The oldest first.
    private var entries: [Entry] = []

    subscript(_ name: String) -> JoinSecret? { entries.first { $0.name == name }?.secret }

    /// - Returns: whether it is another one than before.
    @discardableResult
    mutating func keep(_ secret: JoinSecret, for name: String) -> Bool {
        let isNew = self[name] != secret
        entries = (entries.filter { $0.name != name } + [Entry(name: name, secret: secret)]).suffix(Self.limit)
        return isNew
    }

    /// All of them, the oldest first.
    var all: [(name: String, secret: JoinSecret)] { entries.map { ($0.name, $0.secret) } }
}
