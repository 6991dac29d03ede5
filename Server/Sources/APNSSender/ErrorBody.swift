import APNSWire
import EyotContract

/// The content of a refusal's body. It is read leniently, because the status alone also says something.
struct ErrorBody {
    /// The most bytes of a body that are kept. Apple's bodies have less than a hundred.
    static let maximumLength = 4_096

    /// The accepted moments, in milliseconds since 1970: up to the end of the year 9999.
    private static let moments: ClosedRange<Int64> = 0...253_402_300_799_999

    let reason: APNSReason
    /// The moment since which Apple knows the token to be dead, in milliseconds since 1970; nil if the body has none.
    let deadSince: Int64?

    init(status: Int, bytes: [UInt8]) {
        let object = (try? JSONValue(parsing: bytes, depthLimit: 8))?.object
        reason = object?["reason"]?.string.map(APNSReason.init(name:)) ?? Self.likely(status)
        deadSince =
            status == 410
            ? object?["timestamp"]?.integer.map(Int64.init).flatMap { Self.moments.contains($0) ? $0 : nil } : nil
    }

    /// Returns the reason that a status alone suggests.
    private static func likely(_ status: Int) -> APNSReason {
        switch status {
        case 404: .badPath
        case 405: .methodNotAllowed
        case 410: .unregistered
        case 413: .payloadTooLarge
        case 429: .tooManyRequests
        case 500: .internalServerError
        case 503: .serviceUnavailable
        default: .unrecognized
        }
    }
}
