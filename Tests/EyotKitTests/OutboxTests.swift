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
            "the same token is told once",
            [.setUpdateToken(card("a"), token: first), .logout, .setUpdateToken(card("a"), token: first)],
            [.setUpdateToken(card("a"), token: first), .logout]
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
        // Then the card that was spoken of longest ago: no phone shows so many.
        #expect(outbox.append(.setUpdateToken(Self.card("last"), token: Self.first)) == 1)
        #expect(outbox.entries.count == Outbox.capacity)
        #expect(!outbox.entries.contains { $0.action.card?.instance == "live0" })
        // So many as a phone can show are kept beyond the bound.
        var few = Outbox()
        for number in 0..<DeviceLimits.cardsPerReport {
            #expect(few.append(.setUpdateToken(Self.card("live\(number)"), token: Self.first)) == 0)
        }
        for number in 0..<Outbox.capacity {
            #expect(few.append(.removeStartToken(type: "type-\(number)")) == 0)
        }
        #expect(few.entries.count == Outbox.capacity + DeviceLimits.cardsPerReport)
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
