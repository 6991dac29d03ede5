import EyotContract
import EyotDomain
import Logging
import ServiceLifecycle
import Synchronization

/// The one stream of changes for all open pages of this process.
///
/// Once a second it looks once for each topic on an open page, however many pages show it, and sends the fragments that
/// changed. It hears of no push, so an open page costs pushes nothing.
package final class LiveHub: Service {
    /// What a page shows: an app's topic, for callers with the same view of it.
    struct Topic: Hashable {
        var app: AppID
        var name: String
    }

    /// Reads the fragments of a topic.
    typealias Look = @Sendable () async throws -> [LiveFragment]
    /// Whether the viewer's session still allows the topic.
    typealias Check = @Sendable () async -> Bool
    /// Records what was read for a viewer.
    typealias Record = @Sendable ([AuditEntry]) -> Void

    /// Seconds between two looks, and between two checks of a viewer's session.
    static let (interval, checkInterval) = (1.0, 15.0)
    /// Seconds without a message after which a comment is sent, so that no proxy closes the stream.
    static let silence = 15.0
    /// The most open pages of one process, and of one member.
    static let (viewers, viewersOfMember) = (2_000, 256)
    /// Messages that may wait for one viewer. A slower one is sent away and comes again.
    private static let buffer = 16

    private struct Viewer {
        var member: String
        var continuation: AsyncThrowingStream<[UInt8], any Error>.Continuation
        var check: Check
        var record: Record
        var checkedAt: Instant
        var heardAt: Instant
        var isNew = true
    }

    private struct Watched {
        var look: Look
        /// What the look has read.
        var reads: LookReads
        var shown: [String: String] = [:]
        var viewers: [Int: Viewer] = [:]
    }

    private struct State {
        var topics: [Topic: Watched] = [:]
        var next = 0
        /// How many pages each member has open.
        var members: [String: Int] = [:]
        var isClosed = false

        var count: Int { members.values.reduce(0, +) }
    }

    private let state = Mutex(State())
    private let clock: any WallClock
    private let logger: Logger

    package init(clock: any WallClock, logger: Logger) {
        self.clock = clock
        self.logger = logger
    }

    /// How many pages are open.
    var viewerCount: Int { state.withLock { $0.count } }

    /// Opens a stream of a topic.
    ///
    /// - Parameters:
    ///   - member: The name of the member who reads it.
    ///   - record: Receives what each look has read.
    ///   - reads: Where `look` leaves what it has read. Of viewers of one topic the first one's look is made.
    /// - Returns: nil if too many pages are open, or the server stops.
    func follow(
        _ topic: Topic, by member: String, check: @escaping Check, record: @escaping Record = { _ in },
        reads: LookReads = LookReads(), look: @escaping Look
    ) -> AsyncThrowingStream<[UInt8], any Error>? {
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: [UInt8].self, bufferingPolicy: .bufferingOldest(Self.buffer))
        let now = clock.now
        let number = state.withLock { state -> Int? in
            guard state.count < Self.viewers, state.members[member, default: 0] < Self.viewersOfMember,
                !state.isClosed
            else { return nil }
            state.next += 1
            state.members[member, default: 0] += 1
            state.topics[topic, default: Watched(look: look, reads: reads)].viewers[state.next] = Viewer(
                member: member, continuation: continuation, check: check, record: record, checkedAt: now, heardAt: now)
            return state.next
        }
        guard let number else { return nil }
        continuation.onTermination = { [weak self] _ in self?.leave(topic, number) }
        return stream
    }

    private func leave(_ topic: Topic, _ number: Int) {
        state.withLock { state in
            guard let viewer = state.topics[topic]?.viewers.removeValue(forKey: number) else { return }
            let left = state.members[viewer.member, default: 1] - 1
            state.members[viewer.member] = left > 0 ? left : nil
            if state.topics[topic]?.viewers.isEmpty == true { state.topics[topic] = nil }
        }
    }

    // MARK: The loop

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            // Cancelled when the server stops.
            while (try? await self.clock.pause(seconds: Self.interval)) != nil { await self.lookAround() }
        }
        close()
    }

    /// Looks once at all topics that are open.
    func lookAround() async {
        let looks = state.withLock { $0.topics.mapValues(\.look) }
        for (topic, look) in looks {
            do {
                let fragments = try await look()
                recordReads(of: topic)
                send(fragments, of: topic)
            } catch {
                logger.error(
                    "An open page of the panel could not be read",
                    metadata: ["topic": "\(topic.name)", "error": "\(error)"])
                // Their pages ask again, and are refused if there is nothing to see any more.
                end(topic)
            }
        }
        await sendAway()
    }

    /// Records what the look at a topic has read, for each of its viewers.
    private func recordReads(of topic: Topic) {
        let (reads, viewers) = state.withLock { state in
            (state.topics[topic]?.reads, state.topics[topic]?.viewers.values.map(\.record) ?? [])
        }
        guard let entries = reads?.take(), !entries.isEmpty else { return }
        for record in viewers { record(entries) }
    }

    /// Sends what changed to viewers, and everything to new ones.
    private func send(_ fragments: [LiveFragment], of topic: Topic) {
        let now = clock.now
        let messages = state.withLock {
            state -> [(Int, AsyncThrowingStream<[UInt8], any Error>.Continuation, [UInt8])] in
            guard var watched = state.topics[topic] else { return [] }
            defer { state.topics[topic] = watched }
            let changed = fragments.filter { watched.shown[$0.id] != $0.html }
            watched.shown = Dictionary(fragments.map { ($0.id, $0.html) }) { $1 }
            let (all, news) = (Self.message(fragments), changed.isEmpty ? nil : Self.message(changed))
            var messages: [(Int, AsyncThrowingStream<[UInt8], any Error>.Continuation, [UInt8])] = []
            for (number, viewer) in watched.viewers {
                let isQuiet = now.seconds(since: viewer.heardAt) >= Self.silence
                guard let bytes = viewer.isNew ? all : news ?? (isQuiet ? Array(": nothing new\n\n".utf8) : nil)
                else { continue }
                watched.viewers[number]?.isNew = false
                watched.viewers[number]?.heardAt = now
                messages.append((number, viewer.continuation, bytes))
            }
            return messages
        }
        for (_, continuation, bytes) in messages {
            if case .dropped = continuation.yield(bytes) { continuation.finish() }
        }
    }

    /// Ends all streams of a topic.
    private func end(_ topic: Topic) {
        let viewers = state.withLock { $0.topics[topic]?.viewers.values.map(\.continuation) ?? [] }
        for viewer in viewers { viewer.finish() }
    }

    /// Ends the streams of members who signed out or lost their role.
    private func sendAway() async {
        let now = clock.now
        let due = state.withLock { state in
            state.topics.flatMap { topic, watched in
                watched.viewers.filter { now.seconds(since: $0.value.checkedAt) >= Self.checkInterval }
                    .map { (topic, $0.key, $0.value) }
            }
        }
        for (topic, number, viewer) in due {
            guard await viewer.check() else {
                viewer.continuation.finish()
                continue
            }
            state.withLock { $0.topics[topic]?.viewers[number]?.checkedAt = now }
        }
    }

    private func close() {
        let all = state.withLock { state in
            state.isClosed = true
            return state.topics.values.flatMap { $0.viewers.values.map(\.continuation) }
        }
        for continuation in all { continuation.finish() }
    }

    private static func message(_ fragments: [LiveFragment]) -> [UInt8] {
        let object = JSONObject(fragments.map { ($0.id, .string($0.html)) })
        return Array("event: parts\ndata: ".utf8) + JSONValue.object(object).utf8 + Array("\n\n".utf8)
    }
}
