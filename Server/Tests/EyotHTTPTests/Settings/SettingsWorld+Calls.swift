import EyotContract
import EyotDomain
import Testing

/// The calls of each path. `more` stands for further members, with their comma.
extension SettingsWorld {
    private static let alert = #""alert":{"title":"Kick-off","body":"Now"}"#
    private static let own = #""type":"Match","attributes":{}"#
    private static let insider = "/api/v1/live-activity/"

    /// Seconds from a planned start's call to its moment.
    static let plan = 60

    var startsCards: Bool { [.start, .liveAudience, .plannedStart].contains(path) }

    // MARK: Starts

    /// Starts cards of a name on both phones, as the path does.
    ///
    /// - Parameters:
    ///   - alert: takes the place of the usual one, with its name.
    ///   - insiderEnd: when Insider's activity ends.
    @discardableResult
    func start(
        _ name: String = "m", _ state: Int = 0, _ more: String = "", alert: String = alert,
        insiderEnd: String = "2022-12-18T20:00:00Z"
    ) async throws -> Reply {
        let content = #""contentState":{"n":\#(state)}"#
        switch path {
        case .netmera:
            return try await post(
                .netmera, `Netmera's API`.bulk,
                #"{"message":{"title":"Kick-off","body":"Now","platforms":["IOS"],"type":"LIVE_ACTIVITY","groupId":"\#(name)","#
                    + #"\#(content),"liveActAttr":{},"liveActAttrType":"Match"\#(more)},"target":{"sendToAll":true}}"#)
        case .airship:
            return try await post(
                .airship, `Airship's API`.push,
                `Airship's API`.body(
                    #"{"event":"start","name":"\#(name)","attributes_type":"Match","attributes":{},"#
                        + #""content_state":{"n":\#(state)},\#(alert)\#(more)}"#))
        case .braze:
            return try await post(
                .braze, `Braze's API`.start,
                #"{"app_id":"APP","activity_id":"\#(name)","activity_attributes_type":"Match","activity_attributes":{},"#
                    + #""content_state":{"n":\#(state)},"notification":{"alert":{"title":"Kick-off","body":"Now"}},"#
                    + #""external_user_ids":["a","b"]\#(more)}"#)
        case .insider:
            let registered = try await post(
                .insider, Self.insider + "register",
                #"{"activity_type":"Match","insider_ids":["a","b"],"ends_at":"\#(insiderEnd)"}"#)
            note(registered["activity_id"]?.string, for: name)
            return try await post(
                .insider, Self.insider + "start",
                insiderBody(name, #""title":"Kick-off","message":"Now","content_state":{"n":\#(state)}\#(more)"#))
        default:
            if path == .memberList { try await fill(name) }
            return try await rig.call(
                .post, "/v1/activities/\(name)/start",
                #"{\#(Self.own),\#(content),\#(alert)\#(reach)\#(more)}"#)
        }
    }

    /// The audience of a start, as members of its body.
    private var reach: String {
        switch path {
        case .channel: #","audience":"all","channel":true"#
        case .liveAudience: #","audience":{"tag":"late"},"live":true"#
        case .plannedStart:
            #","audience":"all","startsAt":"\#(Instant(second: rig.clock.now.second + Self.plan).rfc3339)""#
        default: #","audience":"all""#
        }
    }

    private func insiderBody(_ name: String, _ content: String, _ more: String = "") -> String {
        #"{"activity_id":"\#(insiderIDs[name] ?? name)","activity_type":"Match","content":{\#(content)}\#(more)}"#
    }

    /// Lets what the path's start waits for come to pass: devices join, or the moment comes.
    func reachPhones() async throws {
        if path == .liveAudience {
            for phone in ["a", "b"] { _ = try await rig.call(.put, "/v1/users/\(phone)", #"{"tags":["late"]}"#) }
        }
        if path == .plannedStart { try await pass(Self.plan, by: Self.plan) }
        try await work()
    }

    // MARK: Updates and ends

    @discardableResult
    func update(_ state: Int, _ more: String = "") async throws -> Reply {
        let content = #""contentState":{"n":\#(state)}"#
        switch path {
        case .netmera:
            return try await post(
                .netmera, `Netmera's API`.update, #"{"groupId":"m","action":"UPDATE",\#(content)\#(more)}"#)
        case .airship:
            return try await post(
                .airship, `Airship's API`.push,
                `Airship's API`.body(
                    #"{"name":"m","event":"update","content_state":{"n":\#(state)}\#(more)}"#))
        case .braze:
            return try await post(
                .braze, `Braze's API`.update,
                #"{"app_id":"APP","activity_id":"m","content_state":{"n":\#(state)}\#(more)}"#)
        case .insider:
            return try await post(
                .insider, Self.insider + "update", insiderBody("m", #""content_state":{"n":\#(state)}\#(more)"#))
        default: return try await rig.call(.post, "/v1/activities/m/update", #"{\#(content)\#(scope)\#(more)}"#)
        }
    }

    private var scope: String { path == .memberList ? #","scope":"all""# : "" }

    @discardableResult
    func end(_ more: String) async throws -> Reply {
        switch path {
        case .netmera: try await post(.netmera, `Netmera's API`.update, #"{"groupId":"m","action":"END"\#(more)}"#)
        case .airship:
            try await post(
                .airship, `Airship's API`.push, `Airship's API`.body(#"{"name":"m","event":"end"\#(more)}"#))
        case .braze:
            try await post(
                .braze, `Braze's API`.update,
                #"{"app_id":"APP","activity_id":"m","content_state":{"n":9},"end_activity":true\#(more)}"#)
        case .insider: try await post(.insider, Self.insider + "end", insiderBody("m", "", more))
        default:
            try await rig.call(
                .post, "/v1/activities/m/end", #"{"contentState":{"n":9}\#(scope)\#(more)}"#)
        }
    }

    // MARK: Either

    /// Brings cards to both phones, and lets half a minute pass, where the path is one of updates.
    func prepare() async throws {
        guard !startsCards else { return }
        let reply = try await start()
        #expect(reply.status < 300, "\(reply.text)")
        try await work()
        try await pass(30, by: 15)
    }

    /// Declares a state with further members as the path does, and waits until it leaves.
    func declare(_ state: Int, _ more: String = "") async throws -> Reply {
        guard startsCards else {
            let reply = try await update(state, more)
            if path == .memberList, reply.status < 300 { #expect(reply["untold"]?.integer ?? 0 > 0, "\(reply.text)") }
            try await work()
            return reply
        }
        let reply = try await start("m", state, more)
        try await reachPhones()
        return reply
    }

    func profile(_ members: String) async throws {
        let reply = try await rig.call(.put, "/v1/types/Match/profile", "{\(members)}")
        #expect(reply.status == 200, "\(reply.text)")
    }
}
