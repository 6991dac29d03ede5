import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP
import Foundation
import HTTPTypes

/// Airship's API as a plane: its keys, paths, media types and answers.
struct AirshipPlane: Plane {
    let keys = KeyPlane.airship
    let paths = ["/api"]
    let bodyTypes: Set<String> = ["application/json", "application/vnd.urbanairship+json"]
    let answerType = "application/vnd.urbanairship+json; version=3"
    let hasAccessTokens = true

    /// Returns the key: the app key and master secret as Basic, or a secret or access token as Bearer. Beside a secret
    /// as Bearer the call must also show the app key.
    func key(in headers: HTTPFields) throws(EyotError) -> PresentedKey {
        if let basic = Self.basic(in: headers) { return basic }
        let secret = try bearer(in: headers)
        let appKey = headers[.airshipAppKey].flatMap { $0.isEmpty ? nil : $0 }
        // An access token itself says which key it belongs to.
        if AccessTokens.isAccessToken(secret) { return PresentedKey(secret: secret, identifier: appKey) }
        guard let appKey else {
            throw EyotError(
                .keyMissing, "Authorization: Bearer needs the app key in X-UA-Appkey beside it", field: "X-UA-Appkey")
        }
        return PresentedKey(secret: secret, identifier: appKey)
    }

    /// Returns name and password of an `Authorization: Basic`; nil if there is no readable one.
    static func basic(in headers: HTTPFields) -> PresentedKey? {
        let parts = (headers[.authorization] ?? "").split(separator: " ", omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "basic",
            let bytes = Data(base64Encoded: String(parts[1])), let text = String(validating: bytes, as: UTF8.self),
            let colon = text.firstIndex(of: ":")
        else { return nil }
        return PresentedKey(
            secret: String(text[text.index(after: colon)...]), identifier: String(text[..<colon]))
    }

    func answer(to problem: Problem, body: [UInt8]) -> Answer {
        let error = problem.error
        let (status, code) = Self.row(error.code)
        var words = JSONObject([("error", .string(Self.names.words(of: error)))])
        words["path"] = Self.names.field(of: error).map(JSONValue.string)
        words["location"] = AirshipLocation(of: error, in: body)?.json
        var answer = Answer(
            HTTPResponse.Status(code: status),
            [
                "ok": false, "operation_id": .string(AirshipID.text(of: nil)),
                "error": .string(Self.summary(error.code)), "error_code": .integer(code), "details": .object(words),
            ])
        answer.headers = problem.headers
        return answer
    }

    /// Returns a status and Airship's number for it: the status with two more digits.
    private static func row(_ code: EyotError.Code) -> (status: Int, code: Int) {
        switch code {
        case .jsonInvalid: (400, 40_000)
        case .keyMissing: (401, 40_100)
        case .keyInvalid: (401, 40_101)
        case .keyForbidden: (403, 40_300)
        case .routeUnknown: (404, 40_400)
        case .payloadTooLarge: (400, 40_002)
        default:
            switch code.status {
            case 404, 409, 412, 422: (400, 40_001)
            default: (code.status, code.status * 100)
            }
        }
    }

    private static func summary(_ code: EyotError.Code) -> String {
        switch code {
        case .jsonInvalid: "Could not parse request body."
        case .keyMissing, .keyInvalid: "Unauthorized"
        case .keyForbidden: "Forbidden"
        case .routeUnknown: "Not found"
        default: code.status == 500 ? "Internal server error" : "Could not process request."
        }
    }

    private static let card = "notification.ios.live_activity"
    /// Eyot's members by the names that Airship's callers use.
    static let names = MemberNames([
        "name": "\(card).name", "type": "\(card).attributes_type", "attributes": "\(card).attributes",
        "contentState": "\(card).content_state", "alert": "\(card).alert", "alert.title": "\(card).alert.title",
        "alert.body": "\(card).alert.body", "staleDate": "\(card).stale_date",
        "dismissalDate": "\(card).dismissal_date", "asOf": "\(card).timestamp", "scope": "audience",
        "content-state": "\(card).content_state", "relevanceScore": "\(card).relevance_score",
        "priority": "\(card).priority",
    ])

    /// The answer to a call that does not name the version of the API.
    static var versionMissing: Refusal {
        Refusal(
            Answer(
                .notAcceptable,
                [
                    "ok": false, "operation_id": .string(AirshipID.text(of: nil)),
                    "error": "Accept must name the version: application/vnd.urbanairship+json; version=3",
                    "error_code": 40_600,
                ]))
    }
}

extension HTTPField.Name {
    static let airshipAppKey = known("X-UA-Appkey")
    static let airshipData = known("Data-Attribute")
}
