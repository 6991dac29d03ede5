import EyotCommands
import EyotDomain
import HTTPTypes

/// A family of routes with its own authentication, content types and form of failures. Eyot's own plane answers
/// problem+json; each vendor's plane answers as that vendor does.
package protocol Plane: Sendable {
    /// The kind of keys that the plane accepts.
    var keys: KeyPlane { get }
    /// How its paths begin. It also applies to paths that are no route.
    var paths: [String] { get }
    /// Content types of JSON bodies, in lower case and without parameters.
    var bodyTypes: Set<String> { get }
    /// The media type of its answers.
    var answerType: String { get }
    /// Whether a call may show an access token instead of a key.
    var hasAccessTokens: Bool { get }
    /// Returns the key that a call shows.
    ///
    /// - Throws: `keyMissing`.
    func key(in headers: HTTPFields) throws(EyotError) -> PresentedKey
    /// Returns the answer to a failed call.
    ///
    /// - Parameter body: the part of the body that was read.
    func answer(to problem: Problem, body: [UInt8]) -> Answer
}

extension Plane {
    package var bodyTypes: Set<String> { ["application/json"] }
    package var answerType: String { "application/json" }
    package var hasAccessTokens: Bool { false }

    /// Returns the key of an `Authorization: Bearer`.
    package func bearer(in headers: HTTPFields) throws(EyotError) -> String {
        let parts = (headers[.authorization] ?? "")[...].split(atByte: " ", omittingEmpty: true)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else {
            throw EyotError(.keyMissing, "the header Authorization: Bearer is missing", field: "Authorization")
        }
        return String(parts[1])
    }

    /// Returns how many bytes of a path mark it as one of this plane's; nil if it is none.
    func prefix(of path: Substring) -> Int? {
        let (path, slash) = (path.utf8, UInt8(ascii: "/"))
        var longest: Int?
        for own in paths.lazy.map(\.utf8) where path.starts(with: own) {
            guard path.count == own.count || own.last == slash || path.dropFirst(own.count).first == slash else {
                continue
            }
            longest = max(longest ?? 0, own.count)
        }
        return longest
    }
}

/// A failure that is answered as it is, for cases in which a vendor's API has its own answer. It has changed nothing.
package struct Refusal: Error, Sendable {
    package var answer: Answer

    package init(_ answer: Answer) { self.answer = answer }
}

/// Eyot's own plane.
struct OwnPlane: Plane {
    let keys = KeyPlane.eyot
    /// Every path that is no vendor's.
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
