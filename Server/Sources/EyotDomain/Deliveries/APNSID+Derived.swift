import APNSWire

extension APNSID {
    /// The id of the push that brings a replica to a version. Derived, so that it needs no row and a story can be rebuilt
    /// from it; the same push sent again after a crash carries the same id.
    ///
    /// - Parameters:
    ///   - version: 0 for the end of a card that makes way for another one.
    ///   - isStart: an update may bring the started card to the same version again.
    package init(activity: ActivityID, version: Int, ordinal: Int, isStart: Bool = false) {
        // 80 bits tell the push apart; version and variant bits make a well-formed UUID of kind 8 (RFC 9562).
        let word = UInt64(bitPattern: activity.rawValue)
        self.init(
            high: (word << 16) | 0x8000 | (UInt64(truncatingIfNeeded: version) >> 20 & 0xFFF),
            low: 0x8000_0000_0000_0000 | (isStart ? 0x2000_0000_0000_0000 : 0)
                | (UInt64(truncatingIfNeeded: version) & 0xF_FFFF) << 40
                | UInt64(truncatingIfNeeded: ordinal) & 0xFF_FFFF_FFFF)
    }
}
