import EyotCommands
import EyotContract
import EyotDomain

/// Braze's token events, from a connector of Currents or from Snowflake. The newest event of each device and type, or
/// of each device and activity, counts.
///
/// On a change of person Braze removes the former person's tokens and adds the same ones for the next, in any order. So
/// a removal takes away only what its own person had. A phone belongs to the person of its newest token.
struct BrazeTokens {
    let lines: [TokenFile.Line]

    /// What is known of a token of a phone.
    private struct Place: Hashable {
        var installation: String
        var isStart: Bool
        var name: String
    }

    /// - Parameter events: In the order in which they happened, or each with its time.
    /// - Throws: ``TokenFile/Failure`` if some events have a time and others have none.
    init(_ events: [TokenFile.Line]) throws {
        var refused: [TokenFile.Line] = []
        var known: [BrazeTokenEvent] = []
        for event in events {
            do throws(BrazeTokenEvent.Unreadable) {
                known += try BrazeTokenEvent.all(in: event)
            } catch {
                refused.append(event.refused(error.reason))
            }
        }
        if let timeless = known.first(where: { $0.time == nil }), known.contains(where: { $0.time != nil }) {
            throw TokenFile.Failure(
                "line \(timeless.number) has no time and others have one, so it is unknown which token is the newest")
        }
        // Events of one moment keep their order.
        let sorted = known.enumerated()
            .sorted { ($0.element.time ?? 0, $0.offset) < ($1.element.time ?? 0, $1.offset) }.map(\.element)
        var last: [Place: BrazeTokenEvent] = [:]
        var owners: [String: String?] = [:]
        for event in sorted {
            let place = Place(installation: event.installation, isStart: event.isStart, name: event.name)
            if event.isRemoved {
                if let former = last[place], former.user == event.user { last[place] = nil }
            } else {
                last[place] = event
                owners[event.installation] = .some(event.user)
            }
        }
        let taken = last.values.map { $0.line(of: owners[$0.installation] ?? nil) }
        lines = (taken + refused).sorted { $0.number < $1.number }
    }
}

/// One change of a token. The connectors of Currents write the same members in different places.
struct BrazeTokenEvent {
    /// Why an event of tokens cannot be read.
    struct Unreadable: Error {
        var reason: String
    }

    /// The line of the file.
    let number: Int
    let installation: String
    /// The customer's id of the person; nil for a person without one.
    let user: String?
    let isStart: Bool
    /// The type of a start token, or the activity of an update token.
    let name: String
    /// The token as Braze writes it; nil if the event removes one.
    let token: String?
    let environment: String?
    /// Seconds since 1970; nil if the event names no time.
    let time: Double?
    let isRemoved: Bool

    /// Reads the events of a line: one, several below `events`, or none if it is about something else.
    static func all(in line: TokenFile.Line) throws(Unreadable) -> [BrazeTokenEvent] {
        guard let object = line.json.object else { throw Unreadable(reason: "it is no object") }
        guard let batch = object["events"]?.array else {
            return try [BrazeTokenEvent(object, line.number)].compactMap(\.self)
        }
        var events: [BrazeTokenEvent] = []
        for part in batch {
            guard let object = part.object else { throw Unreadable(reason: "one of its events is no object") }
            if let event = try BrazeTokenEvent(object, line.number) { events.append(event) }
        }
        return events
    }

    /// - Returns: Nil for an event of another kind.
    private init?(_ object: JSONObject, _ number: Int) throws(Unreadable) {
        let own = Members(object)
        if let kind = (own["event_type"] ?? own["event"])?.string, !Self.isTokenChange(kind) { return nil }
        guard own["live_activity_event_type"] == nil else { return nil }
        let inner = ["properties", "event_properties"].compactMap { own[$0]?.object }.first.map(Members.init) ?? own
        let person = own["user"]?.object.map(Members.init)
        func member(_ name: String) -> JSONValue? { inner[name] ?? own[name] ?? person?[name] }

        guard let installation = member("device_id")?.string else {
            throw Unreadable(reason: "device_id is missing, so the token belongs to no known phone")
        }
        let activity = member("activity_id")?.string
        let isStart = activity == nil && member("update_token") == nil
        guard let name = isStart ? member("activity_attributes_type")?.string : activity else {
            throw Unreadable(reason: "\(isStart ? "activity_attributes_type" : "activity_id") is missing")
        }
        let token = member(isStart ? "push_to_start_token" : "update_token")?.string
        let isRemoved = member("push_token_state_change_type")?.string?.lowercased().hasPrefix("remove") == true
        guard token != nil || isRemoved else {
            throw Unreadable(reason: "\(isStart ? "push_to_start_token" : "update_token") is missing")
        }
        (self.number, self.installation, self.isStart, self.name) = (number, installation, isStart, name)
        (self.token, self.isRemoved) = (token, isRemoved)
        time = try (member("time") ?? member("timestamp")).map(Self.seconds)
        user = Self.user(own, inner, person)
        environment =
            switch member("ios_push_token_apns_gateway").flatMap({ $0.integer ?? $0.string.flatMap { Int($0) } }) {
            case 1: "sandbox"
            case 2: "production"
            default: nil
            }
    }

    /// The customer's id of the person. `user_id` is that of Braze, except in Amplitude's form.
    private static func user(_ own: Members, _ inner: Members, _ person: Members?) -> String? {
        let isAmplitude = own["event_properties"] != nil
        let found = [
            person?["external_user_id"], own["external_user_id"], inner["external_user_id"],
            isAmplitude ? own["user_id"] : nil, own["userid"], inner["distinct_id"],
        ]
        return found.compactMap { $0?.string }.first { !$0.isEmpty }
    }

    /// Whether the name of an event, in the words of any connector, is that of a change of a token.
    private static func isTokenChange(_ name: String) -> Bool {
        let letters = name.lowercased().filter(\.isLetter)
        return letters.contains("liveactivity") && letters.contains("tokenchange")
    }

    /// Reads a time in seconds or milliseconds since 1970, or as RFC 3339.
    private static func seconds(_ value: JSONValue) throws(Unreadable) -> Double {
        if let number = value.double ?? value.string.flatMap({ Double($0) }) {
            // In seconds this is the year 5138.
            return number > 100_000_000_000 ? number / 1_000 : number
        }
        let text = (value.string ?? "").replacing(" ", with: "T")
        guard let moment = Instant(rfc3339: text) ?? Instant(rfc3339: text + "Z") else {
            throw Unreadable(reason: "its time is neither a number nor a date of RFC 3339")
        }
        return Double(moment.microseconds) / 1_000_000
    }

    /// Returns the line for the server.
    func line(of user: String?) -> TokenFile.Line {
        var line = JSONObject([("installation", .string(installation))])
        line["user"] = user.map(JSONValue.string)
        line[isStart ? "type" : "activity"] = .string(name)
        line[isStart ? "startToken" : "updateToken"] = token.map(JSONValue.string)
        line["environment"] = environment.map(JSONValue.string)
        return TokenFile.Line(number: number, json: .object(line))
    }

    /// Members by their names in small letters. Snowflake writes capitals. Null counts as absent.
    private struct Members {
        private let values: JSONObject

        init(_ object: JSONObject) {
            values = JSONObject(object.members.filter { $0.value != .null }.map { ($0.name.lowercased(), $0.value) })
        }

        subscript(name: String) -> JSONValue? { values[name] }
    }
}
