import EyotContract
import Foundation
import PhoneSimulator
import Testing

@testable import EyotLab

/// The wall as a picture, and what viewers of the page are sent.
@Suite("The picture of the wall")
struct WallSVGTests {
    private typealias Make = WallBuilder

    private func picture(_ phones: [PhoneState], _ declared: [DeclaredActivity]) -> WallPicture {
        var picture = WallPicture()
        _ = picture.update(phones.map { Make.reading($0) }, declared, ["now": "2026-01-01T00:00:00Z"])
        return picture
    }

    private func phones(_ count: Int) throws -> [PhoneState] {
        try (1...count).map { number in
            var phone = Make.phone("phone-\(number)")
            try Make.start(&phone, Make.state(number.isMultiple(of: 3) ? 0 : 1))
            return phone
        }
    }

    @Test func `It has the declared state, the counts and each phone in full`() throws {
        let declared = try Make.declared(version: 2, Make.state(1))
        let text = WallSVG(picture(try phones(6), [declared]), at: Make.at(60)).text
        for words in [
            "Argentina 1–0 France, 23&#39;", "final · version 2", "4 up to date", "2 behind", ">phone-6<", ">v2<",
            "older → v2", "4 of 6 phones show the newest state", "2023-11-14T22:14:20Z",
        ] {
            #expect(text.contains(words), "\(words)")
        }
        #expect(text.components(separatedBy: "<g ").count == 7)
    }

    @Test func `More than sixty phones are dots`() throws {
        let text = WallSVG(picture(try phones(61), []), at: Make.at(60)).text
        #expect(!text.contains("<g ") && text.components(separatedBy: "<circle ").count >= 62)
        #expect(text.contains("Nothing is declared"))
    }

    @Test func `Hostile names and states are text`() throws {
        var phone = Make.phone()
        let evil = "</text><script>alert(1)</script>&\"'\u{202E}\u{0}\u{FFFF}"
        let attributes: JSONValue = ["eyotActivityName": .string(evil), "home": .string(evil), "away": "b"]
        let state: JSONValue = ["homeScore": 1, "awayScore": 0, "clock": .string(evil)]
        try Make.start(&phone, state, attributes: attributes)
        let text = WallSVG(picture([phone], [try Make.declared(version: 2, state)]), at: Make.at(60)).text
        #expect(!text.contains("<script") && !text.contains("</text><") && !text.contains("\u{0}"))
        #expect(text.contains("&lt;/text&gt;&lt;script&gt;"))
        #expect(!text.unicodeScalars.contains("\u{FFFF}"))
        let parser = XMLCheck(text)
        #expect(parser.isWellFormed, "\(parser.problem)")
    }

    // MARK: Messages

    @Test func `Only phones that look different are sent, and faces once`() throws {
        var phones = try phones(3)
        let declared = try Make.declared(version: 2, Make.state(1))
        var picture = WallPicture()
        let lab: JSONValue = ["server": "running"]
        let first = picture.update(phones.map { Make.reading($0) }, [declared], lab)
        #expect(first.phones.count == 3 && first.faces.count == 2 && first.isDeclaredNew && first.isLabNew)
        let second = picture.update(phones.map { Make.reading($0) }, [declared], lab)
        #expect(second.phones.isEmpty && second.faces.isEmpty && !second.isDeclaredNew && !second.isLabNew)
        #expect(WallMessage.news(second, picture).isEmpty)
        Make.push(&phones[1], "update", Make.state(5), version: 3, second: 8)
        let third = picture.update(phones.map { Make.reading($0) }, [declared], lab)
        #expect(third.phones.map(\.id) == ["phone-2"] && third.faces.count == 1)
        var reader = EventMessageReader()
        let news = reader.read(WallMessage.news(third, picture))
        #expect(news.map(\.event) == ["faces", "changed"])
        let all = reader.read(WallMessage.all(of: picture))
        #expect(all.map(\.event) == ["lab", "faces", "declared", "phones"])
        let known = try JSONValue(parsing: all[1].data).array?.compactMap { $0.object?["id"]?.integer } ?? []
        let used =
            try JSONValue(parsing: all[3].data).array?
            .flatMap { $0.object?["cards"]?.array ?? [] }.compactMap { $0.object?["face"]?.integer } ?? []
        #expect(used.count == 3 && Set(used).isSubset(of: known))
    }

    @Test func `Names with line feeds stay within their message`() throws {
        let evil = "a\n\nevent: phones\ndata: []"
        let report: JSONValue = [
            "name": .string(evil), "generation": 1, "version": 1, "state": "active", "stateVersion": 1,
            "contentState": ["x": .string(evil)],
        ]
        let bytes = WallMessage.all(of: picture([], [try #require(DeclaredActivity(report: report))]))
        var reader = EventMessageReader()
        #expect(reader.read(bytes).map(\.event) == ["lab", "faces", "declared", "phones"])
    }

    // MARK: Viewers

    @Test func `A new viewer gets everything, the others the news, and one that does not read is dropped`() async throws
    {
        let viewers = WallViewers()
        let reader = try #require(viewers.join())
        viewers.send(news: [1], all: [9])
        let late = try #require(viewers.join())
        viewers.send(news: [2], all: [9])
        viewers.send(news: [], all: [9])
        var (first, second) = (reader.makeAsyncIterator(), late.makeAsyncIterator())
        #expect(await first.next() == [9])
        #expect(await first.next() == [2])
        #expect(await second.next() == [9])
        for number in 0...WallViewers.patience {
            viewers.send(news: [3], all: [9])
            if number < WallViewers.patience { _ = await first.next() }
        }
        #expect(viewers.count == 1, "the second has not read")
        viewers.close()
        #expect(await first.next() == [3])
        #expect(await first.next() == nil)
    }

    @Test func `Only so many pages may be open, and one that leaves makes room`() throws {
        let viewers = WallViewers()
        var open = (0..<WallViewers.limit).compactMap { _ in viewers.join() }
        #expect(open.count == WallViewers.limit && viewers.join() == nil)
        open.removeLast()
        #expect(viewers.count == WallViewers.limit - 1 && viewers.join() != nil)
    }

    @Test func `A look that takes long is followed by a longer rest`() {
        #expect(WallFeed.rest(after: .milliseconds(1)) == .milliseconds(250))
        #expect(WallFeed.rest(after: .milliseconds(100)) == .milliseconds(400))
    }

    // MARK: Declared states

    @Test func `Reports that overtake each other and activities that are gone`() throws {
        let states = DeclaredStates()
        let second = try Make.declared(version: 2, Make.state(2))
        states.adopt([second])
        states.adopt([try Make.declared(version: 1, Make.state(1))])
        #expect(states.all.map(\.version) == [2])
        states.adopt([try Make.declared(version: 3, Make.state(3))], isComplete: true)
        #expect(states.all.first?.states.map(\.version) == [2, 3])
        states.adopt([], isComplete: true)
        #expect(states.all.isEmpty)
    }

    @Test func `Only the newest states are kept`() throws {
        var activity = try Make.declared(version: 1, Make.state(1))
        for version in 2...60 {
            activity = try Make.declared(version: version, Make.state(.integer(version)), after: activity)
        }
        #expect(activity.states.count == DeclaredActivity.stateLimit && activity.states.last?.version == 60)
    }

    @Test func `An accent on a mark hides it from no escape`() {
        #expect(WallSVG.escaped("\"\u{301}<\u{301}&\u{301}") == "&quot;\u{301}&lt;\u{301}&amp;\u{301}")
    }
}

/// A check whether a text is XML.
private final class XMLCheck {
    private(set) var isWellFormed = false
    private(set) var problem = ""

    init(_ text: String) {
        do {
            _ = try XMLDocumentShape(text)
            isWellFormed = true
        } catch {
            problem = "\(error)"
        }
    }
}

/// The elements of a document: each that is opened is closed, and no text has an open bracket or a bare ampersand.
private struct XMLDocumentShape {
    struct Fault: Error { var near: String }

    init(_ text: String) throws {
        var open: [Substring] = []
        var rest = text[...]
        while let start = rest.firstIndex(of: "<") {
            let between = rest[..<start]
            guard between.matches(of: /&(?!(?:amp|lt|gt|quot|#39);)/).isEmpty else { throw Fault(near: "\(between)") }
            guard let end = rest[start...].firstIndex(of: ">") else { throw Fault(near: "the end") }
            let tag = rest[rest.index(after: start)..<end]
            let name = tag.drop { $0 == "/" }.prefix { $0.isLetter }
            if tag.hasPrefix("/") {
                guard open.popLast() == name else { throw Fault(near: "\(tag)") }
            } else if !tag.hasSuffix("/") {
                open.append(name)
            }
            rest = rest[rest.index(after: end)...]
        }
        guard open.isEmpty else { throw Fault(near: "\(open)") }
    }
}
