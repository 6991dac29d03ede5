/// Texts of each call are divided by their bytes. By characters it takes ten times as long.
extension Substring {
    /// The parts between bytes of ASCII.
    func split(
        atByte separator: Unicode.Scalar, maxSplits: Int = .max, omittingEmpty: Bool = false
    ) -> [Substring] {
        let byte = UInt8(ascii: separator)
        var parts: [Substring] = []
        var rest = self
        while parts.count < maxSplits, let end = rest.utf8.firstIndex(of: byte) {
            if !omittingEmpty || end > rest.startIndex { parts.append(rest[..<end]) }
            rest = rest[rest.utf8.index(after: end)...]
        }
        if !omittingEmpty || !rest.isEmpty { parts.append(rest) }
        return parts
    }
}
