import EyotContract
import EyotDomain

/// The calls of a backend in short form for tables. State *n* is `{"n": n}`, and the default name is `m`.
package enum Call {
    private static func content(
        _ state: Int?, alert: Bool, urgent: Bool = false, lifetime: Double = 300, at time: Double
    )
        -> Content
    {
        Content(
            state: state.map { ["n": .integer($0)] },
            alert: alert
                ? Alert(
                    body: ["title": "t", "body": "b"],
                    expiresAt: Instant(second: 1_700_000_000) + (time + lifetime)) : nil, isUrgent: urgent)
    }

    /// The moments that a call names, in seconds of the scenario.
    package struct Moments {
        var (starts, ends, asOf): (Double?, Double?, Double?)

        package init(starts: Double? = nil, ends: Double? = nil, asOf: Double? = nil) {
            (self.starts, self.ends, self.asOf) = (starts, ends, asOf)
        }
    }

    package static func start(
        _ state: Int, to audience: Audience = .tag("fans"), name: String = "m", force: Bool = false,
        moments: Moments = Moments()
    ) -> DeclarationRequest {
        var request = DeclarationRequest(
            verb: .start, name: name, content: content(state, alert: true, at: 0))
        request.type = ScenarioWorld.type
        request.attributes = ["id": .string(name)]
        request.audience = audience
        request.isForced = force
        request.startsAt = moments.starts.map { Instant(second: 1_700_000_000) + $0 }
        request.endsAt = moments.ends.map { .at(Instant(second: 1_700_000_000) + $0) }
        request.asOf = moments.asOf.map { Instant(second: 1_700_000_000) + $0 }
        return request
    }

    package static func put(
        _ state: Int, to audience: Audience? = .tag("fans"), restartsDismissed: Bool = false, asOf: Double? = nil
    ) -> DeclarationRequest {
        var request = start(state, to: .all, moments: Moments(asOf: asOf))
        request.verb = .put
        request.restartsDismissed = restartsDismissed
        request.audience = audience
        if audience == nil { request.content.alert = nil }
        return request
    }

    package static func update(
        _ state: Int, name: String = "m", scope: Audience? = nil, asOf: Double? = nil, urgent: Bool = false
    ) -> DeclarationRequest {
        var request = DeclarationRequest(
            verb: .update, name: name, content: content(state, alert: false, urgent: urgent, at: 0))
        request.scope = scope
        request.asOf = asOf.map { Instant(second: 1_700_000_000) + $0 }
        return request
    }

    /// Returns the call with a condition on the version that it follows.
    package static func matching(_ match: VersionMatch, _ request: DeclarationRequest) -> DeclarationRequest {
        var request = request
        request.match = match
        return request
    }

    /// Makes a `PUT` with an alert of its own.
    package static func alerting(_ state: Int, at time: Double, saying body: String = "new") -> DeclarationRequest {
        var request = put(state, to: .all)
        let expiry = Instant(second: 1_700_000_000) + (time + 300)
        request.content.alert = Alert(body: ["title": "t", "body": .string(body)], expiresAt: expiry)
        return request
    }

    /// Makes an update with an alert.
    ///
    /// - Parameter time: the second of the call, from which the alert's lifetime counts.
    package static func alert(
        _ state: Int, at time: Double, lifetime: Double = 300, urgent: Bool = false, scope: Audience? = nil
    ) -> DeclarationRequest {
        var request = update(state, scope: scope)
        request.content = content(state, alert: true, urgent: urgent, lifetime: lifetime, at: time)
        return request
    }

    /// Returns the call with a planned end; nil removes it.
    package static func ending(at time: Double?, _ request: DeclarationRequest) -> DeclarationRequest {
        var request = request
        request.endsAt = time.map { .at(Instant(second: 1_700_000_000) + $0) } ?? .never
        return request
    }

    /// Returns the call without an alert.
    package static func silent(_ request: DeclarationRequest) -> DeclarationRequest {
        var request = request
        request.content.alert = nil
        return request
    }

    /// Returns the call without a type, as for activities with cards that apps start.
    package static func untyped(_ request: DeclarationRequest) -> DeclarationRequest {
        var request = request
        request.type = nil
        return request
    }

    /// Returns the call as a canary.
    package static func canary(
        _ percent: Double, refusals: Double = 0.02, wait: Double = 10, _ request: DeclarationRequest
    ) -> DeclarationRequest {
        var request = request
        request.canary = Canary.Terms(percent: percent, maximumRefusals: refusals, waitSeconds: wait)
        return request
    }

    /// Returns the call with another `asOf`.
    package static func asOf(_ time: Double, _ request: DeclarationRequest) -> DeclarationRequest {
        var request = request
        request.asOf = Instant(second: 1_700_000_000) + time
        return request
    }

    package static func end(_ state: Int? = nil, name: String = "m", scope: Audience? = nil) -> DeclarationRequest {
        var request = DeclarationRequest(verb: .end, name: name, content: content(state, alert: false, at: 0))
        request.scope = scope
        return request
    }
}
