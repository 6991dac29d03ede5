import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP
import HTTPTypes

/// Netmera's REST API as a plane: its keys, paths and answers.
struct NetmeraPlane: Plane {
    let keys = KeyPlane.netmera
    let paths = ["/rest"]

    func key(in headers: HTTPFields) throws(EyotError) -> PresentedKey {
        // Samples have blanks around the key.
        let text = headers[.netmeraKey].map { $0.filter { !$0.isWhitespace } } ?? ""
        guard !text.isEmpty else {
            throw EyotError(.keyMissing, "there is no X-netmera-api-key", field: "X-netmera-api-key")
        }
        return PresentedKey(secret: text)
    }

    func answer(to problem: Problem, body: [UInt8]) -> Answer {
        let (status, code) = problem.error.isOfMissing ? (400, 2020) : Self.row(problem.error.code)
        var answer = Answer(
            HTTPResponse.Status(code: status),
            ["error": .string(Self.names.words(of: problem.error)), "code": .integer(code)])
        answer.headers = problem.headers
        return answer
    }

    /// Returns Netmera's status and number. An error without a number of its own gets the nearest.
    private static func row(_ code: EyotError.Code) -> (status: Int, code: Int) {
        switch code {
        case .keyMissing, .keyInvalid: (403, 2010)
        case .keyForbidden: (403, 2022)
        case .jsonInvalid: (400, 2009)
        case .contentTypeUnsupported, .contentEncodingUnsupported: (415, 2009)
        case .payloadTooLarge: (400, 2101)
        case .bodyTooLarge: (413, 2101)
        case .activityUnknown, .activityEnded, .definitionUnknown, .operationUnknown: (400, 5003)
        case .typeMismatch, .schemaMismatch, .activityHalted: (400, 2021)
        case .routeUnknown: (404, 2020)
        default:
            switch code.status {
            case 404, 409, 412, 422: (400, 2020)
            case 429: (429, 2106)
            case 500...: (code.status, 2001)
            default: (code.status, 2020)
            }
        }
    }

    /// Eyot's members by the names that Netmera's callers use.
    static let names = MemberNames([
        "name": "groupId", "type": "liveActAttrType", "attributes": "liveActAttr", "alert.title": "title",
        "alert.body": "body", "endsAt": "liveActEndDate", "audience": "target", "content-state": "contentState",
        "declaration.type": "liveActAttrType", "declaration.attributes": "liveActAttr",
        "declaration.contentState": "contentState", "declaration.alert.title": "title",
        "declaration.alert.body": "message",
    ])
}

extension HTTPField.Name {
    fileprivate static let netmeraKey = known("X-netmera-api-key")
}
