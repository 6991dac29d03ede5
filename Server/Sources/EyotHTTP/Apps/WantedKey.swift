import EyotCommands
import EyotContract
import EyotDomain
import HTTPConnections

extension KeyRoutes {
    /// A key as a caller asks for it.
    struct Wanted {
        var name: String
        var plane: KeyPlane
        var identifier: String?
        var publicKey: String?
        /// Nil if the call says nothing.
        var scopes: Set<KeyScope>?
        var expiresAt: Instant?
        var reach: APIKeys.Reach

        init(_ fields: inout JSONFields, _ verifier: any ClientAssertionVerifier) throws(JSONFieldError) {
            name = try fields.required("name", fields.string("name"))
            plane = try fields.plane("plane")
            identifier = try fields.identifier("identifier", on: plane)
            publicKey = try fields.publicKey("publicKey", on: plane, verifier)
            scopes = try fields.scopes("scopes", on: plane)
            expiresAt = try fields.moment("expiresAt")
            reach = APIKeys.Reach(
                addresses: try fields.addresses("addresses"), environment: try fields.environment("environment"))
        }
    }
}

extension KeyPlane {
    /// A vendor's own names for the scopes of its keys.
    package var permissions: [String: KeyScope] {
        guard self == .braze else { return [:] }
        return [
            "messages.live_activity.start": .activitiesStart, "messages.live_activity.update": .activitiesUpdate,
        ]
    }
}

extension JSONFields {
    /// The API that a key is for.
    fileprivate mutating func plane(_ name: String) throws(JSONFieldError) -> KeyPlane {
        guard let text = try string(name) else { return .eyot }
        guard let plane = KeyPlane(rawValue: text) else {
            throw invalid(name, "must be one of \(KeyPlane.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return plane
    }

    /// Reads the identifier that callers of this plane show beside the key.
    fileprivate mutating func identifier(_ name: String, on plane: KeyPlane) throws(JSONFieldError) -> String? {
        guard let identifier = try string(name) else { return nil }
        let appKeyLength = 22
        guard plane == .braze || plane == .airship else { throw invalid(name, "is allowed only for braze and airship") }
        // Airship's clients accept only this form, and Basic authentication allows no colon.
        let isAppKey =
            identifier.count == appKeyLength
            && identifier.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
        guard plane != .airship || isAppKey else {
            throw invalid(name, "must have \(appKeyLength) letters, digits, - and _, as Airship's app keys")
        }
        return identifier
    }

    /// Reads the public key for assertions that callers sign.
    fileprivate mutating func publicKey(
        _ name: String, on plane: KeyPlane, _ verifier: any ClientAssertionVerifier
    ) throws(JSONFieldError) -> String? {
        guard let text = try string(name) else { return nil }
        guard plane == .airship else { throw invalid(name, "is allowed only for airship") }
        guard verifier.isClientKey(text) else {
            throw invalid(name, "must be a public key of the curve P-384, for ES384, as PEM")
        }
        return text
    }

    fileprivate mutating func addresses(_ name: String) throws(JSONFieldError) -> [String]? {
        guard let texts = try strings(name) else { return nil }
        guard (1...APIKey.addressLimit).contains(texts.count) else {
            throw invalid(name, "must name 1 to \(APIKey.addressLimit) addresses or ranges")
        }
        for (index, text) in texts.enumerated() where AddressRange(text) == nil {
            throw invalid("\(name)[\(index)]", "must be an address, or a range such as 203.0.113.0/24 or 2001:db8::/32")
        }
        return texts
    }

    fileprivate mutating func environment(_ name: String) throws(JSONFieldError) -> PushEnvironment? {
        guard let text = try string(name) else { return nil }
        guard let environment = PushEnvironment(rawValue: text) else {
            throw invalid(name, "must be sandbox or production")
        }
        return environment
    }

    /// Reads scopes; nil if the call says nothing.
    fileprivate mutating func scopes(_ name: String, on plane: KeyPlane) throws(JSONFieldError) -> Set<KeyScope>? {
        guard let names = try strings(name) else { return nil }
        guard !names.isEmpty, names.count <= KeyScope.allCases.count else {
            throw invalid(name, "must name 1 to \(KeyScope.allCases.count) scopes")
        }
        var scopes: Set<KeyScope> = []
        for (index, text) in names.enumerated() {
            guard let scope = KeyScope(rawValue: text) ?? plane.permissions[text] else {
                let known = KeyScope.allCases.map(\.rawValue) + plane.permissions.keys.sorted()
                throw invalid("\(name)[\(index)]", "must be one of \(known.joined(separator: ", "))")
            }
            scopes.insert(scope)
        }
        return scopes
    }
}
