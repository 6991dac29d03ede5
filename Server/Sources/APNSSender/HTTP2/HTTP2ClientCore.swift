import NIOCore

/// The client's side of one HTTP/2 connection (RFC 9113), made for very many small requests: bytes come in, bytes go out.
///
/// It knows nothing of sockets, threads and time. A request is one copy of bytes that were prepared before, and an answer one
/// entry of a table; there is no object, no future and no dictionary for either. What a server may do and Apple's has never been seen
/// to do is understood all the same: small windows, padding, continued headers, a table of its own.
///
/// `Tag` is what the caller knows a request by.
struct HTTP2ClientCore<Tag> {
    /// What has happened, in the order in which it came.
    enum Event {
        /// The first SETTINGS came: requests may be written.
        case ready
        /// An answer is complete, or as long as anybody reads.
        case answered(Tag, status: Int, body: [UInt8])
        /// The stream was reset, or its answer made no sense. Only REFUSED_STREAM promises that nothing was done.
        case reset(Tag, HTTP2Code)
        /// The peer takes no further requests. Those named here were not processed, the others will still be answered.
        case leaving([Tag], words: [UInt8])
    }

    struct Stream {
        let tag: Tag
        var status = 0
        var body: [UInt8] = []
    }

    /// A body of which a window has let only a part go.
    struct UnsentBody {
        let stream: UInt32
        let body: [UInt8]
        var sent = 0
        /// What the peer still takes on this stream.
        var window: Int
    }

    /// A header block whose end has not come.
    struct OpenBlock {
        let stream: UInt32
        let endsStream: Bool
        var bytes: ByteBuffer
    }

    /// Answers are kept up to so many bytes.
    let bodyLimit: Int
    /// What is to be sent.
    private(set) var output: ByteBuffer
    /// SETTINGS came.
    var isReady = false
    /// How many requests the peer takes at a time; nil where it has not said.
    var peerStreamLimit: Int?

    var input = ByteBuffer()
    var streams = StreamTable<Stream>()
    var nextStream: UInt32 = 1
    var table = HeaderTable()
    var statuses = ResponseStatus()
    var openBlock: OpenBlock?
    var unsent: [UnsentBody] = []
    /// What the peer still takes on the connection, and on a new stream at first.
    var (window, initialWindow) = (65_535, 65_535)
    /// The newest request that was answered, and how many were.
    var (newestAnswered, answers) = (UInt32(0), 0)
    /// Received bytes that were not given back to the peer's window.
    var uncredited = 0
    /// Frames that brought no answer nearer, since the last one was complete or the last request was opened.
    var idleFrames = 0

    /// Begins with the words that a connection begins with, and our settings.
    init(bodyLimit: Int) {
        self.bodyLimit = bodyLimit
        output = ByteBuffer(string: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        let settings: [(UInt16, UInt32)] = [
            (SettingKey.headerTableSize, 0), (SettingKey.enablePush, 0),
            (SettingKey.headerListSize, UInt32(ResponseStatus.longestList)),
        ]
        output.write(FrameHeader(length: 6 * settings.count, kind: FrameKind.settings))
        for (key, value) in settings {
            output.writeInteger(key)
            output.writeInteger(value)
        }
    }

    /// How many requests may be opened now, of at most so many at a time.
    func room(of limit: Int) -> Int {
        guard isReady, unsent.isEmpty, window > 0, nextStream < Self.lastStream else { return 0 }
        return max(0, min(limit, peerStreamLimit ?? limit) - streams.count)
    }

    /// Ids beyond this are not used. HTTP/2 ends at 2^31 - 1.
    static var lastStream: UInt32 { UInt32(Int32.max) - 1_000 }
    /// There are no further ids: the connection has to make place for a new one.
    var isUsedUp: Bool { nextStream >= Self.lastStream }

    // MARK: What goes out

    /// What is to be sent was handed on.
    mutating func clearOutput() { output.clear() }

    /// Opens a request. There has to be room for it.
    mutating func open(
        _ tag: Tag, _ stencil: RequestStencil, recipient: ArraySlice<UInt8>, id: (high: UInt64, low: UInt64),
        body: [UInt8]
    ) {
        let stream = nextStream
        nextStream += 2
        idleFrames = 0
        streams.insert(Stream(tag: tag), stream)
        output.write(
            FrameHeader(
                length: stencil.length(withRecipientOf: recipient.count), kind: FrameKind.headers,
                flags: FrameFlag.endHeaders | (body.isEmpty ? FrameFlag.endStream : 0), stream: stream))
        stencil.write(recipient, id, to: &output)
        guard !body.isEmpty else { return }
        if body.count <= min(window, initialWindow, FrameHeader.longestPayload) {
            write(body[...], of: stream, isLast: true)
        } else {
            unsent.append(UnsentBody(stream: stream, body: body, window: initialWindow))
            writeUnsent()
        }
    }

    /// Sends of unsent bodies what the windows let go, in the order of their streams.
    mutating func writeUnsent() {
        while window > 0, let index = unsent.firstIndex(where: { $0.window > 0 }) {
            let part = unsent[index]
            let end = min(part.body.count, part.sent + min(window, part.window, FrameHeader.longestPayload))
            let isLast = end == part.body.count
            write(part.body[part.sent..<end], of: part.stream, isLast: isLast)
            if isLast {
                unsent.remove(at: index)
            } else {
                unsent[index].sent = end
                unsent[index].window -= end - part.sent
            }
        }
    }

    private mutating func write(_ bytes: ArraySlice<UInt8>, of stream: UInt32, isLast: Bool) {
        window -= bytes.count
        output.write(
            FrameHeader(
                length: bytes.count, kind: FrameKind.data, flags: isLast ? FrameFlag.endStream : 0, stream: stream))
        output.writeBytes(bytes)
    }

    /// Gives requests up: the peer need not answer them any more. Says how many there were.
    mutating func cancel(where isMeant: (Tag) -> Bool) -> Int {
        let given = streams.ids { _, stream in isMeant(stream.tag) }
        for id in given {
            _ = take(id)
            writeReset(id, .cancel)
        }
        return given.count
    }

    /// Whether a request is open that is newer than the newest answer: answers come in the order of their requests, more or
    /// less, so its turn may not have come.
    func isAnswerDue(where isMeant: (Tag) -> Bool) -> Bool {
        streams.contains { id, stream in id > newestAnswered && isMeant(stream.tag) }
    }

    /// Forgets all requests.
    mutating func abandonAll() -> [Tag] { streams.ids { _, _ in true }.compactMap { take($0)?.tag } }

    /// The last words on a connection that is not usable any more.
    mutating func sayGoodbye(_ code: HTTP2Code) {
        writeFrame(FrameKind.goAway, 0, code.rawValue)
    }

    mutating func writeReset(_ stream: UInt32, _ code: HTTP2Code) {
        writeFrame(FrameKind.reset, on: stream, code.rawValue)
    }

    /// A frame of a few numbers.
    mutating func writeFrame(_ kind: UInt8, flags: UInt8 = 0, on stream: UInt32 = 0, _ numbers: UInt32...) {
        output.write(FrameHeader(length: 4 * numbers.count, kind: kind, flags: flags, stream: stream))
        for number in numbers { output.writeInteger(number) }
    }

    /// A request that is over, with what of it was not sent.
    mutating func take(_ id: UInt32) -> Stream? {
        guard let stream = streams.remove(id) else { return nil }
        if !unsent.isEmpty { unsent.removeAll { $0.stream == id } }
        return stream
    }
}
