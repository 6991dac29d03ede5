import EyotCommands
import EyotContract
import EyotDomain
import HTTPTypes

extension Answer: CommandAnswer {
    /// Headers that describe the outcome and are kept. Other headers belong to each answer alone.
    private static let keptHeaders: [HTTPField.Name] = [.eTag, .operation]

    /// The form that is kept for repetitions. A secret is shown once and never kept, even sealed: a caller that lost it
    /// makes another key. A body above the size limit is not kept either.
    package var kept: KeptAnswer {
        let length = json?.utf8.count ?? 0
        let tooLong = EyotError(.answerNotKept, "the first answer had \(length) bytes, too many to be stored")
        if let error = repetition ?? (length > KeptAnswer.bodyBytes ? tooLong : nil) {
            let problem = Problem(error)
            return KeptAnswer(status: problem.status.code, body: problem.json)
        }
        let headers = Self.keptHeaders.compactMap { name in self.headers[name].map { (name.canonicalName, $0) } }
        return KeptAnswer(status: status.code, body: json, headers: Dictionary(uniqueKeysWithValues: headers))
    }

    /// Makes the answer to a repetition.
    package init(_ kept: KeptAnswer) {
        self.init(HTTPResponse.Status(code: kept.status), kept.body)
        if status.code >= 400 { headers[.contentType] = Problem.contentType }
        for name in Self.keptHeaders { headers[name] = kept.headers[name.canonicalName] }
    }
}
