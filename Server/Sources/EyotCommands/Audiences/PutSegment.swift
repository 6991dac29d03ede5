import EyotContract
import EyotDomain

/// The saving of an audience under a name. One transaction.
package struct PutSegment: UseCase {
    package let transaction: Transaction
    let app: AppID

    package init(_ transaction: Transaction, app: AppID) {
        self.transaction = transaction
        self.app = app
    }

    /// - Throws: ``EyotError`` if the audience cannot be read, names an unknown segment, or names itself through other
    ///   segments.
    package func callAsFunction(_ name: String, audience json: JSONValue) throws -> Segment {
        try FieldRule.name.check(name, field: "name")
        _ = try Audience(json: json, at: "audience")
        let segment = Segment(app: app, name: name, audience: json, updatedAt: now)
        if try ledger.segment(name, in: app) == nil {
            let count = try ledger.segments(in: app, after: "", limit: Segment.limit).count
            guard count < Segment.limit else {
                throw EyotError(.tooManySegments, "the app already has \(Segment.limit) segments")
            }
        }
        // The segment is stored first, because it may name itself. A transaction that throws leaves nothing.
        try ledger.put(segment)
        _ = try ResolveAudience(transaction, app: app)(.segment(name))
        return segment
    }
}
