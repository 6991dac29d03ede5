import NIOCore

/// The nine bytes before every frame (RFC 9113, section 4.1).
package struct FrameHeader: Equatable {
    package static let size = 9
    /// The longest payload that a side must accept unless it announces a larger limit. We never announce one, and never
    /// write longer payloads.
    package static let longestPayload = 16_384

    package var length: Int
    package var kind: UInt8
    package var flags: UInt8
    package var stream: UInt32

    package init(length: Int, kind: UInt8, flags: UInt8 = 0, stream: UInt32 = 0) {
        self.length = length
        self.kind = kind
        self.flags = flags
        self.stream = stream
    }

    package func has(_ flag: UInt8) -> Bool { flags & flag != 0 }
}

/// The kinds of frames. Others are ignored, as the standard requires.
package enum FrameKind {
    package static let data: UInt8 = 0
    package static let headers: UInt8 = 1
    package static let priority: UInt8 = 2
    package static let reset: UInt8 = 3
    package static let settings: UInt8 = 4
    package static let pushPromise: UInt8 = 5
    package static let ping: UInt8 = 6
    package static let goAway: UInt8 = 7
    package static let windowUpdate: UInt8 = 8
    package static let continuation: UInt8 = 9
}

/// The flags of frames. The meaning of a bit depends on the kind.
package enum FrameFlag {
    package static let endStream: UInt8 = 0x1
    package static let acknowledgement: UInt8 = 0x1
    package static let endHeaders: UInt8 = 0x4
    package static let padded: UInt8 = 0x8
    package static let priority: UInt8 = 0x20
}

/// The settings that we read or write.
package enum SettingKey {
    package static let headerTableSize: UInt16 = 1
    package static let enablePush: UInt16 = 2
    package static let concurrentStreams: UInt16 = 3
    package static let initialWindow: UInt16 = 4
    package static let frameSize: UInt16 = 5
    package static let headerListSize: UInt16 = 6
}

/// Why a stream was reset or a connection ended (RFC 9113, section 7).
package struct HTTP2Code: RawRepresentable, Equatable, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let noError = HTTP2Code(rawValue: 0)
    package static let protocolError = HTTP2Code(rawValue: 1)
    package static let internalError = HTTP2Code(rawValue: 2)
    package static let flowControl = HTTP2Code(rawValue: 3)
    package static let streamClosed = HTTP2Code(rawValue: 5)
    package static let frameSize = HTTP2Code(rawValue: 6)
    package static let refusedStream = HTTP2Code(rawValue: 7)
    package static let cancel = HTTP2Code(rawValue: 8)
    package static let compression = HTTP2Code(rawValue: 9)
    package static let enhanceYourCalm = HTTP2Code(rawValue: 11)
}

/// A breach of HTTP/2 by the other side, or more load than we accept. It ends the connection.
package struct HTTP2Violation: Error, Equatable, CustomStringConvertible {
    package let code: HTTP2Code
    package let words: String

    package init(_ code: HTTP2Code, _ words: String) {
        self.code = code
        self.words = words
    }

    package var description: String { "the other side broke HTTP/2: \(words)" }
}

extension ByteBuffer {
    /// The header of the next frame, without consuming it; nil if fewer bytes have arrived.
    package func peekFrameHeader() -> FrameHeader? {
        guard readableBytes >= FrameHeader.size else { return nil }
        let at = readerIndex
        guard let word = getInteger(at: at, as: UInt32.self), let flags = getInteger(at: at + 4, as: UInt8.self),
            let stream = getInteger(at: at + 5, as: UInt32.self)
        else { return nil }
        return FrameHeader(
            length: Int(word >> 8), kind: UInt8(truncatingIfNeeded: word), flags: flags, stream: stream & 0x7FFF_FFFF)
    }

    package mutating func write(_ header: FrameHeader) {
        writeInteger(UInt32(header.length) << 8 | UInt32(header.kind))
        writeInteger(header.flags)
        writeInteger(header.stream)
    }
}
