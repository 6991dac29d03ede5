import APNSWire
import Testing

@Suite("Apple's reasons")
struct APNSReasonTests {
    /// Apple's tables of statuses and reasons, for pushes to a device and for channels and broadcasts.
    static let documented: [Int: [String]] = [
        400: [
            "BadCollapseId", "BadDeviceToken", "BadExpirationDate", "BadMessageId", "BadPriority", "BadTopic",
            "DeviceTokenNotForTopic", "DuplicateHeaders", "IdleTimeout", "InvalidPushType", "MissingDeviceToken",
            "MissingTopic", "PayloadEmpty", "TopicDisallowed", "FeatureNotEnabled", "MissingChannelId", "BadChannelId",
            "ChannelNotRegistered", "BadRequestParams", "BadRequestPayload", "MissingPushType",
            "CannotCreateChannelConfig",
        ],
        403: [
            "BadCertificate", "BadCertificateEnvironment", "ExpiredProviderToken", "Forbidden", "InvalidProviderToken",
            "MissingProviderToken", "UnrelatedKeyIdInToken", "BadEnvironmentKeyIdInToken", "TopicMismatch",
        ],
        404: ["BadPath"], 405: ["MethodNotAllowed"], 410: ["Unregistered", "ExpiredToken"], 413: ["PayloadTooLarge"],
        429: ["TooManyProviderTokenUpdates", "TooManyRequests"], 500: ["InternalServerError"],
        503: ["ServiceUnavailable", "Shutdown"],
    ]

    @Test("are all there under the status that Apple gives them", arguments: documented.keys.sorted())
    func status(status: Int) throws {
        for name in try #require(Self.documented[status]) {
            let reason = APNSReason(name: name)
            #expect(reason != .unrecognized, "\(name)")
            #expect(reason.name == name)
            #expect(reason.status == status, "\(name)")
        }
    }

    @Test func `have no other row than Apple's and the unrecognized one`() {
        let names = Set(APNSReason.allCases.map(\.name))
        #expect(names.count == APNSReason.allCases.count)
        #expect(names.subtracting(Self.documented.values.joined()) == ["unrecognized"])
        for reason in APNSReason.allCases {
            #expect(!reason.meaning.isEmpty)
            #expect(APNSReason(name: reason.name) == reason)
        }
    }

    @Test func `other spellings seen in the wild are understood, unknown ones are not an error`() {
        #expect(APNSReason(name: "BadEnvironmentKeyInToken") == .badEnvironmentKeyIDInToken)
        #expect(APNSReason(name: "Service Unavailable") == .serviceUnavailable)
        #expect(APNSReason(name: "baddevicetoken") == .unrecognized)
        #expect(APNSReason(name: "") == .unrecognized)
    }

    /// Apple: never again for BadDeviceToken, DeviceTokenNotForTopic, Forbidden, ExpiredToken, Unregistered,
    /// PayloadTooLarge; after a delay for the 5xx and TooManyRequests.
    @Test func `what Apple forbids to send again is not retried, and what passes is`() {
        for name in [
            "BadDeviceToken", "DeviceTokenNotForTopic", "Forbidden", "ExpiredToken", "Unregistered", "PayloadTooLarge",
        ] {
            #expect(![.retryLater, .slowToken, .renewProviderToken].contains(APNSReason(name: name).action), "\(name)")
        }
        for reason in APNSReason.allCases where reason.status >= 500 { #expect(reason.action == .retryLater) }
        #expect(APNSReason.tooManyRequests.action == .slowToken)
        #expect(APNSReason.expiredProviderToken.action == .renewProviderToken)
    }

    @Test func `only a token that Apple calls dead is buried`() {
        let buried = APNSReason.allCases.filter { $0.action == .buryToken }
        #expect(Set(buried) == [.unregistered, .expiredToken, .channelNotRegistered])
        #expect(
            APNSReason.allCases.filter { $0.action == .suspectToken } == [.badDeviceToken, .deviceTokenNotForTopic])
    }
}

@Suite("A verdict")
struct PushVerdictTests {
    @Test func `keeps each outcome apart in one byte`() {
        let plain: [PushVerdict] = [.unknown, .accepted, .notProcessed]
        let refused = APNSReason.allCases.map(PushVerdict.refused)
        #expect(Set((plain + refused).map(\.rawValue)).count == plain.count + refused.count)
        for (reason, verdict) in zip(APNSReason.allCases, refused) {
            #expect(PushVerdict(rawValue: verdict.rawValue).reason == reason)
            #expect(verdict.description == "refused: \(reason.name)")
        }
        for verdict in plain { #expect(verdict.reason == nil) }
    }

    @Test func `a page of which nothing is known is unknown throughout`() {
        let verdicts = PageVerdicts(count: 3)
        #expect(verdicts.verdicts == [.unknown, .unknown, .unknown])
        #expect(verdicts.deadSince.isEmpty)
    }
}
