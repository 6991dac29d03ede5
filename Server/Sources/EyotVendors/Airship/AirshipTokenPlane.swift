import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP
import HTTPTypes

/// OAuth's endpoint as a plane. It answers by RFC 6749, unlike Airship's other calls.
struct AirshipTokenPlane: Plane {
    let keys = KeyPlane.airship
    let paths = ["/token"]

    func key(in headers: HTTPFields) throws(EyotError) -> PresentedKey { try AirshipPlane().key(in: headers) }

    func answer(to problem: Problem, body: [UInt8]) -> Answer {
        let status = problem.error.code.status
        let word =
            switch status {
            case 429, 503: "temporarily_unavailable"
            case 500...: "server_error"
            default: "invalid_request"
            }
        var answer = AirshipTokens.refusal(word, problem.error.detail, .init(code: status)).answer
        answer.headers = problem.headers
        return answer
    }
}
