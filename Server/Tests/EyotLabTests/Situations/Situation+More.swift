import APNSSimulator
import APNSWire
import ActivityKitStandIn
import EyotContract
import EyotLab
import PhoneSimulator

/// Two causes at once, the other order, and what is asked late.
extension Situation {
    static let combined = twice + late + ofOthers

    private static let twice = [
        Situation(
            "off in Settings, and without a start token that works", .activitiesOff, .certain,
            { scene in
                try await scene.start(refusedAs: [.unregistered])
                try await scene.untilFound("startTokenDead")
                try scene.phone.changeSettings { $0.activitiesEnabled = false }
            },
            remedy: { scene in
                try scene.phone.changeSettings { $0.activitiesEnabled = true }
                try await scene.untilFound("startTokenDead")
                try scene.phone.rotateStartToken()
                try await scene.untilStartable()
                try await scene.start(score: 5)
            }, then: .shows(5)),
        Situation(
            "halted, and the phone is offline", .halted, .certain,
            { scene in
                try await scene.live()
                try scene.phone.goOffline()
                try await scene.call("POST", "/v1/activities/\(scene.activity)/halt")
                try await scene.update(5)
            },
            remedy: { scene in
                try await scene.call("POST", "/v1/activities/\(scene.activity)/resume")
                try scene.phone.goOnline()
            }, then: .shows(5)),
        Situation(
            "dismissed, and then the activity was halted", .dismissed, .certain,
            { scene in
                try await scene.live()
                try scene.phone.dismiss(.only)
                try await scene.untilFound("dismissed")
                try await scene.call("POST", "/v1/activities/\(scene.activity)/halt")
            },
            remedy: { scene in
                try await scene.call("POST", "/v1/activities/\(scene.activity)/resume")
                try await scene.start([("restartDismissed", true)], score: 5)
            }, then: .shows(5)),
        Situation(
            "swiped away twice", .dismissed, .certain,
            { scene in
                for score in 0...1 {
                    try await scene.untilStartable()
                    try await scene.start([("restartDismissed", true)], score: score)
                    try await scene.untilShown(score)
                    try await scene.untilFound("shown")
                    try scene.phone.dismiss(.only)
                    try await scene.untilFound("dismissed")
                }
            },
            remedy: { try await $0.start([("restartDismissed", true)], score: 5) }, then: .shows(5)),
        Situation(
            "Apple's service fails, and the phone is offline", .appleFails, .certain,
            { scene in
                try await scene.live()
                try scene.phone.goOffline()
                scene.faults.stand(.refuse(.serviceUnavailable))
                try await scene.update(5)
            },
            remedy: { scene in
                scene.faults.clear()
                try await scene.lab.advanceClock(by: 120)
                try await scene.accepted(2)
                try scene.phone.goOnline()
            }, then: .shows(5)),
        Situation(
            "the token is dead, and another person has logged in", .previousUser, nil, asks: .device,
            { scene in
                try await scene.live()
                scene.faults.enqueue([.refuse(.unregistered)])
                try await scene.update(3)
                try await scene.untilFound("tokenDead")
                try scene.phone.identify("next-\(scene.number)")
                try await scene.untilFound("upToDate", asking: "user=next-\(scene.number)")
            }),
        Situation(
            "the app ended the card, and the activity ended after it", .endedOnPhone, .certain,
            { scene in
                try await scene.live()
                try await scene.phone.change(.only, LocalChange(contentState: nil, end: .standard))
                try await scene.untilFound("endedOnPhone")
                try await scene.end(2)
            },
            remedy: { try await $0.start(score: 5) }, then: .shows(5)),
        Situation(
            "Allow is not tapped, and the activity ended", .ended, .likely,
            phone: .with { $0.settings.allowed = .afterAsking },
            { scene in
                try await scene.untilStartable()
                try await scene.start()
                try await scene.untilShown(0)
                try await scene.end(2)
                try await scene.reopen()
                try await scene.until("the end") { scene.running.isEmpty }
            }),
        Situation(
            "Allow is not tapped, the activity ended, and the phone has not heard of it", .waitingForAllow, .possible,
            phone: .with { $0.settings.allowed = .afterAsking },
            { scene in
                try await scene.untilStartable()
                try await scene.start()
                try await scene.untilFound("waitingForAllow")
                try await scene.leave()
                try await scene.end(2)
            },
            remedy: { scene in
                try scene.phone.goOnline()
                try await scene.reopen()
            }, then: .noCard),
    ]

    private static let late = [
        Situation(
            "shown, and asked an hour later", .shown, .likely,
            { scene in
                try await scene.live()
                try scene.phone.moveToBackground()
                try await scene.lab.advanceClock(by: 3_600)
            }),
        Situation(
            "dismissed, and asked a day later", .dismissed, .certain,
            { scene in
                try await scene.live()
                try scene.phone.dismiss(.only)
                try await scene.untilFound("dismissed")
                try await scene.lab.advanceClock(by: 86_400)
            },
            remedy: { try await $0.start([("restartDismissed", true)], score: 5) }, then: .shows(5)),
        Situation(
            "ended as declared, and asked nine hours later", .ended, .likely,
            { scene in
                try await scene.live()
                try await scene.end(2)
                try await scene.until("the end") { scene.running.isEmpty }
                try await scene.lab.advanceClock(by: 9 * 3_600)
            }),
        Situation(
            "off in Settings when the card ended, and on since for a day", .endedOnPhone, .certain,
            { scene in
                try await scene.live()
                try scene.phone.changeSettings { $0.activitiesEnabled = false }
                try await scene.untilFound("activitiesOff")
                try scene.phone.changeSettings { $0.activitiesEnabled = true }
                try await scene.lab.advanceClock(by: 86_400)
            },
            remedy: { scene in
                try await scene.untilStartable()
                try await scene.start(score: 5)
            }, then: .shows(5)),
        Situation(
            "the phone came after the start, and a day has passed", .startMissed, .certain,
            phone: .with { $0.isLaunched = false },
            { scene in
                try await scene.start()
                try scene.phone.launch()
                try await scene.untilStartable()
                try await scene.lab.advanceClock(by: 86_400)
            },
            remedy: { try await $0.start(score: 5) }, then: .shows(5)),
        Situation(
            "offline for a day after an update", .overTime, .likely,
            { scene in
                try await scene.live()
                try scene.phone.goOffline()
                try await scene.update(5)
                try await scene.lab.advanceClock(by: 86_400)
            },
            remedy: { scene in
                try scene.phone.goOnline()
                try await scene.untilStartable()
                try await scene.start([("restartDismissed", true)], score: 6)
            }, then: .shows(6)),
        Situation(
            "offline for a day after an update, and online again", .dismissed, .likely,
            { scene in
                try await scene.live()
                try scene.phone.goOffline()
                try await scene.lab.advanceClock(by: 86_400)
                try scene.phone.goOnline()
            },
            remedy: { try await $0.start([("restartDismissed", true)], score: 6) }, then: .shows(6)),
        Situation(
            "dismissed, and Live Activities are off since", .dismissed, .certain,
            { scene in
                try await scene.live()
                try scene.phone.dismiss(.only)
                try await scene.untilFound("dismissed")
                try await scene.switchActivities(on: false)
            },
            remedy: { scene in
                try await scene.switchActivities(on: true)
                try await scene.start([("restartDismissed", true)], score: 5)
            }, then: .shows(5)),
        Situation(
            "an activity that ended is started again, and the phone has the new card", .shown, .likely,
            { scene in
                try await scene.live()
                try await scene.end(2)
                try await scene.until("the end") { scene.running.isEmpty }
                try await scene.start(score: 3)
                try await scene.untilShown(3)
            }),
        Situation(
            "iOS was updated, and the app not opened", .startOnItsWay, .likely,
            { scene in
                try await scene.untilStartable()
                try scene.phone.moveToBackground()
                try scene.phone.goOffline()
                try await scene.start()
            },
            remedy: { scene in
                try scene.phone.goOnline()
                try scene.phone.launch()
            }, then: .shows(0)),
    ]

    private static let ofOthers = [
        Situation(
            "the state was for this user alone, and a later one for all", .shown, .likely,
            { scene in
                try await scene.live()
                try await scene.update(4, [("scope", ["user": .string(scene.user)])])
                try await scene.update(5)
                try await scene.untilShown(5)
            }),
        Situation(
            "a version for this user alone is asked about after a later one for all", .superseded, .certain,
            asks: .version(2),
            { scene in
                try await scene.live()
                try await scene.update(4, [("scope", ["user": .string(scene.user)])])
                try await scene.untilShown(4)
                try await scene.update(5)
                try await scene.untilShown(5)
            }),
        Situation(
            "the newest version is asked about by its number", .shown, .likely, asks: .version(2),
            { scene in
                try await scene.live()
                try await scene.update(5)
                try await scene.untilShown(5)
            }),
        Situation(
            "a version is asked about that Apple refused", .pushRefused, .certain, asks: .version(2),
            { scene in
                try await scene.live()
                scene.faults.enqueue([.refuse(.payloadTooLarge)])
                try await scene.update(3)
                try await scene.untilFound("pushRefused")
            },
            remedy: { try await $0.update(5) }, then: .shows(5)),
        Situation(
            "a version is asked about while the activity is halted", .halted, .certain, asks: .version(2),
            { scene in
                try await scene.live()
                try await scene.call("POST", "/v1/activities/\(scene.activity)/halt")
                try await scene.update(5)
            },
            remedy: { try await $0.call("POST", "/v1/activities/\($0.activity)/resume") }, then: .shows(5)),
        Situation(
            "the user's other phone has the card", .activitiesOff, .certain,
            { scene in
                try await scene.untilStartable()
                _ = try await scene.lab.add(scene.user) { $0.settings.activitiesEnabled = false }
                try await scene.untilFound("activitiesOff", asking: "user=\(scene.user)")
                try await scene.start()
                try await scene.untilShown(0)
                // The phone that was heard of last is the one that is explained.
                try await scene.leave()
                try await scene.lab.advanceClock(by: 60)
                scene.lab.phones.last?.changeSettings { $0.frequentPushesEnabled = false }
            }),
    ]
}
