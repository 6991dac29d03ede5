import EyotContract

/// The join secrets that the app set in one launch.
struct JoinSecretsOfLaunch: Sendable {
    var secrets = JoinSecretList()
    /// Whether the user has left since. Earlier secrets, also those of earlier launches, do not belong to the next
    /// user.
    var hasForgotten = false

    /// The value after a user has left.
    static let forgotten = JoinSecretsOfLaunch(hasForgotten: true)
}

/// The latest join secrets, by the names of activities.
struct JoinSecretList: Sendable, Equatable {
    private struct Entry: Sendable, Equatable {
        var name: String
        var secret: JoinSecret
    }

    /// The most secrets. A further one replaces the oldest.
    static let limit = 64

    /// The entries, oldest first.
    private var entries: [Entry] = []

    subscript(_ name: String) -> JoinSecret? { entries.first { $0.name == name }?.secret }

    /// Keeps a secret.
    ///
    /// - Returns: whether it differs from the former one.
    @discardableResult
    mutating func keep(_ secret: JoinSecret, for name: String) -> Bool {
        let isNew = self[name] != secret
        entries = (entries.filter { $0.name != name } + [Entry(name: name, secret: secret)]).suffix(Self.limit)
        return isNew
    }

    /// All secrets, oldest first.
    var all: [(name: String, secret: JoinSecret)] { entries.map { ($0.name, $0.secret) } }
}
