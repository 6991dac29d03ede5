import APNSWire
import EyotContract
import EyotKit
import Foundation
import PhoneSimulator

/// A simulated phone with an app that has two types. Its clock advances only with events.
package final class BridgedPhone: Sendable {
    /// The phone.
    package let phone: SimulatedPhone
    private let time = Guarded(Date(timeIntervalSince1970: 1_671_375_600))

    /// A phone on which the app has not been opened yet.
    package init(os: IOSVersion = IOSVersion(18, 1)) {
        phone = SimulatedPhone(
            PhoneConfiguration(
                id: "phone-1", os: os, bundleID: "com.example.match",
                types: [.decoding(MatchAttributes.self), .decoding(DeliveryAttributes.self)]),
            clock: { [time] in time.withLock { $0 } })
    }

    /// Lets time pass.
    package func advance(by seconds: Double) {
        time.withLock { $0 += seconds }
        phone.advance()
    }

    /// Pushes to a card a second later, and returns the phone's handling of it.
    package func push(
        _ event: LiveActivityEvent, to card: String, state: JSONValue? = nil
    ) throws(PushFailure) -> PushEffect {
        advance(by: 1)
        guard let token = phone.state.card(card)?.updateToken else { throw PushFailure() }
        return receive(LiveActivityPayload(event: event, contentState: state), token)
    }

    /// A second later, starts a card by a push.
    package func pushStart(
        _ type: String, attributes: JSONValue, state: JSONValue
    ) throws(PushFailure) -> PushEffect {
        advance(by: 1)
        guard let token = phone.state.startToken else { throw PushFailure() }
        return receive(
            LiveActivityPayload(
                event: .start, contentState: state, attributesType: type, attributes: attributes,
                alert: ["title": "Kick-off", "body": "Now"]), token)
    }

    /// There is no token to push to.
    package struct PushFailure: Error {}

    private func receive(_ payload: LiveActivityPayload, _ token: PushToken) -> PushEffect {
        var (body, offset) = payload.render()
        let digits = Array(String(Int(time.withLock { $0 }.timeIntervalSince1970)).utf8)
        body.replaceSubrange(offset..<offset + LiveActivityPayload.timestampDigits, with: digits)
        return phone.receive(
            DeliveredPush(token: token, topic: "com.example.match.push-type.liveactivity", payload: body))
    }
}
