import EyotContract
import EyotKit
import Foundation
import PhoneSimulator

/// The build of the app on one phone.
public struct PhoneBuild: Sendable, Hashable, Codable {
    /// The version of the first builds.
    public static let firstVersion = "1.0 (1)"

    /// As the app says it to the server: `1.4 (27)`.
    public var version: String
    /// What this build decodes of types whose Swift types stay those of the lab, by the types' names: the text of each
    /// schema.
    var schemas: [String: String] = [:]

    /// A build.
    public init(version: String = firstVersion) { self.version = version }

    /// How this build decodes the app's types.
    func checks(of types: [LabType]) -> [PayloadCheck] {
        types.map { type in
            // Only what is a schema came in.
            guard let text = schemas[type.name],
                let schema = try? ActivitySchema(json: JSONValue(parsing: text), type: type.name)
            else { return type.check }
            return .schema(schema, type: type.name)
        }
    }
}

/// The app that is installed on the lab's phones: what a build of it would have compiled in.
struct AppBuild: Sendable {
    let bundleID: String
    let appKey: String
    let server: URL
    let types: [String: LabType]
    /// The app's own code, where it has any.
    let launch: (@Sendable (Eyot) async throws -> Void)?
    /// Holds a folder for each phone.
    let folder: URL
    let clock: LabClock
    let network: any Transport
    /// Takes a line about a problem of an SDK.
    let report: @Sendable (String) -> Void

    /// What the app does at launch: it makes the SDK, says who is logged in, and where it has no code of its own registers
    /// its types and follows their cards. The caller runs the SDK, and the code.
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

    /// Every installation of the app has a folder of its own, since deleting an app deletes its folder.
    private func folder(of phone: String, installation: Int) -> URL {
        folder.appendingPathComponent(phone, isDirectory: true)
            .appendingPathComponent("installation-\(installation)", isDirectory: true)
    }
}
