/// Names for types and members that every language takes: letters, digits and underscores of ASCII.
enum Identifier {
    /// The letters and digits of a name. Other letters are told by their numbers, so that two names stay two; the rest becomes underscores.
    static func letters(of name: String) -> String {
        name.unicodeScalars.reduce(into: "") { text, scalar in
            if isPlain(scalar) {
                text.unicodeScalars.append(scalar)
            } else if !scalar.isASCII, scalar.properties.isAlphabetic {
                text += "u" + hexDigits(scalar.value, count: 4)
            } else {
                text += "_"
            }
        }
    }

    /// The name of a type: it begins with a letter.
    static func ofType(_ name: String, _ reserved: Set<String>) -> String {
        let letters = letters(of: name)
        let begins = letters.unicodeScalars.first?.properties.isAlphabetic ?? false
        let identifier = begins ? letters : "Type" + letters
        return reserved.contains(identifier) ? identifier + "_" : identifier
    }

    /// Whether a member's name can stand as it is, keywords aside: an underscore alone is none in Kotlin.
    static func isPlain(_ name: String) -> Bool {
        let scalars = name.unicodeScalars
        guard let first = scalars.first, scalars.allSatisfy(isPlain) else { return false }
        return !("0"..."9").contains(first) && scalars.contains { $0 != "_" }
    }

    /// The name, or with a number behind it.
    static func free(_ name: String, unless isTaken: (String) -> Bool) -> String {
        var (free, number) = (name, 2)
        while isTaken(free) {
            free = "\(name)\(number)"
            number += 1
        }
        return free
    }

    /// The names in parts of a program, which have several lines each.
    static func words(in parts: [[String]]) -> Set<String> {
        Set(parts.joined().flatMap { $0.split { !$0.unicodeScalars.allSatisfy(isPlain) } }.map(String.init))
    }

    /// In capitals, with noughts before it.
    static func hexDigits(_ value: UInt32, count: Int) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar) || scalar == "_"
    }
}

extension String {
    /// How a language writes a character by its number.
    enum Escape {
        /// `\uXXXX`, twice for what UTF-16 writes with two.
        case utf16
        /// `\uXXXX` and `\UXXXXXXXX`.
        case scalars
    }

    /// As a literal between double quotes, on one line and with nothing in it that cannot be seen.
    ///
    /// - Parameter others: further characters to write by their number.
    func quoted(_ escape: Escape = .utf16, escaping others: Set<Unicode.Scalar> = []) -> String {
        var text = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case _ where scalar.isVisible && !others.contains(scalar): text.unicodeScalars.append(scalar)
            case _ where escape == .scalars && scalar.value > 0xFFFF:
                text += "\\U" + Identifier.hexDigits(scalar.value, count: 8)
            default:
                for unit in String(scalar).utf16 { text += "\\u" + Identifier.hexDigits(UInt32(unit), count: 4) }
            }
        }
        return text + "\""
    }

    /// Between double quotes in a comment, which it does not end.
    var quotedInComment: String { quoted(escaping: ["*"]) }
}

extension Unicode.Scalar {
    /// Neither a control character nor one that ends a line, turns the direction of writing or has no form.
    fileprivate var isVisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }
}
