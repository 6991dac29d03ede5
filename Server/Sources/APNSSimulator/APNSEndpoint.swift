import APNSWire
import EyotContract

/// One of the addresses at which Apple listens.
public struct APNSEndpoint: Sendable, Hashable, CaseIterable {
    /// The purpose of an address.
    public enum Service: String, Sendable, Hashable, CaseIterable {
        /// Pushes to a token, `/3/device/…`.
        case push
        /// Broadcasts to a channel, `/4/broadcasts/apps/…`.
        case broadcast
        /// Making, reading, listing and removing channels, `/1/apps/…`.
        case channels

        /// The header that names a request and its answer.
        var idHeader: String { self == .push ? APNSHeader.id : APNSHeader.requestID }

        /// Bytes of a body. For the requests about channels Apple names no limit; it is a guess.
        var bodyLimit: Int { self == .broadcast ? APNSLimits.broadcastPayloadBytes : APNSLimits.payloadBytes }
    }

    /// The purpose of this address.
    public var service: Service
    /// The environment of the tokens that this address serves.
    public var environment: PushEnvironment

    /// An address by service and environment.
    public init(_ service: Service, _ environment: PushEnvironment) {
        self.service = service
        self.environment = environment
    }

    /// All six.
    public static var allCases: [APNSEndpoint] {
        Service.allCases.flatMap { service in PushEnvironment.allCases.map { APNSEndpoint(service, $0) } }
    }
}
