import APNSWire
import EyotContract
import EyotDomain

/// One push to one token that a person wrote by hand, to find out what Apple says of it.
package struct RawPush: Sendable {
    package var environment: PushEnvironment
    package var token: PushToken
    package var template: PushTemplate
    package var id: APNSID
    /// What phones would make of the payload.
    package let review: PayloadReview

    /// - Parameters:
    ///   - schema: the schema that the payload is held against; nil if it is unknown.
    ///   - id: a new `apns-id`.
    package init(
        _ template: PushTemplate, to token: PushToken, in environment: PushEnvironment, schema: ActivitySchema?,
        id: APNSID, at now: Instant
    ) {
        self.environment = environment
        self.token = token
        self.template = template
        self.id = id
        review = PayloadReview(
            of: template.body, type: template.pushType, schema: schema, now: now.seconds(since: Instant(second: 0)))
    }
}

/// What Apple said of a push that was written by hand.
package struct RawPushAnswer: Sendable {
    package var verdict: PushVerdict
    /// Milliseconds since 1970 from which Apple calls the token dead; nil if it does not.
    package var deadSince: Int64?
}

extension Commands {
    /// Sends a push that was written by hand. It changes nothing in the store. So the next declaration overwrites what
    /// it showed on the phone.
    ///
    /// - Throws: `activityHalted` if the app is halted, and `fieldInvalid` if it has no APNs key for the environment.
    package func send(
        _ push: RawPush, of app: App, by pusher: any Pusher, sealer: Sealer
    ) async throws -> RawPushAnswer {
        let environment = push.environment
        let (isHalted, key) = try await store.read { ledger in
            (
                try ledger.app(app.id)?.haltedAt != nil,
                try ledger.apnsKeys(of: app.id).first { $0.environment == environment }
            )
        }
        guard !isHalted else { throw EyotError(.activityHalted, "the app is halted, so nothing is sent") }
        guard let key else {
            throw EyotError(
                .fieldInvalid, "the app has no APNs key for \(environment.rawValue): store one first",
                field: "environment")
        }
        var page = PushPage(environment: environment)
        let template = page.add(push.template)
        page.append(token: push.token, template: template, id: push.id)
        let verdicts = await pusher.push(page, with: try sealer.credentials(of: key))
        return RawPushAnswer(verdict: verdicts.verdicts.first ?? .unknown, deadSince: verdicts.deadSince[0])
    }
}
