/// Swift text with comments and the contents of string literals taken out, so that a rule finds code only.
///
/// It knows line comments, the three forms of string literals, and interpolation. Block comments are not allowed here.
enum SwiftText {
    /// The lines of code, one for each line of the text.
    static func code(of text: String) -> [String] {
        var scanner = Scanner(bytes: Array(text.utf8))
        scanner.run()
        return scanner.code.split(separator: 0x0A, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    private enum State {
        /// Code; in an interpolation, with this many parentheses open in it.
        case code(parentheses: Int)
        case string(hashes: Int, quotes: Int)
    }

    private struct Scanner {
        let bytes: [UInt8]
        var code: [UInt8] = []
        private var index = 0
        private var states: [State] = [.code(parentheses: 0)]

        init(bytes: [UInt8]) { self.bytes = bytes }

        mutating func run() {
            while index < bytes.count {
                switch states[states.count - 1] {
                case .code(let parentheses): stepInCode(parentheses)
                case .string(let hashes, let quotes): stepInString(hashes, quotes)
                }
            }
        }

        private mutating func stepInCode(_ parentheses: Int) {
            if matches("//", at: index) {
                while index < bytes.count, bytes[index] != 0x0A { index += 1 }
                return
            }
            let hashes = run(of: "#", at: index)
            if byte(at: index + hashes) == UInt8(ascii: "\"") {
                let quotes = run(of: "\"", at: index + hashes) >= 3 ? 3 : 1
                states.append(.string(hashes: hashes, quotes: quotes))
                code.append(UInt8(ascii: "\""))
                index += hashes + quotes
                return
            }
            if states.count > 1 {
                if bytes[index] == UInt8(ascii: ")"), parentheses == 0 {
                    states.removeLast()
                    index += 1
                    return
                }
                let change = bytes[index] == UInt8(ascii: "(") ? 1 : bytes[index] == UInt8(ascii: ")") ? -1 : 0
                states[states.count - 1] = .code(parentheses: parentheses + change)
            }
            code.append(bytes[index])
            index += 1
        }

        private mutating func stepInString(_ hashes: Int, _ quotes: Int) {
            if bytes[index] == 0x0A {
                code.append(0x0A)
                // No literal of one line goes on after it: what looked like a quote was none.
                if quotes == 1 { states.removeLast() }
                index += 1
            } else if bytes[index] == UInt8(ascii: "\\"), run(of: "#", at: index + 1) >= hashes {
                index += 1 + hashes
                if byte(at: index) == UInt8(ascii: "(") { states.append(.code(parentheses: 0)) }
                index += 1
            } else if run(of: "\"", at: index) >= quotes, run(of: "#", at: index + quotes) >= hashes {
                states.removeLast()
                code.append(UInt8(ascii: "\""))
                index += quotes + hashes
            } else {
                index += 1
            }
        }

        private func byte(at index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

        private func run(of scalar: Unicode.Scalar, at start: Int) -> Int {
            var end = start
            while byte(at: end) == UInt8(ascii: scalar) { end += 1 }
            return end - start
        }

        private func matches(_ word: StaticString, at start: Int) -> Bool {
            word.withUTF8Buffer { word in
                word.indices.allSatisfy { byte(at: start + $0) == word[$0] }
            }
        }
    }
}
