import EyotContract
import EyotLab
import PhoneSimulator

/// Phones that got no card, because of what they and their people are.
extension Situation {
    static let withoutCard = settings + people + audiences

    private static let startAgain: Step = { try await $0.start(score: 5) }

    private static let settings = [
        Situation(
            "Live Activities are off", .activitiesOff, .certain,
            phone: .with { $0.settings.activitiesEnabled = false },
            { try await $0.start() },
            remedy: { scene in
                try scene.phone.changeSettings { $0.activitiesEnabled = true }
                try await scene.untilStartable()
                try await scene.start(score: 5)
            }, then: .shows(5)),
        Situation(
            "Live Activities are off, and the phone is asked about", .activitiesOff, .certain,
            phone: .with { $0.settings.activitiesEnabled = false }, asks: .phone, { _ in },
            remedy: { scene in
                try scene.phone.changeSettings { $0.activitiesEnabled = true }
                try await scene.untilStartable()
                try await scene.start(score: 5)
            }, then: .shows(5)),
        Situation(
            "iOS 16.4", .osTooOld, .certain, phone: .with { $0.os = IOSVersion(16, 4) }, { try await $0.start() },
            remedy: { try $0.startInApp() }, then: .shows(0)),
        Situation(
            "iOS 17.1, and the phone is asked about", .osTooOld, .certain,
            phone: .with { $0.os = IOSVersion(17, 1) }, asks: .phone,
            { try await $0.start([("public", true)]) },
            remedy: { scene in
                try scene.startInApp()
                try await scene.update(5)
            }, then: .shows(5)),
        Situation(
            "the person has not tapped Allow", .waitingForAllow, .possible,
            phone: .with { $0.settings.allowed = .afterAsking },
            { scene in
                try await scene.untilStartable()
                try await scene.start()
                try await scene.untilShown(0)
                try await scene.update(5)
            },
            remedy: { try $0.phone.pressAllow() }, then: .shows(5)),
        Situation(
            "the phone is offline when the start comes", .startOnItsWay, .likely,
            { scene in
                try await scene.untilStartable()
                try scene.phone.goOffline()
                try await scene.start()
                try await scene.update(5)
            },
            remedy: { try $0.phone.goOnline() }, then: .shows(5)),
        Situation(
            "the start comes in Low Power Mode", .startOnItsWay, .likely,
            phone: .with { $0.settings.lowPowerMode = true },
            { scene in
                try await scene.untilStartable()
                try await scene.quit()
                try await scene.start()
            }),
        Situation(
            "the start came in Low Power Mode, and the app was opened", .startDropped, .likely,
            phone: .with { $0.settings.lowPowerMode = true },
            { scene in
                try await scene.untilStartable()
                try await scene.quit()
                try await scene.start()
                try await scene.untilFound("startOnItsWay")
                try await scene.lab.advanceClock(by: 120)
                try scene.phone.launch()
            },
            remedy: { scene in
                try scene.phone.changeSettings { $0.lowPowerMode = false }
                try await scene.start(score: 5)
            }, then: .shows(5)),
    ]

    private static let people = [
        Situation(
            "a user that was never heard of", .notRegistered, .certain, phone: nil, asks: .phone, { _ in }),
        Situation(
            "a user that was never heard of, of an activity", .notRegistered, .certain, phone: nil,
            { scene in try await scene.start([("public", true)]) }),
        Situation(
            "a user that only the backend knows", .notIdentified, .certain, phone: nil,
            { scene in
                try await scene.call("PUT", "/v1/users/\(scene.user)", ["tags": ["vip"]])
                try await scene.start()
            }),
        Situation(
            "the app was never opened", .notIdentified, .certain, phone: .with { $0.isLaunched = false },
            { try await $0.start() },
            remedy: { scene in
                try scene.phone.launch()
                try await scene.untilStartable()
                try await scene.start(score: 5)
            }, then: .shows(5)),
        Situation(
            "the person has logged out", .notIdentified, .certain,
            { scene in
                try await scene.untilStartable()
                try scene.phone.logout()
                try await scene.untilFound("notIdentified", asking: "user=\(scene.user)")
                try await scene.start()
            },
            remedy: { scene in
                try scene.phone.identify(scene.user)
                try await scene.untilStartable()
                try await scene.start(score: 5)
            }, then: .shows(5)),
        Situation(
            "the phone has no user, and the device is asked about", .notIdentified, .likely, asks: .device,
            { scene in
                try await scene.untilStartable()
                try scene.phone.logout()
                try await scene.untilFound("notIdentified", asking: "user=\(scene.user)")
                try await scene.start()
            },
            remedy: { scene in
                try scene.phone.identify(scene.user)
                try await scene.untilStartable()
                try await scene.start(score: 5)
            }, then: .shows(5)),
        Situation(
            "another person is logged in", .notIdentified, .certain,
            { scene in
                try await scene.untilStartable()
                try scene.phone.identify("other-\(scene.number)")
                try await scene.untilFound("upToDate", asking: "user=other-\(scene.number)")
                try await scene.start()
            },
            remedy: { scene in
                try scene.phone.identify(scene.user)
                try await scene.untilStartable()
                try await scene.start(score: 5)
            }, then: .shows(5)),
        Situation(
            "an operator removed the device", .notIdentified, .certain,
            { scene in
                try await scene.untilStartable()
                try scene.phone.forceQuit()
                try await scene.call("DELETE", "/v1/devices/\(try scene.phone.deviceID ?? "")")
                try await scene.start()
            },
            remedy: { scene in
                try await scene.reopen()
                try await scene.untilStartable()
                try await scene.start(score: 5)
            }, then: .shows(5)),
        Situation(
            "the app was deleted and installed again, and not opened", .upToDate, .likely, asks: .phone,
            { scene in
                try await scene.untilStartable()
                try scene.phone.reinstall()
            }),
    ]

    private static let audiences = [
        Situation(
            "the start was for others", .notInvited, .likely,
            { scene in
                try await scene.untilStartable()
                try await scene.start([("audience", ["user": "nobody-at-all"])])
            },
            remedy: startAgain, then: .shows(5)),
        Situation(
            "the phone came after the start", .startMissed, .certain, phone: .with { $0.isLaunched = false },
            { scene in
                try await scene.start()
                try scene.phone.launch()
                try await scene.untilStartable()
            },
            remedy: startAgain, then: .shows(5)),
        Situation(
            "Live Activities were off when the start came", .startMissed, .certain,
            phone: .with { $0.settings.activitiesEnabled = false },
            { scene in
                try await scene.untilFound("activitiesOff", asking: "user=\(scene.user)")
                try await scene.start()
                try scene.phone.changeSettings { $0.activitiesEnabled = true }
                try await scene.untilStartable()
            },
            remedy: startAgain, then: .shows(5)),
        Situation(
            "the person logged in after the start", .startMissed, .likely,
            { scene in
                try await scene.untilStartable()
                try scene.phone.logout()
                try await scene.untilFound("notIdentified", asking: "user=\(scene.user)")
                try await scene.start()
                try scene.phone.identify(scene.user)
                try await scene.untilStartable()
            },
            remedy: startAgain, then: .shows(5)),
        Situation(
            "the phone came after a start with live", .shown, .likely, phone: .with { $0.isLaunched = false },
            { scene in
                try await scene.start([("live", true)])
                try scene.phone.launch()
                try await scene.untilShown(0)
            }),
        Situation(
            "only the phone has named the activity", .nothingDeclared, .certain,
            { scene in
                try await scene.untilStartable()
                try scene.startInApp()
            },
            remedy: { try await $0.update(5) }, then: .shows(5)),
        Situation(
            "the activity had ended before the phone came", .ended, .certain, phone: .with { $0.isLaunched = false },
            { scene in
                try await scene.start()
                try await scene.end(1)
                try scene.phone.launch()
                try await scene.untilStartable()
            },
            remedy: startAgain, then: .shows(5)),
        Situation(
            "the app has no such type", .typeUnknown, .certain,
            { scene in
                try await scene.untilStartable()
                try await scene.call(
                    "POST", "/v1/activities/\(scene.activity)/start",
                    [
                        "type": "OrderAttributes", "attributes": [:], "contentState": [:],
                        "audience": ["user": .string(scene.user)], "alert": ["title": "t", "body": "b"],
                    ])
            }),
        Situation(
            "the phone shows five other cards", .tooManyCards, .likely,
            { scene in
                try await scene.untilStartable()
                for number in 1...5 { try await scene.startOther("other-\(scene.number)-\(number)") }
                try await scene.start()
            },
            remedy: { scene in
                for number in 1...5 {
                    try await scene.endRemotely("other-\(scene.number)-\(number)")
                }
                try await scene.until("room") { try scene.phone.cardsInView.isEmpty }
                try await scene.start([("force", true)], score: 5)
            }, then: .shows(5)),
    ]
}
