import EyotCommands
import EyotContract
import EyotDomain
import EyotTestKit
import EyotVendors
import HTTPTypes
import Testing

@testable import EyotHTTP

/// What the description says of the vendors' bodies, against their readers.
@Suite struct `The description of the vendors' bodies` {
    private static let routes: [Route] = {
        let backend = Backend(
            store: MemoryStore(), clock: StandingClock(), sealer: Sealer(MasterKey.make()), checkAPNSKey: { _, _, _ in }
        )
        return Vendors.all.routes(backend).filter { $0.bodyLimit != nil && $0.path != "/token" }
    }()

    private static let check = ShapeCheck(document: [:])

    /// The shape of one object, where several may come together.
    private static func single(_ shape: JSONValue?) -> JSONObject? {
        shape?.object?["anyOf"]?.array?.first?.object ?? shape?.object
    }

    /// Lists the objects of a body that have described members, by their paths. `isAlone` marks objects that hold only
    /// one of their members.
    private static func objects(
        _ shape: JSONObject, at path: [String] = []
    ) -> [(path: [String], members: JSONObject, isAlone: Bool)] {
        guard let members = shape["properties"]?.object else { return [] }
        let isAlone = shape["maxProperties"] != nil
        let inner =
            isAlone
            ? []
            : members.members.flatMap { member in
                member.value.object.map { objects($0, at: path + [member.name]) } ?? []
            }
        return [(path, members, isAlone)] + inner
    }

    /// A body with another value at a path.
    private static func body(_ body: JSONObject, _ path: ArraySlice<String>, _ value: JSONValue) -> JSONObject {
        var body = body
        guard let name = path.first else { return body }
        let rest = path.dropFirst()
        body[name] = rest.isEmpty ? value : .object(self.body(body[name]?.object ?? JSONObject(), rest, value))
        return body
    }

    /// How a call ended, in the kinds of failure that its vendor knows.
    private static func outcome(_ reply: Reply) -> [JSONValue?] {
        [.integer(reply.status), reply["code"], reply["error_code"], reply["message"]]
    }

    @Test(arguments: routes.map(\.path))
    func `Its example fits`(path: String) throws {
        let note = try #require(Self.routes.first { $0.path == path }?.note)
        #expect(try Self.check.faults(of: #require(note.example), against: #require(note.takes)) == [])
        #expect(Self.single(note.takes)?["properties"] != nil)
    }

    @Test(arguments: routes.map(\.path))
    func `Its members are those that the reader knows, as deep as they go`(path: String) async throws {
        let route = try #require(Self.routes.first { $0.path == path })
        let shape = try #require(Self.single(route.note?.takes))
        let example = try #require(route.note?.example?.object)
        let described = Self.objects(shape)
        let names = Set(
            Self.routes.compactMap { Self.single($0.note?.takes) }.flatMap { Self.objects($0) }
                .flatMap { $0.members.members.map(\.name) })
        let undoes = Switch()
        func undoing(_ store: MemoryStore) -> any Store { UndoneStore(base: store, isOn: undoes) }
        try await Rig.run(wrapping: undoing) { rig in
            let world = try await DescribedWorld.prepare(rig)
            undoes.isOn = true
            func call(_ body: JSONObject) async throws -> Reply {
                try await world.call(route, body: JSONValue.object(body).text, rig)
            }
            let usual = Self.outcome(try await call(example))
            for (place, members, isAlone) in described {
                for (name, shape) in members.members.map({ ($0.name, $0.value) }) where shape != [:] {
                    let isList = shape.object?["type"]?.string == "array"
                    let wrong: JSONValue = isList ? ["no": "list"] : [[[]]]
                    let body =
                        isAlone
                        ? Self.body(example, place[...], .object(JSONObject([(name, wrong)])))
                        : Self.body(example, (place + [name])[...], wrong)
                    let reply = try await call(body)
                    #expect(Self.outcome(reply) != usual, "\(place) \(name): \(reply.text)")
                    #expect(reply.text.contains(name), "\(place) \(name): \(reply.text)")
                }
                guard !isAlone else { continue }
                for name in names.union(["noSuchMember"]) where members[name] == nil {
                    let reply = try await call(Self.body(example, (place + [name])[...], [[[]]]))
                    let isUnknown = ["is not a field of this call", "does not belong"].contains {
                        reply.text.contains("\(name) \($0)")
                    }
                    #expect(Self.outcome(reply) == usual || isUnknown, "\(place) \(name): \(reply.text)")
                }
            }
        }
    }
}

/// A store that undoes what a call writes, so that the next one finds everything as it was.
private struct UndoneStore: WrappedStore {
    let base: MemoryStore
    let isOn: Switch

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result {
        isOn.isOn ? try await base.tryOut(body) : try await base.write(body)
    }
}
