import HTTP2Frames
import NIOCore
import NIOHPACK

/// The server's side of one HTTP/2 connection (RFC 9113): bytes come in, requests come out, answers go back.
///
/// It knows nothing of sockets, threads, time or pushes. It understands all that a client may do. A violation ends the
/// stream or, sooner than the standard requires, the connection. Frames for streams that are over are ignored. The
/// connection's window is given back when its bytes are read, so no client is seen to overrun it. swift-nio-http2's
/// decoder decodes header blocks.
struct HTTP2ServerCore {
    /// A request that is complete, or cut off because its body is too long.
    struct Request {
        let stream: UInt32
        let headers: HPACKHeaders
        /// The body up to ``Limits/keptBody``.
        let body: [UInt8]
        /// How much of it came.
        let bodyLength: Int
    }

    /// The limits on a client's load.
    struct Limits {
        /// Streams at a time.
        var streams: Int
        /// Bytes of a body that are kept.
        var keptBody: Int
        /// A longer body is cut off: its request is handed out, and the stream is reset after the answer. Less than the
        /// window of a stream.
        var longestBody: Int
        /// Bytes that all bodies together may have in flight, in addition to a connection's initial window.
        var window: Int
    }

    /// A stream that has not been answered.
    struct Stream {
        /// Nil after the request has been handed out.
        var headers: HPACKHeaders?
        var body: [UInt8] = []
        var length = 0
        var isCutOff = false
        /// By how much the client has widened the stream's window.
        var widened = 0

        /// The result of receiving a piece of a body.
        enum Intake {
            /// The body has this length by now.
            case taken(Int)
            /// The body was over.
            case tooLate
            /// The body is cut off, so further bytes are dropped.
            case unread
        }

        mutating func take(_ bytes: ByteBuffer, keeping kept: Int) -> Intake {
            if isCutOff { return .unread }
            guard headers != nil else { return .tooLate }
            body.append(contentsOf: bytes.readableBytesView.prefix(max(0, kept - body.count)))
            length += bytes.readableBytes
            return .taken(length)
        }
    }

    /// The limit on open streams of a client that has not yet acknowledged our settings.
    private static let unannouncedStreams = 1_000
    /// The size of our decoder's table for clients' header fields, and the longest header list from a client. Both as
    /// seen from Apple (reported).
    private static let (tableSize, longestList) = (4_096, 8_000)

    let limits: Limits
    var link: HTTP2Link
    var streams = StreamTable<Stream>()
    /// The newest stream that the client has opened.
    var newestStream: UInt32 = 0
    /// Streams beyond this id are ignored, because the client has been sent this limit.
    private(set) var lastAccepted = UInt32(Int32.max)
    /// The client has acknowledged our settings; before that it cannot know how many streams it may open.
    var isKnown = false
    private var announcedStreams: Int
    private var decoder = HPACKDecoder(
        allocator: ByteBufferAllocator(), maxDynamicTableSize: tableSize, maxHeaderListSize: longestList)
    private var hasAnswered = false

    init(_ limits: Limits) {
        self.limits = limits
        announcedStreams = limits.streams
        link = HTTP2Link(
            expecting: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            settings: [
                (SettingKey.headerTableSize, Self.tableSize), (SettingKey.concurrentStreams, limits.streams),
                (SettingKey.initialWindow, 65_535), (SettingKey.frameSize, FrameHeader.longestPayload),
                (SettingKey.headerListSize, Self.longestList),
            ])
        link.widenReceiving(by: limits.window)
    }

    /// Whether the client has sent HTTP/2's preface and settings.
    var isReady: Bool { link.isReady }
    /// Whether no stream waits for an answer or for the rest of one.
    var isIdle: Bool { openStreams == 0 }
    /// The number of streams that wait for an answer, plus those with an answer that waits for a window.
    var openStreams: Int { streams.count + link.bodies.count }
    var streamLimit: Int { isKnown ? announcedStreams : max(announcedStreams, Self.unannouncedStreams) }
    /// Whether there are bytes to send.
    var hasOutput: Bool { link.output.readableBytes > 0 }

    /// Returns the bytes to send and marks them as sent.
    mutating func takeOutput() -> ByteBuffer { link.takeOutput() }

    mutating func decode(_ block: ByteBuffer) throws(HTTP2Violation) -> HPACKHeaders {
        var block = block
        do {
            return try decoder.decodeHeaders(from: &block)
        } catch is NIOHPACKErrors.MaxHeaderListSizeViolation {
            // The bytes after it were not read, so no later block could be decoded.
            throw HTTP2Violation(.enhanceYourCalm, "header fields of more than \(Self.longestList) bytes")
        } catch {
            throw HTTP2Violation(.compression, "a header block cannot be decoded: \(error)")
        }
    }

    // MARK: Output

    /// Answers a request, unless its stream is over.
    ///
    /// - Returns: whether the request was cut off. A reset then tells the client that it need not send the rest. It
    ///   should follow after the client has read the answer, because some clients drop the answer with the reset.
    mutating func answer(_ id: UInt32, status: Int, fields: [(name: String, value: String)], body: [UInt8]) -> Bool {
        guard let stream = streams.remove(id) else { return false }
        let block = ResponseFields.block(status: status, fields, isFirst: !hasAnswered)
        hasAnswered = true
        link.output.write(
            FrameHeader(
                length: block.count, kind: FrameKind.headers,
                flags: FrameFlag.endHeaders | (body.isEmpty ? FrameFlag.endStream : 0), stream: id))
        link.output.writeBytes(block)
        if !body.isEmpty { link.writeBody(body, of: id, widenedBy: stream.widened) }
        return stream.isCutOff
    }

    /// Ends a stream and discards the unsent rest of its answer.
    mutating func reset(_ id: UInt32, _ code: HTTP2Code) {
        close(id)
        link.writeReset(id, code)
    }

    mutating func close(_ id: UInt32) {
        _ = streams.remove(id)
        link.drop(id)
    }

    /// Allows the client this number of open streams from now on.
    mutating func allow(streams: Int) {
        announcedStreams = streams
        link.writeSettings([(SettingKey.concurrentStreams, streams)])
    }

    /// The client may open no more streams, and those beyond `last` were not processed.
    mutating func sayGoodbye(last: UInt32? = nil, _ code: HTTP2Code, words: String = "") {
        lastAccepted = min(lastAccepted, last ?? newestStream)
        for id in streams.ids(where: { id, _ in id > lastAccepted }) { close(id) }
        link.drop(beyond: lastAccepted)
        link.writeGoAway(last: lastAccepted, code, words: words)
    }
}
