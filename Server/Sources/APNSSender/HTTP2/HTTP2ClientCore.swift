import HTTP2Frames
import NIOCore

/// The client's side of one HTTP/2 connection (RFC 9113) for very many small requests. Bytes go in and bytes come out.
///
/// It uses no sockets, threads or time. A request is one copy of prepared bytes, and an answer is one entry of a table.
/// Neither needs an object, a future or a dictionary. It also supports what a server may do and Apple's was never seen
/// to do: small windows, padding, continued headers, a table of its own.
///
/// `Tag` is the caller's identification of a request.
struct HTTP2ClientCore<Tag> {
    /// The events of a connection, in the order in which they arrived.
    enum Event {
        /// The first SETTINGS arrived, so requests may be written.
        case ready
        /// An answer is complete, or longer than it is read.
        case answered(Tag, status: Int, body: [UInt8])
        /// The stream was reset, or its answer was invalid. Only REFUSED_STREAM guarantees that nothing was done.
        case reset(Tag, HTTP2Code)
        /// The peer accepts no further requests. These requests were not processed; the others will still be answered.
        case leaving([Tag], words: [UInt8])
    }

    struct Stream {
        let tag: Tag
        var status = 0
        var body: [UInt8] = []
    }

    /// The most bytes of an answer that are kept.
    let bodyLimit: Int
    /// The most concurrent requests that the peer allows; nil if it does not say.
    var peerStreamLimit: Int?

    var link: HTTP2Link
    var streams = StreamTable<Stream>()
    var nextStream: UInt32 = 1
    var table = HeaderTable()
    var statuses = ResponseStatus()
    /// The newest request that was answered or reset, and the number of answers. Answers arrive roughly in the order of
    /// their requests.
    var (newestAnswered, answers) = (UInt32(0), 0)
    /// The last stream that will be answered.
    var lastAnswerable = UInt32.max
    /// The newest request; 0 for none.
    var newestStream: UInt32 { nextStream == 1 ? 0 : nextStream - 2 }

    /// Begins with the connection preface and the client's settings.
    init(bodyLimit: Int) {
        self.bodyLimit = bodyLimit
        link = HTTP2Link(
            saying: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            settings: [
                (SettingKey.headerTableSize, 0), (SettingKey.enablePush, 0),
                (SettingKey.headerListSize, ResponseStatus.longestList),
            ])
    }

    /// Whether SETTINGS arrived.
    var isReady: Bool { link.isReady }
    /// Whether there are bytes to send.
    var hasOutput: Bool { link.output.readableBytes > 0 }

    /// Returns how many requests may be opened now.
    ///
    /// - Parameter limit: the most concurrent requests.
    func room(of limit: Int) -> Int {
        guard isReady, link.bodies.isEmpty, link.bodies.window > 0, nextStream < Self.lastStream else { return 0 }
        return max(0, min(limit, peerStreamLimit ?? limit) - streams.count)
    }

    /// The last stream id that is used. HTTP/2 ends at 2^31 - 1.
    static var lastStream: UInt32 { UInt32(Int32.max) - 1_000 }
    /// Whether all stream ids are used, so that a new connection must replace this one.
    var isUsedUp: Bool { nextStream >= Self.lastStream }

    // MARK: What goes out

    /// Returns the bytes to send, and counts them as sent.
    mutating func takeOutput() -> ByteBuffer { link.takeOutput() }

    /// Opens a request. The caller must have checked the room.
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

    /// Cancels requests, so that the peer need not answer them. Returns their number.
    mutating func cancel(where isMeant: (Tag) -> Bool) -> Int {
        let given = streams.ids { _, stream in isMeant(stream.tag) }
        for id in given {
            _ = take(id)
            link.writeReset(id, .cancel)
        }
        return given.count
    }

    /// Removes all requests and returns their tags.
    mutating func abandonAll() -> [Tag] { streams.ids { _, _ in true }.compactMap { take($0)?.tag } }

    /// Writes a GOAWAY on a connection that is no longer usable.
    mutating func sayGoodbye(_ code: HTTP2Code) { link.writeGoAway(code) }

    /// Removes a request that is over, with its unsent part.
    mutating func take(_ id: UInt32) -> Stream? {
        guard let stream = streams.remove(id) else { return nil }
        link.drop(id)
        return stream
    }
}
