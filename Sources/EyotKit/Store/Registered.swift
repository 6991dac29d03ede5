import EyotContract
import Foundation

/// A registration that the server accepted.
struct Registered: Sendable, Equatable {
    var credentials: DeviceCredentials
    /// A value that changes with the app, the system, the server or the build. The SDK registers again then. Empty if
    /// it must in any case.
    var fingerprint: String
    /// The server and app that gave the credentials, which go nowhere else. Nil if an older version of the SDK wrote
    /// the record.
    var home: String?
    /// The history of the server's database (R17); nil if no answer has named one.
    var history: String?
    /// The highest sequence of the epoch that the server has confirmed; nil for none.
    var confirmed: Int?
    /// Whether the server may know something older than it confirmed. The next registration then also reports what
    /// there is not: no user, an empty profile, types that are not registered.
    var isInDoubt = false

    /// The most registrations with other servers that are kept.
    static let formerLimit = 4

    /// Has the SDK register again with the secret, which may still be valid, and report everything.
    mutating func doubt() {
        fingerprint = ""
        isInDoubt = true
    }
}

/// The build, system and server of an instance, as its registrations depend on them.
struct Build: Sendable, Equatable {
    /// See ``Registered/fingerprint``.
    var fingerprint: String
    /// See ``Registered/home``.
    var home: String
}

extension EyotConfiguration {
    /// The build, system and server of this configuration.
    var build: Build {
        // A digest of the key suffices to notice another one.
        let key = StateDigest(of: .string(appKey)).text
        let parts = [
            bundleID, environment.rawValue, capabilities.osVersion, appVersion, Self.sdkVersion, language ?? "",
        ]
        return Build(fingerprint: (parts + [home, key]).joined(separator: "|"), home: home)
    }

    /// Identifies the server and the app on it. The two ways to write a default port or the root are one.
    private var home: String {
        let scheme = server.scheme?.lowercased() ?? ""
        let port = server.port ?? (scheme == "http" ? 80 : 443)
        let path = server.path.split(separator: "/").joined(separator: "/")
        return "\(scheme)://\(server.host?.lowercased() ?? ""):\(port)/\(path) \(bundleID)"
    }
}

extension KitState {
    /// Takes the registration with this server, and puts aside one with another server: its secret and the join
    /// secrets that it made are for that server alone, and the changes that wait were meant for it.
    mutating func move(to home: String) {
        guard let present = registration, let presentHome = present.home, presentHome != home else { return }
        let others = [present] + formerRegistrations.filter { $0.home != presentHome }
        registration = others.first { $0.home == home }
        // Its server has missed what happened since.
        registration?.doubt()
        formerRegistrations = Array(others.filter { $0.home != home }.prefix(Registered.formerLimit))
        joinSecrets = JoinSecretList()
        outbox = Outbox()
        untold = []
        for type in startTokens.keys { startTokens[type]?.confirmed = nil }
        for instance in cards.keys { cards[instance]?.isTokenConfirmed = false }
        forgetShown()
    }

    /// Forgets what the server was told of the states that cards show.
    mutating func forgetShown() {
        for instance in cards.keys { cards[instance]?.toldDigest = nil }
    }
}
