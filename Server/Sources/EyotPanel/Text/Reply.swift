import EyotContract
import EyotDomain
import EyotHTTP

/// A value in an answer of the API, as pages read it.
struct Reply {
    let json: JSONValue?

    init(_ json: JSONValue?) { self.json = json }

    subscript(name: String) -> Reply { Reply(json?.object?[name]) }

    /// The elements of an array; empty for anything else.
    var all: [Reply] { (json?.array ?? []).map { Reply($0) } }

    /// The members of an object; empty for anything else.
    var members: [(name: String, value: Reply)] {
        (json?.object?.members ?? []).map { ($0.name, Reply($0.value)) }
    }

    /// The text for links and further calls.
    var raw: String? { json?.string }

    /// The text for display.
    var text: String? { raw.map(Shown.text) }

    /// A token as the API shortens it, without its length.
    var fingerprint: String? { text?.split(separator: " ").first.map(String.init) }

    var number: Int? { json?.integer }

    /// The number with its digits grouped.
    var count: String? { number.map(Figures.count) }

    var isTrue: Bool { json?.bool ?? false }

    var moment: Moment? { Moment(json) }

    var instant: Instant? { raw.flatMap { Instant(rfc3339: $0) } }
}

extension Visit {
    /// Asks the API as the member, for a reply that a page draws.
    func reply(_ path: String, _ query: [String: String] = [:]) async throws -> Reply {
        Reply(try await read(path, query))
    }
}
