import EyotLab
import Testing

/// Streams of events as their bytes come.
@Suite("Messages of a stream")
struct EventMessageTests {
    private static let text =
        ": following\n\nid: 7\nevent: card.ended\ndata: {\"a\": 1}\n\n"
        + ": nothing new\r\n\r\nevent: x\r\ndata: é\r\ndata:two\r\n\r\nid: 9\n\ndata: cut off"

    @Test(arguments: [1, 2, 5, 1_000])
    func `messages are read from portions of any size`(size: Int) {
        var (reader, messages) = (EventMessageReader(), [EventMessage]())
        let bytes = Array(Self.text.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            messages += reader.read(bytes[start..<min(start + size, bytes.count)])
        }
        #expect(messages.map(\.id) == ["7", nil])
        #expect(messages.map(\.event) == ["card.ended", "x"])
        #expect(messages.map(\.data) == [#"{"a": 1}"#, "é\ntwo"])
    }
}
