import EyotHTTP
import HTTPTypes
import Testing

@testable import EyotPanel

/// What a role may not change is refused before anything is drawn or read of the form.
@Suite("Forms beyond a role", .timeLimit(.minutes(10)))
struct RefusalTests {
    /// Pages that a viewer reads although they belong to forms of an operator or an administrator.
    @Test(arguments: [
        "/panel/start", "/panel/activities/final/update", "/panel/activities/final/end", "/panel/console",
        "/panel/audiences/fans/remove", "/panel/definitions/goal/remove", "/panel/devices/1/remove",
        "/panel/users/ana/remove",
    ])
    func `A viewer opens no form that it may not send`(_ path: String) async throws {
        try await PanelRig.run { rig in
            let answer = try await rig.get(path, as: "vera")
            #expect(answer.status == .forbidden)
        }
    }

    @Test(arguments: [
        "/panel/start", "/panel/activities/final/update", "/panel/activities/final/end", "/panel/activities/final/halt",
        "/panel/console", "/panel/console/check", "/panel/app/keys", "/panel/app/halt", "/panel/app/resume",
        "/panel/app/apns-keys", "/panel/webhooks", "/panel/webhooks/1/replay", "/panel/definitions",
        "/panel/types/Match/profile", "/panel/audiences/fans",
    ])
    func `An empty form of a viewer is refused for the role, and not for its fields`(_ path: String) async throws {
        try await PanelRig.run { rig in
            let answer = try await rig.post(path, [:], as: "vera")
            #expect(answer.status == .forbidden)
        }
    }
}
