import EyotMetrics

/// The route that Prometheus reads. It reads counters in memory, and asks no store.
struct MetricsRoutes {
    static let path = "/metrics"

    let backend: Backend

    var routes: [Route] {
        [
            .get(Self.path, .anybody) { call in
                var answer = Answer(.ok, nil)
                answer.text = backend.meters.text(at: call.now)
                answer.headers[.contentType] = PrometheusText.contentType
                return answer
            }
        ]
    }
}
