/// Something that an app may want to know about, in the order in which it happened.
public enum EyotEvent: Sendable, Hashable {
    /// The server knows this installation, under this id.
    case registered(device: String)
    /// The server has taken this many changes.
    case confirmed(changes: Int)
    /// A card is followed from now on.
    case following(name: String, instance: String)
    /// A card is no longer followed: it ended, went, was replaced, or the app asked for it.
    case forgotten(name: String, instance: String)
    /// A state that the server answered is on the card.
    case stateApplied(name: String, version: Int)
    /// Something is not as it should be.
    case problem(EyotProblem)
}

/// What can be wrong, and what to do about it. No token and no key stands in any of them.
public enum EyotProblem: Error, Sendable, Hashable {
    /// A card has no name by which the backend could speak of it. It is not followed.
    case nameMissing(type: String, instance: String)
    /// A card's name is empty, longer than 256 bytes or contains NUL. It is not followed.
    case nameInvalid(type: String, instance: String)
    /// The name given to `register` is empty, longer than 256 bytes or contains NUL. The type is registered without it.
    case registrationNameInvalid(type: String)
    /// The id given to `identify` is empty, longer than 256 bytes or contains NUL. Nothing was changed.
    case userInvalid
    /// `unregister` named a type that is not registered. Nothing was changed.
    case notRegistered(type: String)
    /// This system has no push-to-start tokens; the type can only be started by the app.
    case startTokensUnavailable(type: String, osVersion: String)
    /// The server's state does not fit the card's `ContentState`. The card was left alone.
    case stateDidNotDecode(name: String, version: Int, reason: String)
    /// The server refused the app key or the registration itself; nothing can be sent until that is mended.
    case registrationRefused(status: Int, reason: String)
    /// The server refused a change, which was dropped.
    case changeRefused(kind: String, status: Int, reason: String)
    /// The server could not be used; everything is kept and tried again after this many seconds.
    case serverUnavailable(reason: String, retryAfter: Double)
    /// The SDK's file could not be read. It was set aside, and the installation begins anew.
    case storeCorrupt(setAside: String)
    /// The SDK's file could not be written; what is not sent before the app ends is lost.
    case storeFailed(reason: String)
    /// More has happened than the outbox holds, so that this many reports of less weight were dropped. Never a token of
    /// a running card.
    case outboxFull(dropped: Int)
    /// More was asked of the SDK than it takes before it runs. Was `start()` called?
    case tooManyOrders
}

extension EyotProblem: CustomStringConvertible {
    /// What is wrong and what to do, in a sentence.
    public var description: String {
        switch self {
        case .nameMissing(let type, let instance):
            "card \(instance) of type \(type) has no name: conform \(type) to EyotActivityAttributes, or give a name"
        case .nameInvalid(let type, let instance):
            "the name of card \(instance) of type \(type) must have 1 to 256 bytes and no NUL"
        case .registrationNameInvalid(let type):
            "the name under which \(type) is registered must have 1 to 256 bytes and no NUL"
        case .userInvalid: "the user's id must have 1 to 256 bytes and no NUL"
        case .notRegistered(let type): "\(type) is not registered"
        case .startTokensUnavailable(let type, let osVersion):
            "iOS \(osVersion) cannot start \(type) by push; that needs iOS 17.2"
        case .stateDidNotDecode(let name, let version, let reason):
            "version \(version) of \(name) does not fit its ContentState: \(reason)"
        case .registrationRefused(let status, let reason):
            "the server refused to register this app (\(status)): \(reason); check server, app key and bundle id"
        case .changeRefused(let kind, let status, let reason):
            "the server refused a change of kind \(kind) (\(status)): \(reason)"
        case .serverUnavailable(let reason, let retryAfter):
            "the server cannot be used: \(reason); next try in \(Int(retryAfter.rounded(.up))) s"
        case .storeCorrupt(let setAside): "the SDK's file was not readable and now lies in \(setAside)"
        case .storeFailed(let reason): "the SDK's file cannot be written: \(reason)"
        case .outboxFull(let dropped): "the outbox is full; \(dropped) reports were dropped"
        case .tooManyOrders: "more was asked than the SDK takes before it runs; call start()"
        }
    }
}

/// How far a card has come, by its name.
public enum CardStatus: String, Sendable, Hashable, CaseIterable {
    /// No card of this name is followed.
    case notTracked
    /// It is followed, and the server does not have its token yet.
    case pending
    /// The server has its token.
    case registered
}
