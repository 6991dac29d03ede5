import EyotContract
import EyotDomain

/// The catalogue of errors, to which the `type` of every problem points.
struct ErrorRoutes {
    var routes: [Route] {
        [
            .get("/v1/errors", .anybody) { _ in
                Answer(.ok, ["errors": .array(EyotError.Code.allCases.map { .object($0.entry) })])
            },
            .get("/v1/errors/{code}", .anybody) { call in
                let name = try call.parameter("code")
                guard let code = EyotError.Code(rawValue: name) else {
                    throw EyotError(.routeUnknown, "there is no error of this code", field: "code")
                }
                return Answer(.ok, .object(code.entry))
            },
        ]
    }
}
