import NIOCore

/// The nine bytes before every frame (RFC 9113, section 4.1).
struct FrameHeader: Equatable {
    static let size = 9
    /// The longest payload that either side has to take unless it says otherwise; we never do, and never write a longer one.
    static let longestPayload = 16_384

    var length: Int
    var kind: UInt8
    var flags: UInt8 = 0
    var stream: UInt32 = 0

    func has(_ flag: UInt8) -> Bool { flags & flag != 0 }
}

/// The kinds of frames. Others are passed over, as the standard wants it.
enum FrameKind {
    static let data: UInt8 = 0
    static let headers: UInt8 = 1
    static let reset: UInt8 = 3
    static let settings: UInt8 = 4
    static let pushPromise: UInt8 = 5
    static let ping: UInt8 = 6
    static let goAway: UInt8 = 7
    static let windowUpdate: UInt8 = 8
    static let continuation: UInt8 = 9
}

/// The flags of frames; what a bit means depends on the kind.
enum FrameFlag {
    static let endStream: UInt8 = 0x1
    static let acknowledgement: UInt8 = 0x1
    static let endHeaders: UInt8 = 0x4
    static let padded: UInt8 = 0x8
    static let priority: UInt8 = 0x20
}

/// The settings that we read or write.
enum SettingKey {
    static let headerTableSize: UInt16 = 1
    static let enablePush: UInt16 = 2
    static let concurrentStreams: UInt16 = 3
    static let initialWindow: UInt16 = 4
    static let headerListSize: UInt16 = 6
}

/// Why a stream was reset or a connection ended.
struct HTTP2Code: RawRepresentable, Equatable {
    let rawValue: UInt32

    static let noError = HTTP2Code(rawValue: 0)
    static let protocolError = HTTP2Code(rawValue: 1)
    static let flowControl = HTTP2Code(rawValue: 3)
    static let frameSize = HTTP2Code(rawValue: 6)
    static let refusedStream = HTTP2Code(rawValue: 7)
    static let cancel = HTTP2Code(rawValue: 8)
    static let compression = HTTP2Code(rawValue: 9)
    static let enhanceYourCalm = HTTP2Code(rawValue: 11)
}

/// What the peer did that HTTP/2 does not allow, or that is more than we put up with. The connection ends with it.
struct HTTP2Violation: Error, Equatable, CustomStringConvertible {
    let code: HTTP2Code
    let words: String

    init(_ code: HTTP2Code, _ words: String) {
        self.code = code
        self.words = words
    }

    var description: String { "the server broke HTTP/2: \(words)" }
}

extension ByteBuffer {
    /// The header of the next frame, left where it is; nil where less than that has come.
    func peekFrameHeader() -> FrameHeader? {
        guard readableBytes >= FrameHeader.size else { return nil }
        let at = readerIndex
        guard let word = getInteger(at: at, as: UInt32.self), let flags = getInteger(at: at + 4, as: UInt8.self),
            let stream = getInteger(at: at + 5, as: UInt32.self)
        else { return nil }
        return FrameHeader(
            length: Int(word >> 8), kind: UInt8(truncatingIfNeeded: word), flags: flags, stream: stream & 0x7FFF_FFFF)
    }

    mutating func write(_ header: FrameHeader) {
        writeInteger(UInt32(header.length) << 8 | UInt32(header.kind))
        writeInteger(header.flags)
        writeInteger(header.stream)
    }
}
