import EyotStore

/// The values of a statement, in the binary form that the server takes.
struct PostgresParameters {
    struct Pointers {
        var count: Int32
        var values: UnsafePointer<UnsafePointer<CChar>?>?
        var lengths: UnsafePointer<Int32>?
        var formats: UnsafePointer<Int32>?
    }

    let types: [PostgresType]
    private var bytes: [CChar] = []
    /// Where each value begins; nil for none.
    private var starts: [Int?] = []
    private var lengths: [Int32] = []

    /// - Throws: ``StoreError/textWithNUL``.
    init(_ values: [SQLValue]) throws {
        types = values.map { PostgresType($0.kind) }
        starts.reserveCapacity(values.count)
        for value in values {
            let start = bytes.count
            switch value {
            case .null: break
            case .integer(let number): append(withUnsafeBytes(of: number.bigEndian) { Array($0) })
            case .text(let text):
                guard !text.utf8.contains(0) else { throw StoreError.textWithNUL }
                append(text.utf8)
            case .blob(let blob): append(blob)
            }
            if case .null = value { starts.append(nil) } else { starts.append(start) }
            lengths.append(Int32(bytes.count - start))
        }
        // So that an empty value has an address too. A null address would mean that there is no value.
        bytes.append(0)
    }

    private mutating func append(_ more: some Sequence<UInt8>) {
        for byte in more { bytes.append(CChar(bitPattern: byte)) }
    }

    func withPointers<Result>(_ body: (Pointers) -> Result) -> Result {
        bytes.withUnsafeBufferPointer { bytes in
            let values = starts.map { start in start.flatMap { bytes.baseAddress?.advanced(by: $0) } }
            let formats = [Int32](repeating: 1, count: starts.count)
            return values.withUnsafeBufferPointer { values in
                lengths.withUnsafeBufferPointer { lengths in
                    formats.withUnsafeBufferPointer { formats in
                        body(
                            Pointers(
                                count: Int32(starts.count), values: values.baseAddress, lengths: lengths.baseAddress,
                                formats: formats.baseAddress))
                    }
                }
            }
        }
    }
}
