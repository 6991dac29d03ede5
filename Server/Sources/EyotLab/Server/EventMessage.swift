/// A message of a stream of events, as `text/event-stream` has it.
public struct EventMessage: Sendable, Hashable {
    /// The id to go on from; nil if the message has none.
    public var id: String?
    /// The kind of the event.
    public var event: String
    /// The text of the message; its lines are separated by a line feed.
    public var data: String
}

/// Reads the messages of a stream from bytes that come in any portions. Comments are left out.
public struct EventMessageReader: Sendable {
    private var line: [UInt8] = []
    private var message = EventMessage(id: nil, event: "", data: "")

    /// Makes a reader at the beginning of a stream.
    public init() {}

    /// Takes the next bytes.
    ///
    /// - Returns: The messages that are complete with them.
    public mutating func read(_ bytes: some Sequence<UInt8>) -> [EventMessage] {
        var complete: [EventMessage] = []
        for byte in bytes where byte != UInt8(ascii: "\r") {
            guard byte == UInt8(ascii: "\n") else {
                line.append(byte)
                continue
            }
            if line.isEmpty {
                if !message.data.isEmpty { complete.append(message) }
                message = EventMessage(id: nil, event: "", data: "")
            } else {
                read(line: String(decoding: line, as: UTF8.self))
            }
            line.removeAll(keepingCapacity: true)
        }
        return complete
    }

    private mutating func read(line: String) {
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { return }
        let value = String(parts[1].first == " " ? parts[1].dropFirst() : parts[1])
        switch parts[0] {
        case "id": message.id = value
        case "event": message.event = value
        case "data": message.data += message.data.isEmpty ? value : "\n" + value
        default: break
        }
    }
}
