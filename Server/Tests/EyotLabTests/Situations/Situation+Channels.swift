import APNSSimulator
import APNSWire
import EyotContract
import EyotLab
import PhoneSimulator

/// Cards that follow a channel, and what keeps a whole app from being pushed to.
extension Situation {
    static let wide = channels + apps + crowds + lostChannels

    private static let followed: Step = { try await $0.live([("channel", true)]) }

    private static let channels = [
        Situation(
            "a card of a channel shows the newest state", .shown, .likely,
            { scene in
                try await followed(scene)
                try await scene.update(5)
                try await scene.untilShown(5)
            }),
        Situation(
            "the phone of a channel is offline", .offline, .possible,
            { scene in
                try await followed(scene)
                try scene.phone.goOffline()
                try await scene.lab.advanceClock(by: 60)
                try await scene.update(5)
                try await scene.broadcast(2)
                try await scene.lab.advanceClock(by: 60)
            },
            remedy: { try $0.phone.goOnline() }, then: .shows(5)),
        Situation(
            "Apple no longer has the channel, and the phone is offline", .startOnItsWay, .likely,
            { scene in
                try await followed(scene)
                try scene.phone.goOffline()
                try await scene.loseChannel()
            },
            remedy: { scene in
                try scene.phone.goOnline()
                try await scene.reopen()
            }, then: .shows(3)),
        Situation(
            "Apple no longer has the channel, and the next state is declared", .startOnItsWay, .likely,
            { scene in
                try await followed(scene)
                try scene.phone.goOffline()
                try await scene.loseChannel()
                try await scene.update(5)
            },
            remedy: { scene in
                try scene.phone.goOnline()
                try await scene.reopen()
            }, then: .shows(5)),
        Situation(
            "Apple no longer has the channel, and the start token is dead", .channelLost, .certain,
            { scene in
                try await followed(scene)
                try await scene.loseChannelAndStartToken()
            },
            remedy: { scene in
                try scene.phone.rotateStartToken()
                try await scene.reopen()
            }, then: .shows(3)),
        Situation(
            "Apple slows the channel down", .slowed, .certain,
            { scene in
                try await followed(scene)
                scene.broadcastFaults.stand(.refuse(.tooManyRequests))
                try await scene.update(5)
            },
            remedy: { scene in
                scene.broadcastFaults.clear()
                try await scene.lab.advanceClock(by: 120)
            }, then: .shows(5)),
        Situation(
            "Apple's service fails at a broadcast", .appleFails, .certain,
            { scene in
                try await followed(scene)
                scene.broadcastFaults.stand(.refuse(.serviceUnavailable))
                try await scene.update(5)
            },
            remedy: { scene in
                scene.broadcastFaults.clear()
                try await scene.lab.advanceClock(by: 120)
            }, then: .shows(5)),
        Situation(
            "the activity of a channel is halted", .halted, .certain,
            { scene in
                try await followed(scene)
                try await scene.call("POST", "/v1/activities/\(scene.activity)/halt")
                try await scene.update(5)
            },
            remedy: { try await $0.call("POST", "/v1/activities/\($0.activity)/resume") }, then: .shows(5)),
        Situation(
            "the state of a channel is stale", .stale, .likely,
            { scene in
                try await followed(scene)
                try await scene.update(3, [("staleAfter", 60)])
                try await scene.untilShown(3)
                try await scene.lab.advanceClock(by: 70)
            },
            remedy: { try await $0.update(5, [("staleAfter", 3_600)]) }, then: .shows(5)),
        Situation(
            "the activity of a channel has ended, and the phone has it", .ended, .likely,
            { scene in
                try await followed(scene)
                try await scene.end(2)
                try await scene.until("the end") { scene.running.isEmpty }
            }),
        Situation(
            "the activity of a channel ended while the phone was offline", .ending, .likely,
            { scene in
                try await followed(scene)
                try scene.phone.goOffline()
                try await scene.lab.advanceClock(by: 60)
                try await scene.end(2)
            },
            remedy: { try $0.phone.goOnline() }, then: .noCard),
        Situation(
            "the person swiped the card of a channel away", .dismissed, .certain,
            { scene in
                try await followed(scene)
                try scene.phone.dismiss(.only)
            },
            remedy: { try await $0.start([("restartDismissed", true)], score: 5) }, then: .shows(5)),
        Situation(
            "a former version of a channel is asked about", .superseded, .certain, asks: .version(2),
            { scene in
                try await followed(scene)
                try await scene.update(3)
                try await scene.untilShown(3)
                try await scene.update(5)
                try await scene.untilShown(5)
            }),
    ]

    private static let apps = [
        Situation(
            "the app is not allowed to push, and a new phone is to be started", .appPaused, .certain,
            { scene in
                try await scene.untilStartable()
                scene.faults.stand(.refuse(.topicDisallowed))
                try await scene.start()
            },
            remedy: { scene in
                scene.faults.clear()
                try await scene.call("POST", "/v1/apps/\(LabConfiguration.bundleID)/resume")
            }, then: .shows(0))
    ]

    private static let crowds = [
        Situation(
            "a canary tries the state with others first", .heldByCanary, .certain,
            phone: .with { $0.isLaunched = false },
            { try await $0.canary(5) },
            remedy: { scene in
                scene.faults.clear()
                try await scene.lab.advanceClock(by: 60)
                try await scene.until("the end of the trial") { try await scene.canaryState == "waiting" }
                try await scene.lab.advanceClock(by: 60)
            }, then: .shows(5)),
        Situation(
            "a canary holds the state back, and it is declared without one", .heldByCanary, .certain,
            phone: .with { $0.isLaunched = false },
            { try await $0.canary(3) },
            remedy: { scene in
                scene.faults.clear()
                try await scene.update(5)
                try await scene.lab.advanceClock(by: 10)
            }, then: .shows(5)),
    ]

    private static let lostChannels = [
        Situation(
            "Apple no longer has the channel, and the app has brought the newest state", .channelLost, .certain,
            { scene in
                try await followed(scene)
                try await scene.loseChannelAndStartToken()
                try await scene.reopen()
                try await scene.untilShown(3)
            },
            remedy: { scene in
                try scene.phone.rotateStartToken()
                try await scene.reopen()
                try await scene.untilStartable()
                try await scene.update(5)
            }, then: .shows(5))
    ]
}
