import NIOCore

/// The part of a connection that both sides share (RFC 9113). It cuts bytes into frames, answers settings and pings,
/// respects the windows and ends floods.
///
/// A value with bytes in and bytes out: it knows nothing of sockets, threads, time or the use of streams.
package struct HTTP2Link {
    /// A received item that a side has to handle.
    package enum Incoming {
        /// The header block is whole and not decoded.
        case headers(UInt32, ByteBuffer, endsStream: Bool)
        /// The padding took of the stream's window, too.
        case data(UInt32, ByteBuffer, padding: Int, endsStream: Bool)
        case reset(UInt32, HTTP2Code)
        /// The peer uses our settings from now on.
        case acknowledged
        /// Settings. They are acknowledged already, and the window settings are applied.
        case settings([(key: UInt16, value: Int)], areFirst: Bool)
        /// The peer widens this stream's window by this number of bytes.
        case window(UInt32, by: Int)
        case goAway(last: UInt32, words: ByteBuffer)
    }

    /// More than this of frames that bring nothing is an attack, or broken.
    private static let idleFramesAllowed = 10_000
    /// Received bytes after which the peer's window is filled up again.
    private static let creditStep = 16_384
    /// The capacity of a sent buffer that is kept for later output.
    private static let roomKept = 1 << 20

    /// The bytes to send.
    package var output: ByteBuffer
    /// The buffer that was sent last, kept for its capacity.
    private var sent = ByteBuffer()
    /// Bodies that windows hold back, and the windows.
    package private(set) var bodies = OutgoingBodies()
    /// Whether the peer has sent its first SETTINGS.
    package private(set) var isReady = false
    package private(set) var reader: FrameReader
    /// Frames without effect since the last progress.
    private var idleFrames = 0
    /// Received bytes that were not given back to the peer's window.
    private var uncredited = 0

    /// Creates a link. Its first output is `words` and the settings.
    ///
    /// - Parameter preface: the bytes required before the first frame.
    package init(saying words: String = "", expecting preface: String = "", settings: [(UInt16, Int)]) {
        reader = FrameReader(after: preface)
        output = ByteBuffer(string: words)
        writeSettings(settings)
    }

    /// Adds received bytes. ``next()`` returns the items in them.
    package mutating func feed(_ bytes: ByteBuffer) { reader.feed(bytes) }

    /// Returns the next item in the received bytes; nil if it needs more of them.
    ///
    /// - Throws: ``HTTP2Violation``, after which the connection is unusable.
    package mutating func next() throws(HTTP2Violation) -> Incoming? {
        while var frame = try reader.next() {
            guard isReady || frame.header.kind == FrameKind.settings else {
                throw HTTP2Violation(.protocolError, "it does not begin with SETTINGS")
            }
            if let incoming = try receive(frame.header, &frame.payload) { return incoming }
        }
        return nil
    }

    private mutating func receive(
        _ header: FrameHeader, _ payload: inout ByteBuffer
    ) throws(HTTP2Violation) -> Incoming? {
        switch header.kind {
        case FrameKind.headers:
            return .headers(header.stream, payload, endsStream: header.has(FrameFlag.endStream))
        case FrameKind.data:
            credit(header.length)
            return .data(
                header.stream, payload, padding: header.length - payload.readableBytes,
                endsStream: header.has(FrameFlag.endStream))
        case FrameKind.reset: return .reset(header.stream, HTTP2Code(rawValue: Self.number(&payload)))
        case FrameKind.settings: return try receiveSettings(header, &payload)
        case FrameKind.windowUpdate: return try receiveWindowUpdate(header, &payload)
        case FrameKind.goAway:
            try noteIdleFrame()
            let last = Self.number(&payload) & 0x7FFF_FFFF
            payload.moveReaderIndex(forwardBy: 4)
            return .goAway(last: last, words: payload)
        case FrameKind.pushPromise: throw HTTP2Violation(.protocolError, "it pushes, though nobody asked for that")
        case FrameKind.ping: try receivePing(header, &payload)
        default: try noteIdleFrame()
        }
        return nil
    }

    // MARK: Floods

    /// Counts a frame without effect.
    package mutating func noteIdleFrame() throws(HTTP2Violation) {
        idleFrames += 1
        if idleFrames > Self.idleFramesAllowed {
            throw HTTP2Violation(.enhanceYourCalm, "\(idleFrames) frames that bring nothing")
        }
    }

    /// Records progress: a request was opened here, is complete, or was answered.
    package mutating func noteProgress() { idleFrames = 0 }

    // MARK: The connection

    private mutating func receiveSettings(
        _ header: FrameHeader, _ payload: inout ByteBuffer
    ) throws(HTTP2Violation) -> Incoming? {
        try noteIdleFrame()
        guard !header.has(FrameFlag.acknowledgement) else {
            guard isReady else { throw HTTP2Violation(.protocolError, "it does not begin with SETTINGS") }
            return .acknowledged
        }
        var settings: [(key: UInt16, value: Int)] = []
        while let key = payload.readInteger(as: UInt16.self), let value = payload.readInteger(as: UInt32.self) {
            try apply(key, Int(value))
            try noteIdleFrame()
            settings.append((key, Int(value)))
        }
        writeFrame(FrameKind.settings, flags: FrameFlag.acknowledgement)
        bodies.write(to: &output)
        defer { isReady = true }
        return .settings(settings, areFirst: !isReady)
    }

    private mutating func apply(_ key: UInt16, _ value: Int) throws(HTTP2Violation) {
        switch key {
        case SettingKey.initialWindow: try bodies.setInitialWindow(value)
        case SettingKey.enablePush where value > 1:
            throw HTTP2Violation(.protocolError, "a setting \(key) of \(value)")
        case SettingKey.frameSize where !(FrameHeader.longestPayload..<1 << 24).contains(value):
            throw HTTP2Violation(.protocolError, "a setting \(key) of \(value)")
        default: break
        }
    }

    private mutating func receiveWindowUpdate(
        _ header: FrameHeader, _ payload: inout ByteBuffer
    ) throws(HTTP2Violation) -> Incoming? {
        let more = Int(Self.number(&payload) & 0x7FFF_FFFF)
        guard more > 0 else { throw HTTP2Violation(.protocolError, "a window that grows by nothing") }
        try noteIdleFrame()
        guard header.stream == 0 else { return .window(header.stream, by: more) }
        try bodies.widen(by: more)
        bodies.write(to: &output)
        return nil
    }

    private mutating func receivePing(_ header: FrameHeader, _ payload: inout ByteBuffer) throws(HTTP2Violation) {
        try noteIdleFrame()
        guard !header.has(FrameFlag.acknowledgement) else { return }
        let (high, low) = (Self.number(&payload), Self.number(&payload))
        writeFrame(FrameKind.ping, flags: FrameFlag.acknowledgement, high, low)
    }

    /// Gives back the connection's window that received bytes used. A stream's initial window holds more than is read
    /// of a body.
    private mutating func credit(_ bytes: Int) {
        uncredited += bytes
        guard uncredited >= Self.creditStep else { return }
        widenReceiving(by: uncredited)
        uncredited = 0
    }

    /// The frames' sizes were checked, so the number is there.
    private static func number(_ payload: inout ByteBuffer) -> UInt32 { payload.readInteger() ?? 0 }

    // MARK: Output

    /// Returns the bytes to send and marks them as sent. The caller takes them before it writes, because more output
    /// may arrive during the write.
    package mutating func takeOutput() -> ByteBuffer {
        swap(&output, &sent)
        if output.storageCapacity > Self.roomKept { output = ByteBuffer() } else { output.clear() }
        return sent
    }

    /// Lets the peer send this number of further bytes, between 1 and 2^31 - 1.
    ///
    /// - Parameter stream: the stream's id; 0 for the connection.
    package mutating func widenReceiving(of stream: UInt32 = 0, by bytes: Int) {
        writeFrame(FrameKind.windowUpdate, on: stream, UInt32(bytes))
    }

    package mutating func writeSettings(_ settings: [(UInt16, Int)]) {
        output.write(FrameHeader(length: 6 * settings.count, kind: FrameKind.settings))
        for (key, value) in settings {
            output.writeInteger(key)
            output.writeInteger(UInt32(value))
        }
    }

    /// Writes the body of a message after its header block, up to the windows. The rest follows when they widen.
    ///
    /// - Parameter widened: the total by which the peer has widened the stream's window.
    package mutating func writeBody(_ body: [UInt8], of stream: UInt32, widenedBy widened: Int = 0) {
        bodies.send(body, of: stream, widenedBy: widened, to: &output)
    }

    /// Widens the peer's window for the unsent body of this stream.
    package mutating func widen(_ stream: UInt32, by more: Int) throws(HTTP2Violation) {
        try bodies.widen(stream, by: more)
        bodies.write(to: &output)
    }

    /// Ends a stream and discards its unsent bytes.
    package mutating func drop(_ stream: UInt32) { bodies.drop(stream) }
    /// So are all beyond this one.
    package mutating func drop(beyond last: UInt32) { bodies.drop(beyond: last) }

    package mutating func writeReset(_ stream: UInt32, _ code: HTTP2Code) {
        writeFrame(FrameKind.reset, on: stream, code.rawValue)
    }

    /// The peer's streams beyond `last` were not processed.
    package mutating func writeGoAway(last: UInt32 = 0, _ code: HTTP2Code, words: String = "") {
        output.write(FrameHeader(length: 8 + words.utf8.count, kind: FrameKind.goAway))
        output.writeInteger(last)
        output.writeInteger(code.rawValue)
        output.writeString(words)
    }

    /// A frame of a few numbers.
    private mutating func writeFrame(_ kind: UInt8, flags: UInt8 = 0, on stream: UInt32 = 0, _ numbers: UInt32...) {
        output.write(FrameHeader(length: 4 * numbers.count, kind: kind, flags: flags, stream: stream))
        for number in numbers { output.writeInteger(number) }
    }
}
