/// A search for the name that a misspelt name was probably meant to be.
public enum NearMiss {
    /// The longest name that is compared, in characters.
    private static let lengthLimit = 128
    /// The most names that are compared.
    private static let countLimit = 1_000

    /// Returns the name nearest to `name`; nil if none is near.
    ///
    /// A name is near if it differs only in case, or by one edit for each four characters and at most three. An edit
    /// adds, removes or replaces a character, or swaps two neighbours.
    ///
    /// - Parameter known: the existing names. The first thousand are compared.
    public static func of(_ name: String, among known: some Sequence<String>) -> String? {
        let wanted = Array(name.lowercased())
        guard wanted.count <= lengthLimit else { return nil }
        let most = min(3, max(1, wanted.count / 4))
        var best: (name: String, edits: Int)?
        for other in known.lazy.prefix(countLimit) where other != name {
            let letters = Array(other.lowercased())
            guard letters.count <= lengthLimit, abs(letters.count - wanted.count) <= most else { continue }
            let edits = edits(from: wanted, to: letters)
            // Among equally near names the alphabetically first one is chosen, so that the answer is stable.
            guard edits <= most, best.map({ (edits, other) < ($0.edits, $0.name) }) ?? true else { continue }
            best = (other, edits)
        }
        return best?.name
    }

    private static func edits(from a: [Character], to b: [Character]) -> Int {
        var (before, row) = ([Int](), Array(0...b.count))
        for i in a.indices {
            var next = [i + 1]
            for j in b.indices {
                var edits = min(row[j + 1] + 1, next[j] + 1, row[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { edits = min(edits, before[j - 1] + 1) }
                next.append(edits)
            }
            (before, row) = (row, next)
        }
        return row[b.count]
    }
}
