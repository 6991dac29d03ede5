import HTTP2Frames
import NIOCore
import NIOHPACK

/// The server's side of one HTTP/2 connection (RFC 9113): bytes come in, requests come out, answers go back.
///
/// It knows nothing of sockets, threads and time, and nothing of pushes. Whatever a client may do is understood, and what it must not do
/// ends the stream or, sooner than the standard asks for, the connection; frames for streams that are over are passed over. A
/// connection's window is given back when its bytes are read, so that nobody is seen to overrun it. Header blocks are decoded by
/// swift-nio-http2's decoder.
struct HTTP2ServerCore {
    /// A request that is complete, or as long as anybody reads.
    struct Request {
        let stream: UInt32
        let headers: HPACKHeaders
        /// The body up to ``Limits/keptBody``.
        let body: [UInt8]
        /// How much of it came.
        let bodyLength: Int
    }

    /// What is put up with.
    struct Limits {
        /// Streams at a time.
        var streams: Int
        /// Bytes of a body that are kept.
        var keptBody: Int
        /// A body longer than this is cut off: its request is told of, and after the answer the stream is reset. Less than the window of
        /// a stream.
        var longestBody: Int
        /// Bytes that all bodies together may have under way, beyond what every connection begins with.
        var window: Int
    }

    /// A stream whose answer has not been written.
    struct Stream {
        /// Nil once the request was told of.
        var headers: HPACKHeaders?
        var body: [UInt8] = []
        var length = 0
        var isCutOff = false
        /// By how much the client has widened the stream's window.
        var widened = 0

        /// What comes of a piece of a body.
        enum Intake {
            /// The body has this length by now.
            case taken(Int)
            /// The body was over.
            case tooLate
            /// Nobody reads it any more.
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

    /// Streams that are taken from a client that does not know our settings.
    private static let unannouncedStreams = 1_000
    /// What clients may keep of our header fields, and the longest list of theirs, as they have been seen from Apple (reported).
    private static let (tableSize, longestList) = (4_096, 8_000)

    let limits: Limits
    var link: HTTP2Link
    var streams = StreamTable<Stream>()
    /// The newest stream that the client has opened.
    var newestStream: UInt32 = 0
    /// Streams beyond this are passed over, since the client was told so.
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

    /// The client has said that it speaks HTTP/2.
    var isReady: Bool { link.isReady }
    /// Nobody waits for an answer, or for the rest of one.
    var isIdle: Bool { openStreams == 0 }
    /// Streams that wait for an answer, and those whose answer waits for a window.
    var openStreams: Int { streams.count + link.bodies.count }
    var streamLimit: Int { isKnown ? announcedStreams : max(announcedStreams, Self.unannouncedStreams) }
    /// Something is to be sent.
    var hasOutput: Bool { link.output.readableBytes > 0 }

    /// What is to be sent, which is then taken for sent.
    mutating func takeOutput() -> ByteBuffer { link.takeOutput() }

    mutating func decode(_ block: ByteBuffer) throws(HTTP2Violation) -> HPACKHeaders {
        var block = block
        do {
            return try decoder.decodeHeaders(from: &block)
        } catch is NIOHPACKErrors.MaxHeaderListSizeViolation {
            // What came after it was not read, so that no later block could be.
            throw HTTP2Violation(.enhanceYourCalm, "header fields of more than \(Self.longestList) bytes")
        } catch {
            throw HTTP2Violation(.compression, "a header block cannot be decoded: \(error)")
        }
    }

    // MARK: What goes out

    /// Answers a request, unless its stream is over.
    ///
    /// - Returns: whether the request was cut off. The client need not send the rest, which a reset tells it; but it should have read the
    ///   answer by then, since some forget it with the reset.
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

    /// Ends a stream, with what of its answer was not sent.
    mutating func reset(_ id: UInt32, _ code: HTTP2Code) {
        close(id)
        link.writeReset(id, code)
    }

    mutating func close(_ id: UInt32) {
        _ = streams.remove(id)
        link.drop(id)
    }

    /// From now on so many streams may be open at a time.
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
