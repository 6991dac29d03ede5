/// Who may use the control API: programs with the lab's secret, and the wall's own page with its cookie.
///
/// A web page in a local browser must not control the lab. It sends an origin, or another host's name. The wall's page
/// sends the lab's own origin, and a cookie that only its printed address sets.
struct ControlAccess: Sendable {
    /// The parts of a request that decide.
    struct Request: Sendable {
        var method: String
        /// The host and the port as the client named them.
        var authority: String?
        var origin: String?
        var authorization: String?
        var cookie: String?
        /// `Sec-Fetch-Site`, which browsers send; nil for older ones and programs.
        var fetchSite: String?
    }

    /// What a request has shown.
    enum Entry: Sendable {
        case secret
        case cookie
    }

    var secret: String
    var cookie: String
    /// The port is in the name, because browsers share the cookies of one host among all ports.
    var cookieName: String

    /// Checks the host of a request. Every request needs it, also for the page's style.
    func checkHost(_ request: Request) throws(ControlProblem) {
        let host = request.authority?.split(separator: ":").first.map(String.init)
        guard let host, ["127.0.0.1", "localhost"].contains(host) else {
            throw ControlProblem(403, "hostForbidden", "the request must name 127.0.0.1 or localhost as its host")
        }
    }

    /// Checks a request that reads or controls the lab.
    @discardableResult
    func check(_ request: Request) throws(ControlProblem) -> Entry {
        try checkHost(request)
        if request.authorization == nil, hasCookie(request) {
            try checkOrigin(request)
            return .cookie
        }
        guard request.origin == nil else {
            throw ControlProblem(403, "originForbidden", "requests from web pages are not taken")
        }
        guard Self.areEqual(request.authorization ?? "", "Bearer \(secret)") else {
            throw ControlProblem(401, "secretInvalid", "send Authorization: Bearer and the lab's controlSecret")
        }
        return .secret
    }

    /// Checks that the wall's own page makes the request. A page of another port is of the same site to a browser, so
    /// its cookie alone proves nothing.
    private func checkOrigin(_ request: Request) throws(ControlProblem) {
        let own = "http://\(request.authority ?? "")"
        let isReading = request.method == "GET"
        let isOwn = request.origin.map { $0 == own } ?? isReading
        let isOwnSite = request.fetchSite.map { ["same-origin", "none"].contains($0) } ?? true
        guard isOwn, isOwnSite else {
            throw ControlProblem(403, "originForbidden", "only the wall's own page may do this with its cookie")
        }
    }

    private func hasCookie(_ request: Request) -> Bool {
        let cookies = (request.cookie ?? "").split(separator: ";").map { $0.drop { $0 == " " } }
        return cookies.contains { Self.areEqual(String($0), "\(cookieName)=\(cookie)") }
    }

    /// Compares in constant time.
    static func areEqual(_ left: String, _ right: String) -> Bool {
        let (left, right) = (Array(left.utf8), Array(right.utf8))
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
