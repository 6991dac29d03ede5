import EyotContract
import Foundation
import PhoneSimulator
import Testing

@testable import EyotLab

/// What the wall says of a phone, for each thing that can happen to one.
@Suite("Phones of the wall")
struct WallPhoneTests {
    private typealias Make = WallBuilder

    @Test func `A phone with the newest state shows it`() throws {
        var phone = Make.phone()
        try Make.start(&phone, Make.state(1))
        let wall = Make.wallPhone(phone, try Make.declared(version: 3, Make.state(1)))
        #expect(wall.mark == .shown && wall.note == nil)
        #expect(wall.cards.map(\.version) == [3] && wall.cards.map(\.declared) == [3])
        #expect(wall.cards.first?.leads == true && wall.hasIsland)
    }

    @Test func `A phone with an older state is behind since the next one was declared`() throws {
        var phone = Make.phone()
        try Make.start(&phone, Make.state(1))
        let first = try Make.declared(version: 3, Make.state(1), second: 5)
        let second = try Make.declared(version: 4, Make.state(2), second: 9, after: first)
        let third = try Make.declared(version: 5, Make.state(3), second: 12, after: second)
        let wall = Make.wallPhone(phone, third)
        #expect(wall.mark == .behind)
        #expect(wall.cards.first?.version == 3 && wall.cards.first?.declared == 5)
        #expect(wall.cards.first?.behindSince == Make.at(9))
    }

    @Test func `A state that was declared twice counts as the newer one`() throws {
        var phone = Make.phone()
        try Make.start(&phone, Make.state(1))
        let first = try Make.declared(version: 3, Make.state(1), second: 5)
        let again = try Make.declared(
            version: 5, Make.state(1), second: 9, after: try Make.declared(version: 4, Make.state(2), after: first))
        #expect(Make.wallPhone(phone, again).mark == .shown)
    }

    @Test func `A state that no report had has the version of its push`() throws {
        var phone = Make.phone()
        try Make.start(&phone, Make.state(0))
        Make.push(&phone, "update", Make.state(7), version: 4, second: 6)
        let wall = Make.wallPhone(phone, try Make.declared(version: 5, Make.state(8), second: 9))
        #expect(wall.mark == .behind && wall.cards.first?.version == 4)
        let ahead = Make.wallPhone(phone, try Make.declared(version: 3, Make.state(8), newest: 4))
        #expect(ahead.mark == .shown, "version 4 was declared for this card alone")
    }

    @Test func `A phone that cannot decode the newest state names the member, until it shows one`() throws {
        var phone = Make.phone()
        try Make.start(&phone, Make.state(1))
        Make.push(&phone, "update", Make.state(2.5), version: 4, second: 6)
        let first = try Make.declared(version: 3, Make.state(1))
        let wall = Make.wallPhone(phone, try Make.declared(version: 4, Make.state(2.5), second: 5.5, after: first))
        #expect(wall.mark == .undecodable)
        #expect(wall.note == "contentState.homeScore: does not decode as Int")
        Make.push(&phone, "update", Make.state(3), version: 5, second: 8)
        #expect(Make.wallPhone(phone, try Make.declared(version: 5, Make.state(3))).mark == .shown)
        #expect(Make.wallPhone(phone, try Make.declared(version: 6, Make.state(4), second: 9)).mark == .behind)
    }

    @Test func `A start that does not decode leaves no card and is no empty phone`() throws {
        var phone = Make.phone()
        Make.push(&phone, "start", Make.state("one"), version: 1, second: 6)
        #expect(Make.wallPhone(phone, try Make.declared(version: 1, Make.state("one"))).mark == .undecodable)
        #expect(Make.wallPhone(Make.phone(), try Make.declared(version: 1, Make.state(1))).mark == .empty)
    }

    @Test func `A card that Apple started waits for Allow`() throws {
        var phone = Make.phone(allowed: .afterAsking)
        Make.push(&phone, "start", Make.state(0), version: 1, second: 6)
        let declared = try Make.declared(version: 1, Make.state(0))
        #expect(Make.wallPhone(phone, declared).mark == .waiting)
        phone.pressAllow(now: Make.at(8))
        #expect(Make.wallPhone(phone, declared).mark == .shown)
    }

    @Test func `An offline phone is offline, whatever it shows`() throws {
        var phone = Make.phone()
        try Make.start(&phone, Make.state(1))
        phone.goOffline(now: Make.at(4))
        let wall = Make.wallPhone(phone, try Make.declared(version: 4, Make.state(2), second: 9))
        #expect(wall.mark == .offline && wall.cards.first?.mark == .behind)
    }

    @Test func `A phone with Live Activities off says so, and not that it has no card`() throws {
        var phone = Make.phone()
        var settings = phone.settings
        settings.activitiesEnabled = false
        phone.change(settings: settings, now: Make.at(4))
        #expect(Make.wallPhone(phone, try Make.declared(version: 4, Make.state(2), second: 9)).mark == .off)
    }

    @Test func `A card that was swiped away is dismissed, and one that went after the end is not`() throws {
        var phone = Make.phone()
        try Make.start(&phone, Make.state(1))
        phone.dismiss(card: phone.cards[0].id, now: Make.at(10))
        #expect(Make.wallPhone(phone, try Make.declared(version: 3, Make.state(1))).mark == .dismissed)
        let later = try Make.declared(version: 4, Make.state(1), status: "ended", second: 20)
        #expect(Make.wallPhone(phone, later).mark == .dismissed)
        let earlier = try Make.declared(version: 4, Make.state(1), status: "ended", second: 8)
        #expect(Make.wallPhone(phone, earlier).mark == .ended)
    }

    @Test func `A card that still runs after the end is behind, and one that ended is not`() throws {
        var phone = Make.phone()
        try Make.start(&phone, Make.state(1))
        let ended = try Make.declared(version: 4, Make.state(1), status: "ended", second: 5)
        #expect(Make.wallPhone(phone, ended).mark == .behind)
        Make.push(&phone, "end", Make.state(1), version: 4, second: 7)
        #expect(Make.wallPhone(phone, ended).mark == .ended)
    }

    @Test func `The worst of several cards marks the phone`() throws {
        var phone = Make.phone()
        try Make.start(&phone, Make.state(2))
        try Make.start(&phone, Make.state(1))
        let first = try Make.declared(version: 1, Make.state(1), second: 2)
        let wall = Make.wallPhone(phone, try Make.declared(version: 2, Make.state(2), second: 3, after: first))
        #expect(wall.cards.map(\.mark) == [.shown, .behind])
        #expect(wall.mark == .behind)
    }

    @Test func `A card without a declaration has no version`() throws {
        var phone = Make.phone()
        try Make.start(&phone, Make.state(1))
        let wall = Make.wallPhone(phone, nil)
        #expect(wall.mark == .shown && wall.cards.first?.version == nil && wall.cards.first?.declared == nil)
    }

    // MARK: Its story

    @Test func `The story has each push with what the phone did and why`() throws {
        var phone = Make.phone()
        try Make.start(&phone, Make.state(1))
        Make.push(&phone, "update", Make.state(2), version: 4, second: 6)
        Make.push(&phone, "update", Make.state(2.5), version: 5, second: 8)
        Make.push(&phone, "update", Make.state(1), version: 3, second: 4)
        let story = PhoneStory(Make.reading(phone)).entries
        #expect(story.map(\.outcome) == [.good, .bad, .neutral])
        #expect(story.map(\.version) == [4, 5, 3])
        #expect(story[0].text == "An update with version 4 came, and the card showed it")
        #expect(story[0].detail == Make.state(2).text)
        #expect(story[1].detail?.contains("homeScore: does not decode as Int") == true)
        #expect(story.allSatisfy { $0.apnsID?.count == 36 })
    }
}
