import EyotCommands
import EyotContract
import EyotDomain
import EyotVendors
import HTTPTypes
import Testing

@testable import EyotHTTP

/// What the examples of the description are about, and calls of it.
struct DescribedWorld: Sendable {
    let phone: String
    private let vendors: [KeyPlane: VendorCaller]

    static func prepare(_ rig: Rig) async throws -> DescribedWorld {
        let (_, secret) = try await rig.phone("one", user: "user-1", tags: ["fans"])
        let type = "MatchAttributes"
        var replies = [
            try await rig.changes(
                secret, #"{"sequence":2,"kind":"setStartToken","type":"\#(type)","token":"\#(Rig.token("start"))"}"#)
        ]
        for (method, path, name) in [
            (HTTPRequest.Method.put, "/v1/segments/early-birds", "NewSegment"),
            (.put, "/v1/definitions/goal", "NewDefinition"), (.put, "/v1/test-devices/my%20phone", "NewTestDevice"),
            (.put, "/v1/types/\(type)/schemas", "NewSchema"), (.post, "/v1/keys", "NewKey"),
            (.post, "/v1/webhooks", "NewWebhook"),
            (.post, "/v1/activities/final-2022/start", "Start"),
        ] {
            let body = OperationDescription.example(of: Shape.named(name))?.text
            replies.append(try await rig.call(method, path, body))
        }
        replies.append(try await rig.call(.post, "/v1/activities/final-2022/join-secret"))
        // Known, and not registered: such a device has a member more.
        let imported = OperationDescription.example(of: Shape.named("ImportedToken"))?.text
        replies.append(
            try await rig.call(
                .post, "/v1/tokens/import", imported, headers: ["Content-Type": "application/x-ndjson"]))
        let everyOther = #"{"schema":{"attributes":{},"contentState":{}}}"#
        replies.append(try await rig.call(.put, "/v1/types/\(type)/schemas", everyOther))
        replies.append(
            try await rig.changes(
                secret, Rig.card(3, "card", name: "final-2022", token: "u").replacing(#""Match""#, with: "\"\(type)\""))
        )
        for reply in replies { try #require((200..<300).contains(reply.status), "\(reply.text)") }
        var vendors: [KeyPlane: VendorCaller] = [:]
        for plane in Vendors.all.map(\.plane) { vendors[plane] = try await rig.caller(of: plane) }
        return DescribedWorld(phone: secret, vendors: vendors)
    }

    /// Calls a route with the examples of its description.
    ///
    /// - Parameters:
    ///   - key: what stands for the right key; nil shows none.
    ///   - body: in place of the example.
    func call(
        _ route: Route, key: String? = Rig.ownKey, query: String = "", body: String? = nil, _ rig: Rig
    ) async throws -> Reply {
        let description = OperationDescription(route: route, vendors: Vendors.all)
        var path = route.path
        for parameter in description.json.object?["parameters"]?.array?.compactMap(\.object) ?? []
        where parameter["in"]?.string == "path" {
            let example = parameter["example"]?.string?.replacing(" ", with: "%20") ?? ""
            path = path.replacing("{\(parameter["name"]?.string ?? "")}", with: example)
        }
        // Keys 1 to 3 are the operator's and those of the apps.
        if path.hasPrefix("/v1/keys/1") { path = path.replacing("/v1/keys/1", with: "/v1/keys/4") }
        let vendor = vendors[route.plane.keys]
        var text = body ?? description.bodyExample?.text
        text = text?.replacing(#""app_id":"app""#, with: #""app_id":"\#(vendor?.identifier ?? "")""#)
        var headers: [String: String] = [:]
        if route.bodyTypes == [BodyReader.lines] { headers["Content-Type"] = BodyReader.lines }
        if route.path == "/token" {
            text = "grant_type=client_credentials"
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            let pair = "\(vendor?.identifier ?? ""):\(vendor?.secret ?? "")"
            if key != nil { headers["Authorization"] = "Basic " + Base64.text(of: pair) }
        }
        var secret = key
        if key != nil { secret = self.key(of: route, rig) }
        if let vendor, key != nil, route.access.scopes != nil {
            headers.merge(vendor.headers(route.plane.keys)) { $1 }
        } else if vendor != nil {
            headers["Accept"] = "application/vnd.urbanairship+json; version=3"
        }
        return try await rig.call(
            route.method, Self.named(path) + query, text.map(Self.named), key: secret, headers: headers)
    }

    private func key(of route: Route, _ rig: Rig) -> String? {
        switch route.access {
        case .anybody: nil
        case .appKey: rig.match.app
        case .deviceSecret: phone
        case .scopedOperatorKey: rig.operatorKey
        case .scopedKey: route.plane.keys == .eyot ? Rig.ownKey : nil
        }
    }

    /// The app of the documentation is here called otherwise.
    private static func named(_ text: String) -> String {
        text.replacing("org.example.worldcup", with: "org.example.match")
    }
}
