import Foundation

/// The peer: h2load against the sink. It shows the cost of a good general HTTP/2 client on this machine, in the same
/// rounds.
///
/// It uses one TLS connection. Each request is a POST of 400 bytes with the path and the headers of a push.
final class Peer: Sendable {
    private let sink: Sink
    private let requests: URL
    private let body: URL

    /// Prepares the peer.
    ///
    /// - Throws: ``BenchError`` if a program is missing.
    init(_ sink: Sink) throws {
        let missing = (["h2load"] + Sink.programs).filter { Program.path(of: $0) == nil }
        guard missing.isEmpty else { throw BenchError.programsMissing(missing) }
        self.sink = sink
        (requests, body) = (sink.folder.appendingPathComponent("requests"), sink.folder.appendingPathComponent("body"))
        let lines = sink.paths.map { "https://127.0.0.1:\(sink.port)\($0)\n" }
        try Data(lines.joined().utf8).write(to: requests)
        try Data(repeating: UInt8(ascii: "x"), count: 400).write(to: body)
    }

    /// Makes requests and returns the client's CPU time for each, in seconds.
    func secondsPerRequest(requests count: Int) throws -> Double {
        let headers = [
            "authorization: bearer \(String(repeating: "t", count: 200))",
            "apns-topic: org.example.match.push-type.liveactivity", "apns-push-type: liveactivity", "apns-priority: 10",
            "apns-expiration: 0",
        ]
        let cpu = try Program.run(
            "h2load",
            ["-n", "\(count)", "-c", "1", "-m", "1000", "-t", "1", "-d", body.path]
                + headers.flatMap { ["-H", $0] } + ["-i", requests.path])
        return cpu / Double(count)
    }
}
