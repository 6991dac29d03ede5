import ArgumentParser
import EyotContract
import EyotLab

struct DeviceList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the devices of the app, with shortened tokens.",
        discussion: """
            TAGS has all tags by which an audience selects the device: from its app, from the backend, and from its \
            user. With --json it lacks the user's tags, which `eyot user show` prints.

            eyot device list --tag fans
            """)

    @Option(help: "Only devices of this user.")
    var user: String?

    @Option(help: "Only devices with this tag, of their own or of their user.")
    var tag: String?

    @OptionGroup var page: PageOptions
    @OptionGroup var server: ServerOptions

    /// How many calls run at once.
    private static let callsAtOnce = 8

    func run() async throws {
        var answer = try await server.call("GET", page.path("/v1/devices", [("user", user), ("tag", tag)]))
        if !server.json { answer = try await withAllTags(answer) }
        Output.list(
            answer, of: "devices",
            columns: ["id", "user", "tags", "environment", "osVersion", "appVersion", "seenAt"], asJSON: server.json)
    }

    private func withAllTags(_ answer: JSONValue) async throws -> JSONValue {
        guard var object = answer.object, let devices = object["devices"]?.array else { return answer }
        let users = try await tags(ofUsers: Set(devices.compactMap { $0.object?["user"]?.string }))
        object["devices"] = .array(devices.map { Self.withAllTags($0, users: users) })
        return .object(object)
    }

    /// Returns a device with all of its tags in `tags`, each once.
    static func withAllTags(_ device: JSONValue, users: [String: [String]]) -> JSONValue {
        guard var object = device.object else { return device }
        let backend = object["backend"]?.object?["tags"]
        let own = [object["tags"], backend].flatMap { $0?.array?.compactMap(\.string) ?? [] }
        let all = Set(own + (object["user"]?.string.flatMap { users[$0] } ?? []))
        object["tags"] = .array(all.sorted().map(JSONValue.string))
        return .object(object)
    }

    private func tags(ofUsers users: Set<String>) async throws -> [String: [String]] {
        var rest = users.sorted()[...]
        return try await withThrowingTaskGroup(of: (String, [String]).self) { group in
            func addNext() {
                guard let user = rest.popFirst() else { return }
                group.addTask {
                    // A key without the right to read people still lists the devices.
                    guard let answer = try? await server.call("GET", APIClient.path("v1", "users", user)) else {
                        return (user, [])
                    }
                    return (user, answer.object?["tags"]?.array?.compactMap(\.string) ?? [])
                }
            }
            for _ in 0..<Self.callsAtOnce { addNext() }
            var tags: [String: [String]] = [:]
            while let (user, own) = try await group.next() {
                tags[user] = own
                addNext()
            }
            return tags
        }
    }
}
