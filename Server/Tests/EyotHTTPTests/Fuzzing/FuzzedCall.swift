import EyotContract
import HTTPTypes
import PhoneSimulator

/// One call that may be wrong in several ways.
struct FuzzedCall: Sendable, CustomStringConvertible {
    var method: HTTPRequest.Method
    var path: String
    var bytes: [UInt8]?
    var headers: [(name: String, value: String)]

    /// Enough to make it again by hand.
    var description: String {
        let head = headers.map { "\($0.name): \($0.value.prefix(80))" }.joined(separator: "; ")
        return "\(method.rawValue) \(path.prefix(200)) [\(head)] "
            + String(decoding: (bytes ?? []).prefix(1_000), as: UTF8.self)
    }

    /// Spoils one or two parts of the call.
    mutating func spoil(using random: inout SeededGenerator) {
        // Mostly the body: what stands behind the first checks is reached by calls that are right otherwise.
        for _ in 0...Int.random(in: 0...1, using: &random) {
            switch Int.random(in: 0..<10, using: &random) {
            case 0: spoilHeaders(using: &random)
            case 1: spoilPath(using: &random)
            case 2 where Bool.random(using: &random): method = Self.methods.pick(using: &random)
            default: bytes = bytes.map { FuzzedBody.spoiled($0, using: &random) }
            }
        }
    }

    private static let methods: [HTTPRequest.Method] = [
        .get, .post, .put, .patch, .delete, .head, .options, .trace,
    ]

    // MARK: Headers

    private static let names = [
        "Authorization", "Accept", "Content-Type", "Content-Length", "X-UA-Appkey", "X-netmera-api-key", "X-Api-Key",
        "Idempotency-Key", "If-Match", "If-None-Match", "Eyot-App", "Eyot-Device-Secret", "Expect", "Content-Encoding",
    ]
    private static let values = [
        "", " ", "Basic", "Basic !!!", "Basic Og==", "Basic OmE=", "Bearer", "Bearer  ", "Bearer a b", "bearer x",
        "Digest x",
        "Token", "application/json; charset=utf-16", "application/json; charset=", ";;;", "/", "*/*",
        "multipart/form-data",
        "application/vnd.urbanairship+json; version=4", "application/x-ndjson", "application/x-www-form-urlencoded",
        "-1", "0", "99999999999999999999", "12abc", "1-1", "\"\"", "\"1-1", "*", "W/\"1-1\"", "gzip", "100-continue",
        "ключ", "\u{7F}", "a\u{0}b", "eyot_sk_", "org.example.other",
    ]

    private mutating func spoilHeaders(using random: inout SeededGenerator) {
        let value =
            Int.random(in: 0..<8, using: &random) == 0
            ? String(repeating: "x", count: 20_000) : Self.values.pick(using: &random)
        guard !headers.isEmpty, Bool.random(using: &random) else {
            headers.append((Self.names.pick(using: &random), value))
            return
        }
        let index = headers.indices.pick(using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: headers.remove(at: index)
        case 1: headers.append(headers[index])
        case 2: headers[index].value = value
        case 3: headers[index].value += value
        default: headers[index].value = String(headers[index].value.dropLast(3))
        }
    }

    // MARK: Path

    private static let segments = [
        "", ".", "..", "%2e%2e", "%2F", "%", "%4", "%ZZ", "%00", "%FF", "%C3%28", "a%0Ab", "a+b", "*", "{name}", "null",
        "-1",
        "99999999999999999999", "ü", "\u{202E}x",
    ]
    private static let queries = [
        "?", "?x=1", "?limit=0", "?limit=-1", "?limit=99999999999999999999", "?limit=1&limit=2", "?after=x",
        "?after=%FF",
        "?dryRun=maybe", "?dryRun=true", "?=", "?&&&", "?before=-1", "?notificationKey=1e9",
        "?notificationKey=99999999999999999999", "??", "#x",
    ]

    private mutating func spoilPath(using random: inout SeededGenerator) {
        switch Int.random(in: 0..<7, using: &random) {
        case 0: path += "/" + Self.segments.pick(using: &random)
        case 1: path += Self.queries.pick(using: &random)
        case 2: path += "/" + String(repeating: "a", count: 9_000)
        case 3: path = path.replacing("/", with: "//", maxReplacements: 1)
        case 4: path = path.uppercased()
        case 5: path = String(path.dropLast())
        default:
            var parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            parts[parts.indices.dropFirst().pick(using: &random)] = Self.segments.pick(using: &random)
            path = parts.joined(separator: "/")
        }
        if path.isEmpty { path = "/" }
    }
}

extension RandomAccessCollection {
    /// One of them, of which there has to be one.
    func pick(using random: inout SeededGenerator) -> Element {
        self[index(startIndex, offsetBy: Int.random(in: 0..<count, using: &random))]
    }
}
