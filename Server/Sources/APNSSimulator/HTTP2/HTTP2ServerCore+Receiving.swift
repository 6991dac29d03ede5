import HTTP2Frames
import NIOCore
import NIOHPACK

extension HTTP2ServerCore {
    /// Adds received bytes. ``next()`` returns the requests in them.
    mutating func feed(_ bytes: ByteBuffer) { link.feed(bytes) }

    /// Returns the next request in the received bytes; nil if it needs more of them.
    ///
    /// - Throws: `HTTP2Violation`, after which the connection is unusable.
    mutating func next() throws(HTTP2Violation) -> Request? {
        while let incoming = try link.next() {
            switch incoming {
            case .headers(let id, let block, let endsStream):
                if let request = try receiveHeaders(block, of: id, endsStream) { return request }
            case .data(let id, let bytes, let padding, let endsStream):
                if let request = try receiveData(bytes, padding, of: id, endsStream) { return request }
            case .reset(let id, _): try receiveReset(of: id)
            case .window(let id, let more): try receiveWindow(of: id, more)
            case .acknowledged: isKnown = true
            case .settings, .goAway: break  // a client that leaves opens no streams, and waits for its answers
            }
        }
        return nil
    }

    /// Frames may still come for streams that are over, and for none that was never opened.
    private func checkStream(_ id: UInt32) throws(HTTP2Violation) {
        guard id % 2 == 1, id <= newestStream else {
            throw HTTP2Violation(.protocolError, "a frame for stream \(id), which was never opened")
        }
    }

    /// Decodes each header block, even of a stream that is over, because the next block may depend on its table
    /// entries.
    private mutating func receiveHeaders(
        _ block: ByteBuffer, of id: UInt32, _ endsStream: Bool
    ) throws(HTTP2Violation) -> Request? {
        let headers = try decode(block)
        guard id % 2 == 1 else { throw HTTP2Violation(.protocolError, "a stream \(id), which is a server's") }
        guard id > newestStream else { return try receiveTrailers(headers, of: id, endsStream) }
        newestStream = id
        guard id <= lastAccepted else {
            try link.noteIdleFrame()
            return nil
        }
        guard openStreams < streamLimit else { return try refuse(id, .refusedStream) }
        guard RequestFields.areRequest(headers) else { return try refuse(id, .protocolError) }
        streams.insert(Stream(headers: headers), id)
        return endsStream ? try finish(id) : nil
    }

    /// The second block of a request has to be its end.
    private mutating func receiveTrailers(
        _ trailers: HPACKHeaders, of id: UInt32, _ endsStream: Bool
    ) throws(HTTP2Violation) -> Request? {
        guard let stream = streams[id], !stream.isCutOff else {
            try link.noteIdleFrame()
            return nil
        }
        guard stream.headers != nil else { return try refuse(id, .streamClosed) }
        guard endsStream, RequestFields.areTrailers(trailers) else { return try refuse(id, .protocolError) }
        return try finish(id)
    }

    private mutating func receiveData(
        _ bytes: ByteBuffer, _ padding: Int, of id: UInt32, _ endsStream: Bool
    ) throws(HTTP2Violation) -> Request? {
        try checkStream(id)
        let kept = limits.keptBody
        switch streams.change(id, { $0.take(bytes, keeping: kept) }) {
        case nil, .unread: try link.noteIdleFrame()
        case .tooLate: return try refuse(id, .streamClosed)
        case .taken where endsStream: return try finish(id)
        case .taken(let length) where length > limits.longestBody: return request(id, isCutOff: true)
        case .taken:
            if bytes.readableBytes == 0 { try link.noteIdleFrame() }
            if padding > 0 { link.widenReceiving(of: id, by: padding) }
        }
        return nil
    }

    /// Completes a request. Its body must have the announced length.
    private mutating func finish(_ id: UInt32) throws(HTTP2Violation) -> Request? {
        guard let stream = streams[id], let headers = stream.headers, RequestFields.announce(stream.length, headers)
        else { return try refuse(id, .protocolError) }
        return request(id, isCutOff: false)
    }

    private mutating func request(_ id: UInt32, isCutOff: Bool) -> Request? {
        link.noteProgress()
        return streams.change(id) { stream in
            let request = Request(
                stream: id, headers: stream.headers ?? [:], body: stream.body, bodyLength: stream.length)
            stream = Stream(headers: nil, isCutOff: isCutOff, widened: stream.widened)
            return request
        }
    }

    /// Closes a stream that the client has reset. A reset counts as an idle frame unless its request was handed out and
    /// awaits an answer.
    private mutating func receiveReset(of id: UInt32) throws(HTTP2Violation) {
        try checkStream(id)
        if streams[id]?.headers != nil || streams[id] == nil { try link.noteIdleFrame() }
        close(id)
    }

    /// The window of a stream grows before its answer is there, or while it waits for that.
    private mutating func receiveWindow(of id: UInt32, _ more: Int) throws(HTTP2Violation) {
        try checkStream(id)
        if let stream = streams[id] {
            let initial = link.bodies.initialWindow
            let window = try OutgoingBodies.sum(initial + stream.widened, more)
            streams.change(id) { $0.widened = window - initial }
        } else {
            try link.widen(id, by: more)
        }
    }

    /// Ends the stream without an answer; the connection continues.
    private mutating func refuse(_ id: UInt32, _ code: HTTP2Code) throws(HTTP2Violation) -> Request? {
        try link.noteIdleFrame()
        reset(id, code)
        return nil
    }
}
