import EyotContract
import EyotDomain

/// What a phone lacks to get a card.
extension Diagnose {
    /// Devices on either side of this one, by id, that are compared with it.
    private static let neighbours = 150
    /// The fewest devices with the same build that say something of the build.
    private static let fewest = 3

    // MARK: No activity

    func withoutActivity() throws -> Finding {
        if let finding = try blocking(in: device.environment, nil) { return finding }
        let tokens = try ledger.startTokens(of: device.id)
        if let failure = StartCandidate(device, tokens.first { $0.death == nil } ?? tokens.first).failure {
            return try cause(failure, type: nil)
        }
        return Finding(
            .upToDate, "Nothing that is known keeps cards from being started on this phone.", .likely, [seen])
    }

    // MARK: No card

    func withoutCard(in activity: Activity) throws -> Finding {
        if activity.isEnded {
            return Finding(
                .ended, "The activity has ended, and no card of it on this phone is known.", .certain,
                activity.endedAt.map { ["It ended at \($0.rfc3339)."] } ?? [])
        }
        if activity.version == 0 {
            return Finding(.nothingDeclared, "No backend has declared this activity; only phones have named it.")
        }
        let terms = StartTerms(
            attributesVersion: activity.declaredState, isScoped: false, alerted: 0, startsAt: now, isForced: false,
            restartsDismissed: false)
        let decision = StartDecision(
            transaction: transaction, terms: terms, type: activity.type ?? "",
            profile: try ProfileReader(ledger)(of: activity))
        if let failure = try decision.failure(for: device, existing: [], insteadOf: activity.id) {
            return try cause(failure, type: activity.type)
        }
        if let finding = try undecodable(activity.declaredState, of: activity) { return finding }
        if let finding = try blocking(in: device.environment, activity) { return finding }
        return try notInvited(to: activity)
    }

    private func notInvited(to activity: Activity) throws -> Finding {
        let able = "The phone could be started: it has a start token and allows Live Activities."
        guard device.user != nil else {
            return app.identityMode == .require
                ? Finding(
                    .unprovenUser, "The phone has no proven user, and the app requires proofs.", .likely, [able, seen])
                : Finding(
                    .notIdentified, "The phone has named no user, so a start for a user does not find it.", .likely,
                    [able, seen])
        }
        return try missed(by: activity)
            ?? Finding(
                .notInvited, "No start of this activity had the phone in its audience, and the app started no card.",
                .likely, [able])
    }

    // MARK: Causes

    /// Why the phone gets no card.
    ///
    /// - Parameter type: The type of the card; nil if any would do.
    func cause(_ failure: StartFailure, type: String?) throws -> Finding {
        switch failure {
        case .osTooOld:
            return Finding(
                .osTooOld, "iOS \(device.osVersion.text) cannot start Live Activities by push.", .certain, [seen])
        case .disabled: return try switchedOff()
        case .noStartToken: return try withoutStartToken(type)
        case .tooManyStarts:
            return Finding(
                .startBudgetSpent, "The phone has had as many starts within an hour as the type's profile allows.",
                .certain, [seen])
        default: return Finding(.startCancelled, "The start ended as \(failure.rawValue).", .certain, [seen])
        }
    }

    private func switchedOff() throws -> Finding {
        let others = try sameBuild()
        if others.count >= Self.fewest, others.allSatisfy({ !$0.permissions.activities }) {
            return Finding(
                .infoPlistKeyMissing, "No phone with this build of the app allows Live Activities.", .likely,
                ["\(others.count + 1) phones with version \(device.appVersion) say so.", seen])
        }
        return Finding(
            .activitiesOff, "Live Activities are switched off for the app on this phone.", .certain, [seen])
    }

    private func withoutStartToken(_ type: String?) throws -> Finding {
        let tokens = try ledger.startTokens(of: device.id)
        if let token = tokens.first(where: { type == nil || $0.type == type }), let death = token.death {
            return try dead(token, by: death)
        }
        if let type, !tokens.isEmpty {
            let known = tokens.map(\.type).sorted().joined(separator: ", ")
            return Finding(
                .typeUnknown, "The app on this phone has registered no type \(type), so no start can reach it.",
                .certain, ["It has registered \(known).", seen])
        }
        let others = try sameBuild()
        if others.count >= Self.fewest, try others.allSatisfy({ try ledger.startTokens(of: $0.id).isEmpty }) {
            return Finding(
                .capabilityMissing, "No phone with this build of the app has sent a start token.", .likely,
                ["\(others.count + 1) phones with version \(device.appVersion) have sent none.", seen])
        }
        return Finding(
            .noStartToken, "The phone has sent no start token, so no start can reach it.", .certain, [seen])
    }

    /// Why Apple takes no starts to the phone's start token.
    func dead(_ token: StartToken, by death: TokenDeath) throws -> Finding {
        try foreign(death, "the phone's start token", in: token.environment)
            ?? Finding(
                .startTokenDead, "Apple refused the phone's start token, so no start can reach it.", .certain,
                [Self.refused(death), seen])
    }

    /// Why Apple does not know a token as one of the app in an environment; nil if it does.
    ///
    /// - Parameter subject: The token, in a sentence.
    func foreign(_ death: TokenDeath, _ subject: String, in environment: PushEnvironment) throws -> Finding? {
        let evidence = [Self.refused(death), seen]
        switch death.reason {
        case .badDeviceToken:
            let other = environment.other
            if try ledger.apnsKeys(of: app.id).contains(where: { $0.environment == other }) {
                return Finding(.tokenUnknown, "Apple knows \(subject) in neither environment.", .likely, evidence)
            }
            return Finding(
                .wrongEnvironment,
                "Apple does not know \(subject) in \(environment.rawValue), and without a key for \(other.rawValue) it "
                    + "cannot be tried there.", .likely, evidence)
        case .deviceTokenNotForTopic:
            return Finding(
                .wrongTopic, "Apple says that \(subject) belongs to another bundle id than \(app.bundleID).", .certain,
                evidence)
        default: return nil
        }
    }

    static func refused(_ death: TokenDeath) -> String {
        "Apple's reason was \(death.reason.name): \(death.reason.meaning)."
    }

    /// Other phones with the same build of the app, among those that registered about when this one did.
    private func sameBuild() throws -> [Device] {
        let first = DeviceID(rawValue: max(0, device.id.rawValue - Int64(Self.neighbours)))
        return try ledger.devices(after: first, limit: 2 * Self.neighbours).filter {
            $0.app == app.id && $0.appVersion == device.appVersion && $0.id != device.id && !$0.isForgotten
        }
    }

    // MARK: Schemas

    /// A declaration that the build of the app on the phone cannot decode.
    func undecodable(_ version: Version, of activity: Activity) throws -> Finding? {
        guard let type = activity.type, let newest = try ledger.declaration(version, of: activity.id) else {
            return nil
        }
        var schemas = BuildSchemas(ledger: ledger, app: app.id, type: type)
        guard
            let refusal = try schemas.refusal(of: newest.attributes, newest.content.state, on: [device.appVersion])
        else { return nil }
        return Finding(
            .undecodable, "Version \(device.appVersion) of the app cannot decode version \(version) of the activity.",
            .certain, ["By the build's schema, \(refusal.mismatch)."])
    }
}
