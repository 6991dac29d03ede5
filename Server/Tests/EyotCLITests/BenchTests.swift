import APNSWire
import EyotContract
import Testing

@testable import EyotBench

@Suite struct `What a measurement reads` {
    @Test func `A template tells its number, its event and whether it has an alert, though it has no timestamp yet`() {
        let payload = LiveActivityPayload(
            event: .end, contentState: ["n": 7], alert: ["title": "Final", "body": "Now"])
        let (body, offset) = payload.render()
        let words = TemplateWords(
            PushTemplate(topic: "t", priority: .immediate, body: body, timestampOffset: offset))
        #expect(words.event == .end)
        #expect(words.number == 7)
        #expect(words.hasAlert)
        let (silent, place) = LiveActivityPayload(event: .update, contentState: ["score": 7]).render()
        let others = TemplateWords(
            PushTemplate(topic: "t", priority: .immediate, body: silent, timestampOffset: place))
        #expect(others.event == .update)
        #expect(others.number == nil)
        #expect(!others.hasAlert)
    }

    @Test func `A quantile is one of the values`() {
        let values = (1...200).map(Double.init)
        #expect(BenchReport.quantile(0.99, of: values.shuffled()) == 198)
        #expect(BenchReport.quantile(0.5, of: [3]) == 3)
        #expect(BenchReport.quantile(0.99, of: []).isNaN)
    }

    @Test func `What was used is divided among all`() {
        let cost = Cost(ProcessUsage(cpu: 2, bytesWritten: 500), of: 1_000)
        #expect(cost.cpu == 2_000)
        #expect(cost.written == 0.5)
    }
}
