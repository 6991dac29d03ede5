import APNSWire
import EyotDomain

/// R8: only dead tokens count as dead, and they stay dead.
extension Scenario {
    package static let tokens: [Scenario] = [
        Scenario(
            "A rotation is pushed to from then on",
            at(0, .phone("a"), .local("a", name: "m")) + at(5, .call(Call.update(1))) + at(7, .token("a"))
                + at(9, .call(Call.update(2))),
            pushes: ["5 a update 1", "9 a update 2"], phones: ["a": "m=2"]),
        Scenario(
            "A token that is gone is buried and not pushed to again",
            at(0, .phone("a"), .local("a", name: "m")) + at(4, .fates([.refused(.unregistered, deadSince: 4)]))
                + at(5, .call(Call.update(1))) + at(9, .call(Call.update(2))),
            pushes: ["5 a update 1"], phones: ["a": "m=-"]),
        Scenario(
            "A rotation while the verdict on the old token is on its way is not buried by it",
            at(0, .phone("a"), .local("a", name: "m")) + at(4, .fates([.refused(.unregistered, isLate: true)]))
                + at(5, .call(Call.update(1))) + at(6, .token("a")) + at(9, .answers),
            pushes: ["5 a update 1", "10 a update 1"], phones: ["a": "m=1"]),
        Scenario(
            "An acceptance of the old token is not one of the new",
            at(0, .phone("a"), .local("a", name: "m"))
                + at(4, .fates([.init(verdict: .accepted, arrives: false, isLate: true)]))
                + at(5, .call(Call.update(1)))
                + at(6, .token("a")) + at(9, .answers),
            pushes: ["5 a update 1", "10 a update 1"], phones: ["a": "m=1"]),
        Scenario(
            "A token set again after the moment of its death is not buried",
            at(0, .phone("a"), .local("a", name: "m")) + at(3, .fates([.refused(.unregistered, deadSince: -50)]))
                + at(5, .call(Call.update(1))),
            pushes: ["5 a update 1", "6 a update 1"], phones: ["a": "m=1"]),
        Scenario(
            "A token that Apple calls dead a minute after it was set is buried, whatever moment it names",
            at(0, .phone("a"), .local("a", name: "m")) + at(4, .fates([.refused(.unregistered, deadSince: -50)]))
                + at(70, .call(Call.update(1))) + at(300, .call(Call.update(2))),
            pushes: ["70 a update 1"], phones: ["a": "m=-"]),
        Scenario(
            "A dead token that the phone sets again lives again",
            at(0, .phone("a"), .local("a", name: "m")) + at(4, .fates([.refused(.expiredToken, deadSince: 4)]))
                + at(5, .call(Call.update(1))) + at(9, .again("a")),
            pushes: ["5 a update 1", "10 a update 1"], phones: ["a": "m=1"]),
        Scenario(
            "A token of the other environment is found by one probe",
            at(0, .phone("a"), .local("a", name: "m")) + at(4, .fates([.refused(.badDeviceToken)]))
                + at(5, .call(Call.update(1))) + at(9, .call(Call.update(2))),
            pushes: ["5 a update 1", "6 a update 1", "9 a update 2"], phones: ["a": "m=2"]),
        Scenario(
            "A token that neither environment knows is set aside after one probe",
            at(0, .phone("a"), .local("a", name: "m"))
                + at(4, .fates([.refused(.badDeviceToken), .refused(.badDeviceToken)])) + at(5, .call(Call.update(1)))
                + at(9, .call(Call.update(2))) + at(20, .again("a")),
            pushes: ["5 a update 1", "6 a update 1", "21 a update 2"], phones: ["a": "m=2"]),
        Scenario(
            "A token that was set aside has another chance when the operator says that all is mended",
            at(0, .phone("a"), .local("a", name: "m"))
                + at(4, .fates([.refused(.badDeviceToken), .refused(.badDeviceToken)])) + at(5, .call(Call.update(1)))
                + at(30, .resume),
            pushes: ["5 a update 1", "6 a update 1", "30 a update 1"], phones: ["a": "m=1"]),
        Scenario(
            "A buried token that is restored gets the newest state at once",
            at(0, .phone("a"), .local("a", name: "m")) + at(4, .fates([.refused(.unregistered, deadSince: 4)]))
                + at(5, .call(Call.update(1))) + at(9, .call(Call.update(2)))
                + at(20, .restore(.activity("m"), reason: .expiredToken)) + at(30, .restore(.activity("m")))
                + at(40, .restore(.app)),
            pushes: ["5 a update 1", "30 a update 2"], phones: ["a": "m=2"]),
        Scenario(
            "A restored token that Apple refuses again is buried again",
            at(0, .phone("a"), .local("a", name: "m"))
                + at(4, .fates(Array(repeating: .refused(.unregistered, deadSince: 4), count: 2)))
                + at(5, .call(Call.update(1))) + at(20, .restore(.app)) + at(30, .call(Call.update(2))),
            pushes: ["5 a update 1", "20 a update 1"], phones: ["a": "m=-"]),
        Scenario(
            "A token that is restored after its end is ended",
            at(0, .phone("a"), .local("a", name: "m")) + at(4, .fates([.refused(.unregistered, deadSince: 4)]))
                + at(5, .call(Call.update(1))) + at(9, .call(Call.end(2)))
                + at(20, .restore(.replica("m", ordinal: 1))),
            pushes: ["5 a update 1", "20 a end 2"], phones: ["a": "m=2 ended"]),
        Scenario(
            "A restored card whose name another card of its phone has taken makes way",
            at(0, .phone("a"), .local("a", name: "m")) + at(4, .fates([.refused(.unregistered, deadSince: 4)]))
                + at(5, .call(Call.update(1))) + at(9, .local("a", name: "m")) + at(20, .restore(.app)),
            pushes: ["5 a update 1", "10 a.2 update 1", "20 a end 1"], phones: ["a": "m=1 ended, m=1"]),
        Scenario(
            "A card that iOS has ended meanwhile is not restored",
            at(0, .phone("a"), .local("a", name: "m")) + at(4, .fates([.refused(.unregistered, deadSince: 4)]))
                + at(5, .call(Call.update(1))) + at(30_000, .restore(.app)),
            pushes: ["5 a update 1"], phones: ["a": "m=-"], until: 30_100),
        Scenario(
            "A start token that was buried starts cards again when it is restored",
            at(0, .phone("a")) + at(0.5, .fates([.refused(.unregistered)])) + at(1, .call(Call.start(1)))
                + at(9, .call(Call.put(1))) + at(20, .restore(.app)) + at(30, .call(Call.put(1))),
            pushes: ["1 a start 1!", "30 a start 1!"], phones: ["a": "m=1"]),
        Scenario(
            "A start token of the other environment is found by one probe",
            at(0, .phone("a")) + at(0.5, .fates([.refused(.badDeviceToken)])) + at(1, .call(Call.start(1))),
            pushes: ["1 a start 1!", "2 a start 1!"], phones: ["a": "m=1"]),
        Scenario(
            "A key that Apple does not take pauses the app and buries nothing",
            at(0, .phone("a"), .local("a", name: "m")) + at(4, .fates([.refused(.invalidProviderToken)]))
                + at(5, .call(Call.update(1))) + at(20, .call(Call.update(2))) + at(30, .resume),
            pushes: ["5 a update 1", "30 a update 2"], phones: ["a": "m=2"]),
        Scenario(
            "A provider token that has expired is no fault of the device's",
            at(0, .phone("a"), .local("a", name: "m")) + at(4, .fates([.refused(.expiredProviderToken)]))
                + at(5, .call(Call.update(1))),
            pushes: ["5 a update 1", "6 a update 1"], phones: ["a": "m=1"]),
        wrongTopic,
        madeUpTokens,
        Scenario(
            "A repeated registration changes nothing",
            at(0, .phone("a"), .local("a", name: "m")) + at(5, .call(Call.update(1))) + at(7, .again("a")),
            pushes: ["5 a update 1"], phones: ["a": "m=1"]),
    ]

    /// Forty phones with pushes that are all refused for their topic from the second state on, which is the app's
    /// fault. Twenty-six refusals show it (5 % of 500), and pushes under way meet the same fate. A trial finds that the
    /// fault is corrected, and all cards are brought up to date.
    private static let wrongTopic: Scenario = {
        let phones = (10..<50).map { "p\($0)" }
        return Scenario(
            "A wrong topic that would bury every token pauses the app and buries none",
            at(0)
                + phones.flatMap { at(0, .phone($0), .local($0, name: "m")) }
                + at(3, .call(Call.update(1)))
                + at(4, .fates(Array(repeating: .refused(.deviceTokenNotForTopic), count: 40)))
                + at(5, .call(Call.update(2))),
            pushes: phones.map { "3 \($0) update 1" } + phones.map { "5 \($0) update 2" }
                + phones.map { "65 \($0) update 2" },
            phones: Dictionary(uniqueKeysWithValues: phones.map { ($0, "m=2") }), until: 90)
    }()

    /// Made-up tokens of phones that must not stop the others.
    private static let madeUpTokens: Scenario = {
        let phones = (10..<50).map { "p\($0)" }
        return Scenario(
            "Tokens that never worked are set aside, however many they are, and nothing is paused",
            at(0)
                + phones.flatMap { at(0, .phone($0), .local($0, name: "m")) }
                + at(4, .fates(Array(repeating: .refused(.badDeviceToken), count: 80)))
                + at(5, .call(Call.update(1))) + at(8, .phone("good"), .local("good", name: "m"))
                + at(9, .call(Call.update(2))),
            pushes: phones.map { "5 \($0) update 1" } + phones.map { "6 \($0) update 1" } + [
                "9 good update 1", "10 good update 2",
            ],
            phones: Dictionary(uniqueKeysWithValues: phones.map { ($0, "m=-") } + [("good", "m=2")]))
    }()
}
