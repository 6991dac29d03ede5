import EyotCommands
import EyotContract
import EyotDomain

/// Our members of a body as a vendor's callers know them.
struct MemberNames: Sendable {
    private let pairs: [(ours: String, theirs: String)]

    init(_ names: [String: String]) {
        pairs = names.sorted { ($0.key.count, $0.key) > ($1.key.count, $1.key) }.map { ($0.key, $0.value) }
    }

    /// Their path for one of ours; what is below a member goes with it.
    private func path(of field: String) -> String {
        for (ours, theirs) in pairs where field.hasPrefix(ours) {
            let rest = field.dropFirst(ours.count)
            if rest.isEmpty || rest.first == "." || rest.first == "[" { return theirs + rest }
        }
        return field
    }

    /// Which of their members an error is about.
    func field(of error: EyotError) -> String? { error.isInCallersWords ? error.field : error.field.map(path) }

    /// What an error says, in their words.
    func words(of error: EyotError) -> String { error.isInCallersWords ? error.detail : words(error.detail) }

    /// A sentence of ours with their names for our members: of an error and of a warning alike.
    ///
    /// A sentence that begins with a member is about that member. Further on only a word that is no English one counts
    /// as
    /// a member: one with a capital letter inside, or a path.
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
        // A full stop ends the sentence, and no path.
        let stop = word.last == "." ? "." : ""
        let member = word.dropLast(stop.count)
        let isMember = isFirst || member.dropFirst().contains { $0.isUppercase || ".[-".contains($0) }
        return (isMember ? path(of: String(member)) : String(member)) + stop
    }
}

extension EyotError {
    /// What is wrong with a member of a vendor's body, which is called as its caller has it.
    init(theirs error: JSONFieldError) {
        self.init(error)
        isInCallersWords = true
    }
}
