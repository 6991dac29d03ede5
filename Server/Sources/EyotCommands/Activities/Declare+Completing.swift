import EyotContract
import EyotDomain

/// Completion of a body at the moment of its declaration, from what was declared by then, in the same transaction too.
extension Declare {
    /// Fills the state and `asOf` that the caller leaves to the server.
    ///
    /// - Throws: `activityUnknown` if there is no state to repeat.
    func completed(_ body: DeclarationBody, by newest: Activity?) throws -> DeclarationBody {
        var body = body
        if body.repeatsState, body.content.state == nil {
            let declared = try newest.flatMap { $0.isEnded ? nil : $0 }.flatMap {
                try ledger.declaration($0.declaredState, of: $0.id)?.content.state
            }
            guard let state = try declared ?? namelessStart(saying: body.name)?.declaration.content.state else {
                throw EyotError(.activityUnknown, "\(body.name) has no state to repeat", field: "name")
            }
            body.content.state = state
        }
        if body.isOfNow, body.asOf == nil { body.asOf = moment(after: newest) }
        return body
    }

    /// Lets an update or end open an undeclared name if the attributes of a nameless start contain it. The cards of
    /// that start are on their way, and must get what was declared meanwhile.
    func expectCards(of request: inout DeclarationRequest, after newest: Activity?) throws {
        guard [.update, .end].contains(request.verb), newest.map({ $0.isEnded || $0.version == 0 }) ?? true,
            let start = try namelessStart(saying: request.name)
        else { return }
        // An activity that was started for certain users stays private, whatever the scope of this call.
        if start.activity.isPublic != true { request.isPublicUnlessSaid = false }
        guard request.scope == nil, newest?.isEnded ?? true, !start.activity.isEnded,
            newest?.endedAt.map({ $0 < start.activity.createdAt }) ?? true
        else { return }
        request.isAwaited = true
        request.type = start.activity.type
        request.content.state = request.content.state ?? start.declaration.content.state
    }

    /// How many nameless starts are searched, newest first.
    private static let startsLookedAt = 100

    /// The nameless start with a name in its attributes. Its app will report the card under that name.
    private func namelessStart(saying name: String) throws -> (activity: Activity, declaration: Declaration)? {
        // Nameless names have a prefix in common, so the first name after the prefix shows whether there are any.
        // Mostly there are none, and a hundred other activities need not be read.
        let after = NamelessActivity.prefix
        guard let first = try ledger.activityName(in: app, after: after), NamelessActivity.isNamelessName(first) else {
            return nil
        }
        for nameless in try ledger.newestActivities(in: app, after: after, limit: Self.startsLookedAt)
        where NamelessActivity.isNamelessName(nameless.name) {
            let declaration = try ledger.declaration(nameless.declaredState, of: nameless.id)
            if let declaration, declaration.attributes?.says(name) == true { return (nameless, declaration) }
        }
        return nil
    }

    /// The `asOf` of now, which is never late because it is at least the newest known one: a caller's clock may be
    /// ahead. Nil in the second in which the activity has ended, because the next generation must not be older than
    /// that end.
    private func moment(after newest: Activity?) -> Instant? {
        let second = Instant(second: now.second)
        if let endedAt = newest?.endedAt { return second < endedAt ? nil : second }
        return max(second, newest?.latestAsOf ?? second)
    }
}
