import EyotContract
import Foundation

extension PushEnvironment {
    /// Where the tokens of this build belong: what its provisioning profile says of `aps-environment`. The App Store takes the profile
    /// away, and TestFlight's says production, so whatever has none is production too, except in Xcode's simulator.
    public static var ofThisBuild: PushEnvironment {
        if ProcessInfo.processInfo.environment["SIMULATOR_UDID"] != nil { return .sandbox }
        guard let profile = Bundle.main.url(forResource: "embedded", withExtension: "mobileprovision") else {
            return .production
        }
        // A profile that cannot be read says nothing; phones without one are production.
        return (try? Data(contentsOf: profile)).flatMap(PushEnvironment.init(provisioningProfile:)) ?? .production
    }

    /// What a provisioning profile says; nil where it says nothing of pushes.
    ///
    /// The profile is a signed envelope around a property list in plain text. The signature is the system's to check.
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
