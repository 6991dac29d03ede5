import NIOCore
import NIOHTTP1

/// The values that the connections of one listener share: limits, counts, and the answers to refused clients.
package struct ConnectionGuard: Sendable {
    let limits: ConnectionLimits
    let counts: ConnectionCounts
    let refusals: Refusals
    let proxies: TrustedProxies
    private let lag = LoopLag()
    private let reservedPaths: Set<String>
    private let answers: [Refusals.Kind: RefusalAnswer]

    /// - Parameters:
    ///   - reservedPaths: The paths that are answered even if the listener is full.
    ///   - answer: The answer to each kind of refusal; called once for each.
    package init(
        _ limits: ConnectionLimits, proxies: TrustedProxies, reservedPaths: Set<String>, refusals: Refusals,
        answer: (Refusals.Kind) -> RefusalAnswer
    ) {
        self.limits = limits
        self.reservedPaths = reservedPaths
        self.refusals = refusals
        self.proxies = proxies
        counts = ConnectionCounts(limits)
        answers = Dictionary(uniqueKeysWithValues: Refusals.Kind.allCases.map { ($0, answer($0)) })
    }

    /// Admits a connection for as long as its channel is open.
    ///
    /// - Parameter hasHandshake: Whether the connection begins with a TLS handshake.
    /// - Throws: ``ConnectionRefusal``. The channel is then closed.
    func admit(_ channel: any Channel, hasHandshake: Bool) throws -> ConnectionCounts.Place {
        do {
            // A trusted proxy's connection carries the calls of many clients.
            let isProxy = proxies.trusts(channel.remoteAddress)
            let place = try counts.admit(
                isProxy ? nil : channel.remoteAddress,
                isLate: hasHandshake && !isProxy && isLate(channel.eventLoop))
            channel.closeFuture.whenComplete { [counts] _ in counts.release(place) }
            return place
        } catch {
            refusals.note(error.kind)
            channel.close(promise: nil)
            throw error
        }
    }

    private func isLate(_ loop: any EventLoop) -> Bool { limits.lag.map { lag(on: loop) > $0 } ?? false }

    /// Why a request on a connection is refused; nil if it is not.
    ///
    /// - Parameter peer: The other end of the connection, which may be a proxy.
    func refusal(
        of head: HTTPRequestHead, from peer: SocketAddress?, on place: ConnectionCounts.Place
    ) -> Refusals.Kind? {
        let hosts = head.headers["host"].count
        // A second Host may differ from the one that a proxy used (RFC 9112, 3.2).
        if hosts > 1 || hosts == 0 && head.version != .http1_0 { return .host }
        guard let kind = place.reserveOnly else { return move(place, toCallerOf: head, from: peer) }
        let path = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
        return reservedPaths.contains(String(path)) ? nil : kind
    }

    /// Counts a trusted proxy's connection for the caller of the request that it carries.
    private func move(
        _ place: ConnectionCounts.Place, toCallerOf head: HTTPRequestHead, from peer: SocketAddress?
    ) -> Refusals.Kind? {
        guard countsByRequest(peer) else { return nil }
        let caller = proxies.caller(from: peer) { head.headers[$0] }
        do {
            try counts.move(place, to: proxies.trusts(caller) ? nil : caller)
            return nil
        } catch {
            return error.kind
        }
    }

    /// Whether each request of a connection names its caller.
    func countsByRequest(_ peer: SocketAddress?) -> Bool { proxies.header != .proxyV2 && proxies.trusts(peer) }

    /// Whether a connection begins with a header of the PROXY protocol.
    func beginsWithProxyHeader(_ peer: SocketAddress?) -> Bool {
        proxies.header == .proxyV2 && proxies.trusts(peer)
    }

    /// The parts of the answer to a refused request.
    func parts(of kind: Refusals.Kind) -> [HTTPServerResponsePart] {
        let answer = answers[kind] ?? RefusalAnswer(status: 503, contentType: "text/plain", body: [])
        var headers: HTTPHeaders = [
            "Content-Type": answer.contentType, "Content-Length": String(answer.body.count),
            "Cache-Control": "no-store", "Connection": "close",
        ]
        if let seconds = answer.retryAfter {
            headers.add(name: "Retry-After", value: String(Int.random(in: seconds)))
        }
        let head = HTTPResponseHead(
            version: .http1_1, status: HTTPResponseStatus(statusCode: answer.status), headers: headers)
        return [.head(head), .body(.byteBuffer(ByteBuffer(bytes: answer.body))), .end(nil)]
    }
}
