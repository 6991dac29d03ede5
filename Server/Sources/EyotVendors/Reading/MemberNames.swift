import EyotCommands
import EyotContract
import EyotDomain

/// The names that a vendor's callers use for Eyot's members of a body.
struct MemberNames: Sendable {
    private let pairs: [(ours: String, theirs: String)]

    init(_ names: [String: String]) {
        pairs = names.sorted { ($0.key.count, $0.key) > ($1.key.count, $1.key) }.map { ($0.key, $0.value) }
    }

    /// Returns the vendor's path for one of Eyot's, including paths below a member.
    private func path(of field: String) -> String {
        for (ours, theirs) in pairs where field.hasPrefix(ours) {
            let rest = field.dropFirst(ours.count)
            if rest.isEmpty || rest.first == "." || rest.first == "[" { return theirs + rest }
        }
        return field
    }

    /// Returns the vendor's member that an error is about.
    func field(of error: EyotError) -> String? { error.isInCallersWords ? error.field : error.field.map(path) }

    /// Returns the text of an error with the vendor's names.
    func words(of error: EyotError) -> String { error.isInCallersWords ? error.detail : words(error.detail) }

    /// Returns a sentence of an error or a warning with the vendor's names for Eyot's members.
    ///
    /// The first word counts as a member if it is one. Later words count only if they are not plain English: they have
    /// a capital letter inside, or are a path.
    func words(_ sentence: String) -> String {
        var words = ""
        var word = ""
        for character in sentence {
            if character.isLetter || character.isNumber || "._-[]".contains(character) {
                word.append(character)
            } else {
                words += theirs(word, isFirst: words.isEmpty)
                words.append(character)
                word = ""
            }
        }
        return words + theirs(word, isFirst: words.isEmpty)
    }

    private func theirs(_ word: String, isFirst: Bool) -> String {
        // A full stop at the end belongs to the sentence and not to a path.
        let stop = word.last == "." ? "." : ""
        let member = word.dropLast(stop.count)
        let isMember = isFirst || member.dropFirst().contains { $0.isUppercase || ".[-".contains($0) }
        return (isMember ? path(of: String(member)) : String(member)) + stop
    }
}

extension EyotError {
    /// Makes an error about a member of a vendor's body. It keeps the caller's name of the member.
    init(theirs error: JSONFieldError) {
        self.init(error)
        isInCallersWords = true
    }
}
