import EyotContract
import EyotDomain

/// Puts what stands for the segments and test devices that an audience names in their places, as it is now, and moments in the place of days. It only reads.
package struct ResolveAudience {
    let ledger: any Ledger
    let app: AppID
    let now: Instant

    package init(ledger: any Ledger, app: AppID, now: Instant) {
        self.ledger = ledger
        self.app = app
        self.now = now
    }

    /// - Throws: `segmentUnknown`, `testDeviceUnknown`, and `fieldInvalid` where segments name each other in a circle or come to more than a whole
    ///   audience may.
    package func callAsFunction(_ audience: Audience) throws(EyotError) -> Audience {
        var resolution = Resolution(ledger: ledger, app: app, now: now)
        let resolved = try resolution.resolve(audience, within: [])
        // ``believed(_:)`` nests two levels deeper where the app requires proofs.
        guard resolved.depth <= Audience.depthLimit + (resolution.requiresProof == true ? 2 : 0) else {
            throw EyotError(
                .fieldInvalid, "with its segments the audience nests deeper than \(Audience.depthLimit) levels",
                field: "audience")
        }
        return resolved
    }

    /// Counts, so that segments that name segments do not grow beyond all bounds.
    private struct Resolution {
        let ledger: any Ledger
        let app: AppID
        let now: Instant
        var selectors = 0
        var connectives = 0
        var elements = 0
        var requiresProof: Bool?

        mutating func resolve(_ audience: Audience, within names: [String]) throws(EyotError) -> Audience {
            let size = audience.size
            selectors += size.selectors
            connectives += size.connectives
            elements += size.elements
            guard selectors <= Audience.selectorLimit, elements <= Audience.listLimit else {
                throw EyotError(
                    .fieldInvalid, "with its segments the audience has more than \(Audience.selectorLimit) selectors",
                    field: "audience")
            }
            guard connectives <= Audience.connectiveLimit else {
                throw EyotError(
                    .fieldInvalid,
                    "with its segments the audience has and, or and not more than \(Audience.connectiveLimit) times",
                    field: "audience")
            }
            return try audience.resolved(at: now) { part throws(EyotError) in
                switch part {
                case .segment(let name): try segment(name, within: names)
                case .testDevice(let name): try testDevice(name)
                case .installation(let name): try installation(name)
                case .user, .users, .alias, .tag, .attribute: try believed(part)
                default: part
                }
            }
        }

        /// The audience without phones that named a user and did not prove it, where the app requires proofs.
        ///
        /// Such a phone named its user before the app required them.
        private mutating func believed(_ audience: Audience) throws(EyotError) -> Audience {
            if requiresProof == nil {
                do {
                    requiresProof = try ledger.app(app)?.identityMode == .require
                } catch {
                    throw EyotError(.internalFault, "the app could not be read")
                }
            }
            return requiresProof == true ? .and([audience, .not(.hasUser(isProven: false))]) : audience
        }

        /// The phone that has a name for trying things out.
        private mutating func testDevice(_ name: String) throws(EyotError) -> Audience {
            let found: TestDevice?
            do {
                found = try ledger.testDevice(name, in: app)
            } catch {
                throw EyotError(.internalFault, "the test device \(name) could not be read")
            }
            return switch found?.target {
            case .device(let id): .device(id)
            case .user(let user): try believed(.user(user))
            case nil: throw EyotError(.testDeviceUnknown, "there is no test device \(name)", field: "audience")
            }
        }

        /// The device of an installation, so that an index gives it: nobody's, where there is none.
        private func installation(_ name: String) throws(EyotError) -> Audience {
            do {
                return try ledger.device(installation: name, in: app).map { .device($0.id) } ?? .devices([])
            } catch {
                throw EyotError(.internalFault, "the installation \(name) could not be read")
            }
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
