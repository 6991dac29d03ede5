import EyotContract
import EyotDomain
import HTTPTypes

extension Answer {
    /// Headers that say something of what was done. The others are each answer's own.
    private static let keptHeaders: [HTTPField.Name] = [.eTag, .operation]

    /// What is kept of it for repetitions. A secret is shown once, so it is not kept, be it sealed: whoever lost it makes
    /// another key. Nor is an answer of no stated length.
    var kept: KeptAnswer {
        let length = json?.utf8.count ?? 0
        let tooLong = EyotError(.answerNotKept, "the answer had \(length) bytes, more than are kept")
        if let error = repetition ?? (length > KeptAnswer.bodyBytes ? tooLong : nil) {
            let problem = Problem(error)
            return KeptAnswer(status: problem.status.code, body: problem.json)
        }
        let headers = Self.keptHeaders.compactMap { name in self.headers[name].map { (name.canonicalName, $0) } }
        return KeptAnswer(status: status.code, body: json, headers: Dictionary(uniqueKeysWithValues: headers))
    }

    /// The answer to a repetition.
    init(_ kept: KeptAnswer) {
        self.init(HTTPResponse.Status(code: kept.status), kept.body)
        if status.code >= 400 { headers[.contentType] = Problem.contentType }
        for name in Self.keptHeaders { headers[name] = kept.headers[name.canonicalName] }
    }
}
