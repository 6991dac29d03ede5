import EyotContract
import EyotDomain

/// What a caller leaves to the moment at which a declaration is taken: what others have declared by then counts, in the same
/// transaction, too.
extension Declare {
    /// - Throws: `activityUnknown` where there is no state to repeat.
    func completed(_ body: DeclarationBody, by newest: Activity?) throws -> DeclarationBody {
        var body = body
        if body.repeatsState, body.contentState == nil {
            let declared = try newest.flatMap { $0.isEnded ? nil : $0 }.flatMap {
                try ledger.declaration($0.declaredState, of: $0.id)?.content.state
            }
            guard let state = try declared ?? namelessStart(saying: body.name)?.declaration.content.state else {
                throw EyotError(.activityUnknown, "\(body.name) has no state to repeat", field: "name")
            }
            body.contentState = state
        }
        if body.isOfNow, body.asOf == nil { body.asOf = moment(after: newest) }
        return body
    }

    /// Opens a name of which nobody has spoken yet, where a start without a name says it: its cards are on their way, and are to get
    /// what was declared meanwhile.
    func expectCards(of request: inout DeclarationRequest, after newest: Activity?) throws {
        guard [.update, .end].contains(request.verb), newest.map({ $0.isEnded || $0.version == 0 }) ?? true,
            let start = try namelessStart(saying: request.name)
        else { return }
        // What was started for some people stays theirs, whomever the call is for.
        if start.activity.isPublic != true { request.isPublicUnlessSaid = false }
        guard request.scope == nil, newest?.isEnded ?? true, !start.activity.isEnded,
            newest?.endedAt.map({ $0 < start.activity.createdAt }) ?? true
        else { return }
        request.isAwaited = true
        request.type = start.activity.type
        request.content.state = request.content.state ?? start.declaration.content.state
    }

    /// Starts without a name that are looked through, the newest.
    private static let startsLookedAt = 100

    /// The start without a name whose attributes say a name: by that its app will call the card.
    private func namelessStart(saying name: String) throws -> (activity: Activity, declaration: Declaration)? {
        // Their names stand together, so the first one behind the prefix says whether there are any: mostly there are none, and a
        // hundred other activities are not read for nothing.
        let after = NamelessActivity.prefix
        guard let first = try ledger.activityName(in: app, after: after), NamelessActivity.isOne(first) else {
            return nil
        }
        for nameless in try ledger.newestActivities(in: app, after: after, limit: Self.startsLookedAt)
        where NamelessActivity.isOne(nameless.name) {
            let declaration = try ledger.declaration(nameless.declaredState, of: nameless.id)
            if let declaration, declaration.attributes?.says(name) == true { return (nameless, declaration) }
        }
        return nil
    }

    /// The second of now, which is never late: some caller's clock may be ahead. Nil in the second in which the activity has ended,
    /// since what is of the next generation is not of a moment before that end.
    private func moment(after newest: Activity?) -> Instant? {
        let second = Instant(second: now.second)
        if let endedAt = newest?.endedAt { return second < endedAt ? nil : second }
        return max(second, newest?.latestAsOf ?? second)
    }
}
