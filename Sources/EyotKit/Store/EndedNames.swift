/// The names of ended cards, by ActivityKit's id. The latest 64 are kept, because a phone shows only a handful.
struct EndedNames: Sendable, Equatable {
    static let limit = 64

    private(set) var all: [(instance: String, name: String)] = []

    subscript(_ instance: String) -> String? { all.last { $0.instance == instance }?.name }

    mutating func keep(_ name: String, of instance: String) {
        all.removeAll { $0.instance == instance }
        all = (all + [(instance, name)]).suffix(Self.limit)
    }

    static func == (a: EndedNames, b: EndedNames) -> Bool { a.all.elementsEqual(b.all, by: ==) }
}
