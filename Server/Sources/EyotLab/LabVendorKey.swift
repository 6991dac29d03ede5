import EyotContract

/// A key of the lab's app for the API of another vendor.
struct LabVendorKey: Sendable {
    /// As the server calls the API.
    var plane: String
    /// How the secret is called in the lab's description.
    var name: String
    /// How is called what goes beside it, where there is such.
    var identifierName: String?

    static let all = [
        LabVendorKey(plane: "netmera", name: "netmeraKey"),
        LabVendorKey(plane: "airship", name: "airshipMasterSecret", identifierName: "airshipAppKey"),
        LabVendorKey(plane: "braze", name: "brazeKey", identifierName: "brazeAppID"),
        LabVendorKey(plane: "insider", name: "insiderKey"),
    ]

    /// Every name in the description, in its order.
    static let names = all.flatMap { [$0.identifierName, $0.name].compactMap(\.self) }

    /// Makes the key, and says by which names its parts are known.
    func make(by client: APIClient) async throws -> [String: String] {
        let made = try await client.demand(
            "POST", "/v1/keys", body: ["name": .string("lab \(plane)"), "plane": .string(plane)])
        guard let secret = made.object?["key"]?.string else { throw LabError.server("POST /v1/keys answered no key") }
        var parts = [name: secret]
        if let identifierName { parts[identifierName] = made.object?["identifier"]?.string }
        return parts
    }
}
