import APNSSimulator
import APNSWire
import EyotContract
import EyotLab
import PhoneSimulator

/// Starts that are under way, or that led to no card.
extension Situation {
    static let starts = refusedStarts + lostStarts + heldStarts + pastStarts

    private static let refusedStarts = [
        Situation(
            "Apple says that the start token is gone", .startTokenDead, .certain,
            { try await $0.start(refusedAs: [.unregistered]) },
            remedy: { scene in
                try scene.phone.rotateStartToken()
                try await scene.reopen()
                try await scene.untilStartable()
                try await scene.start(score: 5)
            }, then: .shows(5)),
        Situation(
            "Apple says that the start token is gone, and no activity is asked about", .startTokenDead, .certain,
            asks: .phone, { try await $0.start(refusedAs: [.unregistered]) },
            remedy: { scene in
                try scene.phone.rotateStartToken()
                try await scene.untilStartable()
                try await scene.start(score: 5)
            }, then: .shows(5)),
        Situation(
            "Apple knows the start token in neither environment", .tokenUnknown, .likely,
            { try await $0.start(refusedAs: [.badDeviceToken, .badDeviceToken]) },
            remedy: { scene in
                try scene.phone.rotateStartToken()
                try await scene.untilStartable()
                try await scene.start(score: 5)
            }, then: .shows(5)),
        Situation(
            "the start token is of another bundle id", .wrongTopic, .certain,
            { try await $0.start(refusedAs: [.deviceTokenNotForTopic]) }),
        Situation(
            "Apple finds the start too large", .startRefused, .certain,
            { try await $0.start(refusedAs: [.payloadTooLarge]) },
            remedy: { try await $0.start(score: 5) }, then: .shows(5)),
        Situation(
            "Apple slows the start down", .slowed, .certain,
            { scene in
                try await scene.untilStartable()
                scene.faults.stand(.refuse(.tooManyRequests))
                try await scene.start()
            },
            remedy: { scene in
                scene.faults.clear()
                try await scene.lab.advanceClock(by: 120)
            }, then: .shows(0)),
        Situation(
            "Apple's service fails at the start", .appleFails, .certain,
            { scene in
                try await scene.untilStartable()
                scene.faults.stand(.refuse(.serviceUnavailable))
                try await scene.start()
            },
            remedy: { scene in
                scene.faults.clear()
                try await scene.lab.advanceClock(by: 120)
            }, then: .shows(0)),
    ]

    private static let lostStarts = [
        Situation(
            "Apple has not answered the start, and the phone has the card", .startOnItsWay, .certain,
            phone: .with { $0.settings.lowPowerMode = true },
            { scene in
                try await scene.untilStartable()
                try await scene.quit()
                scene.faults.enqueue([.stall])
                try await scene.start()
            }),
        Situation(
            "two starts reached Apple while the phone was offline", .startDisplaced, .likely,
            { scene in
                try await scene.untilStartable()
                try scene.phone.goOffline()
                try await scene.start()
                try await scene.untilFound("startOnItsWay")
                try await scene.startRemotely("later-\(scene.number)")
                try await scene.untilFound("startOnItsWay", asking: "user=\(scene.user)&activity=later-\(scene.number)")
                try await scene.lab.advanceClock(by: 120)
                try scene.phone.goOnline()
                try await scene.until("the later card") { try scene.phone.cardsInView.count == 1 }
            },
            remedy: { try await $0.start([("force", true)], score: 5) }, then: .shows(5)),
        Situation(
            "the phone has not been heard of since the start, for hours", .startExpired, .possible,
            { scene in
                try await scene.untilStartable()
                try await scene.leave()
                try await scene.start()
                try await scene.untilFound("startOnItsWay")
                try await scene.lab.advanceClock(by: 5 * 3_600)
            },
            remedy: { scene in
                try scene.phone.goOnline()
                try await scene.reopen()
                try await scene.untilFound("startDropped")
                try await scene.lab.advanceClock(by: 120)
            }, then: .shows(0)),
        Situation(
            "the phone has not been heard of for weeks", .startTokenStale, .possible,
            { scene in
                try await scene.untilStartable()
                try await scene.leave()
                try await scene.lab.advanceClock(by: 15 * 86_400)
                try await scene.start()
            },
            remedy: { scene in
                try scene.phone.goOnline()
                try await scene.reopen()
            }, then: .shows(0)),
        Situation(
            "the build cannot decode the start, and has told its schema", .undecodable, .certain,
            { scene in
                try await scene.untilStartable()
                try await scene.start([("onSchemaMismatch", "leaveOut"), ("contentState", ["odd": true])])
            },
            remedy: { try await $0.start(score: 5) }, then: .shows(5)),
    ]

    private static let heldStarts = [
        Situation(
            "the activity is halted before its start", .halted, .certain,
            { scene in
                try await scene.untilStartable()
                try await scene.start([("audience", ["user": "others"])])
                try await scene.call("POST", "/v1/activities/\(scene.activity)/halt")
                try await scene.start()
            },
            remedy: { try await $0.call("POST", "/v1/activities/\($0.activity)/resume") }, then: .shows(0)),
        Situation(
            "the type is halted", .halted, .certain,
            { scene in
                try await scene.untilStartable()
                try await scene.call("POST", "/v1/types/MatchAttributes/halt")
                try await scene.start()
            },
            remedy: { try await $0.call("POST", "/v1/types/MatchAttributes/resume") }, then: .shows(0)),
        Situation(
            "the app is halted", .appHalted, .certain,
            { scene in
                try await scene.untilStartable()
                try await scene.call("POST", "/v1/apps/\(LabConfiguration.bundleID)/halt")
                try await scene.start()
            },
            remedy: { try await $0.call("POST", "/v1/apps/\(LabConfiguration.bundleID)/resume") }, then: .shows(0)),
        Situation(
            "the app is halted, and no activity is asked about", .appHalted, .certain, asks: .phone,
            { scene in
                try await scene.untilStartable()
                try await scene.call("POST", "/v1/apps/\(LabConfiguration.bundleID)/halt")
            },
            remedy: { try await $0.call("POST", "/v1/apps/\(LabConfiguration.bundleID)/resume") },
            then: .finding(.upToDate)),
        Situation(
            "the start is planned for later", .startPlanned, .certain,
            { scene in
                try await scene.untilStartable()
                let moment = scene.lab.now.addingTimeInterval(3_600).formatted(.iso8601)
                try await scene.start([("startsAt", .string(moment))])
            },
            remedy: { try await $0.lab.advanceClock(by: 3_605) }, then: .shows(0)),
        Situation(
            "the profile allows no more starts in the hour", .startBudgetSpent, .certain,
            { scene in
                try await scene.untilStartable()
                try await scene.allowStarts(1)
                try await scene.startRemotely("former-\(scene.number)")
                try await scene.until("the former card") { try scene.phone.cardsInView.count == 1 }
                try await scene.endRemotely("former-\(scene.number)")
                try await scene.until("its end") { try scene.phone.cardsInView.isEmpty }
                try await scene.start()
            },
            remedy: { scene in
                try await scene.allowStarts(1_000)
                try await scene.start(score: 5)
            }, then: .shows(5)),
    ]

    private static let pastStarts = [
        Situation(
            "the person removed a card of the name, and it is started again", .dismissed, .certain,
            { scene in
                try await scene.live()
                try scene.phone.dismiss(.only)
                try await scene.untilFound("dismissed")
                try await scene.start(score: 4)
            },
            remedy: { try await $0.start([("restartDismissed", true)], score: 5) }, then: .shows(5)),
        Situation(
            "a start for a phone that has the card", .shown, .likely,
            { scene in
                try await scene.live()
                try await scene.start()
            }),
        Situation(
            "the activity ended before the start could leave", .ended, .certain,
            { scene in
                try await scene.untilStartable()
                try await scene.call("POST", "/v1/types/MatchAttributes/halt")
                try await scene.start()
                try await scene.end(1)
                try await scene.call("POST", "/v1/types/MatchAttributes/resume")
            },
            remedy: { try await $0.start(score: 5) }, then: .shows(5)),
    ]
}
