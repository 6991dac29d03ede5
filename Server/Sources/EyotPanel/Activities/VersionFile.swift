import EyotContract
import EyotDomain
import EyotHTTP

/// What became of a declaration on all phones, as a table that is read and sent in portions.
///
/// A portion is read when the one before it was taken. A failure breaks the file off, so that the browser says that it
/// is not whole.
struct VersionFile: AsyncSequence, Sendable {
    private let first: Answer
    private let visit: Visit
    /// The one that the file began with. Another may begin before it is sent.
    private let generation: Int

    /// The file that a member asks for. The first portion is read before, so that a refusal is a page.
    static func answer(to visit: Visit) async throws -> Answer {
        let generation = try await visit.read(ActivityPath(visit.call.parameter("name")).call).count("generation")
        let first = try await portion(for: visit, generation, after: visit.call.query["after"])
        return .file(
            VersionFile(first: first, visit: visit, generation: generation), named: "phones.csv",
            type: "text/csv; charset=utf-8")
    }

    func makeAsyncIterator() -> Iterator { Iterator(portion: first, file: self) }

    struct Iterator: AsyncIteratorProtocol {
        /// What was read and not sent; nil at the end.
        private var portion: Answer?
        private var after: String?
        private let file: VersionFile

        init(portion: Answer, file: VersionFile) { (self.portion, self.file) = (portion, file) }

        mutating func next() async throws -> [UInt8]? {
            if let portion {
                (self.portion, after) = (nil, portion.next)
                return Array((portion.text ?? "").utf8)
            }
            while let last = after {
                let portion = try await VersionFile.portion(for: file.visit.again(), file.generation, after: last)
                after = portion.next
                // Each portion begins with the names of the columns.
                let rows = (portion.text ?? "").utf8.drop { $0 != UInt8(ascii: "\n") }.dropFirst()
                if !rows.isEmpty { return Array(rows) }
            }
            return nil
        }
    }

    private static func portion(for visit: Visit, _ generation: Int, after: String?) async throws -> Answer {
        let (name, version) = (try visit.call.parameter("name"), try visit.call.parameter("version"))
        var query = VersionPage.query(visit)
        (query["format"], query["after"], query["generation"]) = ("csv", after, "\(generation)")
        return try await visit.ask(LocalCall(.get, VersionPage.call(version, of: ActivityPath(name)), query: query))
    }
}

extension Visit {
    /// The same visit with what the member may do by now.
    ///
    /// - Throws: `keyUnknown` if the member is no longer signed in.
    fileprivate func again() async throws -> Visit {
        guard let member = try await panel.sessions.find(in: call) else {
            throw EyotError(.keyUnknown, "the member is not signed in any more")
        }
        return try Visit(call, of: member, to: panel)
    }
}
