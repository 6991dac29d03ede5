import EyotContract
import EyotKit
import Foundation
import PhoneSimulator
import Testing

/// Types as apps have them that come from a vendor's SDK.
private struct FromNetmera: ActivityAttributes {
    struct ContentState: Codable, Hashable {}
    var netmeraGroupId: String?
}

private struct FromBraze: ActivityAttributes {
    struct ContentState: Codable, Hashable {}
    var brazeActivityId: String
}

private struct FromInsider: ActivityAttributes {
    struct ContentState: Codable, Hashable {}
    var insiderLiveActivityId: String
}

private struct FromInsiderInFull: ActivityAttributes {
    struct ContentState: Codable, Hashable {}
    struct Identifier: Codable {
        var activityId: String
    }
    var insiderLiveActivityId: Identifier
}

private struct Plain: ActivityAttributes {
    struct ContentState: Codable, Hashable {}
    var gameID: String
}

@Suite("A card's name", .timeLimit(.minutes(10)))
struct NamingTests {
    private let rig = Rig()

    private func request<A: ActivityAttributes>(_ attributes: A, _ state: A.ContentState) throws -> Activity<A> {
        try Activity.request(
            attributes: attributes, content: ActivityContent(state: state, staleDate: nil), pushType: .token)
    }

    private func following(_ eyot: Eyot, _ name: String) async throws {
        try await eyot.event { $0.follows(name) }
    }

    @Test func `comes from Eyot's attribute, from a vendor's, from a closure, or from the app`() async throws {
        try await rig.launch { eyot in
            eyot.observe(try rig.request("own"))
            try await following(eyot, "own")
            eyot.observe(try request(FromNetmera(netmeraGroupId: "group"), .init()))
            try await following(eyot, "group")
            eyot.observe(try request(FromBraze(brazeActivityId: "braze"), .init()))
            try await following(eyot, "braze")
            eyot.resume(FromInsider.self)
            _ = try request(FromInsider(insiderLiveActivityId: "insider"), .init())
            try await following(eyot, "insider")
            eyot.resume(Plain.self, name: { $0.gameID })
            _ = try request(Plain(gameID: "game"), .init())
            try await following(eyot, "game")
        }
    }

    @Test func `comes from a vendor's attribute that is an object, too`() async throws {
        try await rig.launch { eyot in
            eyot.observe(try request(FromInsiderInFull(insiderLiveActivityId: .init(activityId: "in full")), .init()))
            try await following(eyot, "in full")
        }
    }

    @Test func `given by the app goes before every other`() async throws {
        try await rig.launch { eyot in
            eyot.observe(try rig.request("own"), name: "given")
            try await following(eyot, "given")
        }
    }

    @Test("is reported where it is missing", arguments: [nil, ""])
    func missing(name: String?) async throws {
        try await rig.launch { eyot in
            let activity = try rig.request(name)
            let instance = activity.id
            eyot.observe(activity)
            try await eyot.problem { $0 == .nameMissing(type: "MatchAttributes", instance: instance) }
            let vendor = try request(FromNetmera(netmeraGroupId: nil), .init())
            let vendorID = vendor.id
            eyot.observe(vendor)
            try await eyot.problem { $0 == .nameMissing(type: "FromNetmera", instance: vendorID) }
            eyot.identify("user-1")
            await rig.server.wait { $0.actions == [.identify(user: "user-1")] }
        }
    }

    @Test func `is reported where the server would not take it`() async throws {
        try await rig.launch { eyot in
            let activity = try rig.request("own")
            let instance = activity.id
            eyot.observe(activity, name: String(repeating: "n", count: 257))
            try await eyot.problem { $0 == .nameInvalid(type: "MatchAttributes", instance: instance) }
            eyot.identify("a\u{0}b")
            try await eyot.problem { $0 == .userInvalid }
        }
    }
}
