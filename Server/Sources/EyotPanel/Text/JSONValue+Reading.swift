import EyotContract
import EyotDomain

/// Reading of the API's answers.
extension JSONValue {
    /// A member by its path; nil if a part of it is missing.
    subscript(_ path: String...) -> JSONValue? { member(path) }

    /// The member at a path of names; nil if there is none, or if it is null.
    func at(_ path: String...) -> JSONValue? { member(path).flatMap { $0 == .null ? nil : $0 } }

    /// The text of a member; empty if there is none.
    func text(_ path: String...) -> String { member(path)?.string ?? "" }

    /// The text of a member for display; empty if there is none.
    func shown(_ path: String...) -> String { Shown.line(member(path)?.string ?? "") }

    /// The number at a path of names; 0 if there is none.
    func count(_ path: String...) -> Int { member(path)?.integer ?? 0 }

    private func member(_ path: [String]) -> JSONValue? {
        path.reduce(self as JSONValue?) { value, name in value?.object?[name] }
    }

    /// The objects of an array.
    var objects: [JSONValue] { array?.filter { $0.object != nil } ?? [] }

    /// The elements of a member; empty if there is none.
    func list(_ name: String) -> [JSONValue] { object?[name]?.array ?? [] }

    /// The texts of a member.
    func texts(_ name: String) -> [String] { list(name).compactMap(\.string) }

    /// The moment of a member; nil if there is none.
    func moment(_ name: String) -> Moment? { Moment(object?[name]) }
}
