import EyotContract
import EyotDomain

extension NewDevice {
    /// A phone with iOS 18 whose owner lets cards be shown, and often.
    package static func phone(
        _ installation: String, in app: AppID, environment: PushEnvironment = .sandbox, user: String? = nil,
        at now: Instant
    ) -> NewDevice {
        NewDevice(
            app: app, installation: installation, environment: environment, osVersion: OSVersion(18), appVersion: "1",
            permissions: DevicePermissions(activities: true, frequentPushes: true), user: user, createdAt: now)
    }
}
