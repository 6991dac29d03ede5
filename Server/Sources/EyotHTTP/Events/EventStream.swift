import EyotCommands
import EyotContract
import EyotDomain

/// Events as `text/event-stream`: those after a cursor first, then each as it happens.
struct EventStream: AsyncSequence, Sendable {
    static let contentType = "text/event-stream"
    /// Events that are read at once while a follower catches up.
    private static let page = 1_000

    let commands: Commands
    let feed: EventFeed
    let app: AppID
    let query: EventQuery
    var form = EventForm()
    let cursor: Int64

    func makeAsyncIterator() -> Iterator { Iterator(stream: self, cursor: cursor) }

    struct Iterator: AsyncIteratorProtocol {
        let stream: EventStream
        var cursor: Int64
        private var following: AsyncStream<EventFeed.Item>.Iterator?

        init(stream: EventStream, cursor: Int64) {
            (self.stream, self.cursor) = (stream, cursor)
        }

        mutating func next() async throws -> [UInt8]? {
            while following == nil {
                let page = try await stream.commands.events(
                    stream.query, of: stream.app, from: .after(cursor), limit: EventStream.page)
                cursor = page.cursor.id
                guard page.events.isEmpty else { return page.events.flatMap(stream.bytes) }
                guard page.isComplete else { continue }
                switch stream.feed.follow(stream.app, stream.query, after: cursor, at: stream.commands.clock.now) {
                case .behind: continue
                case .full: return nil
                case .following(let items): following = items.makeAsyncIterator()
                }
                return Array(": following\n\n".utf8)
            }
            switch await following?.next() {
            case .event(let event): return stream.bytes(of: event)
            case .silence: return Array(": nothing new\n\n".utf8)
            case nil: return nil
            }
        }
    }

    /// The messages of an event. Only the last one has its id, so that a follower that comes again misses none.
    private func bytes(of view: EventView) -> [UInt8] {
        let lines = form.lines(of: view)
        return lines.enumerated().flatMap { index, line in
            let id = index == lines.count - 1 && view.isLastOfEntry ? "id: \(view.event.id)\n" : ""
            return Array("\(id)event: \(line.name)\ndata: \(line.json.text)\n\n".utf8)
        }
    }
}
