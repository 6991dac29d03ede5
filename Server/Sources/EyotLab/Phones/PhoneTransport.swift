import EyotKit
import Foundation
import PhoneSimulator

/// Real HTTP from a simulated phone. It works only while the phone is online.
struct PhoneTransport: Transport {
    let phone: SimulatedPhone
    let network: any Transport

    struct Offline: Error, CustomStringConvertible {
        var description: String { "the phone is offline" }
    }

    func post(_ body: [UInt8], to url: URL, bearer: String, secret: String?) async throws -> TransportAnswer {
        guard phone.state.isOnline else { throw Offline() }
        let answer = try await network.post(body, to: url, bearer: bearer, secret: secret)
        // An answer is lost if the phone is offline when it arrives.
        guard phone.state.isOnline else { throw Offline() }
        return answer
    }
}
