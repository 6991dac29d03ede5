import NIOCore

extension HTTP2ClientCore {
    /// More than this of frames that bring nothing is an attack, or a broken server.
    private static var idleFramesAllowed: Int { 10_000 }
    /// Received bytes after which the peer's window is filled up again.
    private static var creditStep: Int { 16_384 }
    private static var largestWindow: Int { Int(Int32.max) }

    /// Takes bytes in. ``next()`` says what they bring.
    mutating func feed(_ bytes: ByteBuffer) {
        guard input.readableBytes > 0 else {
            input = bytes
            return
        }
        var bytes = bytes
        // What was read would never go, where each piece ends within a frame.
        input.discardReadBytes()
        input.writeBuffer(&bytes)
    }

    /// What comes next in the bytes taken in; nil where it takes more of them.
    ///
    /// - Throws: ``HTTP2Violation``, after which the connection is of no use.
    mutating func next() throws(HTTP2Violation) -> Event? {
        while let header = input.peekFrameHeader() {
            guard header.length <= FrameHeader.longestPayload else {
                throw HTTP2Violation(.frameSize, "a frame of \(header.length) bytes")
            }
            guard input.readableBytes >= FrameHeader.size + header.length else { return nil }
            input.moveReaderIndex(forwardBy: FrameHeader.size)
            guard var payload = input.readSlice(length: header.length) else { return nil }
            if let event = try receive(header, &payload) { return event }
        }
        return nil
    }

    private mutating func receive(
        _ header: FrameHeader, _ payload: inout ByteBuffer
    ) throws(HTTP2Violation) -> Event? {
        if let openBlock, header.kind != FrameKind.continuation || header.stream != openBlock.stream {
            throw HTTP2Violation(.protocolError, "a header block is interrupted")
        }
        guard isReady || header.kind == FrameKind.settings else {
            throw HTTP2Violation(.protocolError, "it does not begin with SETTINGS")
        }
        switch header.kind {
        case FrameKind.headers: return try receiveHeaders(header, &payload)
        case FrameKind.data: return try receiveData(header, &payload)
        case FrameKind.continuation: return try receiveContinuation(header, &payload)
        case FrameKind.reset: return try receiveReset(header, &payload)
        case FrameKind.settings: return try receiveSettings(header, &payload)
        case FrameKind.goAway: return try receiveGoAway(&payload)
        case FrameKind.windowUpdate: try receiveWindowUpdate(header, &payload)
        case FrameKind.ping: try receivePing(header, &payload)
        case FrameKind.pushPromise: throw HTTP2Violation(.protocolError, "it pushes, though it was told not to")
        default: try noteIdleFrame()
        }
        return nil
    }

    private mutating func noteIdleFrame() throws(HTTP2Violation) {
        idleFrames += 1
        if idleFrames > Self.idleFramesAllowed {
            throw HTTP2Violation(.enhanceYourCalm, "\(idleFrames) frames that bring nothing")
        }
    }

    /// Frames may still come for streams that are over, and for no others.
    private func checkStream(_ id: UInt32) throws(HTTP2Violation) {
        guard id % 2 == 1, id < nextStream else {
            throw HTTP2Violation(.protocolError, "a frame for stream \(id), which was never opened")
        }
    }

    private func wrongSize(_ header: FrameHeader) -> HTTP2Violation {
        HTTP2Violation(.frameSize, "a frame of kind \(header.kind) with \(header.length) bytes")
    }

    // MARK: Answers

    private mutating func receiveHeaders(
        _ header: FrameHeader, _ payload: inout ByteBuffer
    ) throws(HTTP2Violation) -> Event? {
        try checkStream(header.stream)
        try Self.removePadding(header, &payload)
        if header.has(FrameFlag.priority) {
            guard payload.readableBytes >= 5 else { throw wrongSize(header) }
            payload.moveReaderIndex(forwardBy: 5)
        }
        let endsStream = header.has(FrameFlag.endStream)
        if header.has(FrameFlag.endHeaders) { return try receiveBlock(&payload, of: header.stream, endsStream) }
        openBlock = OpenBlock(stream: header.stream, endsStream: endsStream, bytes: payload)
        return nil
    }

    private mutating func receiveContinuation(
        _ header: FrameHeader, _ payload: inout ByteBuffer
    ) throws(HTTP2Violation) -> Event? {
        guard var block = openBlock else { throw HTTP2Violation(.protocolError, "it goes on with no header block") }
        openBlock = nil
        block.bytes.writeBuffer(&payload)
        guard block.bytes.readableBytes <= 2 * FrameHeader.longestPayload else {
            throw HTTP2Violation(.enhanceYourCalm, "a header block that does not end")
        }
        if header.has(FrameFlag.endHeaders) {
            return try receiveBlock(&block.bytes, of: block.stream, block.endsStream)
        }
        openBlock = block
        try noteIdleFrame()
        return nil
    }

    /// A block is read even where nobody waits for it: the next one may go by what it says.
    private mutating func receiveBlock(
        _ block: inout ByteBuffer, of id: UInt32, _ endsStream: Bool
    ) throws(HTTP2Violation) -> Event? {
        let status = try statuses.read(&block)
        if endsStream { return try end(id, status: status) }
        // An answer may be announced by others (1xx), and trailers have no status.
        var isAwaited = false
        if let status, status >= 200 {
            streams.change(id) { stream in
                isAwaited = stream.status == 0
                if isAwaited { stream.status = status }
            }
        }
        if !isAwaited { try noteIdleFrame() }
        return nil
    }

    private mutating func receiveData(
        _ header: FrameHeader, _ payload: inout ByteBuffer
    ) throws(HTTP2Violation) -> Event? {
        try checkStream(header.stream)
        uncredited += header.length
        if uncredited >= Self.creditStep {
            writeFrame(FrameKind.windowUpdate, UInt32(uncredited))
            uncredited = 0
        }
        try Self.removePadding(header, &payload)
        let limit = bodyLimit
        let length = streams.change(header.stream) { stream in
            stream.body.append(contentsOf: payload.readableBytesView.prefix(limit + 1 - stream.body.count))
            return stream.body.count
        }
        if header.has(FrameFlag.endStream) { return try end(header.stream, status: nil) }
        guard let length, length > limit else {
            try noteIdleFrame()
            return nil
        }
        // Nobody at Apple writes so much; the status has said enough.
        writeReset(header.stream, .cancel)
        return try end(header.stream, status: nil)
    }

    /// An answer is complete.
    private mutating func end(_ id: UInt32, status: Int?) throws(HTTP2Violation) -> Event? {
        // An answer may come before its request is sent to the end; then nobody needs the rest.
        if !unsent.isEmpty, unsent.contains(where: { $0.stream == id }) { writeReset(id, .noError) }
        guard let stream = take(id) else {
            try noteIdleFrame()
            return nil
        }
        let said = stream.status == 0 ? status ?? 0 : stream.status
        guard said >= 200 else { return .reset(stream.tag, .protocolError) }
        idleFrames = 0
        (newestAnswered, answers) = (max(newestAnswered, id), answers + 1)
        return .answered(stream.tag, status: said, body: stream.body)
    }

    private mutating func receiveReset(
        _ header: FrameHeader, _ payload: inout ByteBuffer
    ) throws(HTTP2Violation) -> Event? {
        try checkStream(header.stream)
        guard header.length == 4, let code = payload.readInteger(as: UInt32.self) else { throw wrongSize(header) }
        guard let stream = take(header.stream) else {
            try noteIdleFrame()
            return nil
        }
        // Whoever has begun to answer has done something, whatever the code says.
        return .reset(stream.tag, stream.status == 0 ? HTTP2Code(rawValue: code) : .protocolError)
    }

    // MARK: The connection

    private mutating func receiveSettings(
        _ header: FrameHeader, _ payload: inout ByteBuffer
    ) throws(HTTP2Violation) -> Event? {
        guard header.stream == 0 else { throw HTTP2Violation(.protocolError, "settings of a stream") }
        try noteIdleFrame()
        if header.has(FrameFlag.acknowledgement) {
            guard header.length == 0, isReady else { throw wrongSize(header) }
            return nil
        }
        guard header.length % 6 == 0 else { throw wrongSize(header) }
        while let key = payload.readInteger(as: UInt16.self), let value = payload.readInteger(as: UInt32.self) {
            try apply(key, Int(value))
        }
        writeFrame(FrameKind.settings, flags: FrameFlag.acknowledgement)
        writeUnsent()
        guard !isReady else { return nil }
        isReady = true
        return .ready
    }

    private mutating func apply(_ key: UInt16, _ value: Int) throws(HTTP2Violation) {
        switch key {
        case SettingKey.headerTableSize: table.limit(to: value)
        case SettingKey.concurrentStreams: peerStreamLimit = value
        case SettingKey.initialWindow:
            guard value <= Self.largestWindow else { throw HTTP2Violation(.flowControl, "a window of \(value)") }
            for index in unsent.indices { unsent[index].window += value - initialWindow }
            initialWindow = value
        default: break
        }
    }

    /// Requests above the last one that it names were not processed, unless it has begun to answer them; the others will still be
    /// answered.
    private mutating func receiveGoAway(_ payload: inout ByteBuffer) throws(HTTP2Violation) -> Event? {
        guard let last = payload.readInteger(as: UInt32.self), payload.readInteger(as: UInt32.self) != nil else {
            throw HTTP2Violation(.frameSize, "a goodbye of \(payload.readableBytes) bytes")
        }
        try noteIdleFrame()
        let unprocessed = streams.ids { id, stream in id > last & 0x7FFF_FFFF && stream.status == 0 }
        return .leaving(
            unprocessed.compactMap { take($0)?.tag }, words: Array(payload.readableBytesView.prefix(bodyLimit)))
    }

    private mutating func receiveWindowUpdate(
        _ header: FrameHeader, _ payload: inout ByteBuffer
    ) throws(HTTP2Violation) {
        guard header.length == 4, let word = payload.readInteger(as: UInt32.self) else { throw wrongSize(header) }
        let more = Int(word & 0x7FFF_FFFF)
        guard more > 0 else { throw HTTP2Violation(.protocolError, "a window that grows by nothing") }
        try noteIdleFrame()
        if header.stream == 0 {
            window += more
            guard window <= Self.largestWindow else { throw HTTP2Violation(.flowControl, "a window of \(window)") }
        } else {
            try checkStream(header.stream)
            if let index = unsent.firstIndex(where: { $0.stream == header.stream }) {
                unsent[index].window = min(unsent[index].window + more, Self.largestWindow)
            }
        }
        writeUnsent()
    }

    private mutating func receivePing(_ header: FrameHeader, _ payload: inout ByteBuffer) throws(HTTP2Violation) {
        guard header.length == 8, let high = payload.readInteger(as: UInt32.self),
            let low = payload.readInteger(as: UInt32.self)
        else { throw wrongSize(header) }
        try noteIdleFrame()
        guard !header.has(FrameFlag.acknowledgement) else { return }
        writeFrame(FrameKind.ping, flags: FrameFlag.acknowledgement, high, low)
    }

    private static func removePadding(_ header: FrameHeader, _ payload: inout ByteBuffer) throws(HTTP2Violation) {
        guard header.has(FrameFlag.padded) else { return }
        guard let padding = payload.readInteger(as: UInt8.self), Int(padding) <= payload.readableBytes else {
            throw HTTP2Violation(.protocolError, "more padding than payload")
        }
        payload.moveWriterIndex(to: payload.writerIndex - Int(padding))
    }
}
