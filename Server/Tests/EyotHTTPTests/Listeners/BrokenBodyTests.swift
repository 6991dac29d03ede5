import EyotHTTP
import HTTPTypes
import Synchronization
import Testing

/// Requests with a body that does not end as its framing says, for every route, on real connections (R9).
@Suite(.serialized, .timeLimit(.minutes(10))) struct `A body that breaks off` {
    /// How a request goes on behind a body that could be read as whole.
    enum End: String, CaseIterable, Sendable {
        // Of a body in chunks.
        case badChunkSize, hugeChunkSize, negativeChunkSize, overlongChunk, brokenTrailer, endlessTrailer
        case cutBeforeLastChunk, cutInLastChunk, closedBeforeLastChunk, resetBeforeLastChunk, silentBeforeLastChunk
        // Of a body with a length.
        case cutShort, closedShort, resetShort, silentShort, cutAfterContinue
        // Of a body with both.
        case lengthAndChunks
    }

    /// What the client does when everything is sent.
    private enum Leaving {
        case staying, endingOutput, closing, resetting
    }

    private static func leaving(_ end: End) -> Leaving {
        switch end {
        case .cutBeforeLastChunk, .cutInLastChunk, .cutShort, .cutAfterContinue: .endingOutput
        case .closedBeforeLastChunk, .closedShort: .closing
        case .resetBeforeLastChunk, .resetShort: .resetting
        case .badChunkSize, .hugeChunkSize, .negativeChunkSize, .overlongChunk, .brokenTrailer, .endlessTrailer,
            .silentBeforeLastChunk, .silentShort, .lengthAndChunks:
            .staying
        }
    }

    private static func isSilent(_ end: End) -> Bool { end == .silentBeforeLastChunk || end == .silentShort }

    // MARK: Bytes

    private static let chunked = "Transfer-Encoding: chunked\r\n"

    private static func chunk(_ body: [UInt8]) -> [UInt8] {
        Array("\(String(body.count, radix: 16))\r\n".utf8) + body + Array("\r\n".utf8)
    }

    /// The headers that frame a body, and the bytes behind the head.
    private static func framed(_ body: [UInt8], _ end: End) -> (headers: String, bytes: [UInt8]) {
        let longer = "Content-Length: \(body.count + 9)\r\n"
        let rest: String
        switch end {
        case .cutShort, .closedShort, .resetShort, .silentShort: return (longer, body)
        case .cutAfterContinue: return (longer + "Expect: 100-continue\r\n", body)
        case .lengthAndChunks: return (chunked + "Content-Length: \(body.count)\r\n", chunk(body))
        case .overlongChunk: return (chunked, Array(chunk(body).dropLast(2)) + Array("  \r\n0\r\n\r\n".utf8))
        case .badChunkSize: rest = "zz\r\n"
        case .hugeChunkSize: rest = "fffffffffffffffff\r\n"
        case .negativeChunkSize: rest = "-1\r\n"
        case .brokenTrailer: rest = "0\r\na b\r\n\r\n"
        case .endlessTrailer: rest = "0\r\nX: \(String(repeating: "x", count: 20_000))\r\n\r\n"
        case .cutInLastChunk: rest = "0\r\n"
        case .cutBeforeLastChunk, .closedBeforeLastChunk, .resetBeforeLastChunk, .silentBeforeLastChunk: rest = ""
        }
        return (chunked, chunk(body) + Array(rest.utf8))
    }

    private static func head(_ call: FuzzedCall, _ framing: String) -> String {
        let headers = call.headers.map { "\($0.name): \($0.value)\r\n" }.joined()
        return "\(call.method.rawValue) \(call.path) HTTP/1.1\r\nHost: a\r\n\(headers)\(framing)\r\n"
    }

    // MARK: Calls

    /// Makes calls on connections of their own, all at once.
    ///
    /// - Returns: The calls that were answered with success.
    private static func make(
        _ calls: [FuzzedCall], at port: Int,
        _ send: @escaping @Sendable (FuzzedCall, inout RawConnection) async throws -> String
    ) async throws -> [FuzzedCall] {
        try await withThrowingTaskGroup(of: FuzzedCall?.self) { tasks in
            for call in calls {
                tasks.addTask {
                    let answer = Mutex("")
                    try await RawConnection.open(port: port) { connection in
                        let text = try await send(call, &connection)
                        answer.withLock { $0 = text }
                    }
                    return answer.withLock { $0.hasPrefix("HTTP/1.1 2") ? call : nil }
                }
            }
            return try await tasks.reduce(into: []) { good, call in call.map { good.append($0) } }
        }
    }

    /// Sends a call with a broken body, and returns the final answer.
    private static func send(
        _ call: FuzzedCall, _ end: End, _ connection: inout RawConnection
    ) async throws -> String {
        let (framing, bytes) = framed(call.bytes ?? Array("{}".utf8), end)
        try await connection.send(head(call, framing))
        if end == .cutAfterContinue {
            // A call that takes no body answers without waiting for it, and then the connection ends.
            guard try await connection.read(until: "HTTP/1.1 100 Continue\r\n\r\n") != nil else { return "" }
        }
        // The server may have refused the head.
        try? await connection.send(bytes)
        switch leaving(end) {
        case .staying: break
        case .endingOutput: try? await connection.endOutput()
        case .closing: return ""
        case .resetting:
            try? await connection.reset()
            return ""
        }
        return await connection.readToEnd()
    }

    private static func calls(in rig: Rig) async throws -> [FuzzedCall] {
        let callers = try await FuzzedCallers(in: rig)
        return try callers.seeds.map { try callers.call($0, rig) }
    }

    @Test(arguments: End.allCases) func `No route carries it out`(end: End) async throws {
        try await Rig.run { rig in
            let calls = try await Self.calls(in: rig)
            let commits = await rig.store.commits
            var settings = ListeningServer.patient
            if Self.isSilent(end) { settings.limits.bodyTime = .seconds(2) }
            try await ListeningServer.serve(rig.api, settings) { port in
                let good = try await Self.make(calls, at: port) { try await Self.send($0, end, &$1) }
                #expect(good.map(\.description) == [])
            }
            // Every connection has ended, and with it whatever a route did.
            #expect(await rig.store.commits == commits)
        }
    }

    @Test func `Every route carries out a whole one, whatever follows it on the connection`() async throws {
        try await Rig.run { rig in
            let calls = try await Self.calls(in: rig)
            let commits = await rig.store.commits
            try await ListeningServer.serve(rig.api, ListeningServer.patient) { port in
                var good = 0
                // What removes comes last, so that the others find what they call for.
                for call in calls.filter({ $0.method != .delete }) + calls.filter({ $0.method == .delete }) {
                    good += try await Self.make([call], at: port, Self.sendWhole).count
                }
                #expect(good > calls.count / 2, "\(good) of \(calls.count)")
            }
            #expect(await rig.store.commits > commits + calls.count / 4)
        }
    }

    /// Sends a call with a whole body and bytes behind it that are no request.
    private static func sendWhole(_ call: FuzzedCall, _ connection: inout RawConnection) async throws -> String {
        try await connection.send(head(call, chunked))
        try await connection.send(chunk(call.bytes ?? Array("{}".utf8)) + Array("0\r\n\r\nno request\r\n\r\n".utf8))
        let answers = await connection.readToEnd()
        #expect(answers.contains("requestMalformed") || !answers.hasPrefix("HTTP/1.1 2"), "\(call)")
        return answers
    }
}
