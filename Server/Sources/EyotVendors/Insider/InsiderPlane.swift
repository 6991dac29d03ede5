import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP
import HTTPTypes

/// Insider's API as a plane: its keys, paths and answers.
struct InsiderPlane: Plane {
    let keys = KeyPlane.insider
    let paths = ["/api/v1/live-activity"]

    func key(in headers: HTTPFields) throws(EyotError) -> PresentedKey {
        guard let secret = headers[.insiderKey], !secret.isEmpty else {
            throw EyotError(.keyMissing, "there is no X-Api-Key", field: "X-Api-Key")
        }
        return PresentedKey(secret: secret)
    }

    func answer(to problem: Problem, body: [UInt8]) -> Answer {
        let error = problem.error
        let (status, code) = Self.row(error)
        var json: JSONValue? = ["error": .string(Self.words(error)), "code": .string(code)]
        // As with Insider, an invalid key gets no body.
        if status == 401 { json = nil }
        if status == 429 { json = ["message": .string(error.detail), "status": 429] }
        var answer = Answer(HTTPResponse.Status(code: status), json)
        answer.headers = problem.headers
        return answer
    }

    private static func row(_ error: EyotError) -> (status: Int, code: String) {
        switch error.code {
        case .keyMissing, .keyInvalid: (401, "")
        case .keyForbidden: (403, "LIVE_ACTIVITY_DISABLED")
        case .jsonInvalid, .contentTypeUnsupported: (400, "REQUEST_INVALID")
        case .contentEncodingUnsupported: (415, "REQUEST_INVALID")
        case .bodyTooLarge: (413, "REQUEST_INVALID")
        case .activityUnknown, .activityEnded: (404, "NOT_FOUND")
        case .routeUnknown: (404, "NOT_FOUND")
        default:
            switch error.code.status {
            case 409, 412, 413, 422: (400, code(of: error.field))
            case 400..<500: (error.code.status, code(of: error.field))
            default: (error.code.status, "INTERNAL_ERROR")
            }
        }
    }

    private static func code(of field: String?) -> String {
        switch field {
        // A type other than the registered one is an invalid value and not a missing one.
        case "activity_type": "ACTIVITY_TYPE_REQUIRED"
        case "activity_id": "ACTIVITY_ID_REQUIRED"
        case "insider_ids": "INSIDER_IDS_OUT_OF_RANGE"
        case let field? where field.hasPrefix("target_devices"): "TARGET_DEVICES_INVALID"
        default: "VALIDATION_FAILED"
        }
    }

    /// Eyot's members by the names that Insider's callers use.
    static let names = MemberNames([
        "name": "activity_id", "type": "activity_type", "attributes": "content.attributes",
        "contentState": "content.content_state", "alert": "content.title", "alert.title": "content.title",
        "alert.body": "content.message", "content-state": "content.content_state",
        "dismissalDate": "dismissal_date", "endsAt": "ends_at", "scope": "target_devices", "audience": "insider_ids",
    ])

    private static func words(_ error: EyotError) -> String {
        if [.activityUnknown, .activityEnded].contains(error.code) { return "activity not found" }
        return names.words(of: error)
    }
}

/// Errors of Insider's state machine.
enum InsiderFault {
    case endsInPast, endsTooSoon, endsTooFar, alreadyStarted, tokensNotSynced
    case noEligibleDevice(InsiderEligibility)

    var refusal: Refusal {
        let (status, code, words) = row
        var object = JSONObject([("error", .string(words)), ("code", .string(code))])
        if case .noEligibleDevice(let eligibility) = self { object["skipped"] = eligibility.skippedJSON }
        return Refusal(Answer(HTTPResponse.Status(code: status), .object(object)))
    }

    private var row: (status: Int, code: String, words: String) {
        switch self {
        case .endsInPast: (400, "ENDS_AT_IN_PAST", "ends_at is in the past")
        case .endsTooSoon: (400, "ENDS_AT_TOO_SOON", "ends_at must be at least 5 minutes ahead")
        case .endsTooFar: (400, "ENDS_AT_TOO_FAR", "ends_at must be at most 7 days ahead")
        case .alreadyStarted: (409, "ALREADY_STARTED", "activity already started")
        case .tokensNotSynced: (412, "PUSH_TOKEN_NOT_SYNCED", "push tokens are not synced yet")
        case .noEligibleDevice:
            (422, "NO_ELIGIBLE_DEVICE", "no eligible device found for the given insider_ids")
        }
    }
}

extension HTTPField.Name {
    fileprivate static let insiderKey = known("X-Api-Key")
}
