import EyotDomain
import Testing

@testable import EyotEngine

@Suite("Room that apps share")
struct SharedRoomTests {
    /// Takes all that an app may have.
    private func fill(_ room: inout SharedRoom, of app: Int64) -> Int {
        let app = AppID(rawValue: app)
        var count = 0
        while room.left(for: app) > 0 {
            room.take(1, for: app)
            count += 1
        }
        return count
    }

    @Test func `One alone has what one may have at most`() {
        var room = SharedRoom(limit: 160, perApp: 40)
        #expect(room.leftForAnyone == 40)
        #expect(fill(&room, of: 1) == 40)
        #expect(room.left(for: AppID(rawValue: 1)) == 0)
        #expect(room.leftForAnyone == 40)
    }

    @Test func `The more of them keep what they have, the less has the next; it has some`() {
        var room = SharedRoom(limit: 160, perApp: 40)
        let shares = (1...9).map { fill(&room, of: $0) }
        #expect(shares == [40, 40, 26, 18, 12, 8, 5, 3, 2], "a third of what was left, so that twice as much is")
        for app in 1...9 { room.take(-shares[app - 1], for: AppID(rawValue: Int64(app))) }
        #expect(room.leftForAnyone == 40)
        #expect(Array(room.apps).isEmpty)
    }

    @Test func `Where the part of one would not do, it has what one needs as long as that is left`() {
        var room = SharedRoom(limit: 160, perApp: 40, least: 10)
        #expect((1...9).map { fill(&room, of: $0) } == [40, 40, 26, 18, 12, 10, 10, 4, 0])
    }

    @Test func `One that has more than the others leave it now has less than none`() {
        var room = SharedRoom(limit: 100, perApp: 40)
        #expect(fill(&room, of: 1) == 33)
        #expect(fill(&room, of: 2) == 22)
        #expect(room.left(for: AppID(rawValue: 1)) < 0)
    }
}
