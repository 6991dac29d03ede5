import EyotCommands
import EyotDomain
import EyotHTTP

import struct Foundation.UUID

extension KeyPlane {
    package static let braze = KeyPlane(rawValue: "braze")
}

extension KeyRules {
    static let braze = KeyRules(
        plane: .braze, prefix: "eyot_br_",
        identifier: Identifier(isShared: true, make: { UUID().uuidString.lowercased() }),
        permissions: [
            "messages.live_activity.start": .activitiesStart, "messages.live_activity.update": .activitiesUpdate,
        ])
}

extension Vendor {
    package static let braze = Vendor(
        keys: .braze, sentence: "As Braze's REST API has it.",
        schemes: [
            (
                "brazeKey",
                ["type": "http", "scheme": "bearer", "description": "A key that was made for Braze's API."]
            )
        ],
        security: [["brazeKey": []]], mayBeLenient: true, lab: LabNames(key: "brazeKey", identifier: "brazeAppID"),
        tokenFile: { try BrazeTokens($0.isJSON ? $0.values() : $0.rows()).lines },
        events: BrazeEvents.form,
        routes: { BrazeRoutes(backend: $0, isLenient: $1).routes.noted(by: BrazeNotes.all) })
}
