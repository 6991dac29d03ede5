import EyotContract
import EyotDomain

/// What a caller leaves to the moment at which a declaration is taken: what others have declared by then counts, in the same
/// transaction, too.
extension Declare {
    /// - Throws: `activityUnknown` where there is no state to repeat.
    func completed(_ body: DeclarationBody, by newest: Activity?) throws -> DeclarationBody {
        var body = body
        if body.repeatsState, body.contentState == nil {
            guard let newest, let state = try ledger.declaration(newest.declaredState, of: newest.id)?.content.state
            else { throw EyotError(.activityUnknown, "\(body.name) has no state to repeat", field: "name") }
            body.contentState = state
        }
        if body.isOfNow, body.asOf == nil { body.asOf = moment(after: newest) }
        return body
    }

    /// The second of now, which is never late: some caller's clock may be ahead. Nil in the second in which the activity has ended,
    /// since what is of the next generation is not of a moment before that end.
    private func moment(after newest: Activity?) -> Instant? {
        let second = Instant(second: now.second)
        if let endedAt = newest?.endedAt { return second < endedAt ? nil : second }
        return max(second, newest?.latestAsOf ?? second)
    }
}
