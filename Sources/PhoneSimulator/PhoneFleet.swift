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
    /// - Parameters:
    ///   - deadTokenLimit: dead tokens that are remembered; the longest dead are forgotten, and then nobody has them.
    ///   - clock: true time, for all the phones; asked at every call.
    public init(deadTokenLimit: Int = 100_000, clock: @escaping @Sendable () -> Date) {
        self.clock = clock
        tokens = TokenIndex(deadTokenLimit: deadTokenLimit)
    }

    /// Adds a phone, one fresh from the installation or one as it was kept (``PhoneState/archive``); nil where the
    /// fleet has one of this name.
    public func add(_ configuration: PhoneConfiguration, restoring archive: PhoneArchive? = nil) -> SimulatedPhone? {
        let state = archive.map { PhoneState(configuration, restoring: $0) } ?? PhoneState(configuration)
        let phone = SimulatedPhone(state, tokens: tokens, clock: clock)
        let isNew = guarded.withLock { contents in
            guard contents.byID[phone.id] == nil else { return false }
            contents.byID[phone.id] = phone
            contents.inOrder.append(phone)
            return true
        }
        guard isNew else { return nil }
        // Tells Apple of the tokens that a kept phone has.
        phone.advance()
        return phone
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
