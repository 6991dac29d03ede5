import EyotContract
import EyotDomain

extension NewDevice {
    /// Makes a phone with iOS 18 that allows Live Activities and frequent pushes.
    package static func phone(
        _ installation: String, in app: AppID, environment: PushEnvironment = .sandbox, user: String? = nil,
        at now: Instant
    ) -> NewDevice {
        NewDevice(
            app: app, installation: installation, environment: environment, osVersion: OSVersion(18), appVersion: "1",
            permissions: DevicePermissions(activities: true, frequentPushes: true), user: user, createdAt: now)
    }
}
