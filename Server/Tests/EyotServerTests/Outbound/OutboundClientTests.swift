import NIOCore
import OutboundHTTP
import Synchronization
import Testing

/// The client for everything outward against servers that do what they like.
@Suite("Calls to servers of others", .timeLimit(.minutes(10)))
struct OutboundClientTests {
    private static let mebibyte = 1_048_576
    /// What a connection may have taken before it was closed: the limit, and the buffers of both sides.
    private static let buffered = 32 * mebibyte

    private static func call(_ receiver: Receiver) -> OutboundCall { OutboundCall(.get, receiver.url) }

    /// Calls a server that reacts in one way.
    private static func answer(
        of reaction: Receiver.Reaction, within time: TimeAmount = .seconds(60), keeping bytes: Int? = mebibyte,
        _ check: (Receiver) async throws -> Void = { _ in }
    ) async throws -> Result<OutboundAnswer, OutboundFailure> {
        var result: Result<OutboundAnswer, OutboundFailure>?
        try await Receiver.run(Receiver.always(reaction)) { receiver in
            let client = OutboundClient(.init(time: time, bodyBytes: bytes, calls: 4))
            do throws(OutboundFailure) {
                result = .success(try await client.send(call(receiver)))
            } catch {
                result = .failure(error)
            }
            try await check(receiver)
            await client.close()
        }
        return try #require(result)
    }

    @Test func `An answer is its status and its body`() async throws {
        let answer = try await Self.answer(of: .text("hello"))
        #expect(answer == .success(OutboundAnswer(status: 200, body: Array("hello".utf8))))
    }

    @Test func `An answer keeps the fields that its call names, and no others`() async throws {
        try await Receiver.run(Receiver.always(.status(307, location: "http://127.0.0.1/"))) { receiver in
            let client = OutboundClient(.init(time: .seconds(60), bodyBytes: Self.mebibyte, calls: 1))
            let kept = try await client.send(OutboundCall(.get, receiver.url, keeping: ["Location", "Retry-After"]))
            #expect(kept.headers == ["Location": "http://127.0.0.1/"])
            #expect(try await client.send(OutboundCall(.get, receiver.url)).headers == [:])
            await client.close()
        }
    }

    @Test func `Of an answer without an end no more is read than the limit, and the connection is closed`() async throws
    {
        let answer = try await Self.answer(of: .flood) { receiver in
            try await receiver.untilClosed(1)
            #expect(receiver.sent < Self.buffered)
        }
        #expect(answer == .failure(.answerTooLong))
    }

    @Test func `Where the status alone counts, an answer without an end is dropped`() async throws {
        let answer = try await Self.answer(of: .flood, keeping: nil) { receiver in
            try await receiver.untilClosed(1)
            #expect(receiver.sent < Self.buffered)
        }
        #expect(answer == .success(OutboundAnswer(status: 200, body: [])))
    }

    @Test(
        "The time is that of the whole call, whatever comes in between",
        arguments: [Receiver.Reaction.trickle, .slowHead, .hang, .drip])
    func time(_ reaction: Receiver.Reaction) async throws {
        let answer = try await Self.answer(of: reaction, within: .milliseconds(500)) { receiver in
            try await receiver.untilClosed(1)
        }
        #expect(answer == .failure(.timedOut))
    }

    @Test func `A redirect is an answer, and leads nowhere`() async throws {
        try await Receiver.run { other in
            let answer = try await Self.answer(of: .status(307, location: other.url)) { receiver in
                #expect(receiver.messages.count == 1)
            }
            #expect(answer == .success(OutboundAnswer(status: 307, body: [])))
            #expect(other.messages.isEmpty)
        }
    }

    @Test(
        "A call that is cancelled ends at once, and so does one whose client is closed",
        arguments: [true, false], [Receiver.Reaction.hang, .trickle, .flood])
    func stop(_ isCancelled: Bool, _ reaction: Receiver.Reaction) async throws {
        try await Receiver.run(Receiver.always(reaction)) { receiver in
            // The call would go on for an hour.
            let client = OutboundClient(.init(time: .hours(1), bodyBytes: .max, calls: 4))
            let call = Self.call(receiver)
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    await #expect(throws: OutboundFailure.self) { _ = try await client.send(call) }
                }
                try? await receiver.until(1)
                if isCancelled { group.cancelAll() } else { await client.close() }
            }
            await client.close()
            await #expect(throws: OutboundFailure.stopped) { _ = try await client.send(call) }
        }
    }

    @Test func `The connections of a client that its owner forgot are closed`() async throws {
        try await Receiver.run { receiver in
            do {
                let client = OutboundClient(.init(time: .seconds(60), bodyBytes: nil, calls: 1))
                #expect(try await client.send(Self.call(receiver)).status == 204)
            }
            try await receiver.untilClosed(1)
        }
    }

    @Test func `Calls beyond the limit are refused`() async throws {
        try await Receiver.run(Receiver.always(.hang)) { receiver in
            let client = OutboundClient(.init(time: .hours(1), bodyBytes: nil, calls: 2))
            let call = Self.call(receiver)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<2 { group.addTask { _ = try? await client.send(call) } }
                try? await receiver.until(2)
                await #expect(throws: OutboundFailure.tooManyCalls) { _ = try await client.send(call) }
                group.cancelAll()
            }
            await client.close()
        }
    }

    @Test(arguments: ["", "nonsense", "http://", "ftp://127.0.0.1/"])
    func `A URL that is none is refused`(_ url: String) async throws {
        let client = OutboundClient(.init(time: .seconds(60), bodyBytes: nil, calls: 2))
        await #expect(throws: OutboundFailure.self) { _ = try await client.send(OutboundCall(.get, url)) }
        await client.close()
    }
}
