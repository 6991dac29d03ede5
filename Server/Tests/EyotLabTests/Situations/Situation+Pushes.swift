import APNSSimulator
import APNSWire
import EyotContract
import EyotLab
import PhoneSimulator

/// Cards that run, and the pushes to them.
extension Situation {
    static let pushes = refusedPushes + failures + dropped + heldPushes + versions

    /// Ends the fault of Apple, and lets the time pass that Eyot waits before it tries again.
    private static let mended: Step = { scene in
        scene.faults.clear()
        try await scene.lab.advanceClock(by: 120)
    }

    /// An update that meets a fault which stays.
    private static func failing(_ fault: PushFault) -> Step {
        { scene in
            try await scene.live()
            scene.faults.stand(fault)
            try await scene.update(5)
        }
    }

    private static func refused(_ reasons: [APNSReason]) -> Step {
        { scene in
            try await scene.live()
            // An app that runs tells its token again.
            try scene.phone.forceQuit()
            scene.faults.enqueue(reasons.map { .refuse($0) })
            try await scene.update(3)
        }
    }

    private static let refusedPushes = [
        Situation(
            "Apple says that the card's token is gone, and the card is there", .tokenDead, .likely,
            refused([.unregistered]),
            remedy: { scene in
                try await scene.reopen()
                try await scene.update(5)
            }, then: .shows(5)),
        Situation(
            "Apple knows the card's token in neither environment", .tokenUnknown, .likely,
            refused([.badDeviceToken, .badDeviceToken]),
            remedy: { scene in
                try await scene.reopen()
                try await scene.update(5)
            }, then: .shows(5)),
        Situation(
            "Apple says that the card's token is of another bundle id", .wrongTopic, .certain,
            refused(Array(repeating: .deviceTokenNotForTopic, count: 3))),
        Situation(
            "Apple finds the update too large", .pushRefused, .certain, refused([.payloadTooLarge]),
            remedy: { try await $0.update(5) }, then: .shows(5)),
        Situation(
            "the card's token changed", .shown, .likely,
            { scene in
                try await scene.live()
                try scene.phone.rotateToken(.only)
                try await scene.update(5)
                try await scene.untilShown(5)
            }),
    ]

    private static let failures = [
        Situation(
            "Apple gets too many pushes for the card", .slowed, .certain, failing(.refuse(.tooManyRequests)),
            remedy: mended, then: .shows(5)),
        Situation(
            "Apple answers 503", .appleFails, .certain, failing(.refuse(.serviceUnavailable)), remedy: mended,
            then: .shows(5)),
        Situation(
            "Apple answers 500", .appleFails, .certain, failing(.refuse(.internalServerError)), remedy: mended,
            then: .shows(5)),
        Situation(
            "connections to Apple break", .appleUnreachable, .certain,
            failing(PushFault(.closed, isDelivered: false)), remedy: mended, then: .shows(5)),
        Situation(
            "Apple takes the provider token for expired", .clockWrong, .likely,
            failing(.refuse(.expiredProviderToken)), remedy: mended, then: .shows(5)),
        Situation(
            "another program signs with the key", .keyShared, .likely,
            failing(.refuse(.tooManyProviderTokenUpdates)), remedy: mended, then: .shows(5)),
        Situation(
            "Apple refuses the key", .apnsKeyRefused, .certain, failing(.refuse(.invalidProviderToken)),
            remedy: { scene in
                scene.faults.clear()
                try await scene.call("POST", "/v1/apps/\(LabConfiguration.bundleID)/resume")
            }, then: .shows(5)),
        Situation(
            "Apple refuses the topic", .appPaused, .certain, failing(.refuse(.topicDisallowed)),
            remedy: { scene in
                scene.faults.clear()
                try await scene.call("POST", "/v1/apps/\(LabConfiguration.bundleID)/resume")
            }, then: .shows(5)),
        Situation(
            "Apple takes its time to answer", .onItsWay, .likely,
            { scene in
                try await scene.live()
                scene.faults.enqueue([PushFault(.late(.seconds(8)), isDelivered: false)])
                try await scene.update(5)
            }),
    ]

    private static let dropped = [
        Situation(
            "the phone is offline", .offline, .possible,
            { scene in
                try await scene.live()
                try scene.phone.goOffline()
                try await scene.lab.advanceClock(by: 60)
                try await scene.update(5)
                try await scene.accepted(2)
                try await scene.lab.advanceClock(by: 60)
            },
            remedy: { try $0.phone.goOnline() }, then: .shows(5)),
        Situation(
            "iOS has dropped updates with priority 10, and the phone is online", .updateBudgetSpent, .possible,
            phone: .with { $0.rules = PhoneRules().with { $0.frequentUpdateBudget.limit = 3 } },
            { try await $0.spendBudget() },
            remedy: { try await $0.reopen() }, then: .shows(15)),
        Situation(
            "more frequent updates are off, and iOS has dropped some", .frequentUpdatesOff, .possible,
            phone: .with {
                $0.settings.frequentPushesEnabled = false
                $0.rules = PhoneRules().with { $0.updateBudget.limit = 3 }
            },
            { try await $0.spendBudget() },
            remedy: { try await $0.reopen() }, then: .shows(15)),
        Situation(
            "the newest state is stale, and the card grey", .stale, .likely,
            { scene in
                try await scene.live()
                try await scene.update(3, [("staleAfter", 60)])
                try await scene.untilShown(3)
                try await scene.lab.advanceClock(by: 70)
            },
            remedy: { try await $0.update(5, [("staleDate", .null)]) }, then: .shows(5)),
        Situation(
            "stale, and declared again with a later date", .stale, .likely,
            { scene in
                try await scene.live()
                try await scene.update(3, [("staleAfter", 60)])
                try await scene.untilShown(3)
                try await scene.lab.advanceClock(by: 70)
            },
            remedy: { try await $0.update(3, [("staleAfter", 3_600)]) }, then: .shows(3)),
        Situation(
            "the app changed the card by itself", .changedByApp, .certain,
            { scene in
                try await scene.live()
                try await scene.phone.change(.only, LocalChange(contentState: Lab.state(score: 8)))
            },
            remedy: { try await $0.update(5) }, then: .shows(5)),
    ]

    private static let heldPushes = [
        Situation(
            "the activity is halted", .halted, .certain,
            { scene in
                try await scene.live()
                try await scene.call("POST", "/v1/activities/\(scene.activity)/halt")
                try await scene.update(5)
            },
            remedy: { try await $0.call("POST", "/v1/activities/\($0.activity)/resume") }, then: .shows(5)),
        Situation(
            "the type is halted", .halted, .certain,
            { scene in
                try await scene.live()
                try await scene.call("POST", "/v1/types/MatchAttributes/halt")
                try await scene.update(5)
            },
            remedy: { try await $0.call("POST", "/v1/types/MatchAttributes/resume") }, then: .shows(5)),
        Situation(
            "the app is halted", .appHalted, .certain,
            { scene in
                try await scene.live()
                try await scene.call("POST", "/v1/apps/\(LabConfiguration.bundleID)/halt")
                try await scene.update(5)
            },
            remedy: { try await $0.call("POST", "/v1/apps/\(LabConfiguration.bundleID)/resume") }, then: .shows(5)),
    ]

    private static let versions = [
        Situation(
            "the newest state is on the screen", .shown, .likely,
            { scene in
                try await scene.live()
                try await scene.update(5)
                try await scene.untilShown(5)
            }),
        Situation(
            "an older version is asked about", .superseded, .certain, asks: .version(1),
            { scene in
                try await scene.live()
                try await scene.update(5)
                try await scene.untilShown(5)
            }),
        Situation(
            "a version that never left, because a newer one came", .superseded, .certain, asks: .version(2),
            { scene in
                try await scene.live()
                try await scene.call("POST", "/v1/activities/\(scene.activity)/halt")
                try await scene.update(4)
                try await scene.update(5)
                try await scene.call("POST", "/v1/activities/\(scene.activity)/resume")
                try await scene.untilShown(5)
            }),
        Situation(
            "a version that was for another user", .notForCard, .certain, asks: .version(2),
            { scene in
                try await scene.live()
                try await scene.update(4, [("scope", ["user": "others"])])
            }),
        Situation(
            "the newest version was for another user", .shown, .likely,
            { scene in
                try await scene.live()
                try await scene.update(4, [("scope", ["user": "others"])])
            }),
        Situation(
            "the newest state for the card was for it alone", .shown, .likely,
            { scene in
                try await scene.live()
                try await scene.update(4, [("scope", ["user": .string(scene.user)])])
                try await scene.untilShown(4)
            }),
        Situation(
            "a call came too late", .shown, .likely,
            { scene in
                try await scene.live()
                try await scene.update(5, [("asOf", "2020-01-01T00:00:02Z")])
                try await scene.update(3, [("asOf", "2020-01-01T00:00:01Z")])
                try await scene.untilShown(5)
            }),
    ]
}
