import EyotDomain

/// Our members of a body as a vendor's callers know them.
struct MemberNames: Sendable {
    private let pairs: [(ours: String, theirs: String)]

    init(_ names: [String: String]) {
        pairs = names.sorted { ($0.key.count, $0.key) > ($1.key.count, $1.key) }.map { ($0.key, $0.value) }
    }

    /// Their path for one of ours; what is below a member goes with it.
    func path(of field: String) -> String {
        for (ours, theirs) in pairs where field.hasPrefix(ours) {
            let rest = field.dropFirst(ours.count)
            if rest.isEmpty || rest.first == "." || rest.first == "[" { return theirs + rest }
        }
        return field
    }

    /// What an error says, with their path where it begins with ours.
    func words(of error: EyotError) -> String {
        let detail = error.detail
        let subject = detail.prefix { !" :,".contains($0) }
        return path(of: String(subject)) + detail.dropFirst(subject.count)
    }
}
