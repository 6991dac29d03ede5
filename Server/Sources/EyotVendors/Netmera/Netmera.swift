import EyotCommands
import EyotDomain
import EyotHTTP

extension KeyPlane {
    package static let netmera = KeyPlane(rawValue: "netmera")
}

extension Vendor {
    package static let netmera = Vendor(
        keys: KeyRules(plane: .netmera, prefix: "eyot_nm_"), sentence: "As Netmera's REST API has it.",
        schemes: [("netmeraKey", ["type": "apiKey", "in": "header", "name": "X-netmera-api-key"])],
        security: [["netmeraKey": []]], mayBeLenient: true, lab: LabNames(key: "netmeraKey"),
        events: NetmeraEvents.form,
        routes: { NetmeraRoutes(backend: $0, isLenient: $1).routes.noted(by: NetmeraNotes.all) })
}
