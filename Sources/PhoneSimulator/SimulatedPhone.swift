import EyotContract
import Foundation

/// A simulated phone that many tasks may use at once: a ``PhoneState`` behind a lock, a clock, and streams of its
/// events.
///
/// The phone's app uses a ``PhoneProcess``; the person and Apple use this type.
public final class SimulatedPhone: Sendable {
    /// Elements that a stream keeps for a slow reader; then the oldest are dropped.
    public static let streamBufferLimit = 256

    /// The phone's fixed properties.
    public let configuration: PhoneConfiguration
    private let clock: @Sendable () -> Date
    private let tokens: TokenIndex
    private let channels: ChannelIndex
    private let observer: (@Sendable (PhoneObservation) -> Void)?
    private let inner: AnnouncedValue<Inner>

    private struct Inner: Sendable {
        var state: PhoneState
        var subscriptions = PhoneSubscriptions()
    }

    /// A phone that belongs to no fleet.
    ///
    /// - Parameter clock: true time; asked at every call.
    public convenience init(_ configuration: PhoneConfiguration, clock: @escaping @Sendable () -> Date) {
        self.init(
            PhoneState(configuration), tokens: TokenIndex(deadTokenLimit: 0), channels: ChannelIndex(), clock: clock)
    }

    init(
        _ state: PhoneState, tokens: TokenIndex, channels: ChannelIndex, clock: @escaping @Sendable () -> Date,
        observer: (@Sendable (PhoneObservation) -> Void)? = nil
    ) {
        configuration = state.configuration
        self.clock = clock
        self.tokens = tokens
        self.channels = channels
        self.observer = observer
        inner = AnnouncedValue(Inner(state: state))
    }

    /// The phone's name.
    public var id: String { configuration.id }

    /// How the phone's switches are put.
    public var rules: PhoneRules { inner.withLock { $0.state.rules } }

    /// The phone's state, advanced to the present.
    public var state: PhoneState {
        change { state, now in
            state.advance(to: now)
            return state
        }
    }

    /// Changes the phone, then notifies the streams. `body` gets true time; it must not call this phone.
    @discardableResult
    func change<Result, Failure: Error>(
        _ body: (inout PhoneState, Date) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try inner.withLock { inner, announcements throws(Failure) in
            let (pushes, faults) = (inner.state.pushes.total, inner.state.faults.total)
            defer { announcements += pass(&inner) + observations(of: inner.state, pushes: pushes, faults: faults) }
            return try body(&inner.state, clock())
        }
    }

    /// - Returns: the announcements to make after the lock is released.
    private func pass(_ inner: inout Inner) -> [PhoneSubscriptions.Announcement] {
        let events = inner.state.takeEvents()
        tokens.note(events, of: configuration)
        channels.note(events, of: configuration)
        let catchesUp = inner.state.rules.subscribingBringsNewest
        return inner.subscriptions.pass(events) + (catchesUp ? events.compactMap(catchingUp) : [])
    }

    /// The observations for the log's entries after these totals.
    private func observations(
        of state: PhoneState, pushes: Int, faults: Int
    ) -> [PhoneSubscriptions.Announcement] {
        guard let observer else { return [] }
        let id = id
        let all =
            state.pushes.entries(after: pushes).map(PhoneObservation.Fact.push)
            + state.faults.entries(after: faults).map(PhoneObservation.Fact.fault)
        return all.map { fact in { observer(PhoneObservation(phone: id, fact: fact)) } }
    }

    /// The delivery of the channel's stored broadcast to a phone that has just subscribed; nil if there is none.
    private func catchingUp(after event: PhoneEvent) -> (@Sendable () -> Void)? {
        guard case .subscribed(let channel) = event,
            let kept = channels.kept(of: ChannelIndex.Key(channel, configuration), at: clock())
        else { return nil }
        return { self.receive(kept) }
    }

    /// Every ``PhoneEvent/launched(generation:_:)``, ``PhoneEvent/moved(generation:_:)`` and
    /// ``PhoneEvent/terminated(generation:)`` from now on. A lab boots an app object at each launch, and ends it at the
    /// process's end. The stream never ends by itself.
    public func processEvents() -> AsyncStream<PhoneEvent> {
        stream(
            of: nil, start: { _ in StreamStart() },
            each: { event in
                switch event {
                case .launched, .moved, .terminated: .yield(event)
                default: .skip
                }
            })
    }

    /// How many streams there are that are not over.
    package var openStreams: Int { inner.withLock { $0.subscriptions.count } }

    /// A stream of a subscriber's elements. `start` runs in the same moment in which listening begins.
    func stream<Element: Sendable>(
        of generation: Int?, start: (PhoneState) -> StreamStart<Element>,
        each: @escaping @Sendable (PhoneEvent) -> StreamStep<Element>
    ) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Element.self, bufferingPolicy: .bufferingNewest(Self.streamBufferLimit))
        let subscription = PhoneSubscriptions.Subscription(
            generation: generation,
            read: { event in
                switch each(event) {
                case .skip: PhoneSubscriptions.Reading()
                case .yield(let element): .init { continuation.yield(element) }
                case .last(let element): .init(announcement: { continuation.yield(element) }, isOver: true)
                case .finish: .init(isOver: true)
                }
            },
            finish: { continuation.finish() })
        change { state, now in state.advance(to: now) }
        let id = inner.withLock { inner, announcements -> Int? in
            let isDead = generation.map { $0 != inner.state.generation || inner.state.run == .notRunning } ?? false
            let start = isDead ? .over : start(inner.state)
            for element in start.elements { announcements.append { continuation.yield(element) } }
            guard start.isOver else { return inner.subscriptions.add(subscription) }
            announcements.append { continuation.finish() }
            return nil
        }
        if let id {
            continuation.onTermination = { [weak self] _ in self?.inner.withLock { $0.subscriptions.remove(id) } }
        }
        return stream
    }
}
