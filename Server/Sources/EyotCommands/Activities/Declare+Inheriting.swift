import EyotContract
import EyotDomain

/// What a declaration keeps of earlier ones because its caller does not mention it.
extension Declare {
    /// Adds the members that earlier declarations have set.
    ///
    /// - Parameters:
    ///   - newest: The newest generation of the name. Nothing is kept from one that has ended.
    ///   - current: The declaration of its newest common state.
    /// - Returns: The warnings for the caller.
    func inherit(
        to request: inout DeclarationRequest, in newest: Activity?, from current: Declaration?
    ) throws -> [String] {
        let running = newest.flatMap { $0.isEnded ? nil : $0 }
        let former = running == nil ? nil : current?.content
        chooseAlerts(of: &request, after: former)
        guard request.scope == nil else { return [] }
        if request.verb == .end, let ended = running ?? (request.isAwaited ? nil : newest), request.isLate(in: ended) {
            // The end counts (R5), but the state in it came too late (R14).
            request.content.state = nil
        }
        try repeatEnd(by: &request, in: newest)
        return try inherit(to: &request.content, of: request, from: former ?? defaults(for: request, in: running))
    }

    /// Lets an end without a state follow one with a state that phones may have dropped. It keeps when the cards leave
    /// the screen.
    private func repeatEnd(by request: inout DeclarationRequest, in newest: Activity?) throws {
        guard request.verb == .end, !request.isAwaited, request.content.state == nil,
            request.content.dismissalDate == nil, let newest, newest.isEnded,
            let former = try end(of: newest), former.content.state != nil,
            try ledger.schemas(of: newest.type ?? "", in: app).isEmpty
        else { return }
        request.mayEndAgain = true
        request.content.dismissalDate = former.content.dismissalDate
    }

    /// The content of a scoped declaration. It keeps what the first members show now.
    func content(
        of request: DeclarationRequest, for members: FrozenMembers, in activity: Activity
    ) throws -> Content {
        var content = request.content
        var newest = activity.declaredState
        for member in members.replicas.first.prefix(Self.membersAsked) {
            guard let replica = try ledger.replica(Int(member), of: activity.id) else { continue }
            newest = max(newest, replica.desiredState(in: activity))
        }
        let shown = try ledger.declaration(newest, of: activity.id)?.content
        let former = try shown ?? defaults(for: request, in: activity)
        _ = try inherit(to: &content, of: request, from: former)
        return content
    }

    /// How many members of a scope are read to find what they show.
    private static let membersAsked = 20

    private func inherit(
        to content: inout Content, of request: DeclarationRequest, from former: Content
    ) throws -> [String] {
        content.inherit(former, except: request.removed, shownFrom: request.startsAt ?? now)
        guard request.verb != .end else {
            (content.staleDate, content.staleAfter) = (nil, nil)
            return []
        }
        guard !request.saysWhenStale, let staleDate = content.staleDate, staleDate <= now.second else { return [] }
        return [
            "staleDate of an earlier declaration still applies and has passed, so cards show as stale. "
                + "Send a new staleDate, staleAfter, or null."
        ]
    }

    /// Separates the alert for starts from the alert for running cards (R4). A `PUT` repeats all that it declares, so
    /// an alert that was declared before is only for its starts.
    private func chooseAlerts(of request: inout DeclarationRequest, after former: Content?) {
        guard let alert = request.content.alert, request.audience != nil else { return }
        switch request.verb {
        case .start:
            request.content.startAlert = request.content.startAlert ?? alert.text
            request.content.alert = nil
        case .put where request.content.startAlert == nil:
            request.content.startAlert = alert.text
            if former?.startAlert == alert.text || former?.alert?.text == alert.text { request.content.alert = nil }
        case .put, .update, .end: break
        }
    }

    /// The defaults in the type's profile, for the first state of an activity.
    private func defaults(for request: DeclarationRequest, in running: Activity?) throws -> Content {
        try ledger.effectiveProfile(of: request.type ?? running?.type ?? "", in: app).defaults
    }

    /// Checks that a declaration that starts cards has an alert, because phones would drop a start without one.
    ///
    /// - Throws: `alertIncomplete`.
    func requireAlert(of request: DeclarationRequest, _ version: Version, in activity: Activity) throws {
        let content =
            version == activity.version ? request.content : try ledger.declaration(version, of: activity.id)?.content
        guard request.verb == .put, content?.alertOfStarts == nil, request.content.alertOfStarts == nil else { return }
        throw DeclarationBody.alertMissing
    }
}
