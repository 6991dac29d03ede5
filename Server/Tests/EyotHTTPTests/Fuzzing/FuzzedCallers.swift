import EyotContract
import EyotDomain
import EyotVendors
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import EyotHTTP

/// Who makes the calls to be spoiled, in a rig with phones and activities.
struct FuzzedCallers {
    static let routes = AuthorisationTests.routes + `Who may call a vendor's API`.routes

    let seeds: [FuzzedSeeds.Seed]
    private var vendors: [KeyPlane: VendorCaller] = [:]
    private let phone: String

    init(in rig: Rig) async throws {
        let phone = try await rig.phone("one", user: "anna", tags: ["fans"])
        try await rig.phone("two", user: "bert")
        #expect(try await rig.call(.post, "/v1/keys", #"{"name":"spare"}"#)["id"]?.string == "4")
        _ = try await rig.call(.patch, "/v1/users/anna", #"{"attributes":{"city":"Paris"}}"#)
        _ = try await rig.call(.put, "/v1/segments/s", #"{"audience":{"tag":"fans"}}"#)
        for name in ["final", "semi"] {
            #expect(try await rig.call(.post, "/v1/activities/\(name)/start", Body.start).status == 202)
        }
        _ = try await rig.changes(phone.secret, Rig.card(2, "card", token: "update"))
        for plane in Vendors.all.map(\.plane) { vendors[plane] = try await rig.caller(of: plane) }
        let registered = try await rig.post(
            "/api/v1/live-activity/register",
            #"{"activity_type":"Match","insider_ids":["anna"],"ends_at":"2022-12-18T17:00:00Z"}"#,
            by: try #require(vendors[.insider]), of: .insider)
        seeds = FuzzedSeeds.all(
            brazeApp: vendors[.braze]?.identifier ?? "",
            activity: try #require(registered["activity_id"]?.string, "\(registered.text)"))
        self.phone = phone.secret
    }

    /// The call of a seed, as it is right.
    func call(_ seed: FuzzedSeeds.Seed, _ rig: Rig) throws -> FuzzedCall {
        let method = try #require(HTTPRequest.Method(String(seed.title.prefix { $0 != " " })))
        var headers = vendors[seed.plane]?.headers(seed.plane) ?? [:]
        if seed.plane == .eyot {
            let route = Self.routes.first { "\($0.method.rawValue) \($0.path)" == seed.title }
            switch route?.access {
            case .appKey: headers["Authorization"] = "Bearer \(rig.match.app)"
            case .deviceSecret: headers["Authorization"] = "Bearer \(phone)"
            case .scopedOperatorKey: headers["Authorization"] = "Bearer \(rig.operatorKey)"
            case .scopedKey, .anybody, nil: headers["Authorization"] = "Bearer \(rig.match.api)"
            }
        }
        if seed.body != nil { headers["Content-Type"] = seed.type }
        return FuzzedCall(
            method: method, path: seed.path, bytes: seed.body.map { Array($0.utf8) },
            headers: headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }
}

extension FuzzedCall {
    func perform(_ rig: Rig) async throws -> Reply {
        var fields = HTTPFields()
        for (name, value) in headers {
            fields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
        }
        let response = try await rig.client.executeRequest(
            uri: path, method: method, headers: fields, body: bytes.map { ByteBuffer(bytes: $0) })
        let bytes = Array(response.body.readableBytesView)
        return Reply(
            status: response.status.code, headers: response.headers, text: String(decoding: bytes, as: UTF8.self),
            json: try? JSONValue(parsing: bytes))
    }
}
