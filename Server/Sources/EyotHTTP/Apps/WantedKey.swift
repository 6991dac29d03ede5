import EyotCommands
import EyotContract
import EyotDomain
import HTTPConnections

extension KeyRoutes {
    /// A key as a caller asks for it.
    struct Wanted {
        var name: String
        var rules: KeyRules
        var identifier: String?
        var publicKey: String?
        /// Nil if the call says nothing.
        var scopes: Set<KeyScope>?
        var expiresAt: Instant?
        var reach: APIKeys.Reach

        init(
            _ fields: inout JSONFields, _ vendors: [Vendor], _ verifier: any ClientAssertionVerifier
        ) throws(JSONFieldError) {
            name = try fields.required("name", fields.string("name"))
            rules = try fields.plane("plane", among: vendors)
            identifier = try fields.identifier("identifier", by: rules, among: vendors)
            publicKey = try fields.publicKey("publicKey", by: rules, among: vendors, verifier)
            scopes = try fields.scopes("scopes", by: rules)
            expiresAt = try fields.moment("expiresAt")
            reach = APIKeys.Reach(
                addresses: try fields.addresses("addresses"), environment: try fields.environment("environment"))
        }
    }
}

extension JSONFields {
    /// The rules of the API that a key is for.
    fileprivate mutating func plane(_ name: String, among vendors: [Vendor]) throws(JSONFieldError) -> KeyRules {
        guard let text = try string(name) else { return .own }
        guard let rules = vendors.rules(of: KeyPlane(rawValue: text)) else {
            throw invalid(name, "must be one of \(vendors.planes.joined(separator: ", "))")
        }
        return rules
    }

    /// Reads the identifier that callers of this plane show beside the key.
    fileprivate mutating func identifier(
        _ name: String, by rules: KeyRules, among vendors: [Vendor]
    ) throws(JSONFieldError) -> String? {
        guard let text = try string(name) else { return nil }
        guard let identifier = rules.identifier else {
            throw invalid(name, "is allowed only for \(vendors.names { $0.identifier != nil })")
        }
        guard identifier.isValid(text) else { throw invalid(name, identifier.rule) }
        return text
    }

    /// Reads the public key for assertions that callers sign.
    fileprivate mutating func publicKey(
        _ name: String, by rules: KeyRules, among vendors: [Vendor], _ verifier: any ClientAssertionVerifier
    ) throws(JSONFieldError) -> String? {
        guard let text = try string(name) else { return nil }
        guard rules.takesPublicKey else {
            throw invalid(name, "is allowed only for \(vendors.names(where: \.takesPublicKey))")
        }
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
    fileprivate mutating func scopes(_ name: String, by rules: KeyRules) throws(JSONFieldError) -> Set<KeyScope>? {
        guard let names = try strings(name) else { return nil }
        guard !names.isEmpty, names.count <= KeyScope.allCases.count else {
            throw invalid(name, "must name 1 to \(KeyScope.allCases.count) scopes")
        }
        var scopes: Set<KeyScope> = []
        for (index, text) in names.enumerated() {
            guard let scope = KeyScope(rawValue: text) ?? rules.permissions[text] else {
                let known = KeyScope.allCases.map(\.rawValue) + rules.permissions.keys.sorted()
                throw invalid("\(name)[\(index)]", "must be one of \(known.joined(separator: ", "))")
            }
            scopes.insert(scope)
        }
        return scopes
    }
}

extension [Vendor] {
    /// The names of vendors with such rules, for a sentence.
    fileprivate func names(where isOne: (KeyRules) -> Bool) -> String {
        filter { isOne($0.keys) }.map(\.name).joined(separator: " and ")
    }
}
