import EyotCommands
import EyotContract
import EyotDomain

/// The description of another vendor's API that a server can answer. All that differs between vendors outside their
/// routes stands here.
package struct Vendor: Sendable {
    /// The names of the parts of a key in the description of a lab.
    package struct LabNames: Sendable {
        package var key: String
        /// The name of the identifier beside the key; nil if there is none.
        package var identifier: String?

        package init(key: String, identifier: String? = nil) {
            self.key = key
            self.identifier = identifier
        }
    }

    package let keys: KeyRules
    /// A sentence about the API, for the description of the API.
    package let sentence: String
    /// The schemes of authentication, by name, in the words of OpenAPI.
    package let schemes: [(name: String, scheme: JSONValue)]
    /// The schemes of calls with a key, in the words of OpenAPI.
    package let security: [JSONValue]
    /// The schemes of calls that also work without a key.
    package let openSecurity: [JSONValue]
    /// Headers that calls with a key may have, each with a sentence.
    package let headers: [(name: String, sentence: String)]
    /// Whether harmless calls can be accepted although the vendor documents a refusal.
    package let mayBeLenient: Bool
    package let lab: LabNames
    /// Reads the vendor's export of tokens; nil if it has none.
    package let tokenFile: (@Sendable (TokenFile) throws -> [TokenFile.Line])?
    /// The vendor's form of events; nil if it has none.
    package let events: VendorEvents?
    /// The routes. The flag says that harmless calls are accepted.
    package let routes: @Sendable (Backend, _ isLenient: Bool) -> [Route]

    package init(
        keys: KeyRules, sentence: String, schemes: [(name: String, scheme: JSONValue)], security: [JSONValue],
        openSecurity: [JSONValue] = [], headers: [(name: String, sentence: String)] = [], mayBeLenient: Bool,
        lab: LabNames, tokenFile: (@Sendable (TokenFile) throws -> [TokenFile.Line])? = nil,
        events: VendorEvents? = nil,
        routes: @escaping @Sendable (Backend, _ isLenient: Bool) -> [Route]
    ) {
        self.keys = keys
        self.sentence = sentence
        self.schemes = schemes
        self.security = security
        self.openSecurity = openSecurity
        self.headers = headers
        self.mayBeLenient = mayBeLenient
        self.lab = lab
        self.tokenFile = tokenFile
        self.events = events
        self.routes = routes
    }

    package var plane: KeyPlane { keys.plane }
    /// The name of the API.
    package var name: String { keys.plane.rawValue }
}

extension [Vendor] {
    /// The vendor of a plane; nil for Eyot's own.
    package subscript(plane: KeyPlane) -> Vendor? { first { $0.plane == plane } }

    /// The rules of a plane's keys; nil if there is no such plane.
    func rules(of plane: KeyPlane) -> KeyRules? { plane == .eyot ? .own : self[plane]?.keys }

    /// The names of all planes.
    var planes: [String] { [KeyPlane.eyot.rawValue] + map(\.name) }

    /// The routes of all vendors.
    package func routes(_ backend: Backend, lenient: Set<KeyPlane> = []) -> [Route] {
        flatMap { $0.routes(backend, lenient.contains($0.plane)) }
    }
}
