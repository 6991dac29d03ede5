import EyotContract
import EyotDomain

/// Saves an audience under a name. One transaction.
package struct PutSegment {
    let ledger: any Ledger
    let app: AppID
    let now: Instant

    package init(ledger: any Ledger, app: AppID, now: Instant) {
        self.ledger = ledger
        self.app = app
        self.now = now
    }

    /// - Throws: ``EyotError`` where the audience cannot be read, names a segment that there is not, or itself by way of others.
    package func callAsFunction(_ name: String, audience json: JSONValue) throws -> Segment {
        try FieldRule.name.check(name, field: "name")
        _ = try Audience(json: json, at: "audience")
        let segment = Segment(app: app, name: name, audience: json, updatedAt: now)
        if try ledger.segment(name, in: app) == nil {
            let count = try ledger.segments(in: app, after: "", limit: Segment.limit).count
            guard count < Segment.limit else {
                throw EyotError(.tooManySegments, "there are \(Segment.limit) segments")
            }
        }
        // Stored first: it may name itself. A transaction that throws leaves nothing.
        try ledger.put(segment)
        _ = try ResolveAudience(ledger: ledger, app: app, now: now)(.segment(name))
        return segment
    }
}
