/// Rising positive numbers in compact form, as gaps and lengths of runs. Ids and ordinals that lie together need very
/// few bytes.
package struct MemberRuns: Sendable, Hashable {
    /// The most numbers of one chunk. A reader decodes a chunk at a time.
    package static let capacity = 16_384
    /// The most bytes of one number, in groups of seven bits.
    private static let numberBytes = 10

    package private(set) var bytes: [UInt8] = []
    package private(set) var count = 0
    /// The highest number, 0 if there is none.
    package private(set) var last: Int64 = 0
    /// The run that has not been written yet.
    private var open: ClosedRange<Int64>?
    /// The last number of the run that was written last, 0 if none was.
    private var written: Int64 = 0

    package init() {}

    /// Appends a number.
    ///
    /// - Precondition: the number is above ``last``, and there is room.
    package mutating func append(_ number: Int64) {
        precondition(number > last && count < Self.capacity, "members come in order, up to \(Self.capacity)")
        if let run = open, run.upperBound + 1 == number {
            open = run.lowerBound...number
        } else {
            close()
            open = number...number
        }
        last = number
        count += 1
    }

    private mutating func close() {
        guard let run = open else { return }
        Self.append(UInt64(run.lowerBound - written), to: &bytes)
        Self.append(UInt64(run.upperBound - run.lowerBound), to: &bytes)
        written = run.upperBound
        open = nil
    }

    /// Splits the numbers into chunks. Each chunk can be read without the others.
    package static func chunks(of numbers: some Sequence<Int64>) -> [MemberRuns] {
        var chunks: [MemberRuns] = []
        var chunk = MemberRuns()
        for number in numbers {
            if chunk.count == capacity {
                chunk.close()
                chunks.append(chunk)
                chunk = MemberRuns()
            }
            chunk.append(number)
        }
        chunk.close()
        return chunk.count == 0 ? chunks : chunks + [chunk]
    }

    /// Reads the numbers of a chunk that are above `former`, up to a limit.
    ///
    /// - Returns: nil if the bytes are not what ``chunks(of:)`` writes.
    package static func numbers(in bytes: [UInt8], after former: Int64, limit: Int) -> [Int64]? {
        var numbers: [Int64] = []
        var (rest, end) = (bytes[...], Int64(0))
        while !rest.isEmpty, numbers.count < limit {
            guard let gap = take(&rest), let length = take(&rest), gap > 0,
                case (let first, false) = end.addingReportingOverflow(gap),
                case (let last, false) = first.addingReportingOverflow(length)
            else { return nil }
            end = last
            guard last > former else { continue }
            numbers += (max(first, former + 1)...last).prefix(limit - numbers.count)
        }
        return numbers
    }

    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        var left = number
        while left >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: left) | 0x80)
            left >>= 7
        }
        bytes.append(UInt8(left))
    }

    private static func take(_ bytes: inout ArraySlice<UInt8>) -> Int64? {
        var number: UInt64 = 0
        for place in 0..<numberBytes {
            guard let byte = bytes.popFirst() else { return nil }
            number |= UInt64(byte & 0x7F) << UInt64(7 * place)
            if byte & 0x80 == 0 { return Int64(exactly: number) }
        }
        return nil
    }
}
