import EyotContract
import Foundation

/// The randomness of one phone: the same seed and the same calls give the same tokens and ids. (SplitMix64.)
public struct SeededGenerator: RandomNumberGenerator, Sendable, Codable {
    private var state: UInt64

    /// A generator for one seed and one name, so that phones that share a seed differ.
    public init(seed: UInt64, name: String) {
        // FNV-1a: Swift's own hash differs from run to run.
        let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        state = seed ^ hash
    }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next() >> 56) }
    }

    /// An id as ActivityKit makes them: an upper-case UUID of version 4.
    mutating func cardID() -> String {
        var bytes = bytes(16)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let groups = [bytes[0..<4], bytes[4..<6], bytes[6..<8], bytes[8..<10], bytes[10..<16]]
        return groups.map { HexBytes.text(of: $0) }.joined(separator: "-").uppercased()
    }
}
