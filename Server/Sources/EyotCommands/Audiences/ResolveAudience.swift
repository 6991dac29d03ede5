import EyotContract
import EyotDomain

/// The resolution of an audience: replaces its segments and test devices by what they contain now, and days by moments.
/// It only reads.
package struct ResolveAudience: UseCase {
    package let transaction: Transaction
    let app: AppID

    let believesAll: Bool

    /// - Parameter believesAll: Whether unproven statements of phones count everywhere. This serves callers that look
    ///   for the reason of an empty audience, or remove phones by what they say.
    package init(_ transaction: Transaction, app: AppID, believesAll: Bool = false) {
        self.transaction = transaction
        self.app = app
        self.believesAll = believesAll
    }

    /// - Throws: `segmentUnknown`, `testDeviceUnknown`, and `fieldInvalid` if segments name each other in a circle or
    ///   are larger together than an audience may be. What the store throws passes through, so that a transaction in
    ///   conflict runs again.
    package func callAsFunction(_ audience: Audience) throws -> Audience {
        var resolution = Resolution(transaction, app: app, believesAll: believesAll)
        let resolved = try resolution.resolve(audience, within: [])
        guard resolved.depth <= (resolution.hasJudged ? Audience.resolvedDepthLimit : Audience.depthLimit) else {
            throw EyotError(
                .fieldInvalid, "with its segments the audience nests deeper than \(Audience.depthLimit) levels",
                field: "audience")
        }
        return resolved
    }

    /// The state of one resolution. It counts, so that segments that name segments cannot grow without limit.
    private struct Resolution: UseCase {
        let transaction: Transaction
        let app: AppID
        var selectors = 0
        var connectives = 0
        var elements = 0
        /// Whether every phone is believed.
        let believesAll: Bool
        private var terms: Terms?
        /// Whether the result limits which phones count for a selector.
        private(set) var hasJudged = false

        /// The rules of the app on which statements count.
        private struct Terms {
            var requiresProof: Bool
            var openNames: Set<TraitName>
        }

        init(_ transaction: Transaction, app: AppID, believesAll: Bool) {
            self.transaction = transaction
            self.app = app
            self.believesAll = believesAll
        }

        mutating func resolve(_ audience: Audience, within names: [String]) throws -> Audience {
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
                    "with its segments the audience uses and, or and not more than \(Audience.connectiveLimit) times",
                    field: "audience")
            }
            return try audience.resolved(at: now) { part in
                switch part {
                case .segment(let name): try segment(name, within: names)
                case .testDevice(let name): try testDevice(name)
                case .installation(let name): try installation(name)
                case .user, .users, .alias, .tag, .attribute: try believed(part)
                default: part
                }
            }
        }

        /// The audience without phones that are not believed about it.
        ///
        /// A phone's word for a name that the backend uses does not count, unless the app declares the name open. Where
        /// the app requires proofs, only a proven user's phone is believed.
        private mutating func believed(_ audience: Audience) throws -> Audience {
            guard !believesAll else { return audience }
            let terms = try readTerms()
            if let name = audience.nameThatPhonesMaySay {
                if terms.openNames.contains(name) { return audience }
                if try ledger.backendName(name, in: app) != nil {
                    return judged(audience.saidByBackend, terms)
                }
                guard terms.requiresProof else { return audience }
                hasJudged = true
                return .and([audience, .hasUser(isProven: true)])
            }
            return terms.requiresProof ? judged([audience], terms) : audience
        }

        /// The devices that match all parts. If the app requires proofs, phones with an unproven user are left out.
        /// Such a phone named its user before the app required proofs.
        private mutating func judged(_ parts: [Audience], _ terms: Terms) -> Audience {
            let all = parts + (terms.requiresProof ? [.not(.hasUser(isProven: false))] : [])
            hasJudged = hasJudged || all.count > 1
            return all.count == 1 ? all[0] : .and(all)
        }

        private mutating func readTerms() throws -> Terms {
            if let terms { return terms }
            let found = try ledger.app(app)
            let read = Terms(requiresProof: found?.identityMode == .require, openNames: found?.openNames ?? [])
            terms = read
            return read
        }

        /// The phone, or the user's phones, that a test device stands for.
        private mutating func testDevice(_ name: String) throws -> Audience {
            let found = try ledger.testDevice(name, in: app)
            return switch found?.target {
            case .device(let id): .device(id)
            case .user(let user): try believed(.user(user))
            case nil: throw EyotError(.testDeviceUnknown, "there is no test device \(name)", field: "audience")
            }
        }

        /// The device of an installation, which an index finds. An unknown installation matches no device.
        private func installation(_ name: String) throws -> Audience {
            try ledger.device(installation: name, in: app).map { .device($0.id) } ?? .devices([])
        }

        private mutating func segment(_ name: String, within names: [String]) throws -> Audience {
            guard !names.contains(name), names.count < Audience.depthLimit else {
                let path = (names + [name]).joined(separator: " > ")
                throw EyotError(
                    .fieldInvalid, "segments refer to each other in a cycle, or too deeply: \(path)", field: "audience")
            }
            guard let saved = try ledger.segment(name, in: app) else {
                throw EyotError(.segmentUnknown, "there is no segment \(name)")
            }
            return try resolve(Audience(json: saved.audience, at: "audience"), within: names + [name])
        }
    }
}

extension Audience {
    /// The name that it selects by, if phones may say that name of themselves.
    fileprivate var nameThatPhonesMaySay: TraitName? {
        switch self {
        case .tag(let name, group: nil, of: nil), .tag(let name, group: nil, of: .device): .tag(name)
        case .attribute(let rule) where rule.owner == nil || rule.owner == .device: .attribute(rule.name)
        default: nil
        }
    }

    /// The conditions for a device to match by the backend's statement.
    fileprivate var saidByBackend: [Audience] {
        switch self {
        case .tag(let name, let group, let owner):
            (owner == nil ? [] : [self]) + [.tag(name, group: group, of: .backend)]
        case .attribute(let rule):
            (rule.owner == nil ? [] : [self]) + [.attribute(AttributeRule(rule.name, of: .backend, rule.test))]
        default: [self]
        }
    }
}
