import EyotContract
import EyotDomain
import EyotHTTP
import EyotTestKit
import Synchronization
import Testing

@testable import EyotPanel

/// The file with what became of a version on all phones.
@Suite("The file of a version", .timeLimit(.minutes(10)))
struct VersionFileTests {
    private static let path = "/panel/activities/final/versions/1/csv"
    /// More phones than one call of the API answers.
    private static let phones = 2_300

    @Test func `It has each phone once, however many there are`() async throws {
        try await PanelRig.run { rig in
            try await rig.start("final", state: ["n": 1], phones: Self.phones)
            let file = try await rig.get(Self.path)
            let rows = file.text.split(separator: "\r\n")
            #expect(rows.first?.hasPrefix("ordinal,device,") == true)
            let ordinals = rows.dropFirst().map { String($0.prefix { $0 != "," }) }
            #expect(ordinals.count == Self.phones && ordinals.enumerated().allSatisfy { "\($0 + 1)" == $1 })
            let later = try await rig.get(Self.path + "?after=\(Self.phones - 1)").text.split(separator: "\r\n")
            #expect(later.count == 2)
            let none = try await rig.get(Self.path + "?outcome=refused").text.split(separator: "\r\n")
            #expect(none == Array(rows.prefix(1)), "a file without rows has the names of its columns")
        }
    }

    @Test func `A refusal is a page, and no file`() async throws {
        try await PanelRig.run { rig in
            try await rig.start("final", state: ["n": 1], phones: 1)
            for path in [Self.path.replacing("/1/", with: "/9/"), Self.path + "?outcome=lost"] {
                let answer = try await rig.get(path)
                #expect(answer.status.code >= 400, "\(path)")
                #expect(answer.headers[.contentDisposition] == nil)
                #expect(HTMLCheck.fault(in: answer.text) == nil)
            }
        }
    }

    @Test func `It is of the activity that it began with, if another of the name begins meanwhile`() async throws {
        try await PanelRig.run { rig in
            try await rig.start("final", state: ["n": 1], phones: Self.phones)
            var portions = try await file(of: rig.visit(), rig.panel)
            var text = try await portions.next() ?? []
            let (call, next): (String, JSONValue) = (
                ActivityPath("final").call,
                [
                    "type": "MatchAttributes", "attributes": [:], "contentState": ["n": 2], "audience": ["user": "eva"],
                    "alert": ["title": "t", "body": "b"],
                ]
            )
            _ = try await rig.visit().ask(LocalCall(.post, call + "/end", json: [:]))
            let begun = try await rig.visit().ask(LocalCall(.post, call + "/start", json: next)).json
            #expect(begun?.at("generation") == 2)
            while let portion = try await portions.next() { text += portion }
            #expect(text.count { $0 == UInt8(ascii: "\n") } == Self.phones + 1)
        }
    }

    private func file(of visit: Visit, _ panel: Panel) async throws -> any AsyncIteratorProtocol<[UInt8], any Error> {
        var call = visit.call
        call.parameters = ["name": "final", "version": "1"]
        let answer = try await VersionFile.answer(to: try Visit(call, of: visit.member, to: panel))
        return try #require(answer.stream).makeAsyncIterator()
    }

    @Test func `It breaks off when its reader is signed out`() async throws {
        try await PanelRig.run { rig in
            try await rig.start("final", state: ["n": 1], phones: Self.phones)
            let sessions = EndingSessions(sessions: rig.panel.sessions)
            let panel = Panel(rig.panel.backend, api: rig.panel.api, sessions: sessions, live: rig.live)
            var portions = try await file(of: rig.visit(), panel)
            #expect(try await portions.next()?.isEmpty == false)
            #expect(try await portions.next()?.isEmpty == false)
            sessions.end()
            await #expect(throws: EyotError.self) { _ = try await portions.next() }
        }
    }
}

/// Sessions that all end at once.
private final class EndingSessions: PanelSessions {
    private let sessions: any PanelSessions
    private let hasEnded = Mutex(false)

    init(sessions: any PanelSessions) { self.sessions = sessions }

    func end() { hasEnded.withLock { $0 = true } }

    func find(in call: EyotHTTP.Call) async throws -> SignedIn? {
        hasEnded.withLock { $0 } ? nil : try await sessions.find(in: call)
    }
}
