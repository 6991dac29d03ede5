import EyotContract
import EyotDomain

/// A request and its members, found before it is performed.
package struct Concerned: Sendable {
    /// The request, without the members that are left out.
    package var body: DeclarationBody
    /// Nil if it names no members.
    package var frozen: FrozenMembers?
    package var leftOut = LeftOut()

    package init(body: DeclarationBody, frozen: FrozenMembers? = nil) {
        self.body = body
        self.frozen = frozen
    }
}

/// The members that a request leaves out, because their phones could not decode what it shows.
package struct LeftOut: Sendable {
    /// Members of its audience and scope.
    var members = 0
    /// The builds that cannot decode the common state.
    var builds: Set<String> = []
    /// The cards on phones with those builds.
    var cards: FrozenMembers?

    package init() {}

    /// The number of members and cards.
    var count: Int { members + (cards?.inScope ?? 0) }
}

/// The search for the members of a request, and for those that it leaves out if its caller asked for that. It only
/// reads, so no writer waits for it.
package struct FindConcerned: UseCase {
    package let transaction: Transaction
    let app: AppID
    let inlineLimit: Int

    /// - Parameter inlineLimit: Members that the call's transaction processes.
    package init(_ transaction: Transaction, app: AppID, inlineLimit: Int = MemberList.inlineLimit) {
        self.transaction = transaction
        self.app = app
        self.inlineLimit = inlineLimit
    }

    /// - Throws: ``EyotError`` if the request is refused.
    package func callAsFunction(_ body: DeclarationBody) throws -> Concerned {
        let freeze = FreezeMembers(transaction, app: app, inlineLimit: inlineLimit)
        var concerned = Concerned(body: body, frozen: body.namesMembers ? try freeze(body) : nil)
        guard body.leavesOut, let refusals = try refusals(of: body, concerned.frozen?.builds) else { return concerned }
        if let frozen = concerned.frozen, !refusals.audience.isEmpty || !refusals.scope.isEmpty {
            concerned.body.audience = body.audience?.without(builds: refusals.audience)
            concerned.body.scope = body.scope?.without(builds: refusals.scope)
            let rest = try freeze(concerned.body)
            concerned.frozen = rest
            concerned.leftOut.members =
                frozen.devices.count - rest.devices.count + frozen.inScope - rest.inScope
        }
        concerned.leftOut.builds = refusals.everyone
        if !refusals.everyone.isEmpty {
            concerned.leftOut.cards = try freeze.replicas(
                of: body.name, in: .or(refusals.everyone.sorted().map(Audience.appVersion)))
        }
        return concerned
    }

    /// The builds that cannot decode what they would show.
    private struct Refusals {
        var audience: Set<String>
        var scope: Set<String>
        var everyone: Set<String> = []
    }

    private func refusals(of body: DeclarationBody, _ builds: FrozenMembers.Builds?) throws -> Refusals? {
        var (request, _) = try body.request(at: now)
        _ = try NameCards(ledger: ledger, app: app)(&request, builds: builds?.audience ?? [])
        let activity = try ledger.newestActivity(named: body.name, in: app).flatMap { $0.isEnded ? nil : $0 }
        guard let type = request.type ?? activity?.type else { return nil }
        var schemas = BuildSchemas(ledger: ledger, app: app, type: type)
        let state = request.content.state
        let audience = try schemas.refusal(of: request.attributes, state, on: builds?.audience ?? [])
        let scope = try schemas.refusal(of: nil, state, on: builds?.scope ?? [])
        var refusals = Refusals(audience: Set(audience?.builds ?? []), scope: Set(scope?.builds ?? []))
        if let activity, request.isForEveryone {
            refusals.everyone = Set(
                try schemas.refusal(of: nil, state, on: ledger.builds(of: activity.id))?.builds ?? [])
        }
        return refusals
    }
}

extension DeclarationRequest {
    /// Whether all cards of a running activity show it. A later start is only for the cards that it starts.
    var isForEveryone: Bool { scope == nil && verb != .start }
}

extension Audience {
    /// Its devices with other builds.
    fileprivate func without(builds: Set<String>) -> Audience {
        builds.isEmpty ? self : .and([self, .not(.or(builds.sorted().map(Audience.appVersion)))])
    }
}

extension FreezeMembers {
    /// The replicas of an activity in a scope.
    func replicas(of name: String, in scope: Audience) throws -> FrozenMembers {
        var body = DeclarationBody(verb: .update, name: name)
        body.scope = scope
        return try self(body)
    }
}
