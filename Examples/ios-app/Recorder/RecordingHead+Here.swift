import EyotContract
import EyotKit
import Foundation
import PhoneSimulator

nonisolated extension RecordingHead {
    /// This phone and this app.
    static func here(types: [RecordedType]) -> RecordingHead {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        return RecordingHead(
            os: IOSVersion(version.majorVersion, version.minorVersion), model: model,
            bundleID: Bundle.main.bundleIdentifier ?? "unknown",
            supportsFrequentUpdates: Bundle.main.object(forInfoDictionaryKey: "NSSupportsLiveActivitiesFrequentUpdates")
                as? Bool ?? false, types: types)
    }

    /// The machine as the kernel calls it: `iPhone16,1`.
    private static var model: String? {
        var names = utsname()
        guard uname(&names) == 0 else { return nil }
        return withUnsafeBytes(of: names.machine) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}

nonisolated extension RecordedType {
    /// A type with its schema, if a schema can be found: the simulated phone then decodes as the app does.
    @available(iOS 16.1, *)
    static func of<Attributes: ActivityAttributes>(_ type: Attributes.Type) -> RecordedType {
        RecordedType(String(describing: type), schema: try? ActivitySchema(of: type))
    }
}
