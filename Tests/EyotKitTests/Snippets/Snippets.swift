// What the documentation shows as code stands here, word for word, so that it compiles; a house rule sees to it.
import EyotContract
import EyotKit
import Foundation
import PhoneSimulator

private enum Snippets {
    struct MatchAttributes: ActivityAttributes, EyotActivityAttributes {
        struct ContentState: Codable, Hashable {
            var home: Int
            var away: Int
        }

        var teams: String
        var eyotActivityName: String?
    }

    struct OrderAttributes: ActivityAttributes {
        struct ContentState: Codable, Hashable {
            var minutes: Int
        }

        var number: Int
    }

    struct Images: Sendable {
        func fetch(_ name: String) async {}
    }

    static func setUp(server: URL) {
        let eyot = Eyot.configure(EyotConfiguration(server: server, appKey: "eyot_pk_…"))
        eyot.follow(MatchAttributes.self)
        if #available(iOS 16.2, *) { eyot.follow(MatchAttributes.self) }
    }

    static func names(_ eyot: Eyot, _ activity: Activity<OrderAttributes>) {
        eyot.resume(OrderAttributes.self) { attributes in "order-\(attributes.number)" }
        eyot.observe(activity, name: "order-42")
    }

    static func request(_ eyot: Eyot) throws {
        let activity = try Activity.request(
            attributes: MatchAttributes(teams: "ARG–FRA", eyotActivityName: "final-2022"),
            content: ActivityContent(state: MatchAttributes.ContentState(home: 0, away: 0), staleDate: nil),
            pushType: .token)
        eyot.observe(activity)
    }

    static func start(_ eyot: Eyot, at date: Date) async throws {
        try await eyot.start(MatchAttributes.self, name: "final-2022")
        let kickOff = LaterStart(
            date: date, alert: AlertConfiguration(title: "Kick-off", body: "ARG–FRA", sound: .default))
        try await eyot.start(MatchAttributes.self, name: "final-2022", later: kickOff)
        for card in await eyot.scheduledCards(of: MatchAttributes.self) { print(card.name ?? "", card.date ?? "") }
        try await eyot.moveScheduled(MatchAttributes.self, name: "final-2022", to: kickOff)
        await eyot.cancelScheduled(MatchAttributes.self, name: "final-2022")
    }

    static func join(_ eyot: Eyot, with secret: String) async throws {
        eyot.join("order-1002", secret: secret)
        try await eyot.start(MatchAttributes.self, name: "order-1002")
    }

    static func follow(
        _ eyot: Eyot, _ attributes: MatchAttributes, _ content: ActivityContent<MatchAttributes.ContentState>
    ) async throws {
        let channel = try await eyot.channel(of: "final-2022")
        let activity = try Activity.request(
            attributes: attributes, content: content, pushType: channel.map { .channel($0) } ?? .token)
        eyot.observe(activity)
    }

    static func change(
        _ eyot: Eyot, _ activity: sending Activity<MatchAttributes>,
        _ content: ActivityContent<MatchAttributes.ContentState>
    ) async {
        eyot.willChangeLocally(activity)
        await activity.update(content)
    }

    static func end(
        _ eyot: Eyot, _ activity: sending Activity<MatchAttributes>,
        _ content: ActivityContent<MatchAttributes.ContentState>
    ) async {
        eyot.willEndLocally(activity)
        await activity.end(content, dismissalPolicy: .immediate)
    }

    static func prepare(_ configuration: inout EyotConfiguration, _ images: Images) {
        configuration.prepareCard = { appeared in
            guard let match = try? appeared.attributes(as: MatchAttributes.self) else { return }
            await images.fetch(match.teams)
        }
    }

    static func person(_ eyot: Eyot, token: String) {
        eyot.identify("user-4711", signature: token)
        eyot.addTags(["season-ticket"])
        eyot.setAttribute("team", to: "ARG")
        eyot.logout()
    }

    static func listen(_ eyot: Eyot, showHint: (Bool) -> Void, log: (String) -> Void) async {
        for await event in eyot.events {
            switch event {
            case .permissions(let now): showHint(now.activities == false)
            case .problem(let problem): log("\(problem)")
            default: break
            }
        }
    }

    static func watch(_ eyot: Eyot, show: (CardStatus) -> Void) async {
        for await status in eyot.statusUpdates(of: "final-2022") { show(status) }
        eyot.tapped("final-2022")
    }

    static func test(server: URL, appKey: String, folder: URL) async {
        let setup = PhoneConfiguration(
            id: "phone-1", os: IOSVersion(18, 1), bundleID: "com.example.match",
            types: [.decoding(MatchAttributes.self)])
        let phone = SimulatedPhone(setup, clock: { Date() })
        let eyot = Eyot(
            configuration: EyotConfiguration(
                server: server, appKey: appKey, environment: .sandbox, bundleID: "com.example.match",
                directory: folder, capabilities: Capabilities(iOS: 18, 1)))
        await PhoneProcess.$current.withValue(phone.launch()) {
            let running = Task { await eyot.run() }
            eyot.register(MatchAttributes.self)
            for await event in eyot.events {
                if case .registered = event { break }
            }
            running.cancel()
            await running.value
        }
    }
}
