import EyotContract
import EyotDomain
import EyotMetrics
import HTTPTypes

extension OperationDescription {
    /// All error codes that the operation can answer.
    var codes: [EyotError.Code] {
        var codes: Set<EyotError.Code> = [.fieldUnknown, .fieldInvalid, .internalFault, .unavailable]
        codes.formUnion(note.codes)
        switch route.access {
        case .anybody: break
        case .appKey: codes.formUnion([.keyMissing, .keyInvalid, .keyForbidden, .tooManyCalls])
        case .deviceSecret: codes.formUnion([.keyMissing, .secretInvalid, .tooManyCalls])
        case .scopedKey, .scopedOperatorKey:
            codes.formUnion([.keyMissing, .keyInvalid, .keyForbidden, .tooManyCalls, .appUnknown, .fieldMissing])
        }
        if route.path.contains("{") { codes.insert(.routeUnknown) }
        if route.bodyLimit != nil {
            codes.formUnion([
                .jsonInvalid, .bodyTooLarge, .contentTypeUnsupported, .contentEncodingUnsupported, .fieldMissing,
                .fieldMistyped,
            ])
        }
        if route.takesIdempotencyKey { codes.formUnion([.idempotencyConflict, .answerNotKept]) }
        return codes.sorted { $0.rawValue < $1.rawValue }
    }

    var responses: JSONValue {
        let note = note
        var responses: [(Int, JSONValue)] = note.successes.map { ($0.status, success($0)) }
        if let refusals = note.refusals {
            let types = Set([answerType, route.plane.answerType]).sorted()
            let content: JSONValue = .object(JSONObject(types.map { ($0, ["schema": refusals.shape]) }))
            responses += refusals.statuses.map { status in
                var object = JSONObject([("description", .string("It was refused."))])
                if !refusals.wordless.contains(status) { object["content"] = content }
                return (status, .object(object))
            }
        } else {
            responses += Set(codes.map(\.status)).map {
                ($0, APIDescription.reference("responses", "Problem\($0)"))
            }
        }
        return .object(JSONObject(responses.sorted { $0.0 < $1.0 }.map { (String($0.0), $0.1) }))
    }

    private func success(_ success: OperationNote.Success) -> JSONValue {
        var object = JSONObject([("description", .string(Self.words[success.status] ?? "It was done."))])
        var headers = JSONObject([("X-Request-Id", APIDescription.reference("headers", "X-Request-Id"))])
        if route.access.scopes != nil {
            for name in APIDescription.rateHeaders { headers[name] = APIDescription.reference("headers", name) }
        }
        if note.isConditional || title == "GET /v1/activities/{name}" {
            headers["ETag"] = APIDescription.reference("headers", "ETag")
        }
        object["headers"] = .object(headers)
        if let shape = success.shape {
            var media = JSONObject([("schema", shape)])
            media["example"] = success.example ?? Self.example(of: shape)
            let isLines = route.answersInLines
            if isLines { media = JSONObject([("schema", Shape.text), ("x-eyot-line", shape)]) }
            var content = JSONObject([(isLines ? BodyReader.lines : answerType, .object(media))])
            if route.query.contains("format") { content[ReportRoutes.csv] = ["schema": Shape.text] }
            object["content"] = .object(content)
        }
        return .object(object)
    }

    /// OAuth's answers are JSON on every plane.
    private var answerType: String {
        if route.isForOperations { return PrometheusText.contentType }
        return route.path == "/token" ? "application/json" : route.plane.answerType
    }

    private static let words = [
        200: "It was done, or this is how it stands.", 201: "It was made.", 202: "It was accepted, and is durable.",
        204: "It was done, and there is nothing to say.",
    ]
}

extension Route {
    /// Whether an idempotency key can mark its repetitions.
    var takesIdempotencyKey: Bool {
        if case .command = action { return true }
        return answersInLines
    }
}
