import EyotContract
import Foundation
import PhoneSimulator
import Testing

struct LocalTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var os = IOSVersion(26)
        var enabled = true
        var foreground = true
        var request = LocalTests.asked()
        let refusal: CardRefusal?
        var testDescription: String { name }
    }

    static func asked(
        updates: CardUpdates = .token, padding: Int = 0, startDate: Date? = nil, isFromIntent: Bool = false
    ) -> CardRequest {
        CardRequest(
            type: "Match", attributes: ["home": .string(String(repeating: "x", count: padding))],
            content: CardContent(state: ["score": "0-0"]), updates: updates, startDate: startDate,
            isFromIntent: isFromIntent)
    }

    static let cases = [
        Case(name: "in the foreground it starts", refusal: nil),
        Case(name: "in the background it does not", foreground: false, refusal: .visibility),
        Case(name: "from an intent it does", foreground: false, request: asked(isFromIntent: true), refusal: nil),
        Case(name: "not with Live Activities off", enabled: false, refusal: .denied),
        Case(name: "not before iOS 16.1", os: IOSVersion(16), refusal: .unsupported),
        // {"home":""} has 11 bytes and {"score":"0-0"} 15.
        Case(name: "with 4,096 bytes", request: asked(padding: 4_096 - 26), refusal: nil),
        Case(name: "not with one more", request: asked(padding: 4_097 - 26), refusal: .attributesTooLarge),
        Case(name: "on a channel", request: asked(updates: .channel("AAAA")), refusal: nil),
        Case(
            name: "not on a channel that is none", request: asked(updates: .channel("?")),
            refusal: .persistenceFailure),
        Case(
            name: "not on a channel before iOS 18", os: IOSVersion(17, 5),
            request: asked(updates: .channel("AAAA")), refusal: .unsupported),
        Case(
            name: "not scheduled before iOS 26", os: IOSVersion(18), request: asked(startDate: at(60)),
            refusal: .unsupported),
    ]

    @Test("A local start", arguments: cases)
    func start(_ example: Case) {
        var phone = launchedPhone(
            os: example.os, settings: PhoneSettings(activitiesEnabled: example.enabled))
        if !example.foreground { phone.moveToBackground(now: at(0)) }
        do throws(CardRefusal) {
            _ = try phone.request(example.request, now: at(1))
            #expect(example.refusal == nil)
        } catch {
            #expect(error == example.refusal)
        }
    }

    @Test func `the token is not there yet when the request returns`() throws {
        var phone = launchedPhone()
        _ = try phone.request(Self.asked(), now: at(0))
        #expect(phone.cards.first?.updateToken == nil)
        phone.advance(to: at(0))
        #expect(phone.cards.first?.updateToken?.bytes.count == 80)
    }

    @Test func `a token may take its time`() throws {
        var phone = launchedPhone { $0.tokenDelay = 2 }
        _ = try phone.request(Self.asked(), now: at(0))
        #expect(phone.nextMoment == at(2))
        phone.advance(to: at(1.9))
        #expect(phone.cards.first?.updateToken == nil)
        phone.advance(to: at(2))
        #expect(phone.cards.first?.updateToken != nil)
    }

    @Test func `without pushes there is no token`() throws {
        var phone = launchedPhone()
        _ = try phone.request(Self.asked(updates: .local), now: at(0))
        phone.advance(to: at(60))
        #expect(phone.cards.first?.updateToken == nil)
    }

    @Test func `in the background cards can be changed and ended`() throws {
        var phone = launchedPhone()
        let id = try phone.requestLocally()
        phone.moveToBackground(now: at(1))
        let content = CardContent(state: ["score": "1-0"], staleDate: at(300), relevanceScore: 3)
        #expect(phone.update(card: id, to: content, alerts: true, now: at(2)) == nil)
        #expect(phone.cards.first?.content == content)
        #expect(phone.cards.first?.alerts == 1)
        #expect(phone.end(card: id, content: nil, dismissal: .after(at(60)), now: at(3)) == nil)
        #expect(phone.cards.first?.phase == .ended)
        #expect(phone.cards.first?.removedAt == at(60))
        #expect(phone.score == "1-0")
    }

    @Test func `a state over 4,096 bytes is not shown`() throws {
        var phone = launchedPhone()
        let id = try phone.requestLocally()
        let big = CardContent(state: ["score": .string(String(repeating: "x", count: 4_096))])
        #expect(phone.update(card: id, to: big, now: at(1)) == .tooLarge)
        #expect(phone.score == "0-0")
    }
}
