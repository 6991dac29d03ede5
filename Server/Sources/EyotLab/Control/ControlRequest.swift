import EyotContract

/// A request to the control API, read from the wire.
struct ControlRequest: Sendable {
    var method: String
    /// The parts of the path, decoded.
    var path: [String]
    var query: [String: String]
    /// An empty object if the request has no body.
    var body: JSONValue
}

/// An answer of the control API.
struct ControlAnswer: Sendable {
    var status = 200
    var body: JSONValue

    init(status: Int = 200, _ body: JSONValue) {
        self.status = status
        self.body = body
    }

    init(_ problem: ControlProblem) {
        status = problem.status
        var object = JSONObject([
            ("status", .integer(problem.status)), ("code", .string(problem.code)),
            ("detail", .string(problem.detail)),
        ])
        object["field"] = problem.field.map(JSONValue.string)
        body = .object(object)
    }
}

/// The reason that the control API refuses a request.
struct ControlProblem: Error, Sendable {
    var status: Int
    var code: String
    var detail: String
    var field: String?

    init(_ status: Int, _ code: String, _ detail: String, field: String? = nil) {
        self.status = status
        self.code = code
        self.detail = detail
        self.field = field
    }

    init(_ error: LabError) {
        let (status, code) =
            switch error {
            case .noSuchPhone: (404, "phoneUnknown")
            case .noSuchType: (422, "typeUnknown")
            case .noSuchCard: (409, "cardUnknown")
            case .appNotRunning: (409, "appNotRunning")
            case .systemNotNewer: (422, "systemNotNewer")
            case .startRefused: (409, "startRefused")
            case .stateInvalid: (422, "stateInvalid")
            case .tooManyPhones: (422, "tooManyPhones")
            case .tooManyTypes: (422, "tooManyTypes")
            case .noSuchNode: (404, "nodeUnknown")
            case .nodeRuns: (409, "nodeRunning")
            case .nodePaused: (409, "nodePaused")
            case .nodeStopped: (409, "nodeStopped")
            case .databaseNotOwned: (409, "databaseNotOwned")
            case .databaseRuns: (409, "databaseRunning")
            case .databaseStopped: (409, "databaseStopped")
            case .databaseChanging: (409, "databaseChanging")
            case .folder, .folderInUse, .settings: (500, "folderFailed")
            case .server, .postgres: (502, "serverFailed")
            case .refused: (502, "serverRefused")
            }
        self.init(status, code, "\(error)")
    }
}
