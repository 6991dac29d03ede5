import EyotDomain
import EyotHTTP
import HTTPTypes

/// Refuses forms that do not come from a page of the member's session: another site, or a page of before.
struct FormGuard {
    /// The field with the session's token.
    static let field = "token"

    private let headers: HTTPFields
    /// The host and the port that the browser asked for.
    private let host: String?

    init(_ call: Call) { (headers, host) = (call.headers, call.host) }

    /// - Throws: `keyForbidden`.
    func check(_ fields: FormFields, of member: SignedIn) throws(EyotError) {
        try checkOrigin()
        guard let token = fields[Self.field], Self.equal(token, member.formToken) else {
            throw EyotError(
                .keyForbidden, "the form is not from your present session: open the page again", field: Self.field)
        }
    }

    /// Refuses what another site made the browser send. Also for forms without a session, such as signing in.
    ///
    /// - Throws: `keyForbidden`.
    func checkOrigin() throws(EyotError) {
        if let site = headers[.fetchSite] {
            guard site == "same-origin" || site == "none" else { throw Self.otherSite }
            return
        }
        guard let origin = headers[.origin] else { throw Self.otherSite }
        // A proxy may take the scheme away, so only host and port are compared.
        guard let host, ["http://\(host)", "https://\(host)"].contains(origin) else { throw Self.otherSite }
    }

    private static let otherSite = EyotError(.keyForbidden, "the form does not come from a page of this panel")

    /// Compares in a time that does not depend on where the texts differ.
    private static func equal(_ a: String, _ b: String) -> Bool {
        let (a, b) = (Array(a.utf8), Array(b.utf8))
        guard a.count == b.count else { return false }
        return zip(a, b).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

extension HTTPField.Name {
    fileprivate static let fetchSite = known("Sec-Fetch-Site")
}
