import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP
import HTTPTypes

/// Braze's REST API as a plane: its keys, paths and answers.
struct BrazePlane: Plane {
    let keys = KeyPlane.braze
    /// Paths of Braze's other endpoints are included, so that their callers get errors in Braze's form.
    let paths = [
        "/messages", "/users", "/campaigns", "/canvas", "/segments", "/events", "/purchases", "/sessions", "/kpi",
        "/email", "/sms", "/subscription", "/preference_center", "/content_blocks", "/templates", "/catalogs",
        "/sdk_authentication", "/transactional", "/feed", "/sends", "/scim", "/media_library", "/push",
    ]

    func key(in headers: HTTPFields) throws(EyotError) -> PresentedKey {
        PresentedKey(secret: try bearer(in: headers))
    }

    func answer(to problem: Problem, body: [UInt8]) -> Answer {
        let error = problem.error
        var answer = Answer(Self.status(of: error.code), nil)
        let words = Self.permissions(in: Self.names.words(of: error))
        // A JSON error has a single member `error`, as with Braze.
        answer.json =
            switch error.code {
            case .jsonInvalid:
                [
                    "error": .string(
                        "Problem: message body does not match declared format. Resolution: send JSON; \(words)")
                ]
            default: ["message": .string(Self.message(error)), "errors": .array([.string(words)])]
            }
        answer.headers = problem.headers
        return answer
    }

    /// Replaces Eyot's scopes by Braze's permissions.
    private static func permissions(in words: String) -> String {
        KeyRules.braze.permissions.reduce(words) {
            $0.replacing("the scope \($1.value.rawValue)", with: "the permission \($1.key)")
        }
    }

    private static func status(of code: EyotError.Code) -> HTTPResponse.Status {
        switch code {
        case .routeUnknown: .notFound
        case .payloadTooLarge: .badRequest
        default:
            [401, 403, 405, 413, 415, 429].contains(code.status) || code.status >= 500
                ? .init(code: code.status) : .badRequest
        }
    }

    /// Returns Braze's own text, if its documentation has one.
    private static func message(_ error: EyotError) -> String {
        switch error.code {
        case .keyMissing, .keyInvalid: "Invalid API key"
        case .keyForbidden: "Access Denied"
        case .audienceMissing: "No Recipients"
        case .payloadTooLarge: "Apple Push Length Exceeded"
        case .tooManyMembers: "The max number of ids per request was exceeded"
        case .activityHalted: "Forbidden"
        case .fieldInvalid where error.field?.hasPrefix("notification.extra.") == true: "Invalid Extra Push Payload"
        default:
            switch status(of: error.code).code {
            case 404: "Not Found"
            case 405: "Method Not Allowed"
            case 413, 415: error.detail
            case 429: "Rate limit exceeded"
            case 500...: "Internal Server Error"
            default: "Bad Request"
            }
        }
    }

    /// Eyot's members by the names that Braze's callers use.
    static let names = MemberNames([
        "name": "activity_id", "type": "activity_attributes_type", "attributes": "activity_attributes",
        "contentState": "content_state", "alert": "notification.alert", "alert.title": "notification.alert.title",
        "alert.body": "notification.alert.body", "staleDate": "stale_date", "dismissalDate": "dismissal_date",
        "content-state": "content_state", "endsAt": "dismissal_date", "priority": "notification.apns_priority",
        "alertLifetime": "notification.expiry",
    ])
}
