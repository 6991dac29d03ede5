import EyotContract
import Foundation

/// Many phones, and Apple's knowledge of their tokens: the receiver behind an APNs simulator.
public final class PhoneFleet: Sendable {
    private let tokens: TokenIndex
    private let clock: @Sendable () -> Date
    private let guarded = Guarded(Contents())

    private struct Contents: Sendable {
        var byID: [String: SimulatedPhone] = [:]
        var inOrder: [SimulatedPhone] = []
    }

    /// No phones yet.
    ///
    /// - Parameter clock: true time, for all the phones; asked at every call.
    public init(clock: @escaping @Sendable () -> Date) {
        self.clock = clock
        tokens = TokenIndex()
    }

    /// Adds a phone; nil where the fleet has one of this name.
    public func add(_ configuration: PhoneConfiguration) -> SimulatedPhone? {
        guarded.withLock { contents in
            guard contents.byID[configuration.id] == nil else { return nil }
            let phone = SimulatedPhone(configuration, tokens: tokens, clock: clock)
            contents.byID[phone.id] = phone
            contents.inOrder.append(phone)
            return phone
        }
    }

    /// The phones in the order in which they were added.
    public var phones: [SimulatedPhone] { guarded.withLock { $0.inOrder } }

    /// The phone of this name.
    public func phone(_ id: String) -> SimulatedPhone? { guarded.withLock { $0.byID[id] } }

    /// Lets time pass on every phone. A lab calls it every second or so.
    public func advance() { for phone in phones { phone.advance() } }

    /// What Apple says to a token, without sending anything.
    public func verdict(token: PushToken, environment: PushEnvironment, topic: String) -> TokenVerdict {
        tokens[token]?.verdict(environment: environment, topic: topic) ?? .badDeviceToken
    }

    /// Judges a push and, where Apple accepts it, hands it to its phone.
    public func deliver(_ push: DeliveredPush, environment: PushEnvironment) -> TokenVerdict {
        guard let entry = tokens[push.token] else { return .badDeviceToken }
        let verdict = entry.verdict(environment: environment, topic: push.topic)
        if verdict == .accepted { phone(entry.phone)?.receive(push) }
        return verdict
    }
}
