import EyotCommands
import EyotDomain
import HTTPTypes

/// A family of routes with manners of its own: how callers show who they are, what bodies are declared as, and what failures look
/// like. Our own has problem+json; each vendor's speaks as that vendor does.
package protocol Plane: Sendable {
    /// The keys that are good for it.
    var keys: KeyPlane { get }
    /// How its paths begin, for what is asked there and is no route.
    var paths: [String] { get }
    /// Media types of JSON bodies, in lower case and without parameters.
    var bodyTypes: Set<String> { get }
    /// The media type of its answers.
    var answerType: String { get }
    /// Whether an access token may stand for a key.
    var hasAccessTokens: Bool { get }
    /// What a call shows of its key.
    ///
    /// - Throws: `keyMissing`.
    func key(in headers: HTTPFields) throws(EyotError) -> PresentedKey
    /// What a call is answered that failed.
    ///
    /// - Parameter body: what came, as far as it was read.
    func answer(to problem: Problem, body: [UInt8]) -> Answer
}

extension Plane {
    package var bodyTypes: Set<String> { ["application/json"] }
    package var answerType: String { "application/json" }
    package var hasAccessTokens: Bool { false }

    /// The key of an `Authorization: Bearer`.
    package func bearer(in headers: HTTPFields) throws(EyotError) -> String {
        let parts = (headers[.authorization] ?? "").split(separator: " ", omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else {
            throw EyotError(.keyMissing, "there is no Authorization: Bearer", field: "Authorization")
        }
        return String(parts[1])
    }

    /// How much of a path says that it is one of this plane's; nil where it is none.
    func prefix(of path: Substring) -> Int? {
        paths.filter {
            path == $0 || path.hasPrefix($0) && ($0.hasSuffix("/") || path.dropFirst($0.count).first == "/")
        }.map(\.count).max()
    }
}

/// A failure that is answered as it stands, where a vendor's API has an answer of its own for it. It has changed nothing.
package struct Refusal: Error, Sendable {
    package var answer: Answer

    package init(_ answer: Answer) { self.answer = answer }
}

/// Our own.
struct OwnPlane: Plane {
    let keys = KeyPlane.eyot
    /// Everything that is no vendor's.
    let paths = ["/"]

    func key(in headers: HTTPFields) throws(EyotError) -> PresentedKey {
        PresentedKey(secret: try bearer(in: headers))
    }

    func answer(to problem: Problem, body: [UInt8]) -> Answer {
        var answer = Answer(problem.status, problem.json)
        answer.headers = problem.headers
        answer.headers[.contentType] = Problem.contentType
        return answer
    }
}
