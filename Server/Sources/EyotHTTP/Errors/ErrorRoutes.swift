import EyotContract
import EyotDomain

/// Routes for the catalogue of errors. The `type` of every problem points to it.
struct ErrorRoutes {
    private static let list = "/v1/errors"
    private static let one = "/v1/errors/{code}"
    static let paths: Set<String> = [list, one]

    var routes: [Route] {
        [
            .get(Self.list, .anybody) { _ in
                Answer(.ok, ["errors": .array(EyotError.Code.allCases.map { .object($0.entry) })])
            },
            .get(Self.one, .anybody) { call in
                let name = try call.parameter("code")
                guard let code = EyotError.Code(rawValue: name) else {
                    throw EyotError(.routeUnknown, "no error has this code", field: "code")
                }
                return Answer(.ok, .object(code.entry))
            },
        ]
    }
}
