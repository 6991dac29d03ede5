import APNSWire

extension APNSID {
    /// Derives the id of the push that brings a replica to a version. It needs no row, and a push that is repeated
    /// after a crash carries the same id.
    ///
    /// - Parameters:
    ///   - version: 0 for an end without a declaration.
    ///   - isStart: tells a start from an update that brings the started card to the same version again.
    package init(activity: ActivityID, version: Version, ordinal: Int, isStart: Bool = false) {
        // 80 bits identify the push. The version and variant bits make it a well-formed UUID of version 8 (RFC 9562).
        let word = UInt64(bitPattern: activity.rawValue)
        self.init(
            high: (word << 16) | 0x8000 | (UInt64(truncatingIfNeeded: version) >> 20 & 0xFFF),
            low: 0x8000_0000_0000_0000 | (isStart ? 0x2000_0000_0000_0000 : 0)
                | (UInt64(truncatingIfNeeded: version) & 0xF_FFFF) << 40
                | UInt64(truncatingIfNeeded: ordinal) & 0xFF_FFFF_FFFF)
    }

    /// The version that a derived id names. Nil if another sender made the id, or the push is an end without a
    /// declaration.
    package var version: Version? {
        guard high >> 12 & 0xF == 8, low >> 62 == 2 else { return nil }
        let version = (high & 0xFFF) << 20 | (low >> 40 & 0xF_FFFF)
        return version > 0 ? Version(version) : nil
    }
}
