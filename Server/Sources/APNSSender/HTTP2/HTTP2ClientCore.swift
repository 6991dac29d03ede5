import HTTP2Frames
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

    /// Answers are kept up to so many bytes.
    let bodyLimit: Int
    /// How many requests the peer takes at a time; nil where it has not said.
    var peerStreamLimit: Int?

    var link: HTTP2Link
    var streams = StreamTable<Stream>()
    var nextStream: UInt32 = 1
    var table = HeaderTable()
    var statuses = ResponseStatus()
    /// The newest request that was answered or reset, and how many were answered. Answers come in the order of their requests, more or
    /// less.
    var (newestAnswered, answers) = (UInt32(0), 0)
    /// No request beyond this one will be answered.
    var lastAnswerable = UInt32.max
    /// The newest request.
    var newestStream: UInt32 { nextStream == 1 ? 0 : nextStream - 2 }

    /// Begins with the words that a connection begins with, and our settings.
    init(bodyLimit: Int) {
        self.bodyLimit = bodyLimit
        link = HTTP2Link(
            saying: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            settings: [
                (SettingKey.headerTableSize, 0), (SettingKey.enablePush, 0),
                (SettingKey.headerListSize, ResponseStatus.longestList),
            ])
    }

    /// SETTINGS came.
    var isReady: Bool { link.isReady }
    /// Something is to be sent.
    var hasOutput: Bool { link.output.readableBytes > 0 }

    /// How many requests may be opened now, of at most so many at a time.
    func room(of limit: Int) -> Int {
        guard isReady, link.bodies.isEmpty, link.bodies.window > 0, nextStream < Self.lastStream else { return 0 }
        return max(0, min(limit, peerStreamLimit ?? limit) - streams.count)
    }

    /// Ids beyond this are not used. HTTP/2 ends at 2^31 - 1.
    static var lastStream: UInt32 { UInt32(Int32.max) - 1_000 }
    /// There are no further ids: the connection has to make place for a new one.
    var isUsedUp: Bool { nextStream >= Self.lastStream }

    // MARK: What goes out

    /// What is to be sent, which is then taken for sent.
    mutating func takeOutput() -> ByteBuffer { link.takeOutput() }

    /// Opens a request. There has to be room for it.
    mutating func open(
        _ tag: Tag, _ stencil: RequestStencil, recipient: ArraySlice<UInt8>, id: (high: UInt64, low: UInt64),
        body: [UInt8]
    ) {
        let stream = nextStream
        nextStream += 2
        link.noteProgress()
        streams.insert(Stream(tag: tag), stream)
        link.output.write(
            FrameHeader(
                length: stencil.length(withRecipientOf: recipient.count), kind: FrameKind.headers,
                flags: FrameFlag.endHeaders | (body.isEmpty ? FrameFlag.endStream : 0), stream: stream))
        stencil.write(recipient, id, to: &link.output)
        if !body.isEmpty { link.writeBody(body, of: stream) }
    }

    /// Gives requests up: the peer need not answer them any more. Says how many there were.
    mutating func cancel(where isMeant: (Tag) -> Bool) -> Int {
        let given = streams.ids { _, stream in isMeant(stream.tag) }
        for id in given {
            _ = take(id)
            link.writeReset(id, .cancel)
        }
        return given.count
    }

    /// Forgets all requests.
    mutating func abandonAll() -> [Tag] { streams.ids { _, _ in true }.compactMap { take($0)?.tag } }

    /// The last words on a connection that is not usable any more.
    mutating func sayGoodbye(_ code: HTTP2Code) { link.writeGoAway(code) }

    /// A request that is over, with what of it was not sent.
    mutating func take(_ id: UInt32) -> Stream? {
        guard let stream = streams.remove(id) else { return nil }
        link.drop(id)
        return stream
    }
}
