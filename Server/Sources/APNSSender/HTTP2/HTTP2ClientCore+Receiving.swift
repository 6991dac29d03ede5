import HTTP2Frames
import NIOCore

extension HTTP2ClientCore {
    /// Takes bytes in. ``next()`` says what they bring.
    mutating func feed(_ bytes: ByteBuffer) { link.feed(bytes) }

    /// What comes next in the bytes taken in; nil where it takes more of them.
    ///
    /// - Throws: `HTTP2Violation`, after which the connection is of no use.
    mutating func next() throws(HTTP2Violation) -> Event? {
        while let incoming = try link.next() {
            if let event = try receive(incoming) { return event }
        }
        return nil
    }

    private mutating func receive(_ incoming: HTTP2Link.Incoming) throws(HTTP2Violation) -> Event? {
        switch incoming {
        case .headers(let id, let block, let endsStream):
            try checkStream(id)
            return try receiveBlock(block, of: id, endsStream)
        case .data(let id, let bytes, _, let endsStream):
            try checkStream(id)
            return try receiveData(bytes, of: id, endsStream)
        case .reset(let id, let code):
            try checkStream(id)
            return try receiveReset(of: id, code)
        case .acknowledged: return nil
        case .settings(let settings, let areFirst):
            for (key, value) in settings { apply(key, value) }
            return areFirst ? .ready : nil
        case .window(let id, let more):
            try checkStream(id)
            try link.widen(id, by: more)
            return nil
        case .goAway(let last, let words): return leave(after: last, words)
        }
    }

    /// Frames may still come for streams that are over, and for no others.
    private func checkStream(_ id: UInt32) throws(HTTP2Violation) {
        guard id % 2 == 1, id < nextStream else {
            throw HTTP2Violation(.protocolError, "a frame for stream \(id), which was never opened")
        }
    }

    private mutating func apply(_ key: UInt16, _ value: Int) {
        switch key {
        case SettingKey.headerTableSize: table.limit(to: value)
        case SettingKey.concurrentStreams: peerStreamLimit = value
        default: break
        }
    }

    /// A block is read even where nobody waits for it: the next one may go by what it says.
    private mutating func receiveBlock(
        _ block: ByteBuffer, of id: UInt32, _ endsStream: Bool
    ) throws(HTTP2Violation) -> Event? {
        let status = try statuses.read(block)
        if endsStream { return try end(id, status: status) }
        // An answer may be announced by others (1xx), and trailers have no status.
        var isAwaited = false
        if let status, status >= 200 {
            streams.change(id) { stream in
                isAwaited = stream.status == 0
                if isAwaited { stream.status = status }
            }
        }
        if !isAwaited { try link.noteIdleFrame() }
        return nil
    }

    private mutating func receiveData(
        _ bytes: ByteBuffer, of id: UInt32, _ endsStream: Bool
    ) throws(HTTP2Violation) -> Event? {
        let limit = bodyLimit
        let length = streams.change(id) { stream in
            stream.body.append(contentsOf: bytes.readableBytesView.prefix(limit + 1 - stream.body.count))
            return stream.body.count
        }
        if endsStream { return try end(id, status: nil) }
        guard let length, length > limit else {
            if length == nil || bytes.readableBytes == 0 { try link.noteIdleFrame() }
            return nil
        }
        // Nobody at Apple writes so much; the status has said enough.
        link.writeReset(id, .cancel)
        return try end(id, status: nil)
    }

    /// An answer is complete.
    private mutating func end(_ id: UInt32, status: Int?) throws(HTTP2Violation) -> Event? {
        // An answer may come before its request is sent to the end; then nobody needs the rest.
        if link.bodies.holds(id) { link.writeReset(id, .noError) }
        guard let stream = take(id) else {
            try link.noteIdleFrame()
            return nil
        }
        let said = stream.status == 0 ? status ?? 0 : stream.status
        guard said >= 200 else { return .reset(stream.tag, .protocolError) }
        link.noteProgress()
        (newestAnswered, answers) = (max(newestAnswered, id), answers + 1)
        return .answered(stream.tag, status: said, body: stream.body)
    }

    private mutating func receiveReset(of id: UInt32, _ code: HTTP2Code) throws(HTTP2Violation) -> Event? {
        guard let stream = take(id) else {
            try link.noteIdleFrame()
            return nil
        }
        newestAnswered = max(newestAnswered, id)
        // Whoever has begun to answer has done something, whatever the code says.
        return .reset(stream.tag, stream.status == 0 ? code : .protocolError)
    }

    /// Requests above the last one that the peer names were not processed, unless it has begun to answer them; the others will still
    /// be answered.
    private mutating func leave(after last: UInt32, _ words: ByteBuffer) -> Event {
        lastAnswerable = min(lastAnswerable, last)
        let unprocessed = streams.ids { id, stream in id > last && stream.status == 0 }
        return .leaving(
            unprocessed.compactMap { take($0)?.tag }, words: Array(words.readableBytesView.prefix(bodyLimit)))
    }
}
