import EyotContract
import Foundation
import Testing

@testable import EyotKit

@Suite("The outbox")
struct OutboxTests {
    private static let first = token(1)
    private static let second = token(2)

    private static func token(_ byte: UInt8) -> PushToken {
        guard let token = PushToken(bytes: [byte]) else { preconditionFailure("one byte is a token") }
        return token
    }

    private static func card(_ instance: String) -> Card {
        Card(instance: instance, name: "final", type: "T")
    }

    private static func ledger(in rig: Rig) -> InstallationLedger {
        InstallationLedger(
            file: StateFile(directory: rig.directory), clock: rig.clock, osVersion: "18.1", board: StatusBoard(),
            announce: { _ in }, somethingToSend: { _ in })
    }

    static let mergeTable: [(String, [DeviceChange.Action], [DeviceChange.Action])] = [
        (
            "a newer token of a card replaces the older",
            [.setUpdateToken(card("a"), token: first), .logout, .setUpdateToken(card("a"), token: second)],
            [.logout, .setUpdateToken(card("a"), token: second)]
        ),
        (
            "tokens of two cards stay apart",
            [.setUpdateToken(card("a"), token: first), .setUpdateToken(card("b"), token: second)],
            [.setUpdateToken(card("a"), token: first), .setUpdateToken(card("b"), token: second)]
        ),
        (
            "a token that is told again is told after what came between",
            [.setUpdateToken(card("a"), token: first), .logout, .setUpdateToken(card("a"), token: first)],
            [.logout, .setUpdateToken(card("a"), token: first)]
        ),
        (
            "a card that is taken up again is told with its token, after it was let go",
            [.setUpdateToken(card("a"), token: first), .stopTracking(card("a")), .cardSeen(card("a"))],
            [.stopTracking(card("a")), .setUpdateToken(card("a"), token: first)]
        ),
        (
            "so is one without a token",
            [.cardSeen(card("a")), .stopTracking(card("a")), .cardSeen(card("a"))],
            [.stopTracking(card("a")), .cardSeen(card("a"))]
        ),
        (
            "a card is let go once, however often it was taken up",
            [
                .stopTracking(card("a")), .setUpdateToken(card("a"), token: first), .stopTracking(card("a")),
                .stopTracking(card("b")), .setUpdateToken(card("a"), token: first),
            ],
            [.stopTracking(card("a")), .stopTracking(card("b")), .setUpdateToken(card("a"), token: first)]
        ),
        (
            "a start token is told once",
            [.setStartToken(type: "T", token: first), .logout, .setStartToken(type: "T", token: first)],
            [.setStartToken(type: "T", token: first), .logout]
        ),
        (
            "a token makes a sighting superfluous, before and after",
            [.cardSeen(card("a")), .setUpdateToken(card("a"), token: first), .cardSeen(card("a"))],
            [.setUpdateToken(card("a"), token: first)]
        ),
        (
            "a type's start token is the last word",
            [
                .setStartToken(type: "T", token: first), .removeStartToken(type: "T"),
                .setStartToken(type: "U", token: first),
                .setStartToken(type: "T", token: second),
            ],
            [.setStartToken(type: "U", token: first), .setStartToken(type: "T", token: second)]
        ),
        (
            "a removal replaces the token, and not another type's",
            [
                .setStartToken(type: "T", token: first), .setStartToken(type: "U", token: first),
                .removeStartToken(type: "T"),
            ],
            [.setStartToken(type: "U", token: first), .removeStartToken(type: "T")]
        ),
        (
            "an end beats what is told of the content, not the token",
            [
                .setUpdateToken(card("a"), token: first), .cardEvent(card("a"), .contentApplied),
                .cardEvent(card("b"), .contentApplied), .cardEvent(card("a"), .stale), .cardEvent(card("a"), .ended),
            ],
            [
                .setUpdateToken(card("a"), token: first), .cardEvent(card("b"), .contentApplied),
                .cardEvent(card("a"), .ended),
            ]
        ),
        (
            "a dismissal does too",
            [.cardEvent(card("a"), .contentApplied), .cardEvent(card("a"), .dismissed)],
            [.cardEvent(card("a"), .dismissed)]
        ),
        (
            "the same event of a card is told once, at its last place",
            [.cardEvent(card("a"), .contentApplied), .logout, .cardEvent(card("a"), .contentApplied)],
            [.logout, .cardEvent(card("a"), .contentApplied)]
        ),
        (
            "of what runs only the last report counts, by type",
            [
                .running(type: "T", instances: ["a"]), .running(type: "U", instances: []),
                .running(type: "T", instances: []),
            ],
            [.running(type: "U", instances: []), .running(type: "T", instances: [])]
        ),
        (
            "a card that comes while the report of what runs waits runs, too",
            [
                .running(type: "T", instances: ["b"]), .running(type: "U", instances: []), .cardSeen(card("a")),
                .cardSeen(card("b")),
            ],
            [
                .running(type: "T", instances: ["b", "a"]), .running(type: "U", instances: []), .cardSeen(card("a")),
                .cardSeen(card("b")),
            ]
        ),
        (
            "of logins with nothing between them the last counts",
            [.identify(user: "a"), .logout, .identify(user: "b"), .identify(user: "c")],
            [.logout, .identify(user: "c")]
        ),
        (
            "a login keeps its place before what happened to that person",
            [.identify(user: "a"), .cardSeen(card("a")), .identify(user: "b")],
            [.identify(user: "a"), .cardSeen(card("a")), .identify(user: "b")]
        ),
        (
            "what lay between two logins and moved away merges them",
            [
                .identify(user: "a"), .setUpdateToken(card("a"), token: first), .identify(user: "b"),
                .setUpdateToken(card("a"), token: second),
            ],
            [.identify(user: "b"), .setUpdateToken(card("a"), token: second)]
        ),
        (
            "of what the app says of the installation only the last counts",
            [.profile(.init(tags: ["a"])), .logout, .profile(.init(tags: ["b"]))],
            [.logout, .profile(.init(tags: ["b"]))]
        ),
        (
            "a card under a new name is another matter",
            [
                .setUpdateToken(card("a"), token: first), .cardSeen(Card(instance: "a", name: "new", type: "T")),
            ],
            [
                .setUpdateToken(card("a"), token: first), .cardSeen(Card(instance: "a", name: "new", type: "T")),
            ]
        ),
        (
            "of permissions the last count",
            [
                .permissions(.init(activities: true, frequentPushes: true)),
                .permissions(.init(activities: false, frequentPushes: true)),
            ],
            [.permissions(.init(activities: false, frequentPushes: true))]
        ),
    ]

    @Test("merges", arguments: mergeTable.indices)
    func merges(index: Int) {
        let (words, appended, expected) = Self.mergeTable[index]
        var outbox = Outbox()
        for action in appended { #expect(outbox.append(action) == 0) }
        #expect(outbox.entries.map(\.action) == expected, "\(words)")
        let sequences = outbox.entries.map(\.sequence)
        #expect(sequences == sequences.sorted() && Set(sequences).count == sequences.count)
    }

    @Test func `a change that replaces one on its way gets a number of its own`() {
        var outbox = Outbox()
        _ = outbox.append(.setUpdateToken(Self.card("a"), token: Self.first))
        let sent = outbox.batch(limit: 10)
        _ = outbox.append(.setUpdateToken(Self.card("a"), token: Self.second))
        #expect(outbox.confirm(through: sent[0].sequence).isEmpty)
        #expect(outbox.entries.map(\.sequence) == [2])
        #expect(outbox.confirm(through: 2).count == 1)
        #expect(outbox.lastSequence == 2)
    }

    @Test func `when it is full, reports about content go first, then cards that are over, tokens of few cards never`()
    {
        var outbox = Outbox()
        var dropped = 0
        for number in 0..<Outbox.capacity / 2 {
            dropped += outbox.append(.setUpdateToken(Self.card("live\(number)"), token: Self.first))
            dropped += outbox.append(.cardEvent(Self.card("live\(number)"), .contentApplied))
        }
        #expect(dropped == 0)
        // Content gives way.
        dropped += outbox.append(.setUpdateToken(Self.card("over"), token: Self.first))
        dropped += outbox.append(.cardEvent(Self.card("over"), .dismissed))
        #expect(dropped == 2)
        #expect(outbox.entries.count == Outbox.capacity)
        #expect(!outbox.entries.contains { $0.action == .cardEvent(Self.card("live0"), .contentApplied) })
        for number in 0..<Outbox.capacity / 2 {
            dropped += outbox.append(.setUpdateToken(Self.card("more\(number)"), token: Self.first))
        }
        #expect(!outbox.entries.contains { $0.action.isContentReport })
        // Then the card that is over, token and all.
        #expect(!outbox.entries.contains { $0.action.card?.instance == "over" })
        #expect(outbox.entries.count == Outbox.capacity)
        // Then the card that was reported longest ago gives way. No phone shows that many cards.
        #expect(outbox.append(.setUpdateToken(Self.card("last"), token: Self.first)) == 1)
        #expect(outbox.entries.count == Outbox.capacity)
        #expect(!outbox.entries.contains { $0.action.card?.instance == "live0" })
        // Reports of as many cards as a phone can show are kept beyond the bound.
        var few = Outbox()
        for number in 0..<DeviceLimits.cardsPerReport {
            #expect(few.append(.setUpdateToken(Self.card("live\(number)"), token: Self.first)) == 0)
        }
        for number in 0..<Outbox.capacity {
            #expect(few.append(.removeStartToken(type: "type-\(number)")) == 0)
        }
        #expect(few.entries.count == Outbox.capacity + DeviceLimits.cardsPerReport)
    }

    @Test func `a token that is told again gets a number of its own, since the first may be refused on its way`() {
        for again in [DeviceChange.Action.setUpdateToken(Self.card("a"), token: Self.first), .cardSeen(Self.card("a"))]
        {
            var outbox = Outbox()
            _ = outbox.append(.setUpdateToken(Self.card("a"), token: Self.first))
            let sent = outbox.batch(limit: 10)
            _ = outbox.append(again)
            #expect(outbox.confirm(through: sent[0].sequence).isEmpty)
            #expect(outbox.entries.map(\.action) == [.setUpdateToken(Self.card("a"), token: Self.first)])
        }
    }

    @Test func `when it is full, a card that was let go and taken up again is not over`() {
        var outbox = Outbox()
        _ = outbox.append(.stopTracking(Self.card("kept")))
        _ = outbox.append(.setUpdateToken(Self.card("kept"), token: Self.first))
        _ = outbox.append(.stopTracking(Self.card("over")))
        for number in 0..<Outbox.capacity { _ = outbox.append(.removeStartToken(type: "type-\(number)")) }
        #expect(outbox.entries.contains { $0.action == .setUpdateToken(Self.card("kept"), token: Self.first) })
        #expect(!outbox.entries.contains { $0.action.card?.instance == "over" })
    }

    @Test func `a token that is there and comes, too, is told once, and once more where the card is taken up again`()
        async throws
    {
        let rig = Rig()
        let ledger = Self.ledger(in: rig)
        for number in 1...2 {
            _ = await ledger.follow(instance: "a", name: "final", type: "T", isWanted: true, isPrepared: false)
            await ledger.tokenSeen("a", Self.first)
            let told = await ledger.state.outbox
            await ledger.tokenSeen("a", Self.first)
            #expect(await ledger.state.outbox == told)
            #expect(told.entries.last?.action == .setUpdateToken(Self.card("a"), token: Self.first))
            await ledger.stoppedFollowing("a", number: number)
        }
    }

    @Test func `of two cards of a name the one that was seen first is told first, however late its token comes`()
        async throws
    {
        let rig = Rig()
        let ledger = Self.ledger(in: rig)
        for instance in ["a", "b"] {
            _ = await ledger.follow(instance: instance, name: "final", type: "T", isWanted: false, isPrepared: false)
        }
        await ledger.tokenSeen("b", Self.second)
        await ledger.tokenSeen("a", Self.first)
        let told = await ledger.state.outbox.entries.map(\.action)
        let first = told.firstIndex(of: .cardSeen(Self.card("a")))
        let second = told.firstIndex(of: .setUpdateToken(Self.card("b"), token: Self.second))
        #expect(first != nil && second != nil && first ?? 0 < second ?? 0, "\(told)")
        #expect(!told.contains(.setUpdateToken(Self.card("a"), token: Self.first)))
    }

    @Test func `a new epoch numbers everything from one`() {
        var outbox = Outbox()
        _ = outbox.append(.logout)
        _ = outbox.append(.cardSeen(Self.card("a")))
        _ = outbox.confirm(through: 1)
        outbox.renumber()
        #expect(outbox.entries.map(\.sequence) == [1])
        #expect(outbox.lastSequence == 1)
    }
}
