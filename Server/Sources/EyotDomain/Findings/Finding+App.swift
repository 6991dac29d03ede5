import APNSWire
import EyotContract

/// What keeps an app or an activity from being pushed to. `why`, `doctor` and the warnings of calls have it from here.
extension Finding {
    /// The app has no key for an environment, or for none if that is nil.
    package static func apnsKeyMissing(in environment: PushEnvironment?) -> Finding {
        let place = environment.map { " for \($0.rawValue), so nothing is sent there." } ?? ", so nothing is sent."
        return Finding(.apnsKeyMissing, "The app has no APNs key\(place)")
    }

    /// The finding as a warning of a call: the sentence, what to do, and the code in brackets.
    package var warning: String {
        ([sentence, code.remedy].compactMap(\.self) + ["[\(code.rawValue)]"]).joined(separator: " ")
    }
}

extension Halt {
    package var finding: Finding {
        let (code, sentence): (FindingCode, String) =
            switch by {
            case .app: (.appHalted, "The app is halted, so nothing is sent.")
            case .type: (.halted, "The activity's type is halted, so nothing is sent.")
            case .activity: (.halted, "The activity is halted, so nothing is sent.")
            }
        return Finding(
            code, sentence, .certain,
            ["Since \(since.rfc3339)."] + [reason.map { "It was halted because \($0)." }].compactMap(\.self))
    }
}

extension App {
    /// Why nothing is sent for the app at all; nil if it is not halted.
    ///
    /// - Parameter history: The history of the database; nil if it has none yet.
    package func haltFinding(in history: History?) -> Finding? {
        guard let haltedAt else { return nil }
        if let history, isRestored(in: history) { return .restored(since: history) }
        return Halt(by: .app, since: haltedAt).finding
    }

    /// Whether it is halted since its database was restored or adopted.
    package func isRestored(in history: History) -> Bool {
        haltedAt.map { history.cause == .restored && $0 <= history.beganAt } ?? false
    }
}

extension Finding {
    /// The app is halted since a copy became the database, so what is declared may be older than what phones show.
    package static func restored(since history: History) -> Finding {
        Finding(
            .restored, "The database was restored from a copy, and the app is halted since, so nothing is sent.",
            .certain, ["The copy became the database at \(history.beganAt.rfc3339). What came after it is forgotten."])
    }
}

extension AppPause {
    package func finding(in environment: PushEnvironment) -> Finding {
        let evidence = ["Apple's reason was \(reason.name), at \(since.rfc3339)."]
        // A sender without a key never asks Apple.
        if reason == .missingProviderToken { return .apnsKeyMissing(in: environment) }
        guard reason.isAboutKey else {
            return Finding(
                .appPaused,
                "Apple refuses the app's pushes in \(environment.rawValue) (\(reason.name)), so Eyot has paused them.",
                .certain, evidence)
        }
        return Finding(
            .apnsKeyRefused, "Apple refuses the app's APNs key for \(environment.rawValue) (\(reason.name)).", .certain,
            evidence)
    }
}

extension PushingStatus {
    /// Why this server does not push; nil if it does.
    package var finding: Finding? {
        guard let wait else { return nil }
        let evidence = ["Its state is \(wait.rawValue)\(until.map { " until \($0.rfc3339)" } ?? "")."]
        return wait == .clockSetBack
            ? Finding(.clockWrong, "This server's clock was ahead, so it does not push yet.", .certain, evidence)
            : Finding(.notPushing, "This server does not push now.", .likely, evidence)
    }
}

extension APNSReason {
    /// Whether Apple refuses the key, and not what it signs.
    fileprivate var isAboutKey: Bool {
        switch self {
        case .expiredProviderToken, .invalidProviderToken, .missingProviderToken, .unrelatedKeyIDInToken,
            .badEnvironmentKeyIDInToken, .forbidden:
            true
        default: false
        }
    }
}
