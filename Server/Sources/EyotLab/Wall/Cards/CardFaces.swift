import EyotContract

/// The faces that phones show, each drawn once and named by a number. A thousand phones with the same state share one.
struct CardFaces: Sendable {
    /// What a face is drawn from.
    struct Content: Sendable, Hashable {
        var type: String
        var attributes: JSONValue
        var state: JSONValue
    }

    /// A face with its number.
    struct Entry: Sendable, Hashable {
        var id: Int
        var face: CardFace
        /// The digest of the state, by which its version is found.
        var digest: StateDigest
    }

    /// How many faces are kept. Beyond that, those that nothing has used since the last tidying are dropped.
    static let limit = 2_000

    /// What makes two contents the same, in whichever order their members stand.
    private struct Sameness: Hashable {
        var type: String
        var attributes: StateDigest
        var state: StateDigest
    }

    private var entries: [Content: Entry] = [:]
    private var same: [Sameness: Entry] = [:]
    private var used: Set<Int> = []
    private var lastID = 0
    /// The faces that were drawn since ``takeNew()``.
    private var new: [Entry] = []

    /// Returns the face of a content, and draws it if it is new.
    mutating func entry(of content: Content) -> Entry {
        if let entry = entries[content] {
            used.insert(entry.id)
            return entry
        }
        let digest = StateDigest(of: content.state)
        let sameness = Sameness(type: content.type, attributes: StateDigest(of: content.attributes), state: digest)
        if let entry = same[sameness] {
            entries[content] = entry
            used.insert(entry.id)
            return entry
        }
        lastID += 1
        let face = CardFace(type: content.type, attributes: content.attributes, state: content.state)
        let entry = Entry(id: lastID, face: face, digest: digest)
        entries[content] = entry
        same[sameness] = entry
        used.insert(entry.id)
        new.append(entry)
        return entry
    }

    /// All faces in the order of their numbers.
    var all: [Entry] { same.values.sorted { $0.id < $1.id } }

    /// Returns the faces that were drawn since the last call.
    mutating func takeNew() -> [Entry] {
        defer { new = [] }
        return new
    }

    /// Drops unused faces if there are too many. Called after each look at all phones.
    mutating func tidy() {
        if entries.count > Self.limit {
            entries = entries.filter { used.contains($0.value.id) }
            same = same.filter { used.contains($0.value.id) }
        }
        used = []
    }
}

extension CardFaces.Entry {
    /// The face for the page, with its number.
    var json: JSONValue {
        var object = JSONObject([("id", .integer(id))])
        for member in face.json.object?.members ?? [] { object[member.name] = member.value }
        return .object(object)
    }
}
