import APNSWire
import EyotContract

/// What the body of a refusal says. Read leniently: whatever is missing or odd, the status still tells something.
struct ErrorBody {
    /// Bodies are kept up to this many bytes; Apple's have less than a hundred.
    static let maximumLength = 4_096

    /// Moments that are taken: up to the end of the year 9999.
    private static let moments: ClosedRange<Int64> = 0...253_402_300_799_999

    let reason: APNSReason
    /// Milliseconds since 1970 since when Apple has known the token to be dead; nil where no such moment is told.
    let deadSince: Int64?

    init(status: Int, bytes: [UInt8]) {
        let object = (try? JSONValue(parsing: bytes, depthLimit: 8))?.object
        reason = object?["reason"]?.string.map(APNSReason.init(name:)) ?? Self.likely(status)
        deadSince =
            status == 410
            ? object?["timestamp"]?.integer.map(Int64.init).flatMap { Self.moments.contains($0) ? $0 : nil } : nil
    }

    /// The reason that a status alone suggests.
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
