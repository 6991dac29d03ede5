import NIOCore

/// Outgoing bodies, with the peer's windows that limit them (RFC 9113, section 5.2).
package struct OutgoingBodies {
    /// A body that a window has let out only in part.
    private struct Part {
        let stream: UInt32
        let body: [UInt8]
        var sent = 0
        /// The bytes that the peer still accepts on this stream. Below zero if the peer has reduced the window since.
        var window: Int
    }

    private static let largestWindow = Int(Int32.max)

    private var unsent: [Part] = []
    /// The bytes that the peer still accepts on the connection, and initially on a new stream.
    package private(set) var window = 65_535
    package private(set) var initialWindow = 65_535

    /// How many bodies wait for a window.
    package var count: Int { unsent.count }
    package var isEmpty: Bool { unsent.isEmpty }

    /// Whether the stream has unsent bytes.
    package func holds(_ stream: UInt32) -> Bool { !unsent.isEmpty && unsent.contains { $0.stream == stream } }

    /// Sends a body up to the windows, and keeps the rest.
    ///
    /// - Parameter widened: the total by which the peer has widened the stream's window.
    package mutating func send(
        _ body: [UInt8], of stream: UInt32, widenedBy widened: Int, to output: inout ByteBuffer
    ) {
        let streamWindow = initialWindow + widened
        if body.count <= min(window, streamWindow, FrameHeader.longestPayload) {
            write(body[...], of: stream, isLast: true, to: &output)
        } else {
            unsent.append(Part(stream: stream, body: body, window: streamWindow))
            write(to: &output)
        }
    }

    /// Sends as much as the windows allow, in order of arrival.
    package mutating func write(to output: inout ByteBuffer) {
        while window > 0, let index = unsent.firstIndex(where: { $0.window > 0 }) {
            let part = unsent[index]
            let end = min(part.body.count, part.sent + min(window, part.window, FrameHeader.longestPayload))
            let isLast = end == part.body.count
            write(part.body[part.sent..<end], of: part.stream, isLast: isLast, to: &output)
            if isLast {
                unsent.remove(at: index)
            } else {
                unsent[index].sent = end
                unsent[index].window -= end - part.sent
            }
        }
    }

    private mutating func write(
        _ bytes: ArraySlice<UInt8>, of stream: UInt32, isLast: Bool, to output: inout ByteBuffer
    ) {
        window -= bytes.count
        output.write(
            FrameHeader(
                length: bytes.count, kind: FrameKind.data, flags: isLast ? FrameFlag.endStream : 0, stream: stream))
        output.writeBytes(bytes)
    }

    /// Discards the unsent bytes of a stream.
    package mutating func drop(_ stream: UInt32) {
        if !unsent.isEmpty { unsent.removeAll { $0.stream == stream } }
    }

    /// Discards the unsent bytes of all streams above this id.
    package mutating func drop(beyond last: UInt32) {
        if !unsent.isEmpty { unsent.removeAll { $0.stream > last } }
    }

    // MARK: Windows

    package mutating func widen(by more: Int) throws(HTTP2Violation) { window = try Self.sum(window, more) }

    /// Widens a stream's window. Has no effect if the stream has no unsent bytes.
    package mutating func widen(_ stream: UInt32, by more: Int) throws(HTTP2Violation) {
        guard let index = unsent.firstIndex(where: { $0.stream == stream }) else { return }
        unsent[index].window = try Self.sum(unsent[index].window, more)
    }

    package mutating func setInitialWindow(_ size: Int) throws(HTTP2Violation) {
        let more = try Self.sum(size, 0) - initialWindow
        for index in unsent.indices { unsent[index].window = try Self.sum(unsent[index].window, more) }
        initialWindow = size
    }

    /// - Throws: if the sum exceeds the largest window.
    package static func sum(_ window: Int, _ more: Int) throws(HTTP2Violation) -> Int {
        guard window + more <= largestWindow else {
            throw HTTP2Violation(.flowControl, "a window of \(window + more)")
        }
        return window + more
    }
}
