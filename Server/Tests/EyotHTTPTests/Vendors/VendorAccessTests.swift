import EyotCommands
import EyotDomain
import EyotTestKit
import EyotVendors
import HTTPTypes
import Testing

@testable import EyotHTTP

/// Every route of every vendor's API with every kind of caller.
@Suite struct `Who may call a vendor's API` {
    static let routes: [Route] = Vendors.all.routes(
        Backend(
            store: MemoryStore(), clock: StandingClock(), sealer: Sealer(MasterKey.make()),
            checkAPNSKey: { _, _, _ in }))

    private static let planes = Vendors.all.map(\.plane)

    @Test func `Each vendor has routes, and all of them but one take its key alone`() {
        #expect(Set(Self.routes.map(\.plane.keys)) == Set(Self.planes))
        let open = Self.routes.filter { $0.access.scopes == nil }
        #expect(open.map(\.path) == ["/token"])
    }

    @Test(arguments: routes.filter { $0.access.scopes != nil }.map(\.path))
    func `Only a key for it opens it, with the scopes that it needs`(path: String) async throws {
        let route = try #require(Self.routes.first { $0.path == path })
        let body = route.method == .get ? nil : "{}"
        try await Rig.run { rig in
            var callers: [KeyPlane: VendorCaller] = [:]
            for plane in Self.planes { callers[plane] = try await rig.caller(of: plane) }
            func status(_ caller: VendorCaller?) async throws -> Int {
                let headers = caller?.headers(route.plane.keys) ?? [:]
                return try await rig.call(route.method, path, body, key: nil, headers: headers).status
            }
            let right = try #require(callers[route.plane.keys])
            #expect(try await [401, 403].contains(status(nil)))
            #expect(try await [401, 403].contains(status(VendorCaller(rig: rig, secret: "x", identifier: "x"))))
            #expect(
                try await [401, 403].contains(status(VendorCaller(rig: rig, secret: rig.match.api, identifier: "x"))))
            for (plane, caller) in callers where plane != route.plane.keys {
                #expect(try await [401, 403].contains(status(caller)), "\(plane)")
            }
            // It is let in, and told what its body lacks.
            #expect(try await status(right) == 400)
            for scope in route.access.scopes ?? [] {
                let others = KeyScope.allCases.filter { $0 != scope }.map { "\"\($0.rawValue)\"" }.joined(
                    separator: ",")
                let made = try await rig.call(
                    .post, "/v1/keys", #"{"name":"k","plane":"\#(route.plane.keys.rawValue)","scopes":[\#(others)]}"#)
                let caller = VendorCaller(
                    rig: rig, secret: try #require(made["key"]?.string), identifier: made["identifier"]?.string ?? "")
                #expect(try await status(caller) == 403, "without \(scope.rawValue)")
            }
        }
    }
}
