import EyotContract

/// A property of phones by which some numbers are counted.
package enum CountDimension: String, Sendable, Hashable, CaseIterable {
    case os, build, language, environment

    /// The longest value that is kept, in characters.
    private static let longest = 40

    /// The value of a phone.
    package func value(of phone: CountedPhone) -> String {
        switch self {
        case .os: String(phone.os)
        case .build: String(phone.build.prefix(Self.longest))
        case .language: phone.language.map { String($0.prefix(Self.longest)) } ?? "unknown"
        case .environment: phone.environment.rawValue
        }
    }
}

/// The properties of a phone by which it is counted.
package struct CountedPhone: Sendable, Hashable {
    /// The major version of iOS.
    package var os: Int
    package var build: String
    package var language: String?
    package var environment: PushEnvironment

    package init(os: Int, build: String, language: String?, environment: PushEnvironment) {
        (self.os, self.build, self.language, self.environment) = (os, build, language, environment)
    }

    package init(_ device: Device) {
        (os, build) = (device.osVersion.major, device.appVersion)
        (language, environment) = (device.language, device.environment)
    }

    package init(_ candidate: StartCandidate) {
        (os, build) = (candidate.osVersion.major, candidate.appVersion)
        (language, environment) = (candidate.language, candidate.environment)
    }
}
