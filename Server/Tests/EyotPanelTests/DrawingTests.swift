import EyotContract
import Testing

@testable import EyotPanel

/// Drawings, which are functions of values alone.
@Suite("Drawings") struct DrawingTests {
    private static let hostile = "<script>alert('1')</script>\u{202E}\"&"

    @Test func `A sparkline leaves a gap where there is no value, and calm values stay low`() {
        let line = Sparkline(values: [0.2, 0.4, nil, 30, nil, 1], tone: .warn, name: "Ages").svg
        #expect(line.components(separatedBy: "<polyline").count == 2)
        #expect(line.components(separatedBy: "<circle").count == 3, "single values are spots")
        #expect(line.contains("line warn"))
        let calm = Sparkline(values: [0, 0.1], tone: .good, name: "Ages").svg
        #expect(calm.contains(#"points="2,22 118,20"#), "a tenth of a second is near the floor: \(calm)")
    }

    @Test func `A funnel's bars are shares of its widest step`() {
        let rows = Funnel(steps: [
            .init(name: "Targeted", count: 200), .init(name: "Shown", count: 50), .init(name: "Rare", count: 1),
            .init(name: "None", count: 0),
        ]).rows
        #expect(rows.map(\.share) == ["100.0 %", "25.0 %", "0.5 %", "0.0 %"])
        #expect(rows[1].bar.contains(#"calm" width="50""#))
        #expect(rows[2].bar.contains(#"calm" width="1""#), "what is there can be seen")
        #expect(rows[3].bar.contains(#"calm" width="0""#))
        #expect(Funnel(steps: [.init(name: "None", count: 0)]).rows[0].share == "–")
    }

    @Test func `A histogram adds neighbours up when there are too many, or takes the highest`() {
        var picture = Histogram(name: "Taps", values: Array(repeating: 2, count: 240), ends: ("20:00", "22:00"))
        #expect(picture.svg.components(separatedBy: "<rect").count == 121)
        #expect(picture.svg.contains(">4</text>"))
        picture.isMaximum = true
        #expect(picture.svg.contains(">2</text>"))
        #expect(HTMLCheck.fault(in: picture.svg) == nil)
        #expect(!Histogram(name: "None", values: [0, 0], ends: ("a", "b")).svg.contains("<rect"))
    }

    @Test func `A card pairs what its attributes name with figures of its state`() {
        let fields = CardFields(
            attributes: ["home": "Argentina", "away": "France"],
            state: ["homeScore": 2, "awayScore": 1, "clock": "82"])
        #expect(
            fields.figures == [
                .init(caption: "Argentina", value: "2"), .init(caption: "France", value: "1"),
            ])
        #expect(fields.lines == ["clock 82"])
        let order = CardFields(attributes: ["number": "88121"], state: ["minutes": 12, "stage": "on its way"])
        #expect(order.figures == [.init(caption: "minutes", value: "12")])
        #expect(order.lines == ["stage on its way", "number 88121"])
    }

    @Test func `Text from outside stays text in each drawing`() {
        let hostile = Self.hostile
        let fields = CardFields(
            attributes: ["home": .string(hostile)], state: ["homeScore": 1, "note": .string(hostile)])
        let card = CardDrawing(app: hostile, fields: fields, note: hostile)
        let drawings = [
            card.lockScreen, card.island, Sparkline(values: [1], tone: .good, name: hostile).svg,
            Histogram(name: hostile, values: [1], ends: (hostile, hostile)).svg,
        ]
        for drawing in drawings {
            #expect(!drawing.contains("<script") && !drawing.contains("\u{202E}"))
            #expect(HTMLCheck.fault(in: drawing) == nil)
        }
        #expect(card.lockScreen.contains("&lt;script&gt;"))
    }

    @Test(
        "Each character can be seen",
        arguments: [
            ("a\u{0}b", "a⟨U+0000⟩b"), ("\u{202E}abc", "⟨U+202E⟩abc"), ("a\nb", "a⟨U+000A⟩b"),
            ("\u{200F}\u{2066}", "⟨U+200F⟩⟨U+2066⟩"), ("زمالك 2–1", "زمالك 2–1"), ("👩‍👩‍👧", "👩‍👩‍👧"),
        ])
    func plain(text: String, shown: String) { #expect(Shown.line(text) == shown) }

    @Test func `An accent on a mark hides it from no escape`() {
        let text = SVG.text("\"\u{301}<\u{301}&\u{301}")
        #expect(!text.unicodeScalars.contains("\"") && !text.unicodeScalars.contains("<"))
        #expect(text.unicodeScalars.count { $0 == "&" } == 3)
    }
}
