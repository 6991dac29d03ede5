import EyotContract
import EyotKit
import Foundation
import PhoneSimulator

/// The build of the app on one phone.
public struct PhoneBuild: Sendable, Hashable, Codable {
    /// The version of the first builds.
    public static let firstVersion = "1.0 (1)"

    /// The version as the app reports it to the server: `1.4 (27)`.
    public var version: String
    /// Schemas that this build decodes instead of the lab's Swift types: the text of each schema, by the type's name.
    var schemas: [String: String] = [:]

    /// Makes a build.
    public init(version: String = firstVersion) { self.version = version }

    /// Returns the decoding checks of this build for the app's types.
    func checks(of types: [LabType]) -> [PayloadCheck] {
        types.map { type in
            // Only valid schemas were accepted.
            guard let text = schemas[type.name],
                let schema = try? ActivitySchema(json: JSONValue(parsing: text), type: type.name)
            else { return type.check }
            return .schema(schema, type: type.name)
        }
    }
}

/// The app on the lab's phones, with the values that a build of it would have compiled in.
struct AppBuild: Sendable {
    let bundleID: String
    let appKey: String
    let server: URL
    let types: [String: LabType]
    /// The app's own code; nil if it has none.
    let launch: (@Sendable (Eyot) async throws -> Void)?
    /// The folder that has a folder for each phone.
    let folder: URL
    let clock: LabClock
    let network: any Transport
    /// Receives a line about each problem of an SDK.
    let report: @Sendable (String) -> Void

    /// Launches the app: makes the SDK and logs in the user. Without code of its own, the app also registers its types
    /// and follows their cards. The caller runs the SDK and the code.
    func boot(phone: SimulatedPhone, installation: Int, user: String?, version: String) -> Eyot {
        let os = phone.state.configuration.os
        let configuration = EyotConfiguration(
            server: server, appKey: appKey, environment: phone.configuration.environment, bundleID: bundleID,
            appVersion: version, directory: folder(of: phone.id, installation: installation),
            capabilities: Capabilities(iOS: os.major, os.minor), log: { _ in })
        let eyot = Eyot(configuration: configuration, transport: PhoneTransport(phone: phone, network: network))
        if let user { eyot.identify(user) }
        if launch == nil { install(on: eyot) }
        return eyot
    }

    private func install(on eyot: Eyot) {
        for type in types.values.sorted(by: { $0.name < $1.name }) { type.install(eyot) }
    }

    /// Returns the folder of an installation. Each has its own, because deleting an app deletes its folder.
    private func folder(of phone: String, installation: Int) -> URL {
        folder.appendingPathComponent(phone, isDirectory: true)
            .appendingPathComponent("installation-\(installation)", isDirectory: true)
    }
}
