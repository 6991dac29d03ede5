import EyotContract
import EyotHTTP
import Foundation

/// The wall as a picture in SVG, for a test's artefacts and for documents. It needs no script and no font.
struct WallSVG: Sendable {
    /// How many phones are drawn in full. More become dots.
    static let fullLimit = 60
    /// How many dots are drawn. The legend counts all phones.
    static let dotLimit = 10_000

    private static let width = 1_200
    private static let margin = 24
    private static let phonesPerRow = 10
    private static let dotsPerRow = 72

    let picture: WallPicture
    let at: Date
    private let faces: [Int: CardFace]

    init(_ picture: WallPicture, at: Date) {
        self.picture = picture
        self.at = at
        faces = Dictionary(picture.faces.all.map { ($0.id, $0.face) }, uniquingKeysWith: { $1 })
    }

    /// The document.
    var text: String {
        var body: [String] = []
        var y = Self.margin + 8
        header(&body, &y)
        legend(&body, &y)
        let full = picture.phones.count <= Self.fullLimit
        y += full ? phones(&body, y) : dots(&body, y)
        let height = y + Self.margin
        let head = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.width) \(height)" width="\(Self.width)" \
            height="\(height)" font-family="system-ui, -apple-system, Segoe UI, Inter, sans-serif" role="img">
            <title>\(Self.escaped(title))</title>
            <style>text{unicode-bidi:isolate}</style>
            <defs><linearGradient id="screen" x1="0" y1="0" x2="0.3" y2="1"><stop offset="0" stop-color="#2b3c63"/>\
            <stop offset="0.6" stop-color="#5b3f68"/><stop offset="1" stop-color="#8a4f5b"/></linearGradient></defs>
            <rect width="\(Self.width)" height="\(height)" fill="#0e0f12"/>
            """
        return ([head] + body + ["</svg>"]).joined(separator: "\n") + "\n"
    }

    private var title: String {
        "Wall of phones: \(picture.counts[.shown] ?? 0) of \(picture.phones.count) phones show the newest state"
    }

    // MARK: Head

    private func header(_ body: inout [String], _ y: inout Int) {
        let running = picture.declared.filter { !$0.isEnded }
        let shown = (running.isEmpty ? picture.declared : running).prefix(3)
        if shown.isEmpty {
            y += 14
            body.append(Label(words: "Nothing is declared", size: 20, weight: 650).at(Self.margin, y))
        }
        for activity in shown {
            y += 14
            let face = picture.declaredFaces[activity.name].flatMap { faces[$0] }
            let sentence = face?.sentence ?? activity.name
            body.append(Label(words: Words.clipped(sentence, to: 80), size: 20, weight: 650).at(Self.margin, y))
            y += 20
            let state = activity.isEnded ? "ended" : "version \(activity.stateVersion)"
            let words = "\(Words.clipped(activity.name)) · \(state)"
            body.append(Label(words: words, size: 13, color: Palette.quiet).at(Self.margin, y))
            y += 12
        }
        let moment = RFC3339.text(of: at)
        body.append(
            Label(words: moment, size: 13, color: Palette.quiet, anchor: "end")
                .at(Self.width - Self.margin, Self.margin + 20))
    }

    private func legend(_ body: inout [String], _ y: inout Int) {
        y += 22
        var x = Self.margin
        for mark in WallMark.allCases {
            guard let count = picture.counts[mark], count > 0 else { continue }
            body.append(#"<circle cx="\#(x + 5)" cy="\#(y - 4)" r="5" fill="\#(Palette.color(of: mark))"/>"#)
            let words = "\(count) \(mark.title)"
            body.append(Label(words: words, size: 13).at(x + 16, y))
            x += 36 + words.count * 7
        }
        y += 18
    }

    // MARK: Phones

    private func phones(_ body: inout [String], _ top: Int) -> Int {
        let gap = 14
        let width = (Self.width - 2 * Self.margin + gap) / Self.phonesPerRow - gap
        let height = width * 15 / 9
        for (index, phone) in picture.phones.enumerated() {
            let x = Self.margin + index % Self.phonesPerRow * (width + gap)
            let y = top + index / Self.phonesPerRow * (height + gap)
            body.append(drawing(of: phone, x: x, y: y, width: width, height: height))
        }
        let rows = (picture.phones.count + Self.phonesPerRow - 1) / Self.phonesPerRow
        return rows * (height + gap)
    }

    private func drawing(of phone: WallPhone, x: Int, y: Int, width: Int, height: Int) -> String {
        let dash = phone.mark == .undecodable ? #" stroke-dasharray="5 3""# : ""
        let dim = [.offline, .dismissed, .off, .empty].contains(phone.mark)
        var parts = [
            #"<g transform="translate(\#(x) \#(y))"\#(dim ? #" opacity="0.5""# : "")>"#,
            "<title>\(Self.escaped(sentence(of: phone)))</title>",
            """
            <rect width="\(width)" height="\(height)" rx="15" fill="url(#screen)" \
            stroke="\(Palette.color(of: phone.mark))" stroke-width="2.5"\(dash)/>
            """,
        ]
        if phone.hasIsland {
            let score = phone.cards.first(where: \.leads).flatMap { faces[$0.face]?.score }
            let wide = phone.cards.contains(where: \.leads) ? 62 : 44
            parts.append(
                ##"<rect x="\##((width - wide) / 2)" y="8" width="\##(wide)" height="9" rx="4.5" fill="#05060a"/>"##)
            if let score {
                parts.append(Label(words: score.left.short, size: 6, weight: 700).at((width - wide) / 2 + 6, 15))
                let end = (width + wide) / 2 - 6
                parts.append(Label(words: score.text, size: 6, weight: 700, anchor: "end").at(end, 15))
            }
        }
        for (index, card) in phone.cards.prefix(2).enumerated() {
            parts.append(drawing(of: card, width: width, y: height - 66 - index * 46))
        }
        if let note = phone.note {
            parts.append(Label(words: Words.clipped(note, to: 22), size: 8, color: Palette.bad).at(8, height - 72))
        }
        parts.append(Label(words: phone.id, size: 8, color: Palette.faint).at(8, height - 7))
        let status = Label(words: status(of: phone), size: 8, color: Palette.faint, anchor: "end")
        parts.append(status.at(width - 8, height - 7))
        return (parts + ["</g>"]).joined(separator: "\n")
    }

    private func drawing(of card: WallCard, width: Int, y: Int) -> String {
        guard let face = faces[card.face] else { return "" }
        let place = #"x="6" y="\#(y)" width="\#(width - 12)" height="42" rx="9""#
        var parts = [##"<rect \##(place) fill="#0c0e14" fill-opacity="0.72"/>"##]
        if let score = face.score {
            parts.append(Label(words: score.left.short, size: 10, weight: 700).at(12, y + 17))
            parts.append(Label(words: score.text, size: 11, weight: 700, anchor: "middle").at(width / 2, y + 17))
            parts.append(Label(words: score.right.short, size: 10, weight: 700, anchor: "end").at(width - 12, y + 17))
        } else {
            parts.append(Label(words: Words.clipped(face.title, to: 14), size: 10, weight: 700).at(12, y + 17))
        }
        if !face.lines.isEmpty {
            let words = face.lines.map { [$0.label, $0.value].compactMap(\.self).joined(separator: " ") }
                .joined(separator: " · ")
            parts.append(Label(words: Words.clipped(words, to: 18), size: 9, color: Palette.quiet).at(12, y + 32))
        }
        return parts.joined(separator: "\n")
    }

    private func dots(_ body: inout [String], _ top: Int) -> Int {
        let step = (Self.width - 2 * Self.margin) / Self.dotsPerRow
        let drawn = picture.phones.prefix(Self.dotLimit)
        for (index, phone) in drawn.enumerated() {
            let x = Self.margin + index % Self.dotsPerRow * step + step / 2
            let y = top + index / Self.dotsPerRow * step + step / 2
            let title = "<title>\(Self.escaped(sentence(of: phone)))</title>"
            body.append(
                #"<circle cx="\#(x)" cy="\#(y)" r="5" fill="\#(Palette.color(of: phone.mark))">\#(title)</circle>"#)
        }
        return (drawn.count + Self.dotsPerRow - 1) / Self.dotsPerRow * step
    }

    // MARK: Words

    private func status(of phone: WallPhone) -> String {
        guard let card = phone.cards.first, phone.mark != .offline, let declared = card.declared else {
            return phone.mark.rawValue
        }
        let version = card.version.map { "v\($0)" } ?? "older"
        return card.version == declared || card.mark == .ended ? version : "\(version) → v\(declared)"
    }

    private func sentence(of phone: WallPhone) -> String {
        let shown = phone.cards.compactMap { faces[$0.face]?.sentence }.joined(separator: "; ")
        return ["\(phone.id) \(phone.mark.sentence)", shown.isEmpty ? nil : shown, phone.note].compactMap(\.self)
            .joined(separator: ": ")
    }
}

/// A text in the picture.
private struct Label {
    var words: String
    var size: Int
    var weight = 400
    var color = Palette.ink
    var anchor = "start"

    func at(_ x: Int, _ y: Int) -> String {
        let anchor = anchor == "start" ? "" : #" text-anchor="\#(anchor)""#
        let weight = weight == 400 ? "" : #" font-weight="\#(weight)""#
        let place = #"x="\#(x)" y="\#(y)" font-size="\#(size)" fill="\#(color)""#
        return "<text \(place)\(weight)\(anchor)>\(WallSVG.escaped(words))</text>"
    }
}

extension WallSVG {
    /// A text in which nothing is markup, and nothing is forbidden in XML.
    static func escaped(_ text: String) -> String { Markup.escaped(Words.clipped(text, to: 300).unicodeScalars) }
}

/// The colours of the picture. The page has the same.
private enum Palette {
    static let ink = "#f4f4f2"
    static let quiet = "#b4b8c2"
    static let faint = "#d9dbe2"
    static let bad = "#ff9d94"

    static func color(of mark: WallMark) -> String {
        switch mark {
        case .shown: "#4fb59a"
        case .behind: "#e0a94a"
        case .undecodable: "#ef7d74"
        case .waiting: "#e9e9ee"
        case .offline: "#5a5f6b"
        case .dismissed: "#7d828e"
        case .off: "#a58bc4"
        case .ended: "#86aef2"
        case .empty: "#3a3e48"
        }
    }
}
