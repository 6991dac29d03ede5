import EyotContract

/// One of the addresses at which Apple listens.
public struct APNSEndpoint: Sendable, Hashable, CaseIterable {
    /// What is done there.
    public enum Service: String, Sendable, Hashable, CaseIterable {
        /// Pushes to a token, `/3/device/…`.
        case push
        /// Broadcasts to a channel. Nothing is served there yet: every request is answered 404 BadPath.
        case broadcast
        /// Making and removing channels. Nothing is served there yet: every request is answered 404 BadPath.
        case channels
    }

    /// What is done there.
    public var service: Service
    /// For whom.
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
