import HTTP2Frames
import NIOCore

extension HTTP2ClientCore {
    /// Adds received bytes. ``next()`` returns the events in them.
    mutating func feed(_ bytes: ByteBuffer) { link.feed(bytes) }

    /// Returns the next event; nil if more bytes are needed.
    ///
    /// - Throws: `HTTP2Violation`. The connection is unusable after it.
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

    /// Throws for a frame of a stream that was never opened. Frames may still arrive for streams that are over.
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

    /// Reads a header block even if its stream is over, because later blocks may depend on it.
    private mutating func receiveBlock(
        _ block: ByteBuffer, of id: UInt32, _ endsStream: Bool
    ) throws(HTTP2Violation) -> Event? {
        let status = try statuses.read(block)
        if endsStream { return try end(id, status: status) }
        // Interim answers (1xx) may precede an answer, and trailers have no status.
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
        // Apple's bodies are never this long, and the status suffices.
        link.writeReset(id, .cancel)
        return try end(id, status: nil)
    }

    /// Ends a stream with a complete answer.
    private mutating func end(_ id: UInt32, status: Int?) throws(HTTP2Violation) -> Event? {
        // An answer may arrive before its request is fully sent. The rest of the request is not needed then.
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
        // A peer that has begun to answer has processed the request, despite the code.
        return .reset(stream.tag, stream.status == 0 ? code : .protocolError)
    }

    /// Handles a GOAWAY. Requests above the last stream of the peer were not processed, unless it has begun to answer
    /// them. The others will still be answered.
    private mutating func leave(after last: UInt32, _ words: ByteBuffer) -> Event {
        lastAnswerable = min(lastAnswerable, last)
        let unprocessed = streams.ids { id, stream in id > last && stream.status == 0 }
        return .leaving(
            unprocessed.compactMap { take($0)?.tag }, words: Array(words.readableBytesView.prefix(bodyLimit)))
    }
}
