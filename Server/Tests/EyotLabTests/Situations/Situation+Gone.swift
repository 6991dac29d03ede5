import ActivityKitStandIn
import EyotContract
import EyotLab
import PhoneSimulator

/// Cards that are gone, or that Eyot does not reach any more.
extension Situation {
    static let gone = removed + ended + changedPersons

    private static let restart: Step = { try await $0.start([("restartDismissed", true)], score: 5) }

    private static let removed = [
        Situation(
            "the person swiped the card away", .dismissed, .certain,
            { scene in
                try await scene.live()
                try scene.phone.dismiss(.only)
            },
            remedy: restart, then: .shows(5)),
        Situation(
            "swiped away while the app did not run, and nothing was sent since", .shown, .likely,
            { scene in
                try await scene.live()
                try scene.phone.forceQuit()
                try scene.phone.dismiss(.only)
            }),
        Situation(
            "swiped away while the app did not run, and Apple refused the next push", .tokenDead, .likely,
            { scene in
                try await scene.live()
                try scene.phone.forceQuit()
                try scene.phone.dismiss(.only)
                try await scene.update(3)
            },
            remedy: { scene in
                try scene.phone.launch()
                try await scene.untilFound("unlisted")
                try await restart(scene)
            }, then: .shows(5)),
        Situation(
            "swiped away while the app did not run, and the app was opened", .unlisted, .likely,
            { scene in
                try await scene.live()
                try scene.phone.forceQuit()
                try scene.phone.dismiss(.only)
                try scene.phone.launch()
            },
            remedy: restart, then: .shows(5)),
        Situation(
            "a restart of the phone took the card", .unlisted, .likely,
            phone: .with { $0.rules = PhoneRules().with { $0.cardsSurviveReboot = false } },
            { scene in
                try await scene.live()
                try scene.phone.reboot()
                try scene.phone.launch()
            },
            remedy: restart, then: .shows(5)),
        Situation(
            "the app was deleted, and the card with it", .tokenDead, .likely,
            { scene in
                try await scene.live()
                try scene.phone.reinstall()
                try await scene.update(3)
            },
            remedy: { scene in
                try scene.phone.launch()
                try await scene.untilRegistered()
                try await restart(scene)
            }, then: .shows(5)),
        Situation(
            "Live Activities were switched off", .activitiesOff, .certain,
            { scene in
                try await scene.live()
                try scene.phone.changeSettings { $0.activitiesEnabled = false }
            },
            remedy: { scene in
                try scene.phone.changeSettings { $0.activitiesEnabled = true }
                try await scene.untilStartable()
                try await scene.start(score: 5)
            }, then: .shows(5)),
        Situation(
            "Live Activities were off for a moment", .endedOnPhone, .certain,
            { scene in
                try await scene.live()
                try scene.phone.changeSettings { $0.activitiesEnabled = false }
                try await scene.untilFound("activitiesOff")
                try scene.phone.changeSettings { $0.activitiesEnabled = true }
            },
            remedy: { scene in
                try await scene.untilStartable()
                try await scene.start(score: 5)
            }, then: .shows(5)),
        Situation(
            "another card of the name took the place", .shown, .likely,
            { scene in
                try await scene.live()
                try scene.startInApp()
                try await scene.until("one card") { scene.running.count == 1 && scene.running[0].origin == .local }
            }),
    ]

    private static let ended = [
        Situation(
            "the app ended the card", .endedOnPhone, .certain,
            { scene in
                try await scene.live()
                try await scene.phone.change(.only, LocalChange(contentState: nil, end: .standard))
            },
            remedy: { try await $0.start(score: 5) }, then: .shows(5)),
        Situation(
            "the app ended the card hours ago", .endedOnPhone, .certain,
            { scene in
                try await scene.live()
                try await scene.phone.change(.only, LocalChange(contentState: nil, end: .standard))
                try await scene.untilFound("endedOnPhone")
                try await scene.lab.advanceClock(by: 9.5 * 3_600)
            },
            remedy: { try await $0.start(score: 5) }, then: .shows(5)),
        Situation(
            "the app stopped following the card", .untracked, .certain,
            { scene in
                try await scene.live()
                try await scene.phone.inApp { $0.stopTrackingAll() }
            },
            remedy: { scene in
                try await scene.phone.inApp { eyot in
                    for card in Activity<MatchAttributes>.activities { eyot.observe(card) }
                }
                try await scene.update(5)
            }, then: .shows(5)),
        Situation(
            "iOS ended the card after eight hours", .overTime, .likely,
            { scene in
                try await scene.live()
                try await scene.lab.advanceClock(by: 8.1 * 3_600)
            },
            remedy: { try await $0.start(score: 5) }, then: .shows(5)),
        Situation(
            "Allow was never tapped, for eight hours", .neverAllowed, .likely,
            phone: .with { $0.settings.allowed = .afterAsking },
            { scene in
                try await scene.untilStartable()
                try await scene.start()
                try await scene.untilFound("waitingForAllow")
                try await scene.lab.advanceClock(by: 8.1 * 3_600)
            },
            remedy: { scene in
                try await scene.start(score: 5)
                try await scene.until("the card") { scene.running.count == 1 }
                try scene.phone.pressAllow()
            }, then: .shows(5)),
        Situation(
            "the activity ended, and the phone has it", .ended, .likely,
            { scene in
                try await scene.live()
                try await scene.end(2)
                try await scene.until("the end") { scene.running.isEmpty }
            }),
        Situation(
            "the activity ended while the phone was offline", .ending, .likely,
            { scene in
                try await scene.live()
                try scene.phone.goOffline()
                try await scene.lab.advanceClock(by: 60)
                try await scene.end(2)
            },
            remedy: { try $0.phone.goOnline() }, then: .noCard),
        Situation(
            "the activity ended by its plan", .ended, .likely,
            { scene in
                let moment = scene.lab.now.addingTimeInterval(600).formatted(.iso8601)
                try await scene.live([("endsAt", .string(moment))])
                try await scene.lab.advanceClock(by: 605)
                try await scene.until("the end") { scene.running.isEmpty }
            }),
        Situation(
            "the card of one user was ended alone", .ended, .likely,
            { scene in
                try await scene.live()
                try await scene.end(2, [("scope", ["user": .string(scene.user)])])
                try await scene.until("the end") { scene.running.isEmpty }
            }),
        Situation(
            "the next generation runs without this phone", .notInvited, .likely,
            { scene in
                try await scene.live()
                try await scene.end(2)
                try await scene.until("the end") { scene.running.isEmpty }
                try await scene.start([("audience", ["user": "others"])])
            },
            remedy: { try await $0.start(score: 5) }, then: .shows(5)),
    ]

    private static let changedPersons = [
        Situation(
            "another person logged in", .previousUser, nil, asks: .device,
            { scene in
                try await scene.live()
                try scene.phone.identify("next-\(scene.number)")
            }),
        Situation(
            "another person logged in, and the former one is asked about", .notIdentified, .certain,
            { scene in
                try await scene.live()
                try scene.phone.identify("next-\(scene.number)")
            },
            remedy: { scene in
                try scene.phone.identify(scene.user)
                try await scene.untilStartable()
                try await scene.start(score: 5)
            }, then: .shows(5)),
        Situation(
            "the person logged out", .previousUser, nil, asks: .device,
            { scene in
                try await scene.live()
                try scene.phone.logout()
            }),
        Situation(
            "the app ended the card, and an hour later another person logged in", .endedOnPhone, .certain,
            asks: .device,
            { scene in
                try await scene.live()
                try await scene.phone.change(.only, LocalChange(contentState: nil, end: .standard))
                try await scene.untilFound("endedOnPhone")
                try await scene.lab.advanceClock(by: 3_600)
                try scene.phone.identify("next-\(scene.number)")
                try await scene.untilFound("upToDate", asking: "user=next-\(scene.number)")
            }),
    ]
}

extension PhoneRules {
    func with(_ change: (inout PhoneRules) -> Void) -> PhoneRules {
        var rules = self
        change(&rules)
        return rules
    }
}
