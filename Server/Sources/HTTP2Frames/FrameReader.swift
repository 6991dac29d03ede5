import NIOCore

/// Cuts incoming bytes into frames. A piece of the byte stream may begin and end anywhere.
///
/// Each frame has the size and the kind of stream that its kind requires, without padding and priority. Header blocks
/// are whole.
package struct FrameReader {
    /// A frame. Its header says how long it came, padding included.
    package struct Frame {
        package let header: FrameHeader
        package var payload: ByteBuffer
    }

    /// A header block that is still incomplete.
    private struct OpenBlock {
        let header: FrameHeader
        var payload: ByteBuffer
        var pieces = 1
    }

    /// The largest number of pieces of a header block; each may be empty.
    private static let piecesAllowed = 64

    package private(set) var input = ByteBuffer()
    private var openBlock: OpenBlock?
    /// The bytes required before the first frame.
    private var preface: [UInt8]

    package init(after preface: String = "") { self.preface = Array(preface.utf8) }

    /// Adds received bytes. ``next()`` returns the frames in them.
    package mutating func feed(_ bytes: ByteBuffer) {
        guard input.readableBytes > 0 else {
            input = bytes
            return
        }
        var bytes = bytes
        // If each piece ended within a frame, the bytes already read would never be freed.
        input.discardReadBytes()
        input.writeBuffer(&bytes)
    }

    /// The next frame; nil if it needs more bytes.
    ///
    /// - Throws: ``HTTP2Violation``, after which the connection is unusable.
    package mutating func next() throws(HTTP2Violation) -> Frame? {
        if !preface.isEmpty { try readPreface() }
        while preface.isEmpty, let header = input.peekFrameHeader() {
            guard header.length <= FrameHeader.longestPayload else {
                throw HTTP2Violation(.frameSize, "a frame of \(header.length) bytes")
            }
            guard input.readableBytes >= FrameHeader.size + header.length else { return nil }
            input.moveReaderIndex(forwardBy: FrameHeader.size)
            guard let payload = input.readSlice(length: header.length) else { return nil }
            if let frame = try take(Frame(header: header, payload: payload)) { return frame }
        }
        return nil
    }

    private mutating func readPreface() throws(HTTP2Violation) {
        let count = min(preface.count, input.readableBytes)
        guard input.readableBytesView.prefix(count).elementsEqual(preface.prefix(count)) else {
            throw HTTP2Violation(.protocolError, "it does not begin with the words of HTTP/2")
        }
        guard count == preface.count else { return }
        input.moveReaderIndex(forwardBy: count)
        preface = []
    }

    private mutating func take(_ frame: Frame) throws(HTTP2Violation) -> Frame? {
        var frame = frame
        let header = frame.header
        if let openBlock, header.kind != FrameKind.continuation || header.stream != openBlock.header.stream {
            throw HTTP2Violation(.protocolError, "a header block is interrupted")
        }
        try Self.check(header)
        switch header.kind {
        case FrameKind.data: try Self.removePadding(&frame)
        case FrameKind.headers:
            try Self.removePadding(&frame)
            try Self.removePriority(&frame)
            guard header.has(FrameFlag.endHeaders) else {
                openBlock = OpenBlock(header: header, payload: frame.payload)
                return nil
            }
        case FrameKind.continuation: return try resume(&frame)
        default: break
        }
        return frame
    }

    private mutating func resume(_ frame: inout Frame) throws(HTTP2Violation) -> Frame? {
        guard var block = openBlock else { throw HTTP2Violation(.protocolError, "it goes on with no header block") }
        openBlock = nil
        block.payload.writeBuffer(&frame.payload)
        block.pieces += 1
        guard block.payload.readableBytes <= 2 * FrameHeader.longestPayload, block.pieces <= Self.piecesAllowed else {
            throw HTTP2Violation(.enhanceYourCalm, "a header block that does not end")
        }
        if frame.header.has(FrameFlag.endHeaders) { return Frame(header: block.header, payload: block.payload) }
        openBlock = block
        return nil
    }

    // MARK: Requirements for a frame

    /// Some frames are about a stream, others about the connection, and many have one size only.
    private static func check(_ header: FrameHeader) throws(HTTP2Violation) {
        let (isOfStream, isSize): (Bool?, Bool) =
            switch header.kind {
            case FrameKind.data, FrameKind.headers, FrameKind.continuation, FrameKind.pushPromise: (true, true)
            case FrameKind.priority: (true, header.length == 5)
            case FrameKind.reset: (true, header.length == 4)
            case FrameKind.windowUpdate: (nil, header.length == 4)
            case FrameKind.settings:
                (false, header.has(FrameFlag.acknowledgement) ? header.length == 0 : header.length % 6 == 0)
            case FrameKind.ping: (false, header.length == 8)
            case FrameKind.goAway: (false, header.length >= 8)
            default: (nil, true)
            }
        if let isOfStream, isOfStream != (header.stream != 0) {
            throw HTTP2Violation(.protocolError, "a frame of kind \(header.kind) for stream \(header.stream)")
        }
        guard isSize else {
            throw HTTP2Violation(.frameSize, "a frame of kind \(header.kind) with \(header.length) bytes")
        }
    }

    private static func removePadding(_ frame: inout Frame) throws(HTTP2Violation) {
        guard frame.header.has(FrameFlag.padded) else { return }
        guard let padding = frame.payload.readInteger(as: UInt8.self), Int(padding) <= frame.payload.readableBytes
        else { throw HTTP2Violation(.protocolError, "more padding than payload") }
        frame.payload.moveWriterIndex(to: frame.payload.writerIndex - Int(padding))
    }

    private static func removePriority(_ frame: inout Frame) throws(HTTP2Violation) {
        guard frame.header.has(FrameFlag.priority) else { return }
        guard frame.payload.readableBytes >= 5 else {
            throw HTTP2Violation(.frameSize, "a frame of kind \(frame.header.kind) without its priority")
        }
        frame.payload.moveReaderIndex(forwardBy: 5)
    }
}
