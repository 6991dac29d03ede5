import EyotContract
import Foundation

/// Many phones, and Apple's knowledge of their tokens and channels: the receiver behind an APNs simulator.
public final class PhoneFleet: Sendable {
    private let tokens: TokenIndex
    private let channels = ChannelIndex()
    private let clock: @Sendable () -> Date
    private let observer: (@Sendable (PhoneObservation) -> Void)?
    private let guarded = Guarded(Contents())

    private struct Contents: Sendable {
        var byID: [String: SimulatedPhone] = [:]
        var inOrder: [SimulatedPhone] = []
    }

    /// Creates a fleet without phones.
    ///
    /// - Parameters:
    ///   - deadTokenLimit: the number of dead tokens that are remembered. The longest dead are forgotten, and are then
    ///     unknown.
    ///   - clock: true time, for all the phones; asked at every call.
    ///   - observer: is called for each phone's handling of each push and for each fault of its app, after the fact and
    ///     in the phone's order. It must return at once.
    public init(
        deadTokenLimit: Int = 100_000, clock: @escaping @Sendable () -> Date,
        observer: (@Sendable (PhoneObservation) -> Void)? = nil
    ) {
        self.clock = clock
        self.observer = observer
        tokens = TokenIndex(deadTokenLimit: deadTokenLimit)
    }

    /// Adds a phone, either freshly installed or restored from its ``PhoneState/archive``. Nil if the fleet has a phone
    /// of this name.
    public func add(_ configuration: PhoneConfiguration, restoring archive: PhoneArchive? = nil) -> SimulatedPhone? {
        let state = archive.map { PhoneState(configuration, restoring: $0) } ?? PhoneState(configuration)
        let phone = SimulatedPhone(state, tokens: tokens, channels: channels, clock: clock, observer: observer)
        let isNew = guarded.withLock { contents in
            guard contents.byID[phone.id] == nil else { return false }
            contents.byID[phone.id] = phone
            contents.inOrder.append(phone)
            return true
        }
        guard isNew else { return nil }
        // Reports the tokens and channels of a restored phone to Apple.
        phone.advance()
        return phone
    }

    /// The phones in the order in which they were added.
    public var phones: [SimulatedPhone] { guarded.withLock { $0.inOrder } }

    /// The phone of this name.
    public func phone(_ id: String) -> SimulatedPhone? { guarded.withLock { $0.byID[id] } }

    /// Advances every phone to the present. A lab calls it every second or so.
    public func advance() { for phone in phones { phone.advance() } }

    /// Apple's answer for a token, without a push.
    public func verdict(token: PushToken, environment: PushEnvironment, topic: String) -> TokenVerdict {
        tokens[token]?.verdict(environment: environment, topic: topic) ?? .badDeviceToken
    }

    /// Checks a push to a token and delivers it to its phone if Apple accepts it.
    public func deliver(_ push: DeliveredPush, environment: PushEnvironment) -> TokenVerdict {
        guard let entry = push.token.flatMap({ tokens[$0] }) else { return .badDeviceToken }
        let verdict = entry.verdict(environment: environment, topic: push.topic)
        if verdict == .accepted { phone(entry.phone)?.receive(push) }
        return verdict
    }

    // MARK: Broadcasts

    /// The phones that are subscribed to a channel of an app, as Apple knows them. An offline phone reports its changes
    /// later.
    public func subscribers(
        ofChannel channel: String, bundleID: String, environment: PushEnvironment
    ) -> [SimulatedPhone] {
        channels.subscribers(of: ChannelIndex.Key(channel, bundleID: bundleID, environment: environment))
            .compactMap { phone($0) }
    }

    /// Delivers a broadcast that Apple accepted to every phone that is subscribed to its channel. For an offline phone
    /// it is stored if the channel's policy says so, and delivered when the phone comes online.
    ///
    /// - Returns: the number of phones.
    @discardableResult
    public func broadcast(_ push: DeliveredPush, environment: PushEnvironment) -> Int {
        guard let channel = push.channel else { return 0 }
        // Stored before the delivery, so that a phone that subscribes meanwhile misses nothing.
        channels.keep(
            push, of: ChannelIndex.Key(channel, bundleID: push.topic, environment: environment), at: clock())
        let phones = subscribers(ofChannel: channel, bundleID: push.topic, environment: environment)
        for phone in phones { phone.receive(push) }
        return phones.count
    }
}
