import EyotContract
import EyotDomain
import EyotHTTP
import HTTPTypes

/// The steps of a declaration by a form: try it out, send it to a test device, to a first share, to all.
enum DeclareStep: String, CaseIterable {
    case dry, test, canary, all

    /// The share of a canary, in percent.
    static let canaryPercent = 1

    /// The call of the step.
    ///
    /// - Parameters:
    ///   - verb: `start`, `update` or `end`.
    ///   - testDevice: the name of the test device for the step ``test``.
    ///   - seen: generation and version that were on the screen, as `If-Match` has them; nil for no condition.
    /// - Throws: `fieldMissing` if no test device is chosen.
    func call(
        _ verb: String, _ path: ActivityPath, _ body: JSONObject, testDevice: String?, seen: String?
    ) throws(EyotError) -> LocalCall {
        var body = body
        switch self {
        case .dry, .all: break
        case .test:
            guard let testDevice else {
                throw EyotError(.fieldMissing, "choose a test device", field: "testDevice")
            }
            body["scope"] = ["testDevice": .string(testDevice)]
        case .canary: body["canary"] = ["percent": .integer(Self.canaryPercent)]
        }
        var call = LocalCall(
            .post, "\(path.call)/\(verb)", query: self == .dry ? ["dryRun": "true"] : [:], json: .object(body))
        call.headers[.ifMatch] = seen.map { "\"\($0)\"" }
        return call
    }
}

/// What went wrong with a form: sentences above it, and sentences beside its fields.
struct FormFault {
    var sentence: String?
    var remedy: String?
    var fields = FieldFaults()
    /// Whether the activity has a newer version than the form.
    var isConflict = false

    init() {}

    init(_ fields: FieldFaults) {
        self.fields = fields
        sentence = "Some fields are not right. Nothing was sent."
    }

    /// - Parameter known: the names of the form's fields. An error of another field stands above the form.
    init(_ problem: Problem, known: Set<String>) {
        let error = problem.error
        isConflict = error.code == .superseded
        let marked = error.field.map { Self.fields($0, known) } ?? []
        if let named = error.field, !marked.isEmpty {
            // The member's name and the remedy are for callers of the API.
            for field in marked { fields.byField[field] = error.detail.replacing(named, with: "this field") }
            sentence = "Some fields are not right. Nothing was sent."
        } else {
            sentence = "\(error.detail.prefix(1).uppercased())\(error.detail.dropFirst())."
            remedy = error.code.remedy
        }
    }

    /// The field that an error names, the one that holds the member it names, or those of the object it names.
    private static func fields(_ name: String, _ known: Set<String>) -> Set<String> {
        if known.contains(name) { return [name] }
        let holder = known.filter { name.hasPrefix($0 + ".") || name.hasPrefix($0 + "[") }
            .max { $0.count < $1.count }
        return holder.map { [$0] } ?? known.filter { $0.hasPrefix(name + ".") }
    }
}
