import EyotContract

extension Device {
    package func facts(since former: Device) -> [Fact] {
        var facts: [Fact] = []
        if user != former.user { facts.append(Fact(user == nil ? .deviceLoggedOut : .deviceIdentified)) }
        if permissions != former.permissions {
            facts.append(Fact(.devicePermissions, reason: permissions.word))
        }
        return facts
    }
}

extension DevicePermissions {
    /// The ``word`` of a person who allows no Live Activities.
    package static let nothing = "none"

    /// What the person allows the app: nothing, Live Activities, or also frequent pushes.
    fileprivate var word: String { activities ? frequentPushes ? "frequentPushes" : "activities" : Self.nothing }
}

extension StartToken {
    /// What has happened to it; nil if a phone has only shown it again.
    package func fact(since former: StartToken?) -> Fact? {
        guard let former else { return Fact(.startTokenSet, reason: type, token: token) }
        if token != former.token { return Fact(.startTokenReplaced, reason: type, token: token) }
        guard death != former.death else { return nil }
        return death.map { Fact(.startTokenDead, reason: $0.reason.name, token: token) }
            ?? Fact(.startTokenRestored, reason: type, token: token)
    }
}
