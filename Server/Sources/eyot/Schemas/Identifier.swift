/// Names for types and members that are valid in each language: ASCII letters, digits and underscores.
enum Identifier {
    /// Returns a name with plain characters only. Other letters become their numbers, so that different names stay
    /// different. All other characters become underscores.
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

    /// Returns the name of a type, which begins with a letter.
    static func ofType(_ name: String, _ reserved: Set<String>) -> String {
        let letters = letters(of: name)
        let begins = letters.unicodeScalars.first?.properties.isAlphabetic ?? false
        let identifier = begins ? letters : "Type" + letters
        return reserved.contains(identifier) ? identifier + "_" : identifier
    }

    /// Whether a member's name is a valid identifier, apart from keywords. An underscore alone is not one in Kotlin.
    static func isPlain(_ name: String) -> Bool {
        let scalars = name.unicodeScalars
        guard let first = scalars.first, scalars.allSatisfy(isPlain) else { return false }
        return !("0"..."9").contains(first) && scalars.contains { $0 != "_" }
    }

    /// Returns the name, with a number if it is taken.
    static func free(_ name: String, unless isTaken: (String) -> Bool) -> String {
        var (free, number) = (name, 2)
        while isTaken(free) {
            free = "\(name)\(number)"
            number += 1
        }
        return free
    }

    /// Returns the names in the parts of a program, each of which has several lines.
    static func words(in parts: [[String]]) -> Set<String> {
        Set(parts.joined().flatMap { $0.split { !$0.unicodeScalars.allSatisfy(isPlain) } }.map(String.init))
    }

    /// Returns hexadecimal digits in capitals, with leading zeros.
    static func hexDigits(_ value: UInt32, count: Int) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar) || scalar == "_"
    }
}

extension String {
    /// The way in which a language writes a character by its number.
    enum Escape {
        /// `\uXXXX`, as a pair for a character above U+FFFF.
        case utf16
        /// `\uXXXX` and `\UXXXXXXXX`.
        case scalars
    }

    /// Returns a literal in double quotes, on one line and without invisible characters.
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

    /// The text in double quotes, in a form that cannot end a comment.
    var quotedInComment: String { quoted(escaping: ["*"]) }
}

extension Unicode.Scalar {
    /// Whether the character has a form. Controls, line ends and changes of writing direction have none.
    fileprivate var isVisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }
}
