import HTTP2Frames
import NIOCore
import NIOHPACK

@testable import APNSSimulator

/// A server core and the client that a test plays. Its header blocks are written and read by swift-nio-http2.
struct ServerRig {
    static let usual = [(":method", "POST"), (":scheme", "https"), (":path", "/3/device/00"), ("apns-topic", "a.b")]

    /// The usual fields, and one more.
    static func usual(and name: String, _ value: String) -> [(String, String)] { usual + [(name, value)] }

    var core: HTTP2ServerCore
    private var encoder = HPACKEncoder(allocator: ByteBufferAllocator())
    private var decoder = HPACKDecoder(allocator: ByteBufferAllocator())

    /// A server that has had the client's beginning, with what it said to that looked at.
    init(streams: Int = 100, settings: [(UInt16, UInt32)] = []) throws {
        core = HTTP2ServerCore(HTTP2ServerCore.Limits(streams: streams, keptBody: 8, longestBody: 20, window: 1_000))
        _ = try receive(
            Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8), Self.settings(settings), Self.frame(4, flags: 1))
        _ = frames()
    }

    // MARK: What the client says

    /// What the server makes of bytes: streams and bodies of requests.
    mutating func receive(_ bytes: [UInt8]...) throws -> [String] {
        core.feed(ByteBuffer(bytes: bytes.joined()))
        var words: [String] = []
        while let request = try core.next() {
            let body = String(decoding: request.body, as: UTF8.self)
            words.append(
                "\(request.stream): \(request.headers.first(name: ":path") ?? "") \(body) \(request.bodyLength)")
        }
        return words
    }

    mutating func headers(
        _ stream: UInt32, _ fields: [(String, String)] = usual, ends: Bool = true, flags: UInt8 = FrameFlag.endHeaders
    ) throws -> [UInt8] {
        Self.frame(1, flags: flags | (ends ? 1 : 0), on: stream, try block(fields))
    }

    mutating func block(_ fields: [(String, String)]) throws -> [UInt8] {
        var block = ByteBuffer()
        try encoder.encode(headers: HPACKHeaders(fields), to: &block)
        return Array(block.readableBytesView)
    }

    static func data(_ stream: UInt32, _ text: String, ends: Bool = true) -> [UInt8] {
        frame(0, flags: ends ? 1 : 0, on: stream, Array(text.utf8))
    }

    static func settings(_ settings: [(UInt16, UInt32)]) -> [UInt8] {
        frame(4, settings.flatMap { [UInt8($0.0 >> 8), UInt8($0.0 & 255)] + big($0.1) })
    }

    static func window(_ stream: UInt32, _ more: UInt32) -> [UInt8] { frame(8, on: stream, big(more)) }
    static func reset(_ stream: UInt32) -> [UInt8] { frame(3, on: stream, big(8)) }

    static func frame(_ kind: UInt8, flags: UInt8 = 0, on stream: UInt32 = 0, _ payload: [UInt8] = []) -> [UInt8] {
        big(UInt32(payload.count)).dropFirst() + [kind, flags] + big(stream) + payload
    }

    static func big(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(number >> (24 - 8 * $0) & 255) } }

    // MARK: What the server says

    mutating func answer(_ stream: UInt32, _ status: Int = 200, _ body: String = "") {
        let isCutOff = core.answer(stream, status: status, fields: [("apns-id", "x")], body: Array(body.utf8))
        if isCutOff { core.reset(stream, .noError) }
    }

    struct Frame: Equatable {
        let kind: UInt8
        let stream: UInt32
        let ends: Bool
        let payload: [UInt8]
    }

    mutating func frames() -> [Frame] {
        var sent = core.takeOutput()
        var frames: [Frame] = []
        while let header = sent.peekFrameHeader() {
            sent.moveReaderIndex(forwardBy: FrameHeader.size)
            let payload = sent.readBytes(length: header.length) ?? []
            frames.append(
                Frame(kind: header.kind, stream: header.stream, ends: header.has(FrameFlag.endStream), payload: payload)
            )
        }
        return frames
    }

    /// What the server says, in words.
    mutating func words() throws -> [String] { try frames().map { try words($0) } }

    private mutating func words(_ frame: Frame) throws -> String {
        let end = frame.ends ? "." : ""
        switch frame.kind {
        case 0: return "\(frame.stream): \(String(decoding: frame.payload, as: UTF8.self))\(end)"
        case 1:
            var block = ByteBuffer(bytes: frame.payload)
            let fields = try decoder.decodeHeaders(from: &block)
            return "\(frame.stream): \(fields.map { "\($0.name)=\($0.value)" }.joined(separator: " "))\(end)"
        case 3: return "\(frame.stream): reset \(frame.payload[3])"
        case 7: return "goodbye after \(frame.payload[3])"
        default: return "\(frame.kind) on \(frame.stream) \(frame.payload)"
        }
    }
}
