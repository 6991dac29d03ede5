/// A row as bytes, in the binary form of PostgreSQL's COPY.
///
/// The number of columns has 16 bits. Each value has its length in 32 bits, -1 for none, and its bytes: 8 for a number,
/// those of UTF-8 for text. The highest byte of a number comes first.
///
/// Both kinds of database give and take rows in this form, so that equal bytes are equal rows.
package struct RowBytes {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// Begins another row in the same memory.
    package mutating func begin(columns count: Int) {
        bytes.removeAll(keepingCapacity: true)
        append(bytesOf: Int16(truncatingIfNeeded: count))
    }

    package mutating func appendNull() { append(bytesOf: Int32(-1)) }

    package mutating func append(_ number: Int64) {
        append(bytesOf: Int32(8))
        append(bytesOf: number)
    }

    package mutating func append(_ value: UnsafeRawBufferPointer) {
        append(bytesOf: Int32(truncatingIfNeeded: value.count))
        bytes.append(contentsOf: value)
    }

    private mutating func append(bytesOf number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    /// Passes each value of a row with its place; nil for a value that there is none of.
    package static func forEachField(
        of row: UnsafeRawBufferPointer, _ body: (Int, UnsafeRawBufferPointer?) throws -> Void
    ) rethrows {
        var (place, index) = (2, 0)
        while place + 4 <= row.count {
            let length = Int(Int32(bigEndian: row.loadUnaligned(fromByteOffset: place, as: Int32.self)))
            place += 4
            if length < 0 {
                try body(index, nil)
            } else {
                try body(index, UnsafeRawBufferPointer(rebasing: row[place..<min(place + length, row.count)]))
                place += length
            }
            index += 1
        }
    }

    /// Reads a number; nil if the bytes are not one.
    package static func number(in bytes: UnsafeRawBufferPointer) -> Int64? {
        bytes.count == 8 ? Int64(bigEndian: bytes.loadUnaligned(as: Int64.self)) : nil
    }

    /// Why text cannot be kept by every database; nil if it can.
    package static func fault(inText bytes: UnsafeRawBufferPointer) -> String? {
        var isPlain = true
        for byte in bytes {
            if byte == 0 { return "the text has a NUL character" }
            if byte >= 0x80 { isPlain = false }
        }
        guard !isPlain, String(validating: bytes, as: UTF8.self) == nil else { return nil }
        return "the text is not UTF-8"
    }
}

/// Rows that travel together. The limits keep the memory of a move constant.
package struct RowBatch {
    package static let rowLimit = 2_000
    package static let byteLimit = 1 << 20

    /// All rows in the form of ``RowBytes``, one behind the other.
    package private(set) var bytes: [UInt8] = []
    private var starts: [Int] = []

    package init() {}

    package var count: Int { starts.count }
    package var isEmpty: Bool { starts.isEmpty }
    package var isFull: Bool { count >= Self.rowLimit || bytes.count >= Self.byteLimit }

    package mutating func append(_ row: UnsafeRawBufferPointer) {
        starts.append(bytes.count)
        bytes.append(contentsOf: row)
    }

    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        starts.removeAll(keepingCapacity: true)
    }

    package func forEachRow(_ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
        for index in starts.indices { try withRow(index, body) }
    }

    /// Passes one row.
    package func withRow<Result>(
        _ index: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        let end = index + 1 < starts.count ? starts[index + 1] : bytes.count
        return try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[starts[index]..<end])) }
    }
}
