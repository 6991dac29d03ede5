import EyotContract
import Foundation

extension PushEnvironment {
    /// The push environment of this build: the `aps-environment` of its provisioning profile. The App Store removes the
    /// profile, and TestFlight's says production. So a build without a profile is production, except in Xcode's
    /// simulator.
    public static var ofThisBuild: PushEnvironment {
        if ProcessInfo.processInfo.environment["SIMULATOR_UDID"] != nil { return .sandbox }
        guard let profile = Bundle.main.url(forResource: "embedded", withExtension: "mobileprovision") else {
            return .production
        }
        // A profile that cannot be read counts as no profile: production.
        return (try? Data(contentsOf: profile)).flatMap(PushEnvironment.init(provisioningProfile:)) ?? .production
    }

    /// Reads the environment from a provisioning profile; nil if it has none.
    ///
    /// The profile is a signed envelope around a property list in plain text. The system checks the signature.
    package init?(provisioningProfile: Data) {
        guard let start = provisioningProfile.range(of: Data("<?xml".utf8)),
            let end = provisioningProfile.range(
                of: Data("</plist>".utf8), in: start.lowerBound..<provisioningProfile.endIndex)
        else { return nil }
        let plain = provisioningProfile[start.lowerBound..<end.upperBound]
        let list = try? PropertyListSerialization.propertyList(from: Data(plain), format: nil) as? [String: Any]
        switch (list?["Entitlements"] as? [String: Any])?["aps-environment"] as? String {
        case "development": self = .sandbox
        case "production": self = .production
        default: return nil
        }
    }
}
