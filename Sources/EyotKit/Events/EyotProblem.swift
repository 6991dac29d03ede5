/// A problem and its remedy. No problem contains a token or a key.
public enum EyotProblem: Error, Sendable, Hashable {
    /// This system has no Live Activities that the SDK can use, so the SDK does nothing. On a system without iOS, for
    /// example in tests on Linux, set ``EyotConfiguration/capabilities``.
    case systemTooOld(osVersion: String)
    /// This is an iPhone app on a Mac, which has no Live Activities. The SDK does nothing there.
    case unavailableOnMac
    /// Live Activities are switched off for this app. The problem is reported at the start, when a type is registered
    /// or resumed, and when the switch changes. Everything resumes by itself when they are switched on.
    case authorizationDenied
    /// The app's Info.plist lacks this key or sets it to NO. Without it there are no cards.
    case infoPlistKeyMissing(key: String)
    /// A followed card still has no update token, so no push reaches it.
    case tokenMissing(name: String, instance: String, likely: TokenAbsence)
    /// A type is registered, and the phone still has no push-to-start token. iOS has been seen to make it only at the
    /// first launch after an installation or a restart.
    case startTokenMissing(type: String)
    /// A card has no name, so the backend cannot address it. It is not followed.
    case nameMissing(type: String, instance: String)
    /// A card's name is empty, longer than 256 bytes or contains NUL. It is not followed.
    case nameInvalid(type: String, instance: String)
    /// The name given to `register` is empty, longer than 256 bytes or contains NUL. The type is registered without it.
    case registrationNameInvalid(type: String)
    /// The id given to `identify` is empty, longer than 256 bytes or contains NUL. Nothing was changed.
    case userInvalid
    /// The signature given to `identify` is not a JWT of at most 8 KB. Nothing was changed.
    case signatureInvalid
    /// The secret given to `join` is not a join secret, or the name is not a valid name. Nothing was changed.
    case joinSecretInvalid(name: String)
    /// The server refused the signature given to `identify`: it is missing, expired or not from a key of the app's
    /// backend. The phone has no user until the server believes one. The same signature is told again at the next
    /// launch and when the app calls `identify` again, because the backend's key may have been missing on the server.
    case identityRefused(user: String, reason: String)
    /// A tag or an attribute is not valid, or the profile is too large. It may have 100 tags and 100 attributes, and 32
    /// KB as JSON. Nothing was changed.
    case profileInvalid(name: String)
    /// `unregister` named a type that is not registered. Nothing was changed.
    case notRegistered(type: String)
    /// This system has no push-to-start tokens. Only the app can start cards of the type.
    case startTokensUnavailable(type: String, osVersion: String)
    /// The server's state does not decode as the card's `ContentState`. The card keeps its state.
    case stateDidNotDecode(name: String, version: Int, reason: String)
    /// The server refused the app key or the registration itself. Nothing can be sent until that is corrected.
    case registrationRefused(status: Int, reason: String)
    /// The server refused a change, which was dropped. `of` is the card's instance or the type; nil if the change is
    /// about neither.
    case changeRefused(kind: String, of: String?, status: Int, reason: String)
    /// The server could not be reached or used. Everything is kept and tried again after `retryAfter` seconds.
    case serverUnavailable(reason: String, retryAfter: Double)
    /// The SDK's file is invalid. It was moved to this path, and the installation begins anew.
    case storeCorrupt(setAside: String)
    /// Lines of the SDK's file are invalid, for example because the app ended while it was written. A copy of
    /// the file was put at this path. All other lines are kept, and the server is told everything that holds.
    case storeDamaged(lines: Int, setAside: String)
    /// Another instance uses the SDK's folder, for example in an extension of the app. This instance waits until the
    /// other one is gone, and its calls wait with it. In a folder of an app group it finds out when the other one has
    /// written, and then does nothing more. Give each instance a folder of its own in
    /// ``EyotConfiguration/directory``.
    case folderInUse(path: String)
    /// The SDK's file cannot be read now, for example before the first unlock after a restart. The SDK tries again
    /// until it can. Nothing is lost.
    case storeLocked
    /// The SDK's file could not be written. Changes that are not sent before the app ends are lost.
    case storeFailed(reason: String)
    /// The outbox was full, so this many less important reports were dropped. The token of a running card is never
    /// dropped.
    case outboxFull(dropped: Int)
    /// A call that takes effect once in a launch came again and was ignored.
    case calledAgain(call: String)
    /// A call came after `stop()` and does nothing. Make another instance; after `stop()`, ``Eyot/configure(_:)`` makes
    /// one.
    case stopped
    /// Too many calls came before the instance runs, and further ones were refused. Check that `start()` is called.
    case tooManyOrders
}

/// The probable reason why a card has no update token. The phone does not report the reason.
public enum TokenAbsence: String, Sendable, Hashable, CaseIterable {
    /// The app started the card without `pushType: .token`. A card that follows a channel has no token either and needs
    /// none.
    case requestedWithoutToken
    /// A push started the card, and the person has not pressed Allow on it yet.
    case notAllowedYet
    /// Live Activities are switched off for this app.
    case switchedOff
}

extension EyotProblem: CustomStringConvertible {
    /// A sentence with the problem and its remedy.
    public var description: String {
        switch self {
        case .systemTooOld(let osVersion):
            "Live Activities need iOS 16.2, and this is \(osVersion): the SDK does nothing here. Where there is no iOS, say in "
                + "EyotConfiguration.capabilities which one is meant"
        case .unavailableOnMac: "an iPhone app has no Live Activities on a Mac; the SDK does nothing here"
        case .authorizationDenied: "Live Activities are switched off for this app in Settings; no card can appear"
        case .infoPlistKeyMissing(let key): "the app's Info.plist must set \(key) to YES; without it no card can appear"
        case .tokenMissing(let name, let instance, let likely):
            "card \(instance) of \(name) has no update token, so that no push reaches it: \(likely.words)"
        case .startTokenMissing(let type):
            "the phone has no push-to-start token for \(type) yet; restarting it has been seen to help"
        case .nameMissing(let type, let instance):
            "card \(instance) of type \(type) cannot be followed, since it has no name: give one, or have it in the attributes as "
                + "eyotActivityName, netmeraGroupId, brazeActivityId or insiderLiveActivityId"
        case .nameInvalid(let type, let instance):
            "the name of card \(instance) of type \(type) must have 1 to 256 bytes and no NUL"
        case .registrationNameInvalid(let type):
            "the name under which \(type) is registered must have 1 to 256 bytes and no NUL"
        case .userInvalid: "the user's id must have 1 to 256 bytes and no NUL"
        case .signatureInvalid: "the user's signature must be a JWT of at most 8 KB"
        case .joinSecretInvalid(let name):
            "what was given to join \(name) is no join secret, of at most 128 visible ASCII characters, or the name is none"
        case .identityRefused(let user, let reason):
            "the server does not take this phone for \(user)'s (\(reason)): call identify with a new signature of your backend's"
        case .profileInvalid(let name):
            "\(name) was not set: 100 tags and 100 attributes at most, names of 1 to 256 bytes, texts of at most 1,024, 32 KB in all"
        case .notRegistered(let type): "\(type) is not registered"
        case .startTokensUnavailable(let type, let osVersion):
            "iOS \(osVersion) cannot start \(type) by push; that needs iOS 17.2"
        case .stateDidNotDecode(let name, let version, let reason):
            "version \(version) of \(name) does not fit its ContentState: \(reason)"
        case .registrationRefused(let status, let reason):
            "the server refused to register this app (\(status)): \(reason); check server, app key and bundle id"
        case .changeRefused(let kind, _, let status, let reason):
            "the server refused a change of kind \(kind) (\(status)): \(reason)"
        case .serverUnavailable(let reason, let retryAfter):
            "the server cannot be used: \(reason); next try in \(Int(retryAfter.rounded(.up))) s"
        case .storeCorrupt(let setAside): "the SDK's file was not readable and now lies in \(setAside)"
        case .storeDamaged(let lines, let setAside):
            "\(lines) lines of the SDK's file were not readable; the others are kept, and a copy lies in \(setAside)"
        case .folderInUse(let path):
            "another instance of the SDK uses \(path), perhaps in an extension; each needs a folder of its own"
        case .stopped: "a call came after stop() and does nothing; make another instance"
        case .storeLocked: "the SDK's file cannot be read now, as before the phone is unlocked; the SDK waits"
        case .storeFailed(let reason): "the SDK's file cannot be written: \(reason)"
        case .outboxFull(let dropped): "the outbox is full; \(dropped) reports were dropped"
        case .calledAgain(let call): "\(call) was called again in this launch and ignored; it counts once"
        case .tooManyOrders: "more was asked than the SDK takes before it runs; call start()"
        }
    }
}

extension TokenAbsence {
    /// Seconds after which a missing token is reported.
    package static let patience = 60.0
    /// Seconds for which a card's first token keeps the app awake. The system grants about 30.
    package static let wakefulness = 30.0

    fileprivate var words: String {
        switch self {
        case .requestedWithoutToken: "was it requested with pushType: .token?"
        case .notAllowedYet: "the person has probably not pressed Allow on it"
        case .switchedOff: "Live Activities are switched off for this app in Settings"
        }
    }
}
