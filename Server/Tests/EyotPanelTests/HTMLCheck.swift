/// Whether a page is well-formed: each element that begins also ends, in the right order, and no id stands twice.
struct HTMLCheck {
    private static let void: Set = [
        "meta", "link", "input", "br", "rect", "line", "circle", "polyline", "img", "hr", "path",
    ]

    /// What is wrong with a page, or with a part of one; nil if nothing is.
    static func fault(in html: String) -> String? {
        var open: [String] = []
        var ids: Set<String> = []
        var rest = html[...]
        while let begin = rest.firstIndex(of: "<") {
            guard let end = rest[begin...].firstIndex(of: ">") else {
                return "a tag does not end: \(rest[begin...].prefix(80))"
            }
            let tag = rest[rest.index(after: begin)..<end]
            rest = rest[rest.index(after: end)...]
            if tag.hasPrefix("!doctype") { continue }
            if tag.contains("<") { return "a tag stands in a tag: \(tag.prefix(80))" }
            if tag.hasPrefix("/") {
                guard open.popLast() == String(tag.dropFirst()) else { return "\(tag) does not close what is open" }
                continue
            }
            guard tag.filter({ $0 == "\"" }).count.isMultiple(of: 2) else { return "quotation marks: \(tag)" }
            let name = String(tag.prefix { $0.isLetter || $0.isNumber })
            guard !name.isEmpty else { return "no element: \(tag.prefix(80))" }
            if let id = id(of: tag), !ids.insert(id).inserted { return "the id \(id) stands twice" }
            if !void.contains(name), !tag.hasSuffix("/") { open.append(name) }
        }
        return open.isEmpty ? nil : "not closed: \(open)"
    }

    private static func id(of tag: Substring) -> String? {
        guard let range = tag.firstRange(of: " id=\"") else { return nil }
        return String(tag[range.upperBound...].prefix { $0 != "\"" })
    }
}
