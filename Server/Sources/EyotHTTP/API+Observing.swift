import EyotDomain
import EyotMetrics
import EyotTracing
import HTTPTypes
import Logging

/// What is counted and logged of an answer. It names routes by their templates, because paths hold people's ids.
extension API {
    struct Observation {
        var method: HTTPRequest.Method
        var status: Int
        var seconds: Double
        var address: String?
    }

    /// Begins the counts of answers that an alert looks at, at 0: of each route those that say that the server failed.
    package func beginCounts() {
        let failures = Set(EyotError.Code.allCases.map(\.status)).filter { $0 >= 500 }
        for route in all {
            for status in failures {
                backend.meters.begin(.requests, route.planeName, "\(route.method)", route.path, "\(status)")
            }
        }
        for status in failures { backend.meters.begin(.requests, "none", "none", "none", "\(status)") }
    }

    /// Counts an answer, and logs it if its status is 400 or higher.
    func observe(_ seen: Observation, _ counted: Counted, logger: Logger) {
        let route = counted.call?.route
        let (plane, path) = (route?.planeName ?? "none", route?.path ?? "none")
        counted.span?.end(of: seen, plane: plane, path: path)
        let meters = backend.meters
        // The method of an unknown route is the caller's choice.
        meters.count(.requests, plane, route.map { "\($0.method)" } ?? "none", path, "\(seen.status)")
        meters.record(.requestDuration, plane, path, value: seen.seconds)
        if seen.status == 429 { meters.count(.limited, counted.limit ?? "other") }
        let level = level(of: seen.status, path)
        guard level >= logger.logLevel, level == .debug || mayLog(level) else { return }
        logger.log(level: level, "answered", metadata: metadata(seen, counted, path))
    }

    /// Health is asked all the time, and the asker knows the answer.
    private func level(of status: Int, _ path: String) -> Logger.Level {
        guard status >= 400, !HealthRoutes.paths.contains(path) else { return .debug }
        return status >= 500 ? .error : .info
    }

    /// Records that a change of an app was refused.
    func noteRefusal(_ counted: Counted) {
        guard let error = counted.error, let (call, route) = counted.call, route.access.scopes != nil,
            let app = counted.about
        else { return }
        backend.refusedCalls.note(
            error, call, route.path, of: app.id, key: counted.key?.id, activity: call.parameters["name"])
    }

    private func mayLog(_ level: Logger.Level) -> Bool {
        backend.answers.take(isFailure: level == .error, at: backend.clock.now)
    }

    private func metadata(_ seen: Observation, _ counted: Counted, _ path: String) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "method": "\(seen.method)", "route": "\(path)", "status": "\(seen.status)",
            "ms": "\((seen.seconds * 10_000).rounded() / 10)", "address": "\(seen.address ?? "local")",
        ]
        metadata["code"] = counted.error.map { "\($0.code.rawValue)" }
        metadata["caller.request.id"] = counted.call?.call.origin.request?.callers.map { "\($0)" }
        metadata["app"] = counted.about.map { "\($0.bundleID)" }
        metadata["key"] = counted.key.map { "\($0.id)" }
        return metadata
    }
}

extension CallSpan {
    /// Ends the span of a call, with the names of OpenTelemetry's conventions.
    fileprivate func end(of seen: API.Observation, plane: String, path: String) {
        operationName = "\(seen.method) \(path)"
        note(
            [
                "http.request.method": "\(seen.method)", "http.route": path, "eyot.plane": plane,
            ], numbers: ["http.response.status_code": seen.status], isFailed: seen.status >= 500)
        end()
    }
}

extension HTTPField.Name {
    static let traceparent = known("traceparent")
}
