import EyotCommands
import EyotDomain
import EyotHTTP

extension KeyPlane {
    package static let insider = KeyPlane(rawValue: "insider")
}

extension Vendor {
    package static let insider = Vendor(
        keys: KeyRules(plane: .insider, prefix: "eyot_in_"), sentence: "As Insider's API has it.",
        schemes: [("insiderKey", ["type": "apiKey", "in": "header", "name": "X-Api-Key"])],
        security: [["insiderKey": []]], mayBeLenient: false, lab: LabNames(key: "insiderKey"),
        routes: { backend, _ in InsiderRoutes(backend: backend).routes.noted(by: InsiderNotes.all) })
}
