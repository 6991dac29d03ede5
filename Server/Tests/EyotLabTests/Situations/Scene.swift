import APNSSimulator
import APNSWire
import EyotContract
import EyotLab
import PhoneSimulator
import Testing

/// The place of one situation: a user, a phone and an activity that no other situation has.
struct Scene: Sendable {
    /// The time of the wall clock within which something has to become true, also on a machine that is busy.
    private static let patience = Duration.seconds(60)

    let lab: Lab
    let number: Int
    /// The user's phone; nil if the situation is about a user without one.
    let device: LabPhone?

    var user: String { "anna-\(number)" }
    var activity: String { "match-\(number)" }
    var phone: LabPhone { get throws { try #require(device) } }

    // MARK: Calls

    /// Makes a call that has to be accepted.
    @discardableResult
    func call(_ method: String, _ path: String, _ body: JSONValue? = nil) async throws -> JSONValue {
        let answer = try await lab.api.call(method, path, body: body)
        try #require((200..<300).contains(answer.status), "\(method) \(path): \(answer.problem)")
        return answer.body
    }

    private func declare(_ verb: String, _ score: Int, _ members: [(String, JSONValue)]) async throws {
        var body = JSONObject([("contentState", Lab.state(score: score))])
        for (name, value) in members { body[name] = value == .null ? nil : value }
        try await call("POST", "/v1/activities/\(activity)/\(verb)", .object(body))
    }

    /// Starts the activity for the user, with score 0. A member that is null is left out.
    func start(_ members: [(String, JSONValue)] = [], score: Int = 0) async throws {
        let attributes: JSONValue = ["eyotActivityName": .string(activity), "home": "ARG", "away": "FRA"]
        try await declare(
            "start", score,
            [
                ("type", "MatchAttributes"), ("attributes", attributes), ("audience", ["user": .string(user)]),
                ("alert", ["title": "Kick-off", "body": "Now"]),
            ] + members)
    }

    func update(_ score: Int, _ members: [(String, JSONValue)] = []) async throws {
        try await declare("update", score, members)
    }

    func end(_ score: Int, _ members: [(String, JSONValue)] = []) async throws {
        try await declare("end", score, members)
    }

    // MARK: The phone

    /// The cards of the activity that run on the phone.
    var running: [SimulatedCard] {
        device.map { phone in
            phone.state.cards.filter { phone.name(of: $0) == activity && ($0.phase == .active || $0.phase == .stale) }
        } ?? []
    }

    func shows(_ score: Int) -> Bool {
        running.count == 1 && running[0].content.state.object?["homeScore"]?.integer == score
            && running[0].phase == .active
    }

    /// Waits until the phone shows one card with this score, which is not grey.
    func untilShown(_ score: Int) async throws {
        try await until("the phone shows \(score)", { shows(score) }, or: { await state })
    }

    /// The cards that run, and what is found.
    private var state: String {
        get async {
            let shown = running.map { $0.content.state.object?["homeScore"]?.text ?? "?" }
            let finding = try? await why(query(.user))
            return "it shows \(shown); \(finding.map { JSONValue.object($0).text } ?? "")"
        }
    }

    /// The app starts a card of the activity by itself.
    func startInApp(_ name: String? = nil) throws {
        let attributes: JSONValue = ["eyotActivityName": .string(name ?? activity), "home": "ARG", "away": "FRA"]
        try phone.start(
            LocalStart(type: "MatchAttributes", attributes: attributes, contentState: Lab.state(score: 0)))
    }

    /// The app starts a card of another activity, and the server gets to know it.
    func startOther(_ name: String) async throws {
        try startInApp(name)
        try await untilFound("nothingDeclared", asking: "user=\(user)&activity=\(name)")
    }

    /// Starts the activity, and waits until the server can push to its card and knows what it shows.
    func live(_ members: [(String, JSONValue)] = []) async throws {
        try await untilStartable()
        try await start(members)
        try await untilFound("shown")
    }

    /// Closes the app, and opens it again.
    func reopen() async throws {
        try phone.forceQuit()
        try phone.launch()
    }

    /// Closes the app and takes the phone offline, when nothing of it is on its way any more.
    func leave() async throws {
        try await quit()
        try phone.goOffline()
    }

    /// Closes the app, and waits until nothing of it is on its way any more. A report from before a start that arrives
    /// after it would speak against the start's card.
    func quit() async throws {
        try phone.forceQuit()
        // The server is asked some times in a row, and has not heard of the phone meanwhile.
        var (seen, count) = ("", 0)
        try await until("silence") {
            let device = try await call("GET", "/v1/devices/\(try phone.deviceID ?? "")").object
            let latest = device?["seenAt"]?.string ?? ""
            (seen, count) = (latest, latest == seen ? count + 1 : 0)
            return count == 5
        }
    }

    /// Switches Live Activities of the app on or off, and waits until the server knows.
    func switchActivities(on isOn: Bool) async throws {
        try phone.changeSettings { $0.activitiesEnabled = isOn }
        try await until("the settings") {
            let device = try await call("GET", "/v1/devices/\(try phone.deviceID ?? "")").object
            return device?["permissions"]?.object?["activities"]?.bool == isOn
        }
    }

    /// Waits until the server has heard of the phone's user and can start cards on the phone.
    func untilStartable() async throws { try await untilFound("upToDate", asking: "user=\(user)") }

    /// Waits until the app's new installation has registered and can be started.
    func untilRegistered() async throws {
        try await until("the registration") { try phone.deviceID != nil }
        try await untilFound("upToDate", asking: "device=\(try phone.deviceID ?? "")")
    }

    // MARK: Findings

    func query(_ question: Situation.Question) throws -> String {
        switch question {
        case .user: "user=\(user)&activity=\(activity)"
        case .phone: "user=\(user)"
        case .device: "device=\(try #require(phone.deviceID))&activity=\(activity)"
        case .version(let version): "user=\(user)&activity=\(activity)&version=\(version)"
        }
    }

    func why(_ query: String) async throws -> JSONObject {
        try await lab.api.call("GET", "/v1/why?\(query)").body.object?["finding"]?.object ?? JSONObject()
    }

    /// Waits until the finding has this code.
    ///
    /// - Returns: The finding.
    @discardableResult
    func untilFound(
        _ code: String, _ confidence: String? = nil, asking query: String? = nil
    ) async throws -> JSONObject {
        let query = try query ?? self.query(.user)
        var last = JSONObject()
        let isFound = {
            last = try await why(query)
            return last["code"]?.string == code && confidence.map { last["confidence"]?.string == $0 } ?? true
        }
        try await until(
            "\(query) is \(code) \(confidence ?? "")", isFound, or: { "it is \(JSONValue.object(last).text)" })
        return last
    }

    /// Waits until a condition holds.
    ///
    /// - Throws: ``Overdue`` after some seconds.
    func until(
        _ what: String, _ condition: () async throws -> Bool, or state: () async -> String = { "" }
    ) async throws {
        let deadline = ContinuousClock.now + Self.patience
        while try await !condition() {
            guard ContinuousClock.now < deadline else {
                throw Overdue(description: "\(what) never came; \(await state())")
            }
            await Task.yield()
        }
    }

    struct Overdue: Error, CustomStringConvertible {
        let description: String
    }
}

/// Faults of Apple, and other activities on the same phone.
extension Scene {
    var faults: FaultScript { lab.simulator.faults(of: .push) }

    /// Starts the activity while Apple refuses the next pushes for these reasons.
    func start(refusedAs reasons: [APNSReason]) async throws {
        try await untilStartable()
        faults.enqueue(reasons.map { .refuse($0) })
        try await start()
    }

    /// Starts another activity for the user.
    func startRemotely(_ name: String) async throws {
        try await call(
            "POST", "/v1/activities/\(name)/start",
            [
                "type": "MatchAttributes", "contentState": Lab.state(score: 0), "audience": ["user": .string(user)],
                "attributes": ["eyotActivityName": .string(name), "home": "ARG", "away": "FRA"],
                "alert": ["title": "Kick-off", "body": "Now"],
            ])
    }

    /// Ends another activity of the user, so that its card leaves the screen.
    func endRemotely(_ name: String) async throws {
        try await call(
            "POST", "/v1/activities/\(name)/end",
            ["contentState": Lab.state(score: 0), "dismissalDate": "2020-01-01T00:00:00Z"])
    }
}

extension Scene {
    /// Waits until Apple has accepted a version for the card.
    func accepted(_ version: Int) async throws {
        try await until("Apple accepts version \(version)") {
            let replicas = try await call("GET", "/v1/activities/\(activity)/replicas").object?["replicas"]?.array
            return replicas?.first?.object?["accepted"]?.integer == version
        }
    }

    /// Sends more updates with priority 10 than iOS lets through, while the app does not run.
    func spendBudget() async throws {
        try await live()
        try phone.moveToBackground()
        try await lab.advanceClock(by: 60)
        for number in 1...15 {
            try await update(number, [("priority", 10)])
            try await accepted(number + 1)
        }
        try await lab.advanceClock(by: 60)
    }
}

extension Scene {
    var broadcastFaults: FaultScript { lab.simulator.faults(of: .broadcast) }

    /// Updates the activity while Apple says that its channels are gone, until the server has planned another card.
    func loseChannel() async throws {
        broadcastFaults.stand(.refuse(.channelNotRegistered))
        try await update(3)
        try await untilFound("startOnItsWay")
        broadcastFaults.clear()
    }

    /// The phone's start token dies, and the activity is updated while Apple says that its channels are gone.
    func loseChannelAndStartToken() async throws {
        let other = "other-\(number)"
        faults.enqueue([.refuse(.unregistered)])
        try await startRemotely(other)
        try await untilFound("startTokenDead", asking: "user=\(user)&activity=\(other)")
        broadcastFaults.stand(.refuse(.channelNotRegistered))
        try await update(3)
        try await untilFound("channelLost")
        broadcastFaults.clear()
    }

    /// Waits until Apple has accepted a broadcast of a version.
    func broadcast(_ version: Int) async throws {
        try await until("a broadcast of version \(version)") {
            let channels = try await call("GET", "/v1/activities/\(activity)").object?["channels"]?.array
            return channels?.contains { $0.object?["acceptedVersion"]?.integer == version } ?? false
        }
    }
}

extension Scene {
    /// Sets how many starts a phone may get in an hour.
    func allowStarts(_ count: Int) async throws {
        try await call("PUT", "/v1/types/*/profile", ["startsPerHour": .integer(count)])
    }

    /// How the activity's canary stands.
    var canaryState: String? {
        get async throws {
            try await call("GET", "/v1/activities/\(activity)").object?["canary"]?.object?["state"]?.string
        }
    }

    /// Starts the activity on five other phones and on the user's, and updates it by a canary. Apple takes none of
    /// its pushes. The user's phone is not among the first, which the canary tries.
    func canary(_ score: Int) async throws {
        let tag: JSONValue = .string("crowd-\(number)")
        try await lab.addPhones(5, .with { $0.tags = ["crowd-\(number)"] })
        try await lab.untilStartable(5, tag: "crowd-\(number)")
        try await call("PUT", "/v1/users/\(user)", ["tags": [tag]])
        try phone.launch()
        try await untilStartable()
        try await start([("audience", ["tag": tag])])
        try await until("six cards") {
            let phases = try await call("GET", "/v1/activities/\(activity)").object?["phases"]?.object
            return phases?["live"]?.integer == 6
        }
        try await untilFound("shown")
        faults.stand(.refuse(.serviceUnavailable))
        try await update(score, [("canary", ["percent": 20])])
    }
}
