import APNSWire
import EyotContract

/// Pushes that wait because of Apple, the network or the clock, and not because of the caller.
extension Finding {
    /// Why a push did not get through that goes again by itself; nil if Apple's reason is about that push or its token.
    ///
    /// - Parameters:
    ///   - subject: What waits, as the subject of a sentence.
    ///   - reason: Apple's reason; nil if Apple could not be reached, or gave no answer.
    ///   - evidence: What else is known.
    package static func waiting(_ subject: String, because reason: APNSReason?, _ evidence: [String]) -> Finding? {
        guard let reason, reason != .unrecognized, reason != .idleTimeout else {
            return Finding(
                .appleUnreachable, "Apple could not be reached, or did not answer, so \(subject).", .certain, evidence)
        }
        let evidence = ["Apple's reason was \(reason.name): \(reason.meaning)."] + evidence
        switch reason {
        case .expiredProviderToken:
            return Finding(
                .clockWrong,
                "Apple takes the server's provider token for expired, so \(subject). Most likely the server's clock is "
                    + "slow.", .likely, evidence)
        case .tooManyProviderTokenUpdates:
            return Finding(
                .keyShared,
                "Apple says that the app's key signs new provider tokens too often, so \(subject). Most likely another "
                    + "program signs with the same key.", .likely, evidence)
        case .tooManyRequests:
            return Finding(.slowed, "Apple got too many pushes in a row, so \(subject).", .certain, evidence)
        default:
            guard reason.isOfAnyPush else { return nil }
            return Finding(.appleFails, "Apple's service had a fault, so \(subject).", .certain, evidence)
        }
    }
}

extension AppleFailure {
    /// Nil if nothing waits because of it any more.
    package func finding(in environment: PushEnvironment, at now: Instant) -> Finding? {
        guard isPresent(at: now) else { return nil }
        return .waiting(
            "no push of the app has got through in \(environment.rawValue) since \(since.rfc3339)", because: reason, [])
    }
}
