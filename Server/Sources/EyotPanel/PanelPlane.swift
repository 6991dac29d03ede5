import EyotCommands
import EyotDomain
import EyotHTTP
import HTTPTypes

/// The family of the panel's routes. Its answers are pages, and its failures too.
struct PanelPlane: Plane {
    let keys = KeyPlane.panel
    let paths = ["/panel"]
    let bodyTypes: Set<String> = ["application/x-www-form-urlencoded"]
    let answerType = "text/html; charset=utf-8"

    func key(in headers: HTTPFields) throws(EyotError) -> PresentedKey {
        // Sessions are checked by the pages themselves, so no route of the panel asks for a key.
        throw EyotError(.keyMissing, "the panel takes no keys")
    }

    func answer(to problem: Problem, body: [UInt8]) -> Answer {
        var answer = Answer.page(FailurePage(problem).text, status: problem.status)
        for field in problem.headers { answer.headers[field.name] = field.value }
        return answer
    }
}

extension Answer {
    /// What a page may do in the browser: nothing but what this server sends. No script or style stands in a page.
    private static let policy = """
        default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; \
        form-action 'self'; frame-ancestors 'none'; base-uri 'none'
        """

    /// Makes the answer with a page.
    static func page(_ text: String, status: HTTPResponse.Status = .ok) -> Answer {
        var answer = Answer(status, nil)
        answer.text = text
        answer.headers[.contentType] = "text/html; charset=utf-8"
        answer.protect()
        return answer
    }

    /// Makes an answer that sends the browser to another page of the panel.
    static func redirect(to path: String) -> Answer {
        var answer = Answer(.seeOther, nil)
        answer.headers[.location] = path
        answer.protect()
        return answer
    }

    /// Makes the answer with a file for the browser to keep.
    static func file(_ text: String, named name: String, type: String) -> Answer {
        var answer = Answer(.ok, nil)
        answer.text = text
        answer.keep(named: name, type: type)
        return answer
    }

    /// Makes the answer with a file that is written while it is sent.
    static func file(
        _ portions: some AsyncSequence<[UInt8], any Error> & Sendable, named name: String, type: String
    ) -> Answer {
        var answer = Answer(.ok, nil)
        answer.stream = portions
        answer.keep(named: name, type: type)
        return answer
    }

    private mutating func keep(named name: String, type: String) {
        headers[.contentType] = type
        headers[.contentDisposition] = "attachment; filename=\"\(name)\""
        protect()
    }

    private mutating func protect() {
        headers[.contentSecurityPolicy] = Self.policy
        headers[.xContentTypeOptions] = "nosniff"
        headers[.referrerPolicy] = "no-referrer"
        headers[.crossOriginOpenerPolicy] = "same-origin"
    }
}

extension HTTPField.Name {
    fileprivate static let referrerPolicy = known("Referrer-Policy")
    fileprivate static let crossOriginOpenerPolicy = known("Cross-Origin-Opener-Policy")
}
