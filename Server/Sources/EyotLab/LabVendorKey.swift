import EyotContract

/// A key of the lab's app for another vendor's API.
struct LabVendorKey: Sendable {
    /// The server's name of the API.
    var plane: String
    /// The name of the secret in the lab's description.
    var name: String
    /// The name of the identifier beside the key; nil if there is none.
    var identifierName: String?

    static let all = [
        LabVendorKey(plane: "netmera", name: "netmeraKey"),
        LabVendorKey(plane: "airship", name: "airshipMasterSecret", identifierName: "airshipAppKey"),
        LabVendorKey(plane: "braze", name: "brazeKey", identifierName: "brazeAppID"),
        LabVendorKey(plane: "insider", name: "insiderKey"),
    ]

    /// All names in the description, in order.
    static let names = all.flatMap { [$0.identifierName, $0.name].compactMap(\.self) }

    /// Makes the key, and returns its parts by name.
    func make(by client: APIClient) async throws -> [String: String] {
        let made = try await client.demand(
            "POST", "/v1/keys", body: ["name": .string("lab \(plane)"), "plane": .string(plane)])
        guard let secret = made.object?["key"]?.string else { throw LabError.server("POST /v1/keys answered no key") }
        var parts = [name: secret]
        if let identifierName { parts[identifierName] = made.object?["identifier"]?.string }
        return parts
    }
}
