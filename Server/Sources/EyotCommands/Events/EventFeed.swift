import EyotDomain
import Synchronization

/// The newest events of the apps that are followed. They are read once for each app, however many follow it.
package final class EventFeed: Sendable {
    /// The most followers of a process. The apps share them by ``FairShare``.
    package static let followerLimit = 500
    /// Seconds between two looks for new events.
    package static let interval = 0.25
    /// Seconds after which a follower has to come again, so that a key that was revoked does not follow for long.
    package static let lifetime = 600.0
    /// Seconds without an event after which a follower gets a sign of life.
    package static let silence = 15.0
    /// Events that wait for one follower. A follower that is slower is left behind, and can go on from its last event.
    private static let backlog = 1_000
    /// Events that one look reads.
    private static let atOnce = 1_000

    /// What a follower gets.
    package enum Item: Sendable {
        case event(EventView)
        /// Nothing has happened for a while.
        case silence
    }

    /// The answer to a wish to follow.
    package enum Place: Sendable {
        /// The follower has to read later events first.
        case behind
        /// The app has its share of the followers, or the server is about to stop.
        case full
        case following(AsyncStream<Item>)
    }

    fileprivate struct Follower {
        var query: EventQuery
        /// The last event that it has seen.
        var cursor: Int64
        let since: Instant
        var servedAt: Instant
        let channel: AsyncStream<Item>.Continuation
    }

    private struct Feed {
        /// The last event that was passed on.
        var cursor: Int64
        var followers: [Int: Follower] = [:]

        /// What is read for any of the followers.
        var query: EventQuery {
            var query = EventQuery()
            query.depth = followers.values.reduce(EventDepth()) { $0.union($1.query.depth) }
            if followers.values.contains(where: \.query.readsAcceptances) { query.kinds = Set(EventKind.allCases) }
            return query
        }
    }

    private struct State {
        var feeds: [AppID: Feed] = [:]
        var next = 0
        var isClosed = false

        var count: Int { feeds.values.reduce(0) { $0 + $1.followers.count } }

        /// Whether an app may have a further follower.
        func hasRoom(for app: AppID) -> Bool {
            let own = feeds[app]?.followers.count ?? 0
            return !isClosed && FairShare.allows(own + 1, of: count + 1, within: EventFeed.followerLimit)
        }

        enum Addition: Equatable {
            case behind
            case full
            case number(Int)
        }

        mutating func add(_ follower: Follower, to app: AppID) -> Addition {
            guard hasRoom(for: app) else { return .full }
            if let feed = feeds[app], feed.cursor > follower.cursor { return .behind }
            next += 1
            feeds[app, default: Feed(cursor: follower.cursor)].followers[next] = follower
            return .number(next)
        }
    }

    private let state = Mutex(State())

    package init() {}

    /// The number of followers.
    package var count: Int { state.withLock { $0.count } }

    /// Whether an app may have a further follower.
    package func hasRoom(for app: AppID) -> Bool { state.withLock { $0.hasRoom(for: app) } }

    /// Follows an app from an event on, up to which the follower has read everything.
    package func follow(_ app: AppID, _ query: EventQuery, after id: Int64, at now: Instant) -> Place {
        let (stream, channel) = AsyncStream.makeStream(of: Item.self, bufferingPolicy: .bufferingOldest(Self.backlog))
        let follower = Follower(query: query, cursor: id, since: now, servedAt: now, channel: channel)
        let place = state.withLock { $0.add(follower, to: app) }
        guard case .number(let number) = place else { return place == .behind ? .behind : .full }
        channel.onTermination = { [weak self] _ in self?.drop(number, of: app) }
        return .following(stream)
    }

    private func drop(_ number: Int, of app: AppID) {
        state.withLock { state in
            state.feeds[app]?.followers[number] = nil
            if state.feeds[app]?.followers.isEmpty == true { state.feeds[app] = nil }
        }
    }

    // MARK: Passing on

    /// Looks once for new events of the apps that are followed, and passes them on.
    package func look(by commands: Commands) async throws {
        let feeds = state.withLock { $0.feeds.mapValues { ($0.cursor, $0.query) } }
        for (app, (cursor, query)) in feeds {
            let page = try await commands.events(query, of: app, from: .after(cursor), limit: Self.atOnce)
            pass(page, to: app, at: commands.clock.now)
        }
    }

    private func pass(_ page: EventPage, to app: AppID, at now: Instant) {
        // Ends are told outside of the lock, because they call `drop`.
        let over = state.withLock { state -> [AsyncStream<Item>.Continuation] in
            guard var feed = state.feeds[app] else { return [] }
            feed.cursor = max(feed.cursor, page.cursor.id)
            var over: [AsyncStream<Item>.Continuation] = []
            for number in feed.followers.keys where !(feed.followers[number]?.take(page.events, at: now) ?? true) {
                if let left = feed.followers.removeValue(forKey: number) { over.append(left.channel) }
            }
            state.feeds[app] = feed
            return over
        }
        for channel in over { channel.finish() }
    }

    /// Ends what everyone follows, because the server is about to stop.
    package func close() {
        let channels = state.withLock { state in
            state.isClosed = true
            return state.feeds.values.flatMap { $0.followers.values.map(\.channel) }
        }
        for channel in channels { channel.finish() }
    }
}

extension EventFeed.Follower {
    /// Passes on what the follower wants.
    ///
    /// - Returns: Whether it goes on following.
    fileprivate mutating func take(_ events: [EventView], at now: Instant) -> Bool {
        guard now.seconds(since: since) < EventFeed.lifetime else { return false }
        for event in events where event.event.id > cursor && query.wants(event) {
            guard case .enqueued = channel.yield(.event(event.limited(to: query.depth))) else { return false }
            servedAt = now
        }
        cursor = max(cursor, events.last?.event.id ?? cursor)
        guard now.seconds(since: servedAt) >= EventFeed.silence else { return true }
        servedAt = now
        guard case .enqueued = channel.yield(.silence) else { return false }
        return true
    }
}
