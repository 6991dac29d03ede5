import EyotCommands
import EyotDomain
import EyotHTTP

extension KeyPlane {
    package static let airship = KeyPlane(rawValue: "airship")
}

extension KeyRules {
    /// Airship's own clients accept only app keys and master secrets of 22 characters, which are 128 bits.
    fileprivate static let airship = KeyRules(
        plane: .airship, prefix: "", byteCount: 16,
        identifier: Identifier(
            make: { Keyring.random(16) },
            // Basic authentication allows no colon.
            isValid: { text in
                text.count == 22 && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
            },
            rule: "must have 22 letters, digits, - and _, as Airship's app keys"),
        takesPublicKey: true)
}

extension Vendor {
    package static let airship = Vendor(
        keys: .airship, sentence: "As Airship's API has it.",
        schemes: [
            ("airshipBasic", ["type": "http", "scheme": "basic", "description": "App key and master secret."]),
            (
                "airshipBearer",
                [
                    "type": "http", "scheme": "bearer",
                    "description": "The master secret or an access token, with the app key in X-UA-Appkey.",
                ]
            ), ("airshipAppKey", ["type": "apiKey", "in": "header", "name": "X-UA-Appkey"]),
        ],
        security: [["airshipBasic": []], ["airshipBearer": [], "airshipAppKey": []]],
        openSecurity: [["airshipBasic": []], [:]],
        headers: [("X-UA-Appkey", "The app key, beside a bearer's secret.")], mayBeLenient: true,
        lab: LabNames(key: "airshipMasterSecret", identifier: "airshipAppKey"),
        tokenFile: { try AirshipTokenList($0.values()).lines },
        routes: { AirshipRoutes(backend: $0, isLenient: $1).routes.noted(by: AirshipNotes.all) })
}
