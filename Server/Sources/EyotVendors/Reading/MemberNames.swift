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

    /// What an error says, with their path where it begins with ours.
    func words(of error: EyotError) -> String {
        guard !error.isInCallersWords else { return error.detail }
        let detail = error.detail
        let subject = detail.prefix { !" :,".contains($0) }
        return path(of: String(subject)) + detail.dropFirst(subject.count)
    }
}

extension EyotError {
    /// What is wrong with a member of a vendor's body, which is called as its caller has it.
    init(theirs error: JSONFieldError) {
        self.init(error)
        isInCallersWords = true
    }
}
