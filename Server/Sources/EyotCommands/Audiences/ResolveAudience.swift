import EyotContract
import EyotDomain

/// Puts the segments that an audience names in their places, as they are now, and moments in the place of days. It only reads.
package struct ResolveAudience {
    let ledger: any Ledger
    let app: AppID
    let now: Instant

    package init(ledger: any Ledger, app: AppID, now: Instant) {
        self.ledger = ledger
        self.app = app
        self.now = now
    }

    /// - Throws: `segmentUnknown`, and `fieldInvalid` where segments name each other in a circle or come to more than a whole
    ///   audience may.
    package func callAsFunction(_ audience: Audience) throws(EyotError) -> Audience {
        var resolution = Resolution(ledger: ledger, app: app, now: now)
        return try resolution.resolve(audience, within: [])
    }

    /// Counts, so that segments that name segments do not grow beyond all bounds.
    private struct Resolution {
        let ledger: any Ledger
        let app: AppID
        let now: Instant
        var selectors = 0
        var elements = 0

        mutating func resolve(_ audience: Audience, within names: [String]) throws(EyotError) -> Audience {
            let size = audience.size
            selectors += size.selectors
            elements += size.elements
            guard selectors <= Audience.selectorLimit, elements <= Audience.listLimit else {
                throw EyotError(
                    .fieldInvalid, "with its segments the audience has more than \(Audience.selectorLimit) selectors",
                    field: "audience")
            }
            return try audience.resolved(at: now) { name throws(EyotError) in try segment(name, within: names) }
        }

        private mutating func segment(_ name: String, within names: [String]) throws(EyotError) -> Audience {
            guard !names.contains(name), names.count < Audience.depthLimit else {
                let path = (names + [name]).joined(separator: " > ")
                throw EyotError(
                    .fieldInvalid, "segments name each other in a circle, or too deep: \(path)", field: "audience")
            }
            let saved: Segment?
            do {
                saved = try ledger.segment(name, in: app)
            } catch {
                throw EyotError(.internalFault, "the segment \(name) could not be read")
            }
            guard let saved else { throw EyotError(.segmentUnknown, "there is no segment \(name)") }
            return try resolve(Audience(json: saved.audience, at: "audience"), within: names + [name])
        }
    }
}
