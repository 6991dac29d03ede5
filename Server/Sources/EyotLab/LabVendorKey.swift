import EyotContract
import EyotHTTP
import EyotVendors

/// A key of the lab's app for another vendor's API.
struct LabVendorKey: Sendable {
    /// The server's name of the API.
    var plane: String
    /// The names of its parts in the lab's description.
    var names: Vendor.LabNames

    static let all = Vendors.all.map { LabVendorKey(plane: $0.name, names: $0.lab) }

    /// All names in the description, in order.
    static let names = all.flatMap { [$0.names.identifier, $0.names.key].compactMap(\.self) }

    /// Makes the key, and returns its parts by name.
    func make(by client: APIClient) async throws -> [String: String] {
        let made = try await client.demand(
            "POST", "/v1/keys", body: ["name": .string("lab \(plane)"), "plane": .string(plane)])
        guard let secret = made.object?["key"]?.string else { throw LabError.server("POST /v1/keys answered no key") }
        var parts = [names.key: secret]
        if let identifier = names.identifier { parts[identifier] = made.object?["identifier"]?.string }
        return parts
    }
}
