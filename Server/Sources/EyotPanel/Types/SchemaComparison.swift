import EyotContract

/// What changed from one build of the app to another: members that came, went or changed, and what no longer decodes.
struct SchemaComparison {
    struct Change {
        var path: String
        /// `came`, `went` or `changed`.
        var word: String
        var tone: String
        var before: String?
        var after: String?
    }

    struct Mismatch {
        var path: String
        var reason: String
    }

    let from: String
    let to: String
    let changes: [Change]
    let isSame: Bool
    let onOlder: [Mismatch]
    let onNewer: [Mismatch]
    let breaksOlder: Bool
    let breaksNewer: Bool

    init(from older: ActivitySchema, named from: String, to newer: ActivitySchema, named to: String) {
        (self.from, self.to) = (from, to)
        let (before, after) = (SchemaMembers(older).all, SchemaMembers(newer).all)
        let types = Dictionary(before.map { ($0.path, $0.type) }) { first, _ in first }
        let newTypes = Dictionary(after.map { ($0.path, $0.type) }) { first, _ in first }
        let came = after.filter { types[$0.path] == nil }.map {
            Change(path: Shown.text($0.path), word: "came", tone: "good", after: Shown.text($0.type))
        }
        let went = before.filter { newTypes[$0.path] == nil }.map {
            Change(path: Shown.text($0.path), word: "went", tone: "bad", before: Shown.text($0.type))
        }
        let changed = after.compactMap { member -> Change? in
            guard let type = types[member.path], type != member.type else { return nil }
            return Change(
                path: Shown.text(member.path), word: "changed", tone: "warn", before: Shown.text(type),
                after: Shown.text(member.type))
        }
        changes = came + went + changed
        isSame = changes.isEmpty
        let difference = SchemaDifference(from: older, to: newer)
        func mismatch(_ found: SchemaMismatch) -> Mismatch {
            Mismatch(path: Shown.text(found.path), reason: Shown.text(found.reason))
        }
        (onOlder, onNewer) = (difference.onOlderBuilds.map(mismatch), difference.onNewerBuilds.map(mismatch))
        (breaksOlder, breaksNewer) = (!onOlder.isEmpty, !onNewer.isEmpty)
    }
}
