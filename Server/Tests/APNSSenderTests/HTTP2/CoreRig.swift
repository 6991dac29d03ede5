import HTTP2Frames
import NIOCore
import NIOHPACK

@testable import APNSSender

/// A client core and the server that a test plays. The rig builds the server's frames from the standard, without the
/// core's code.
struct CoreRig {
    var core: HTTP2ClientCore<Int>
    /// Bytes that the client has sent and the test has not read yet.
    var sent = ByteBuffer()
    /// What this server reads the client's header blocks with.
    var decoder = HPACKDecoder(allocator: ByteBufferAllocator())
    private var table = HeaderTable()

    /// A client that has had the settings, with its own beginning looked at.
    init(settings: [(UInt16, UInt32)] = [(3, 100)], bodyLimit: Int = 4_096) throws {
        core = HTTP2ClientCore(bodyLimit: bodyLimit)
        collect()
        sent.moveReaderIndex(forwardBy: 24)
        _ = frames()
        _ = try receive(Self.settings(settings))
        _ = frames()
    }

    // MARK: What the client does

    /// Opens a push to the token of these bytes. What `value` says differs from template to template.
    mutating func open(_ tag: Int, token: [UInt8] = [1, 2], value: String = "alert", body: [UInt8] = [7, 8, 9]) {
        let stencil = RequestStencil(.token(pathPrefix: Array("/3/device/".utf8)), for: &core.table) { table, block in
            block += [0x83, 0x87]
            table.write(":authority", "apple", to: &block)
            table.writeName(":path", to: &block)
        } between: { table, block in
            table.write("authorization", "bearer of news", to: &block)
            table.write("apns-push-type", value, to: &block)
            table.write("apns-expiration", "\(tag)", .name, to: &block)
            table.writeName("apns-id", to: &block)
        }
        core.open(tag, stencil, recipient: token[...], id: (UInt64(tag), UInt64.max), body: body)
    }

    /// What the server is told, frame by frame.
    mutating func frames() -> [Frame] {
        collect()
        var frames: [Frame] = []
        while let header = sent.peekFrameHeader(), sent.readableBytes >= 9 + header.length {
            sent.moveReaderIndex(forwardBy: 9)
            frames.append(Frame(header: header, payload: sent.readSlice(length: header.length) ?? ByteBuffer()))
        }
        return frames
    }

    private mutating func collect() {
        var output = core.takeOutput()
        sent.writeBuffer(&output)
    }

    struct Frame {
        let header: FrameHeader
        let payload: ByteBuffer
        var bytes: [UInt8] { Array(payload.readableBytesView) }
    }

    mutating func fields(_ frame: Frame) throws -> [String: String] {
        var payload = frame.payload
        let headers = try decoder.decodeHeaders(from: &payload)
        return Dictionary(headers.map { ($0.name, $0.value) }) { first, second in "\(first), \(second)" }
    }

    // MARK: What the server does

    /// What the client makes of bytes, in words.
    mutating func receive(_ bytes: [UInt8]...) throws -> [String] {
        core.feed(ByteBuffer(bytes: bytes.joined()))
        var words: [String] = []
        while let event = try core.next() { words.append(Self.words(event)) }
        return words
    }

    private static func words(_ event: HTTP2ClientCore<Int>.Event) -> String {
        switch event {
        case .ready: "ready"
        case .answered(let tag, let status, let body):
            "\(tag): \(status)" + (body.isEmpty ? "" : " \(String(decoding: body, as: UTF8.self))")
        case .reset(let tag, let code): "\(tag): reset \(code.rawValue)"
        case .leaving(let tags, let words): "leaving \(tags) \(String(decoding: words, as: UTF8.self))"
        }
    }

    static func frame(_ kind: UInt8, flags: UInt8 = 0, on stream: UInt32 = 0, _ payload: [UInt8] = []) -> [UInt8] {
        let length = payload.count
        return [UInt8(length >> 16), UInt8(length >> 8 & 255), UInt8(length & 255), kind, flags]
            + big(stream) + payload
    }

    static func settings(_ settings: [(UInt16, UInt32)]) -> [UInt8] {
        frame(4, settings.flatMap { [UInt8($0.0 >> 8), UInt8($0.0 & 255)] + big($0.1) })
    }

    /// An answer without a body: `:status 200` in one byte, unless another block is given.
    static func answer(_ stream: UInt32, _ block: [UInt8] = [0x88], ends: Bool = true) -> [UInt8] {
        frame(1, flags: ends ? 0x5 : 0x4, on: stream, block)
    }

    static func data(_ stream: UInt32, _ text: String, ends: Bool = true) -> [UInt8] {
        frame(0, flags: ends ? 1 : 0, on: stream, Array(text.utf8))
    }

    static func windowUpdate(_ stream: UInt32, _ more: UInt32) -> [UInt8] { frame(8, on: stream, big(more)) }

    static func big(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(number >> (24 - 8 * $0) & 255) } }
}
